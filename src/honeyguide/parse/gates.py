"""Pages that stand in front of others: a challenge, a question about cookies, a form to log in."""

from __future__ import annotations

import re

LONGEST = 250  # words; a page with more to read is no gate
SHORT = 60  # words; only in a text as short do words speak for the whole page

_SYLLABLE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # of scripts without spaces
_CHALLENGE = re.compile(
    r"checking (?:if the site connection is secure|your browser)"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:robot|human)|i'?m not a robot|not a bot\b"
    r"|unusual traffic from your|enable javascript and cookies to continue|ddos protection by"
    r"|complete the (?:captcha|security check)|press (?:and|&) hold|access to this page has been denied"
    r"|pardon our interruption|request unsuccessful\. incapsula|please turn javascript on and reload",
    re.IGNORECASE,
)
_CHALLENGE_TITLE = re.compile(r"^just a moment\b|^attention required\b", re.IGNORECASE)
_CONSENT = re.compile(
    r"before you continue|(?:accept|allow) (?:all )?cookies"
    r"|we (?:and our partners )?(?:use|value) (?:cookies|your privacy)"
    r"|cookie (?:consent|preferences|settings)|consent to (?:the use of )?cookies|your privacy choices"
    r"|cookies? (?:zustimmen|akzeptieren)|accepter (?:les|tous les) cookies|aceptar (?:las )?cookies",
    re.IGNORECASE,
)
_CONSENT_TITLE = re.compile(r"before you continue|consent|privacy|cookie|datenschutz", re.IGNORECASE)
_LOGIN = re.compile(
    r"(?:log ?in|sign ?in|log ?on|anmelden|einloggen|connexion|iniciar sesi[oó]n|accedi|password|passwort)",
    re.IGNORECASE,
)


def gate(title: str, text: str, asks_password: bool) -> str:
    """Which kind of gate a page is; empty for a page worth reading.

    >>> gate("Just a moment...", "Checking your browser before accessing bees.example", False)
    'challenge'
    """
    head = text[:4000]
    size: float = len(head.split(None, LONGEST))
    if size <= LONGEST:
        size += len(_SYLLABLE.findall(head)) / 2
    if size > LONGEST:
        return ""
    if _CHALLENGE_TITLE.search(title) or (size <= SHORT and _CHALLENGE.search(f"{title} {head}")):
        return "challenge"
    if asks_password and (_LOGIN.search(title) or (size <= SHORT and _LOGIN.search(head))):
        return "login"
    if size <= SHORT and _CONSENT_TITLE.search(title) and _CONSENT.search(head):
        return "consent"
    return ""
