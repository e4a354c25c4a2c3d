"""docs/papers.md, the table of what five papers claim, agrees with the scenarios that are shipped."""

import collections
import os
import pathlib
import re
import tomllib
import unittest

SOURCE = pathlib.Path(os.environ.get("WARPCHECK_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SCENARIOS = SOURCE / "scenarios"
STATUSES = ["holds", "in part", "refuted", "not done", "outside"]
COLUMNS = ["place", "claim", "status", "memory", "scenarios", "measurement"]
ELSEWHERE = "Shipped subjects from elsewhere"


# A shipped file: its subject, and a pair of memory model and verdict for each run.
scenario = collections.namedtuple("scenario", "name subject runs")


def read(file):
    name = str(file.relative_to(SCENARIOS).with_suffix(""))
    if file.suffix == ".litmus":
        return scenario(name, name, [("ptx", "ok")])
    text = tomllib.loads(file.read_text(encoding="utf-8"))
    return scenario(name, text["subject"], [(memory, run.get("expect", "ok")) for run in text["run"]
                                            for memory in ([run["memory"]] if "memory" in run else ["sc", "ptx"])])


def shipped():
    files = [file for kind in ("*.toml", "*.litmus") for file in SCENARIOS.rglob(kind)
             if file.relative_to(SCENARIOS).parts[0] != "lessons"]
    return [read(file) for file in sorted(files)]


class row:
    def __init__(self, paper, line):
        self.paper, self.line = paper, line
        cells = dict(zip(COLUMNS, [cell.strip() for cell in line.strip().strip("|").split("|")]))
        self.claim, self.measurement = cells["claim"], cells["measurement"]
        self.status, _, self.text = cells["status"].partition(": ")
        self.memory = set() if cells["memory"] == "–" else set(cells["memory"].split(", "))
        self.names = [] if cells["scenarios"] == "none" else re.findall(r"`([^`]+)`", cells["scenarios"])
        self.is_whole = cells["scenarios"] == "none" or ", ".join(f"`{name}`" for name in self.names) == \
            cells["scenarios"]


class page:
    """The rows, the names in the last section, and the numbers that the table at the top gives each paper."""

    def __init__(self, text):
        self.rows, self.elsewhere, self.counts = [], [], {}
        section, columns = None, None
        for line in text.splitlines():
            if heading := re.match(r"## (.*)", line):
                section = heading[1]
            if not line.startswith("|"):
                columns = None
                if section == ELSEWHERE:
                    self.elsewhere += re.findall(r"`([^`]+)`", line)
                continue
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if columns is None:
                columns = cells
            elif not set(line) <= set("|-: "):
                if columns == COLUMNS:
                    self.rows.append(row(section, line))
                elif columns[0] == "paper":
                    self.counts[cells[0]] = dict(zip(columns[1:], map(int, cells[1:])))


def named(name, scenarios):
    """The scenarios that a name of the page stands for; `…` is the rest of a name."""
    pattern = re.compile(re.escape(name).replace("…", ".*"))
    return [each for each in scenarios if pattern.fullmatch(each.name)]


def complaints_of_row(each, scenarios):
    if each.status not in STATUSES:
        yield f"`{each.status}` is no status: {', '.join(STATUSES)}"
    if not each.is_whole:
        yield "the scenarios are not a list of names in backquotes"
    runs = []
    for name in each.names:
        found = named(name, scenarios)
        if not found:
            yield f"there is no scenario {name}"
        runs += [run for one in found for run in one.runs]
    decided = [(memory, verdict) for memory, verdict in runs if verdict != "inconclusive"]
    if each.memory != {memory for memory, _ in decided}:
        yield f"the named runs have the memory models {sorted({memory for memory, _ in decided})}"
    shows = bool(each.names) or each.measurement != "none"
    if each.status in ("not done", "outside"):
        if shows:
            yield f"{each.status}, and yet something is named that shows it"
    elif not shows:
        yield f"{each.status}, and neither a scenario nor a measurement is named"
    if each.status == "in part" and not each.text:
        yield "in part: which part?"
    if each.measurement != "none" and not re.fullmatch(r"\[[^\]]+\]\([^)]+\)", each.measurement):
        yield "the measurement is neither `none` nor a link"
    if each.status == "refuted" and decided and all(verdict == "ok" for _, verdict in decided):
        yield "refuted, and yet all named runs are ok"


def complaints(of, scenarios):
    for each in of.rows:
        for complaint in complaints_of_row(each, scenarios):
            yield f"{each.paper}, {each.claim} {complaint}"
    for name in of.elsewhere:
        if not named(name, scenarios):
            yield f"{ELSEWHERE}: there is no scenario {name}"
    listed = {one.subject for name in [*of.elsewhere, *(name for each in of.rows for name in each.names)]
              for one in named(name, scenarios)}
    for subject in sorted({one.subject for one in scenarios} - listed):
        yield f"the subject {subject} is in no row, and not in \"{ELSEWHERE}\""
    found = collections.defaultdict(collections.Counter)
    for each in of.rows:
        found[each.paper].update(["rows", each.status])
    for paper in sorted(found.keys() | of.counts.keys()):
        numbers = {column: found[paper][column] for column in ["rows", *STATUSES]}
        if of.counts.get(paper) != numbers:
            yield f"the table at the top has other numbers for {paper} than {numbers}"


class papers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (SOURCE / "docs/papers.md").read_text(encoding="utf-8")
        cls.scenarios = shipped()

    def complaints(self, text):
        return list(complaints(page(text), self.scenarios))

    def changed(self, old, new):
        self.assertIn(old, self.text)
        return self.complaints(self.text.replace(old, new))

    def test_the_page_agrees_with_what_is_shipped(self):
        self.assertGreater(len(page(self.text).rows), 100)
        found = self.complaints(self.text)
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_a_changed_page_is_found_out(self):
        for old, new, says in [
                ("`trees/cas_insert`", "`trees/cas_inserts`", "there is no scenario trees/cas_inserts"),
                ("`trees/cas_insert`, ", "", "the subject trees/cas_insert is in no row"),
                ("`production/…`", "`productions/…`", f"{ELSEWHERE}: there is no scenario productions/…"),
                ("| refuted: any strong load does |", "| wrong |", "`wrong` is no status"),
                ("| refuted: any strong load does |", "| not done |", "not done, and yet something is named"),
                ("| outside: a GPU preempts no thread for another |", "| holds |", "holds, and neither a scenario"),
                ("| in part: one protocol was tried |", "| in part |", "in part: which part?"),
                ("| holds: with a store instead, an insertion is lost | sc, ptx |", "| holds | sc |",
                 "the named runs have the memory models ['ptx', 'sc']"),
                ("[counter.csv](measurements/counter.csv)", "counter.csv", "is neither `none` nor a link"),
                ("`trees/cas_insert`, `", "trees/cas_insert, `", "not a list of names")]:
            found = self.changed(old, new)
            self.assertTrue(any(says in complaint for complaint in found), (new, found))

    def test_a_refuted_claim_needs_a_violation(self):
        refuted = row("A paper", "| 1 | A claim. | refuted | sc | `locks/mine` | none |")
        for verdict, says in [("ok", ["refuted, and yet all named runs are ok"]), ("race", [])]:
            mine = scenario("locks/mine", "locks/mine", [("sc", verdict)])
            self.assertEqual(list(complaints_of_row(refuted, [mine])), says)


if __name__ == "__main__":
    unittest.main()
