"""A font in which every character is as wide as every other: with it a page is laid out the same on every machine."""

from __future__ import annotations

import base64
import struct

FIRST, LAST = 0x20, 0x27BF
"""Of the characters that it has."""
EM, WIDTH, ASCENT, DESCENT = 1000, 560, 930, 240


def _glyph() -> bytes:
    """A square."""
    side = 400
    ends, flags = struct.pack(">HH", 3, 0), bytes([1] * 4)
    xs, ys = struct.pack(">4h", 0, side, 0, -side), struct.pack(">4h", 0, 0, side, 0)
    return struct.pack(">5h", 1, 0, 0, side, side) + ends + flags + xs + ys


def _characters() -> bytes:
    """A table of format 4 in which all characters are glyph 1."""
    number = LAST - FIRST + 1
    segments = struct.pack(">4H", 4, 4, 1, 0) + struct.pack(">2H", LAST, 0xFFFF) + struct.pack(">H", 0)
    segments += struct.pack(">2H", FIRST, 0xFFFF) + struct.pack(">2h", 0, 1) + struct.pack(">2H", 4, 0)
    glyphs = struct.pack(f">{number}H", *[1] * number)
    table = struct.pack(">3H", 4, 6 + len(segments) + len(glyphs), 0) + segments + glyphs
    return struct.pack(">4HI", 0, 1, 3, 1, 12) + table


def _names() -> bytes:
    texts = [(1, "Even"), (2, "Regular"), (4, "Even"), (6, "Even")]
    records, data = b"", b""
    for number, text in texts:
        coded = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(coded), len(data))
        data += coded
    return struct.pack(">3H", 0, len(texts), 6 + len(records)) + records + data


def _tables() -> dict[bytes, bytes]:
    glyph = _glyph()
    glyph += bytes(-len(glyph) % 4)
    return {
        b"OS/2": struct.pack(
            ">HhHHH10hh10s4I4sHHHhhhHH", 3, WIDTH, 400, 5, 0, *[100] * 10, 0, bytes(10), 1, 0, 0, 0, b"EVEN", 64,
            FIRST, LAST, ASCENT, -DESCENT, 0, ASCENT, DESCENT,
        ) + struct.pack(">IIhhHHH", 1, 0, 500, 700, 0, FIRST, 1),
        b"cmap": _characters(),
        b"glyf": glyph * 2,
        b"head": struct.pack(">IIIIHHQQ4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, EM, 0, 0, 0, 0, 400, 400, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">I3hH11hH", 0x10000, ASCENT, -DESCENT, 0, WIDTH, 0, 0, 400, 1, 0, 0, 0, 0, 0, 0, 0, 2),
        b"hmtx": struct.pack(">HhHh", WIDTH, 0, WIDTH, 0),
        b"loca": struct.pack(">3I", 0, len(glyph), 2 * len(glyph)),
        b"maxp": struct.pack(">I14H", 0x10000, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _names(),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }  # fmt: skip


def font() -> bytes:
    """The font's file."""
    tables = _tables()
    head = struct.pack(">I4H", 0x10000, len(tables), 128, 3, 16 * len(tables) - 128)
    directory, data, place = b"", b"", len(head) + 16 * len(tables)
    for tag, table in sorted(tables.items()):
        padded = table + bytes(-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += struct.pack(">4s3I", tag, total, place, len(table))
        data, place = data + padded, place + len(padded)
    return head + directory + data


def style() -> str:
    """A style sheet by which all that is written has this font."""
    coded = base64.b64encode(font()).decode()
    source = f"url(data:font/ttf;base64,{coded})"
    return f"@font-face {{ font-family: Even; src: {source}; font-weight: 1 1000; }} *, ::before, ::after {{ font-family: Even !important; }}"
