"""The tables of docs/findings.md that name a CSV of docs/measurements have its medians."""

import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

DOCS = pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "docs"
LINK = re.compile(r"\(measurements/(\w+)\.csv\)")
OF_TABLES = ["table", "table_apart"]
OF_LISTS = ["list", "list_h100"]
OF_BLOCKS = ["blocks", "semaphores", "long_backoff"]
OF_GRIDS = {"octree": {"workload", "blocks", "threads", "keys"},  # what the corner and a column have of a line
            "stm": {"workload", "blocks"}, "stm_writes": {"workload", "blocks"}, "deques": {"workload", "blocks"},
            "move": {"workload", "blocks"}, "work_items": {"workload", "blocks", "threads"},
            "sets_operations": {"workload", "blocks", "threads", "keys"}}
OF_RATES = ["stm", "stm_writes", "deques", "move"]
OF_COUNTERS = ["counter", "counter_apart", "aggregated"]
VARIED = {"queues": "operations", "sums": "threads"}  # others: keys
OF_PROGRAMS = ["sorting", "sets", "queues", "graphs", "sums", "priority_queues", *OF_GRIDS]  # several tables, with a workload in their corners
APART = ["sorting_parameters"]  # a test of its own has it
CORNER = re.compile(r"`|aborted")
WITHOUT = "without, "  # a column of aggregated locks that has the same lock of counter.csv
LIST_OF_THREADS = re.compile(r"lock, (\d+) entry points")


