""".slc, levels in XML: read safely, and written without loss (K21)."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from tests.games.sokoban.boards import level, levels, pack_contents
from tests.games.sokoban.formats.test_xsb import CANONICAL

from gridproof.core.errors import GridproofError
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban import Level

CANONICAL_XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<SokobanLevels>
  <Title>Two &amp; a half</Title>
  <Description>
First line.

  Third line.
</Description>
  <Email>somebody@example.org</Email>
  <Url>http://example.org/</Url>
  <Key Name="Date">1982</Key>
  <Note>of the collection</Note>
  <LevelCollection Copyright="Some &quot;body&quot;" Bombs="1" MaxWidth="5" MaxHeight="4">
    <Level Id="First" Width="5" Height="3">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
    <Level Id="" Width="4" Height="4" Copyright="Another&#10;one" Bombs="0">
      <Note>
above

</Note>
      <L> ###</L>
      <L>----</L>
      <L> +$</L>
      <L>#</L>
      <Key Name="Solution">l &lt; r</Key>
      <Note>below</Note>
    </Level>
  </LevelCollection>
</SokobanLevels>
"""


def document(levels_text: str, head: str = "", declaration: str = "") -> str:
    return (
        f"{declaration}<SokobanLevels>{head}<LevelCollection>{levels_text}</LevelCollection></SokobanLevels>"
    )


def rows(*lines: str) -> str:
    return "".join(f"<L>{line}</L>" for line in lines)


@pytest.mark.clause("K21")
def test_elements_and_attributes_have_their_meaning() -> None:
    pack = recognition.read(CANONICAL_XML)
    assert (pack.title, pack.author, pack.notes) == (
        "Two & a half",
        'Some "body"',
        ("of the collection",),
    )
    assert pack.keys == {
        "Comment": "First line.\n\n  Third line.",
        "Email": "somebody@example.org",
        "Url": "http://example.org/",
        "Date": "1982",
        "Bombs": "1",
    }
    first, second = pack
    assert isinstance(second, Level)
    assert first == level("#####\n#@$.#\n#####\nBombs: 1\n")
    assert second == level("-###\n----\n-+$-\n#")
    assert (first.title, second.title, second.author) == ("First", "", "Another\none")
    assert (second.keys, second.notes_above, second.notes_below) == (
        {"Solution": "l < r"},
        ("above", ""),
        ("below",),
    )


@pytest.mark.clause("K21")
def test_canonical_text_is_written_unchanged() -> None:
    assert recognition.read(CANONICAL_XML).text("slc") == CANONICAL_XML


@pytest.mark.clause("K21")
@pytest.mark.parametrize(
    "source", [CANONICAL, CANONICAL_XML, ";\n;  a\n;b\n@$.\nX:\nComment:\n\n\nComment-End:\n"]
)
def test_conversion_between_formats_loses_nothing(source: str) -> None:
    pack = recognition.read(source, "sokoban")
    for form in ("slc", "xsb"):
        written = pack.text(form)
        again = recognition.read(written, "sokoban")
        assert pack_contents(again) == pack_contents(pack)
        assert again.text(form) == written


@pytest.mark.clause("K21")
@given(
    levels(
        title="<\"&'>", author="\tAn author", keys={"Key": "<value>", "Comment": "a\n b"}, notes_above=["]]>"]
    )
)
def test_levels_survive_their_xml(made: Level) -> None:
    pack = Pack([dataclasses.replace(made, author=made.author.strip())])
    assert pack_contents(recognition.read(pack.text("slc"))) == pack_contents(pack)


@pytest.mark.clause("K4", "K21")
def test_rows_give_the_size_and_an_empty_row_is_floor() -> None:
    text = document(f'<Level Id="a" Width="99" Height="many">{rows("#", "", "   ", "@$.-")}</Level>')
    assert recognition.read(text) == [level("#\n-\n-\n@$.-")]
    assert recognition.read(document(f"<Level>{rows('5#|#@_$.#', '5#')}</Level>")) == [
        level("#####\n#@ $.#\n#####")
    ]


def test_declared_encoding_is_ignored() -> None:
    for encoding in ("ISO-8859-1", "UTF-16", "windows-1251", "no-such-encoding"):
        text = document(
            f'<Level Id="Été">{rows("@$.")}</Level>',
            declaration=f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">\n',
        )
        assert recognition.read(text)[0].title == "Été"


def test_characters_by_number_sections_and_comments_are_xml_as_usual() -> None:
    text = document(f"<!-- one --><Level Id='&#49;'>{rows('&#64;<![CDATA[$.]]>')}</Level><?go on?>")
    assert recognition.read(text) == [level("@$.")]


def test_external_file_of_document_is_not_opened(tmp_path: object) -> None:
    text = document(
        f"<Level>{rows('@$.')}</Level>",
        declaration=f'<!DOCTYPE SokobanLevels SYSTEM "file://{tmp_path}/missing.dtd">',
    )
    assert recognition.read(text) == [level("@$.")]


def test_attributes_beyond_the_format_are_keys_and_name_spaces_are_not() -> None:
    text = document(f'<Level Id="a" Rating="5" xml:lang="en">{rows("@$.")}</Level>').replace(
        "<SokobanLevels>", '<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    )
    assert recognition.read(text)[0].keys == {"Rating": "5"}


def test_format_is_recognised_when_the_text_is_broken() -> None:
    with pytest.raises(GridproofError, match="no XML"):
        recognition.read("<SokobanLevels><Title>")


@pytest.mark.parametrize("title", ["a\x07bell", "half \ud800", "no \uffff"])
def test_characters_that_xml_does_not_have_are_not_written(title: str) -> None:
    pack = Pack([dataclasses.replace(level("@$."), title=title)])
    with pytest.raises(GridproofError, match="cannot be written in XML"):
        pack.text("slc")


def test_keys_that_would_be_read_otherwise_are_not_written() -> None:
    with pytest.raises(GridproofError, match="the key 'Title' cannot be written"):
        Pack([dataclasses.replace(level("@$."), keys={"Title": "x"})]).text("slc")
