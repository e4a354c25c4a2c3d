"""Files that commands read, changed at random: each is refused with a message or does what it says, and none is a defect."""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
ROUNDS = 300 if "WARPCHECK_THOROUGH" in os.environ else 30  # of each kind of file
LIMITS = ["--time", "2", "--max-states", "2000", "--threads", "1"]

NUMBERS = [0, 1, -1, 31, 32, 33, 4096, 4097, 1 << 20, (1 << 31) - 1, 1 << 32, (1 << 63) - 1, 1 << 64, 0.5]
WORDS = ["", "x" * 300, "locks/tas", "../x", "kernel", "forever", "lane", "its", "ptx", "race", "w0.l31", "b9.w0.l0",
         "w0 group 0xffffffff", "b0 syncthreads", "w0.l0 older 1 (x is 0)", "w0.l1 keeps 0+1 (x is 0)",
         "b0.w0.l0 promises object+4 = 1 by a weak store, older 0 (behind 0)", "enqueue 1", "semaphore:permits=99999999999", "\u00e9"]


class damaged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.random = random.Random(2611)

    def warpcheck(self, *arguments):
        return subprocess.run([BINARY, *map(str, arguments)], cwd=self.root, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=200)

    def bytes_changed(self, data):
        data = bytearray(data)
        for _ in range(self.random.choice([1, 1, 2, 5])):
            at = self.random.randrange(len(data))
            kind = self.random.randrange(4)
            if kind == 0:
                data[at] = self.random.randrange(256)
            elif kind == 1:
                del data[at:at + self.random.choice([1, 4, 32])]
            elif kind == 2:
                data[at:at] = data[:self.random.choice([1, 4, 32])]
            elif self.random.random() < 0.3:
                del data[at:]
            data = data or bytearray(b"0")
        return bytes(data)

    def value(self):
        return self.random.choice([None, True, [], {}, [1], ["x"], self.random.choice(NUMBERS),
                                   self.random.choice(WORDS)])

    def places(self, value, place=()):
        """The places of all members and elements in a JSON document."""
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
        for key, inner in items:
            yield (*place, key)
            yield from self.places(inner, (*place, key))

    def json_changed(self, text):
        document = json.loads(text)
        for _ in range(self.random.choice([1, 1, 2])):
            places = list(self.places(document))
            if not places:
                break
            *way, last = self.random.choice(places)
            holder = document
            for key in way:
                holder = holder[key]
            if self.random.random() < 0.3:
                del holder[last]
            elif isinstance(holder[last], int) and self.random.random() < 0.5:
                holder[last] += self.random.choice([-1, 1, 1 << 33])
            else:
                holder[last] = self.value()
        return json.dumps(document).encode()

    def line_changed(self, text, change):
        lines = text.splitlines()
        at = self.random.choice([i for i, line in enumerate(lines) if line.strip()])
        lines[at] = change(lines[at])
        return "\n".join(lines).encode("utf-8", "surrogateescape")

    def toml_line(self, line):
        key, equals, _ = line.partition("=")
        if not equals or self.random.random() < 0.2:
            return line + "\n" + line
        value = json.dumps(self.value()) if self.random.random() < 0.8 else "[grid]"
        return f"{key}= {value}"

    def rounds(self, change, command):
        for i in range(ROUNDS):
            with self.subTest(i):
                (self.root / "changed").mkdir(exist_ok=True)
                file, data = change(i)
                path = self.root / "changed" / file
                path.write_bytes(data)
                done = self.warpcheck(*command(path))
                self.assertIn(done.returncode, (0, 1, 2, 3), (data[:2000], done.stderr))
                if done.returncode == 2:
                    self.assertTrue(done.stderr, data[:2000])

    def test_scenarios(self):
        texts = [each.read_text() for each in sorted((SOURCE / "scenarios").glob("*/*.toml"))]

        def change(i):
            text = self.random.choice(texts)
            changed = self.bytes_changed(text.encode()) if i % 3 == 0 else self.line_changed(text, self.toml_line)
            return "x.toml", changed
        commands = [["run", *LIMITS], ["run", *LIMITS, "--json"], ["list"], ["explain"]]
        self.rounds(change, lambda path: [*self.random.choice(commands), path])

    def test_counterexamples(self):
        self.warpcheck("run", SOURCE / "scenarios/locks/tas.toml", SOURCE / "scenarios/stacks/treiber_reuse.toml",
                       SOURCE / "scenarios/idioms/load_buffering.toml", SOURCE / "scenarios/counters/lost_update.toml",
                       *LIMITS, "--counterexamples", "found")
        texts = [each.read_bytes() for each in sorted((self.root / "found").iterdir())]
        self.assertGreater(len(texts), 1)

        def change(i):
            text = self.random.choice(texts)
            return "x.json", self.bytes_changed(text) if i % 4 == 0 else self.json_changed(text)
        self.rounds(change, lambda path: ["replay", path, *self.random.choice([[], ["--json"], ["--step"]])])

    def test_saved_searches(self):
        saved = []
        for memory in ["sc", "ptx"]:
            (self.root / f"{memory}.toml").write_text(
                f'subject = "locks/ticket"\nrepeat = 2\n[grid]\nlanes = 4\n[[run]]\nmemory = "{memory}"\n')
            self.warpcheck("run", f"{memory}.toml", "--max-states", "300", "--threads", "1", "--save", "saved")
            saved.append((f"{memory}.toml", f"{memory}-its-{memory}-fair.search"))

        def change(i):
            _, file = saved[i % 2]
            return file, self.bytes_changed((self.root / "saved" / file).read_bytes())

        def command(path):
            scenario = next(each for each, file in saved if file == path.name)
            return ["run", scenario, "--resume", path.parent, *LIMITS]
        self.rounds(change, command)

    def test_histories(self):
        texts = [each.read_text() for each in sorted((SOURCE / "tests/golden/histories").iterdir())]

        def change(i):
            text = self.random.choice(texts)
            changed = (self.bytes_changed(text.encode()) if i % 4 == 0 else
                       self.line_changed(text, lambda line: self.json_changed(line).decode()))
            return "x.jsonl", changed
        specs = ["queue", "stack", "map", "counter", "register", "semaphore:permits=2"]
        self.rounds(change, lambda path: ["history", path, "--spec", self.random.choice(specs), "--time", "2"])

    def test_tests_of_forward_progress(self):
        text = (SOURCE / "scenarios/progress/examples.jsonl").read_text()

        def change(i):
            changed = (self.bytes_changed(text.encode()) if i % 4 == 0 else
                       self.line_changed(text, lambda line: self.json_changed(line).decode()))
            return "x.jsonl", changed
        self.rounds(change, lambda path: ["progress", path, "--max-states", "2000"])

    def test_measurements(self):
        files = sorted((SOURCE / "docs/measurements").glob("*.csv"))

        def change(_):
            text = self.random.choice(files).read_text()
            cell = str(self.random.choice([*NUMBERS, "", "nan", "inf", "1e999", "x"]))

            def line(old):
                cells = old.split(",")
                cells[self.random.randrange(len(cells))] = cell
                return ",".join(cells)
            return "x.csv", self.line_changed(text, line)
        self.rounds(change, lambda path: ["measure", "--from", path, "--svg", "plots", "--benchmark",
                                          self.random.choice(["counter", "blocks", "table", "list"])])


if __name__ == "__main__":
    unittest.main()
