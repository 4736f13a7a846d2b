"""The mark of an AI-generated picture: the IPTC digital source type, as XMP inside the file.

JPEG gets an APP1 segment, PNG an `iTXt` chunk; pixels and everything else stay byte for byte. What holds
neither (WebP without an extended header) gets a file of its own beside it.

References
----------
IPTC Photo Metadata Standard, Digital Source Type, http://cv.iptc.org/newscodes/digitalsourcetype/
XMP specification part 3, storage in files.
"""

from __future__ import annotations

import struct
import zlib

TRAINED = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
"""Made by a model that was trained on samples."""

DRAWN = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"
"""Made by an algorithm that was not."""

_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_XMP_OF_JPEG = b"http://ns.adobe.com/xap/1.0/\x00"
_XMP_OF_PNG = b"XML:com.adobe.xmp\x00\x00\x00\x00\x00"


def xmp_packet(source_type: str) -> bytes:
    """The packet that states a digital source type."""
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="ContextBias Studio">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" '
        f'Iptc4xmpExt:DigitalSourceType="{source_type}"/>'
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def marked(data: bytes, source_type: str = TRAINED) -> bytes | None:
    """The same picture with the mark; None when the kind of file has no place for it.

    Examples
    --------
    >>> marked(b"GIF89a") is None
    True
    """
    if data.startswith(_JPEG):
        place = _after_jfif(data)
        return data[:place] + _jpeg_segment(source_type) + data[place:]
    if data.startswith(_PNG):
        place = _after_header(data)
        return data[:place] + _png_chunk(source_type) + data[place:]
    return None


def unmarked(data: bytes) -> bytes:
    """The picture as it was before `marked`; one without our mark as it is."""
    for source_type in (TRAINED, DRAWN):
        if data.startswith(_JPEG):
            mark, place = _jpeg_segment(source_type), _after_jfif(data)
        elif data.startswith(_PNG):
            mark, place = _png_chunk(source_type), _after_header(data)
        else:
            return data
        if data[place : place + len(mark)] == mark:
            return data[:place] + data[place + len(mark) :]
    return data


def _after_jfif(data: bytes) -> int:
    """Behind the start of a JPEG and its JFIF header, which must come first."""
    if data[2:4] != b"\xff\xe0" or len(data) < 6:
        return 2
    (length,) = struct.unpack(">H", data[4:6])
    return int(4 + length)


def _after_header(data: bytes) -> int:
    """Behind the signature of a PNG and its first chunk, IHDR: 13 bytes and their frame."""
    return len(_PNG) + 12 + 13


def _jpeg_segment(source_type: str) -> bytes:
    body = _XMP_OF_JPEG + xmp_packet(source_type)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def _png_chunk(source_type: str) -> bytes:
    body = b"iTXt" + _XMP_OF_PNG + xmp_packet(source_type)
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
