"""Comments of the C++ code: short sentences that stand alone, and a first sentence in each source file.

`python3 tests/commands/comments_test.py WORDS [FOLDER]...` lists the sentences of more than WORDS words, and the
comments that need another one.
"""

import os
import pathlib
import re
import sys
import unittest

import pages_test

SOURCE = pages_test.SOURCE
MOST_WORDS = 30
FOLDERS = ("sim", "checker", "litmus", "exec", "hardware")

WHOLE_LINE = re.compile(r"^\s*///?<?(?: (.*))?$")
TRAILING = re.compile(r"^.*\S  ///?<? (.*)$")
DIRECTIVE = re.compile(r"^(NOLINT|clang-format )")


def source_files(folders=FOLDERS):
    for folder in folders:
        for file in sorted((SOURCE / folder).rglob("*")):
            if file.suffix in (".hpp", ".cpp", ".cu", ".cuh"):
                yield file


def comments(text):
    """Pairs of a first line's number and a comment's text: lines that are nothing else, or the end of one line. Lines
    below the end of a line, in the same column, go on with it."""
    first, parts, column = 0, [], None
    for number, line in enumerate(text.splitlines(), 1):
        whole, trailing = WHOLE_LINE.match(line), TRAILING.match(line)
        if whole and parts and column in (None, line.index("//")):
            parts.append(whole[1] or "")
            continue
        if parts:
            yield first, "\n".join(parts)
            parts = []
        if whole or trailing:
            first, parts = number, [(whole or trailing)[1] or ""]
            column = None if whole else line.rindex("//")
    if parts:
        yield first, "\n".join(parts)


def prose(comment):
    """The comment with an empty line for each line of an example or a table: those are indented, outside of a list."""
    lines, item = [], False
    for line in comment.split("\n"):
        item = line.startswith("- ") or (item and line.startswith(" "))
        lines.append("" if line.startswith("  ") and not item else line)
    return "\n".join(lines)


def long_sentences(text, most):
    for first, comment in comments(text):
        comment = prose(comment)
        for before, count, sentence in pages_test.long_sentences(comment, most):
            yield first + before - 1, count, sentence


def needing_others(text):
    """Comments wholly in parentheses, and those that begin by what another one says."""
    for first, comment in comments(text):
        plain = " ".join(comment.split())
        depth, ends = 0, []
        for at, letter in enumerate(plain):
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if depth == 0:
                ends.append(at)
        if plain.startswith("(") and plain.endswith(")") and ends == [len(plain) - 1]:
            yield first, plain
        elif re.match(r"The same\b|Likewise\b|Ditto\b|Who\b", plain):
            yield first, plain


def opens_with_a_sentence(text):
    return re.match(r"(?:#!.*\n)?(?://|/\*)\s*\w", text) is not None


class the_check(unittest.TestCase):
    def test_comments_are_found(self):
        text = "// One\n// two.\n\nint x;  // three\n        // goes on\n/// Four.\n///\n/// Five.\n"
        self.assertEqual(list(comments(text)), [(1, "One\ntwo."), (4, "three\ngoes on"), (6, "Four.\n\nFive.")])

    def test_long_sentences_are_found(self):
        self.assertEqual([line for line, *_ in long_sentences("int x;\n\n// " + "word " * 31 + "\n", 30)], [3])
        self.assertEqual(list(long_sentences("// " + "word " * 20 + ".\n// " + "word " * 20 + "\n", 30)), [])

    def test_examples_have_no_sentences(self):
        self.assertEqual(list(long_sentences("// A:\n//   " + "word " * 31 + "\n", 30)), [])
        self.assertEqual([line for line, *_ in long_sentences("// - A\n//   " + "word " * 31 + "\n", 30)], [1])

    def test_comments_that_need_another_one_are_found(self):
        self.assertEqual([line for line, _ in needing_others("// (So is this.)\n\n// The same, less y.\n")], [1, 3])
        self.assertEqual(list(needing_others("// (a) and (b)\n\n// Both are the same.\n")), [])


class every_file(unittest.TestCase):
    def check(self, complaints, files):
        count = 0
        for file in files:
            count += 1
            with self.subTest(file=str(file.relative_to(SOURCE))):
                found = list(complaints(file.read_text(encoding="utf-8")))
                self.assertEqual(found, [], "\n" + "\n".join(map(str, found)))
        self.assertGreater(count, 30)

    def test_no_sentence_is_too_long(self):
        self.check(lambda text: long_sentences(text, MOST_WORDS), source_files())

    def test_comments_stand_alone(self):
        self.check(needing_others, source_files())

    def test_each_source_opens_with_a_sentence(self):
        self.check(lambda text: [] if opens_with_a_sentence(text) else ["no opening sentence"],
                   (file for file in source_files(FOLDERS + ("tests",)) if file.suffix == ".cpp"))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        for file in source_files(sys.argv[2:] or FOLDERS):
            text = file.read_text(encoding="utf-8")
            for number, count, sentence in long_sentences(text, int(sys.argv[1])):
                print(f"{file}:{number}: {count}: {sentence}")
            for number, comment in needing_others(text):
                print(f"{file}:{number}: needs another: {comment}")
    else:
        unittest.main()