def rows_of(name):
    with open(DOCS / f"measurements/{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows if name == "queues" else []:
        of_launch = int(row["blocks"]) * int(row["threads"]) * int(row["repeat"])
        larger_blocks = row["threads"] in ["128", "256"]  # a sentence has these
        row["operations"] = f"{of_launch} in {row['threads']}" if larger_blocks else str(of_launch)
    return rows


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables():
    """Name of the CSV, header, and rows of each table that has one named above it. The list's tables of
    threads, which follow each other, have their file from the table of entry points."""
    name = None
    for part in re.split(r"\n\n+", (DOCS / "findings.md").read_text(encoding="utf-8")):
        if part.startswith("|"):
            lines = part.splitlines()
            header, rows = cells_of(lines[0]), [cells_of(line) for line in lines[2:]]
            if name in APART:
                continue
            if name in OF_PROGRAMS:
                if CORNER.match(header[0]):
                    yield name, header, rows
                continue  # the next one is of the same file
            if name:
                yield name, header, rows
            elif LIST_OF_THREADS.match(header[0]):
                yield "list", header, rows
            name = None
        else:
            links = LINK.findall(part)
            name = links[-1] if links else None


def place(name, header, column):
    """What the CSV's line has, of a column of the table."""
    number = re.match(r"\d*", column)[0]
    if name in OF_COUNTERS:
        blocks, threads = ("1", "1") if column == "one thread" else column.split(" × ")
        return {"blocks": blocks, "threads": threads}
    if name in OF_TABLES:
        return {"buckets": number}
    if name in OF_LISTS:
        entry_points = LIST_OF_THREADS.match(header[0])
        if entry_points:
            return {"entry_points": entry_points[1], "threads": number}
        return {"entry_points": number, "threads": "128"}
    if name in OF_GRIDS:
        return place_in_grids(OF_GRIDS[name], header[0], column)
    if name in OF_PROGRAMS:
        return {"workload": header[0].strip("`"), VARIED.get(name, "keys"): column.replace(",", "")}
    return {"blocks": number}


def place_in_grids(of_line, corner, column):
    """The corner has all but one, as in "`tube`, 64 threads, 500,000 particles"."""
    found = {unit.replace("particles", "keys") + ("s" if unit == "block" else ""): number.replace(",", "")
             for number, unit in re.findall(r"([\d,]+) (blocks?|threads|particles|keys)", corner)}
    if workload := re.search(r"`(\w+)`", corner):
        found["workload"] = workload[1]
    (varied,) = of_line - found.keys()
    return {**found, varied: re.sub("[`,]", "", column)}


def shown(name, row):
    """In the unit of the table: milliseconds, or thousands of operations per second."""
    median = float(row["median"])
    if name not in [*OF_BLOCKS, *OF_RATES]:
        return 1e3 * median
    clients = 1 if row["workload"] == "phases" else int(row["blocks"])
    if name == "move":  # a move is two operations
        clients += int(row["blocks"]) * int(row["workload"].split("_")[-2]) // 100
    return clients * int(row["repeat"]) / median / 1e3


class measurements(unittest.TestCase):
    def agrees(self, cell, value, where):
        digits = len(cell.partition(".")[2])
        self.assertLessEqual(abs(float(cell.replace(",", "")) - value), 0.5001 * 10**-digits, where)

    def test_medians(self):
        seen = {}
        for name, header, rows in tables():
            if name == "accesses":
                continue
            lines = rows_of(name)
            for label, *cells in rows:
                subject = re.findall(r"`([^`]+)`", label)[-1]
                for column, cell in zip(header[1:], cells):
                    if not cell and name in OF_PROGRAMS:
                        continue  # not measured
                    if column.startswith(WITHOUT):
                        self.is_without(subject, column, cell)
                        continue
                    wanted = {"subject": subject, **place(name, header, column)}
                    found = [line for line in lines if wanted.items() <= line.items()]
                    where = f"{name}.csv, {wanted}"
                    if cell == "–":
                        self.assertTrue(all(line["outcome"] in ["hang", "no-result"] for line in found), where)
                        self.assertTrue(found or name not in OF_GRIDS, where)
                        continue
                    self.assertEqual(len(found), 1, where)
                    counts = label.startswith("tasks") or header[0].startswith("aborted")
                    self.agrees(cell, float(found[0]["counted"]) if counts else shown(name, found[0]), where)
                    seen[name] = seen.get(name, 0) + 1
        self.assertEqual(set(seen), {*OF_COUNTERS, *OF_TABLES, *OF_LISTS, *OF_BLOCKS, *OF_PROGRAMS})
        self.assertGreater(min(seen.values()), 10, seen)

    def is_without(self, subject, column, cell):
        """The lock that one lane of a warp takes for all, or all without sleeping, by itself."""
        if not cell:
            return
        wanted = {"subject": re.sub("_(aggregated|proportional)$", "", subject),
                  **place("counter", [], column.removeprefix(WITHOUT))}
        (line,) = [line for line in rows_of("counter") if wanted.items() <= line.items()]
        self.agrees(cell, shown("counter", line), wanted)

    def test_accesses(self):
        (rows,) = [rows for name, _, rows in tables() if name == "accesses"]
        self.assertEqual(len(rows), 6)
        for label, *cells in rows:
            wanted = {"kind": "atomic" if "atomic" in label.split(" after")[0] else "volatile",
                      "contended": "false" if label.startswith("un") else "true",
                      "after_atomic": "true" if "after" in label else "false"}
            for access, cell in zip(["read", "write"], cells):
                (line,) = [each for each in rows_of("accesses")
                           if {"access": access, **wanted}.items() <= each.items()]
                self.agrees(cell, 1e3 * float(line["median"]), f"{label}, {access}")

    def test_parameters_of_sorting(self):
        """The best of all combinations for each number of keys, and its time."""
        best = {}
        for row in rows_of("sorting_parameters"):
            if float(row["median"]) < float(best.setdefault(row["keys"], row)["median"]):
                best[row["keys"]] = row
        text = (DOCS / "findings.md").read_text(encoding="utf-8")
        (table,) = [part for part in re.split(r"\n\n+", text) if part.startswith("| keys | threads | blocks |")]
        lines = [cells_of(line) for line in table.splitlines()[2:]]
        self.assertEqual([line[0].replace(",", "") for line in lines], list(best))
        for keys, threads, blocks, bitonic_below, milliseconds, *_ in lines:
            row = best[keys.replace(",", "")]
            self.assertEqual([row["threads"], row["blocks"], row["bitonic_below"]],
                             [threads, blocks, bitonic_below], keys)
            self.agrees(milliseconds, 1e3 * float(row["median"]), keys)

    def test_resident(self):
        """264 blocks fit: barriers hang with one more, mutexes do not."""
        for row in rows_of("resident"):
            hangs = row["workload"] == "phases" and row["blocks"] == "265"
            self.assertEqual(row["outcome"], "hang" if hangs else "finished", row)

    def test_spread(self):
        """Where the text above a table says how much launches differ at most, that is so."""
        text = (DOCS / "findings.md").read_text(encoding="utf-8")
        known = 0
        for part in re.split(r"\n\n+", text):
            links = LINK.findall(part)
            most = re.search(r"at\s+most\s+(\d+)\s+%\s+of\s+the\s+median", part)
            if not links or not most or part.startswith("|"):
                continue
            known += 1
            spread = max((float(row["most"]) - float(row["least"])) / float(row["median"])
                         for row in rows_of(links[0]) if row["median"])
            self.assertLessEqual(100 * spread, int(most[1]), links[0])
        self.assertEqual(known, 16)

    def test_plots(self):
        """Each is what its file gives, with the options that the README has."""
        readme = (DOCS / "measurements/README.md").read_text(encoding="utf-8")
        known = set()
        for names, options in re.findall(r"^\| (`\w+\.svg`[^|]*) \|[^|]*\| `([^`]+)` \|$", readme,
                                         re.MULTILINE):
            with tempfile.TemporaryDirectory() as folder:
                drawn = subprocess.run([os.environ["WARPCHECK_BINARY"], "measure", "--gpu", "NVIDIA H200",
                                        "--svg", folder, "--from", *options.split()],
                                       cwd=DOCS / "measurements", capture_output=True, text=True)
                self.assertEqual(drawn.returncode, 0, drawn.stderr)
                plots = {file.read_text(encoding="utf-8") for file in pathlib.Path(folder).iterdir()}
            for name in re.findall(r"`([^`]+)`", names):
                known.add(name)
                self.assertIn((DOCS / "measurements" / name).read_text(encoding="utf-8"), plots, name)
        self.assertEqual(known, {file.name for file in (DOCS / "measurements").glob("*.svg")})

    def test_files_are_there(self):
        text = (DOCS / "findings.md").read_text(encoding="utf-8")
        named = set(re.findall(r"\(measurements/([\w.]+)\)", text)) - {"README.md"}
        there = {file.name for file in (DOCS / "measurements").iterdir()} - {"README.md"}
        self.assertEqual(named, there)


if __name__ == "__main__":
    unittest.main()
