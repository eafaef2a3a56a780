"""What other crawlers fetched, as it is archived."""

import gzip

from honeyguide.contrib.reading import reply
from honeyguide.parse import Reading

HTML = ((b"Content-Type", b"text/html"),)


def test_only_headers_that_are_no_secret_are_archived():
    secrets = {b"Cookie": b"s1", b"Authorization": b"s2", b"X-Api-Key": b"s3", b"Referer": b"https://s4.example/"}
    harmless = {b"User-Agent": b"bees/1", b"Accept-Language": b"de", b"accept": b"text/html"}
    sent = [*secrets.items(), *harmless.items()]
    made = reply("https://bees.example/", 200, HTML, b"bees", Reading(), archive=True, sent=sent)
    archived = gzip.decompress(made.record)
    assert not [value for value in secrets.values() if value in archived]
    assert b"X-Api-Key: (sent, but not kept)" in archived
    assert not [value for value in harmless.values() if value not in archived]
