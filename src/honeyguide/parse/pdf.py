"""Text of PDF files, where the extra is installed; without it they are recorded and counted by type."""

from __future__ import annotations

import threading

from honeyguide.base import Page
from honeyguide.parse.fingerprint import fingerprint
from honeyguide.parse.language import language_of

MAX_PAGES = 200
_one_at_a_time = threading.Lock()  # PDFium is not thread-safe


def read_pdf(url: str, body: bytes) -> Page:
    """A page from a PDF file; broken or encrypted ones keep only their type."""
    try:
        import pypdfium2
    except ImportError:
        return Page(url=url, type="application/pdf")
    with _one_at_a_time:
        try:
            with pypdfium2.PdfDocument(body) as document:
                title, text = _contents(document)
        except pypdfium2.PdfiumError:
            return Page(url=url, type="application/pdf")
    return Page(
        url=url,
        title=title,
        text=text,
        main=text,
        language=language_of(text),
        type="application/pdf",
        fingerprint=fingerprint(text),
    )


def _contents(document: object) -> tuple[str, str]:
    title = str(document.get_metadata_dict().get("Title", ""))  # type: ignore[attr-defined]
    pages = range(min(len(document), MAX_PAGES))  # type: ignore[arg-type]
    texts = [document[i].get_textpage().get_text_bounded() for i in pages]  # type: ignore[index]
    return title, "\n".join(texts).replace("\r\n", "\n").strip()
