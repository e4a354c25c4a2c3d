"""README.md, CONTRIBUTING.md, SECURITY.md and docs: short sentences, lines that fit a window. Links of every page of the
repository lead somewhere.

`python3 tests/commands/pages_test.py WORDS [PAGE]...` lists the sentences of more than WORDS words.
"""

import os
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("WARPCHECK_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
MOST_WORDS = 30
MOST_COLUMNS = 120

FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\)", re.S)
# A full stop after these ends no sentence.
ABBREVIATION = re.compile(r"\b(al|fig|figs|e\.g|i\.e|vs|cf)\.$", re.I)
END = re.compile(r"[.!?][)\"”’*_]*(?=\s|$)")


def pages():
    return [SOURCE / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted(
        (SOURCE / "docs").rglob("*.md"))


def every_page_of_the_repository():
    folders = [folder for folder in SOURCE.iterdir() if folder.is_dir() and folder.name[0] != "." and
               folder.name not in ("build", "shared")]
    return sorted(SOURCE.glob("*.md")) + sorted(page for folder in folders for page in folder.rglob("*.md"))


def lines_outside_code(text):
    """Pairs of a line's number and its text."""
    fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fence = not fence
        elif not fence:
            yield number, line


def is_table(line):
    return line.lstrip().startswith("|")


def paragraphs(text):
    """Pairs of a first line's number and the prose of a paragraph or of an item of a list."""
    first, parts, last = 0, [], 0
    for number, line in lines_outside_code(text):
        ends = not line.strip() or is_table(line) or HEADING.match(line) or number != last + 1
        if parts and (ends or ITEM.match(line)):
            yield first, "\n".join(parts)
            parts = []
        last = number
        if line.strip() and not is_table(line) and not HEADING.match(line):
            first = first if parts else number
            parts.append(ITEM.sub("", line))
    if parts:
        yield first, "\n".join(parts)


def sentences(paragraph):
    """Its sentences, each with the number of lines before it."""
    plain = re.sub(r"</?\w[^>]*>", "", CODE.sub(lambda m: "code" + "\n" * m[0].count("\n"), paragraph))
    while LINK.search(plain):
        plain = LINK.sub(lambda m: m[1], plain)
    begin = 0
    for end in END.finditer(plain):
        if ABBREVIATION.search(plain[:end.start() + 1]):
            continue
        yield plain[:begin].count("\n"), plain[begin:end.end()].strip()
        begin = end.end()
    if plain[begin:].strip():
        yield plain[:begin].count("\n"), plain[begin:].strip()


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def long_sentences(text, most):
    for first, paragraph in paragraphs(text):
        for before, sentence in sentences(paragraph):
            if len(words(sentence)) > most:
                yield first + before, len(words(sentence)), " ".join(sentence.split())


def wide_lines(text):
    for number, line in lines_outside_code(text):
        if len(line) > MOST_COLUMNS and not is_table(line):
            yield number, len(line)


def anchors(text):
    """The fragments that GitHub gives the headings of a page, and those that it names itself."""
    found = set()
    for _, line in lines_outside_code(text):
        found.update(re.findall(r'<a (?:id|name)="([\w-]+)"></a>', line))
        if heading := HEADING.match(line):
            plain = re.sub(r"[`*]", "", LINK.sub(lambda m: m[1], heading[1])).lower()
            anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            fragment, count = anchor, 0
            while fragment in found:
                count += 1
                fragment = f"{anchor}-{count}"
            found.add(fragment)
    return found


def broken_links(page):
    text = page.read_text(encoding="utf-8")
    prose = "\n".join(line for _, line in lines_outside_code(text))
    for match in LINK.finditer(CODE.sub("code", prose)):
        target = match[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{target}: no such file"
        elif fragment and fragment not in anchors(file.read_text(encoding="utf-8")):
            yield f"{target}: no such heading"


class the_check(unittest.TestCase):
    def test_sentences_are_counted(self):
        text = "One two\nthree. Michael et al. `a b. c` [x y](z.md) `d`.\n\n```\nNot this.\n```\n- An item\n- More.\n"
        found = [(first + before, len(words(sentence)))
                 for first, paragraph in paragraphs(text) for before, sentence in sentences(paragraph)]
        self.assertEqual(found, [(1, 3), (2, 7), (7, 2), (8, 1)])
        self.assertEqual([line for line, *_ in long_sentences("# T\n\n" + "word " * 41 + "\n", 40)], [3])
        self.assertEqual(list(long_sentences("| " + "word " * 41 + "|\n", 40)), [])

    def test_wide_lines_are_found(self):
        self.assertEqual(list(wide_lines("a" * 120 + "\n" + "b" * 121 + "\n|" + "c" * 130 + "|\n")), [(2, 121)])

    def test_anchors_are_those_of_github(self):
        text = "# `its`: what, and *why*?\n## Twice\n## Twice\n```sh\n# not this\n```\n<a id=\"here\"></a>Named.\n"
        self.assertEqual(anchors(text), {"its-what-and-why", "twice", "twice-1", "here"})


class every_page(unittest.TestCase):
    def check(self, complaints, of=pages):
        for page in of():
            with self.subTest(page=str(page.relative_to(SOURCE))):
                found = list(complaints(page))
                self.assertEqual(found, [], "\n" + "\n".join(map(str, found)))

    def test_no_sentence_is_too_long(self):
        self.check(lambda page: long_sentences(page.read_text(encoding="utf-8"), MOST_WORDS))

    def test_no_line_is_too_wide(self):
        self.check(lambda page: wide_lines(page.read_text(encoding="utf-8")), of=every_page_of_the_repository)

    def test_links_lead_somewhere(self):
        self.assertGreater(len(every_page_of_the_repository()), 30)
        self.check(broken_links, every_page_of_the_repository)

    def test_each_clause_on_promises_has_its_program(self):
        page = (SOURCE / "docs/memory-model.md").read_text(encoding="utf-8")
        chapter = page.split("\n## 15.")[1].split("\n## 16.")[0]
        clauses = re.findall(r'<a id="([\w-]+)"></a>', chapter)
        self.assertGreater(len(clauses), 5)
        tests = (SOURCE / "tests/checker/weak_promises_test.cpp").read_text(encoding="utf-8")
        self.assertEqual([clause for clause in clauses if f"// #{clause}:" not in tests], [])

    def test_readme_is_short(self):
        lines = (SOURCE / "README.md").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(lines), 150)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        for page in map(pathlib.Path, sys.argv[2:] or pages()):
            for number, count, sentence in long_sentences(page.read_text(encoding="utf-8"), int(sys.argv[1])):
                print(f"{page}:{number}: {count}: {sentence}")
    else:
        unittest.main()
