"""warpcheck history, as a user meets it: exit statuses, mistakes, a specification of one's own."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
HISTORIES = SOURCE / "tests" / "golden" / "histories"


def history(*arguments):
    return subprocess.run([BINARY, "history", *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)


class recorded(unittest.TestCase):
    def refused(self, *arguments, says):
        result = history(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(says, result.stderr)

    def test_exit_statuses(self):
        queue = HISTORIES / "queue.jsonl"
        self.assertEqual(history(queue, "--spec", "queue").returncode, 1)
        self.assertEqual(history(queue, "--spec", "queue", "--consistency", "sequential").returncode, 0)
        self.assertEqual(history(queue, "--spec", "queue", "--consistency", "quiescent").returncode, 1)
        self.assertEqual(history(HISTORIES / "queue_ok.jsonl", "--spec", "queue").returncode, 0)

    def test_limit(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "many.jsonl"
            with open(file, "w") as out:
                for c in range(20):
                    out.write(json.dumps({"event": "call", "client": c, "op": f"enqueue {c % 10}"}) + "\n")
                for c in range(20):
                    out.write(json.dumps({"event": "return", "client": c}) + "\n")
                out.write('{"event": "call", "client": 0, "op": "dequeue"}\n')
                out.write('{"event": "return", "client": 0, "result": 10}\n')
            result = history(file, "--spec", "queue", "--max-memory", "1M")
            self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
            self.assertIn("memory limit", result.stdout)

    def test_mistakes(self):
        queue = HISTORIES / "queue.jsonl"
        self.refused(says="history needs a file and a specification")
        self.refused(queue, says="history needs a file and a specification")
        self.refused("nowhere.jsonl", "--spec", "queue", says="nowhere.jsonl: cannot be read")
        self.refused(queue, "--spec", "quue", says='no specification "quue"; did you mean "queue"?')
        self.refused(queue, "--spec", "queue:capacity=1", says="queue has no parameters")
        self.refused(queue, "--spec", "bounded_queue:capacity=0", says="an integer of at least 1")
        self.refused(queue, "--spec", "bounded_queue:capacty=1", says='did you mean "capacity"?')
        self.refused(queue, "--spec", "queue", "--consistency", "eventual", says="linearizable, sequential")
        self.refused(queue, "--spec", "stack", says='queue.jsonl:1: stack has no operation "enqueue"')

    def test_a_specification_of_ones_own(self):
        text = (SOURCE / "docs" / "histories.md").read_text()
        header = re.search(r"```cpp\n(.*?)```", text, re.DOTALL)[1]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "toggle.hpp"
            source.write_text(header)
            file = pathlib.Path(folder) / "flips.jsonl"
            lines = ['{"event": "call", "client": 1, "op": "flip"}', '{"event": "return", "client": 1, "result": %s}']
            for result, status in (("false", 0), ("true", 1)):
                file.write_text("\n".join(lines) % result)
                done = history(file, "--spec", "toggle", "--source", source)
                self.assertEqual(done.returncode, status, done.stderr)
            self.refused(file, "--spec", "togle", "--source", source, says='did you mean "toggle"?')
            source.write_text(header.replace("SIMT_SPEC(toggle);", ""))
            self.refused(file, "--spec", "toggle", "--source", source, says="add SIMT_SPEC(type);")
            source.write_text(header.replace("before[0]", "befor[0]"))
            self.refused(file, "--spec", "toggle", "--source", source, says="befor")


if __name__ == "__main__":
    unittest.main()
