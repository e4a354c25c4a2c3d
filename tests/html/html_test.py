"""HTML reports in Chromium: they step, fold, follow links, and say what the terminal says.

To refresh the pictures of docs/pictures, and then to look at them: WARPCHECK_UPDATE_PICTURES=1 ctest -R html
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from browser import CHROMIUM, Page

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
PICTURES = SOURCE / "docs/pictures"
LABEL = ".controls .label"
FAILS = """#include <simt/simt.hpp>
struct repeats {
  simt::atomic<int> flag{0};
  SIMT_FN void operator()() {
    for (int i = 0; i < 6; ++i) flag.store(1);
    simt::check(flag.load() == 0, "</script><b>&amp;");
  }
};
SIMT_SUBJECT(repeats);
"""


def warpcheck(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)


@unittest.skipIf(CHROMIUM is None and "CI" not in os.environ, "Chromium is not installed")
class html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def open(self, *arguments, width=1300, height=900, dark=False, status=0):
        """The page that a command writes."""
        file = self.folder / "report.html"
        result = warpcheck(*arguments, "--html", file)
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        self.said = result.stdout
        self.page.look(width, height, dark)
        self.page.open(file)
        self.addCleanup(lambda: self.assertEqual(self.page.faults, []))
        return self.page

    def picture(self, page, name):
        if "WARPCHECK_UPDATE_PICTURES" in os.environ:
            PICTURES.mkdir(exist_ok=True)
            page.picture(PICTURES / name)

    def panel(self, page, title):
        (text,) = [each for each in page.texts(".panel") if each.lower().startswith(title.lower())]
        return text

    def test_a_deadlock_steps_and_its_lasso_closes(self):
        page = self.open("run", "scenarios/locks/tas.toml", "--only", "stack-sc-fair", height=1050)
        self.assertEqual(page.text(LABEL), "step 1 of 7")
        for _ in range(3):
            page.press("ArrowRight")
        self.assertEqual(page.text(LABEL), "step 4 of 7")
        self.assertEqual(page.texts(".does p"), ["w0.l3 CAS mutex → 1 (fails) at tas.hpp:10 (lock)",
                                                 "w0.l0 parked: tas.hpp:12"])
        page.press("ArrowRight")
        self.assertIn("w0 ○●●●", self.panel(page, "lanes").replace("\n", " "))
        self.assertIn("w0.l0 parked at tas.hpp:12", self.panel(page, "lanes"))
        self.assertIn("w0 reconverges at tas.hpp:12; parked: w0.l0", self.panel(page, "stack"))
        self.assertRegex(page.text(".line:nth-child(12)"), r"○ w0\.l0\s+12\s+simt::__threadfence")
        self.picture(page, "deadlock.png")
        page.press("End")
        self.assertEqual(page.text(LABEL), "end")
        self.assertEqual(page.text("tr.chosen .ending"),
                         "└─ repeats for ever: no other lane of the warp may run ⟳ back to step 5")
        page.press("ArrowRight")
        self.assertEqual(page.text(LABEL), "step 5 of 7, round 2")
        page.press("Home")
        self.assertEqual(page.text(LABEL), "step 1 of 7")
        self.assertIn("mutex\t0 → 1", self.panel(page, "memory"))
        page.script("document.querySelector('input').value = 2; "
                    "document.querySelector('input').dispatchEvent(new Event('input'))")
        self.assertEqual(page.text(LABEL), "step 3 of 7")

    def test_the_words_are_those_of_the_terminal(self):
        page = self.open("run", "scenarios/locks/tas.toml", "scenarios/queues/vyukov.toml", "-v")
        said = " ".join(self.said.split())
        sentences = page.texts(".violation .first, .why li, .remedy, .note, .ending, .summary")
        self.assertGreater(len(sentences), 20)
        for sentence in sentences:
            self.assertIn(" ".join(re.sub("⟳ back to .*", "", sentence).split()), said)

    def test_a_link_leads_to_its_line_and_details_fold(self):
        page = self.open("run", "scenarios/locks/tas.toml", "--only", "stack-sc-fair")
        page.click(".why li:nth-child(2) a")
        self.assertRegex(page.script("document.activeElement.innerText"), r"17\s+simt::atomicExch\(&mutex, 0\);")
        shown = "document.querySelector('.stage').checkVisibility()"
        self.assertTrue(page.script(shown))
        page.click("summary")
        self.assertFalse(page.script(shown))

    def test_loops_unfold_and_no_string_becomes_markup(self):
        (self.folder / "repeats.hpp").write_text(FAILS)
        (self.folder / "repeats.toml").write_text(
            'title = "t"\nsource = "repeats.hpp"\nsubject = "repeats"\n[[run]]\nmemory = "sc"\n')
        page = self.open("run", self.folder / "repeats.toml", status=1)
        self.assertEqual(page.script("document.querySelectorAll('b').length > 0 && "
                                     "[...document.querySelectorAll('b')].some((b) => b.innerText === '&')"), False)
        self.assertIn('It says: "</script><b>&amp;".', page.texts(".why li"))
        rows = len(page.texts(".steps tbody tr"))
        self.assertEqual(page.text(".fold"), "└─ ×5 unfold")
        page.click(".fold button")
        self.assertEqual(len(page.texts(".steps tbody tr")), rows + 4)
        page.click(".fold button")
        self.assertEqual(len(page.texts(".steps tbody tr")), rows)
        for _ in range(3):  # into a round that is folded away
            page.press("ArrowRight")
        self.assertEqual(page.text(LABEL), "step 4 of 8")
        self.assertIn("store flag = 1", page.text("tr.chosen"))

    def test_weak_memory_shows_what_may_still_be_read(self):
        page = self.open("run", "scenarios/idioms/load_buffering.toml", "--only", "its-ptx-fair", height=800)
        page.press("ArrowRight")
        self.assertEqual(self.panel(page, "may").splitlines()[1:], [
            "y", "0, by everybody", "1 (its store comes later) newest, by b1.w0.l0"])
        self.picture(page, "weak_memory.png")

    def test_barriers_are_counted(self):
        page = self.open("run", "scenarios/barriers/syncthreads_in_both_arms.toml", "--only", "stack-sc-fair")
        page.press("End")
        self.assertIn("syncthreads at syncthreads_in_both_arms.hpp:17: 2 of 4 lanes", self.panel(page, "barriers"))

    def test_operations_are_bars(self):
        page = self.open("run", "scenarios/queues/vyukov.toml", "--only", "its-sc-fair", dark=True)
        self.assertEqual(page.texts(".history .operation"), ["enqueue 1 …", "enqueue 2 → true", "dequeue → empty"])
        self.assertEqual(page.script("document.querySelectorAll('.bar.stuck').length"), 1)
        page.click(".history tr:nth-child(2) a")
        self.assertEqual(page.text(LABEL), "step 5 of 15")
        self.picture(page, "operations.png")
        paper = "getComputedStyle(document.body).backgroundColor"
        dark = page.script(paper)
        page.look(1300, 900, False)
        self.assertNotEqual(page.script(paper), dark)

    def test_a_recorded_history(self):
        page = self.open("history", "tests/golden/histories/queue.jsonl", "--spec", "queue", status=1, height=320)
        self.assertIn(page.text("p.why"), " ".join(self.said.split()))
        self.assertEqual(len(page.texts(".bar.unexplained")), 4)
        self.picture(page, "history.png")
        page = self.open("history", "tests/golden/histories/queue_ok.jsonl", "--spec", "queue", "--order")
        for line in page.text(".order").splitlines():
            self.assertIn(line, self.said)

    def test_litmus_tests(self):
        page = self.open("litmus", "scenarios/litmus/mp.litmus", "--explain", height=860)
        self.assertEqual(page.text("summary .badge"), "holds ✓")
        self.assertEqual(len(page.texts(".outcomes tbody tr")), 3)
        for line in page.text(".reasons").splitlines():
            self.assertIn(line.strip(), self.said)
        self.picture(page, "litmus.png")
        page = self.open("litmus", "scenarios/litmus")
        self.assertGreater(len(page.texts(".litmus")), 10)
        self.assertEqual(page.text(".summary"), self.said.splitlines()[-1])

    @unittest.skipIf(shutil.which("dot") is None and "CI" not in os.environ, "Graphviz is not installed")
    def test_the_graph_of_states_is_a_picture(self):
        file = self.folder / "graph.svg"
        drawn = warpcheck("explain", "scenarios/locks/opposite_order.toml", "--only", "its-sc-fair", "--graph", file)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        self.page.look(1000, 690, False)
        self.page.open(file)
        self.assertEqual(self.page.script("document.documentElement.tagName"), "svg")
        self.page.script("document.documentElement.setAttribute('width', 1000), "
                         "document.documentElement.setAttribute('height', 690)")
        self.picture(self.page, "graph.png")

    def test_a_telephone_needs_no_sideways_scrolling(self):
        for scenario in ["locks/tas", "queues/vyukov"]:
            page = self.open("run", f"scenarios/{scenario}.toml", width=390, height=844)
            self.assertLessEqual(page.script("document.documentElement.scrollWidth"), 390)
            page.click(".controls button[title^=Next]")
            self.assertRegex(page.text(LABEL), "step 2")
        self.picture(page, "telephone.png")

    def test_replay_writes_a_page_too(self):
        warpcheck("run", "scenarios/locks/tas.toml", "--counterexamples", self.folder)
        page = self.open("replay", self.folder / "tas-stack-sc-fair-simt-deadlock.json")
        self.assertEqual(page.text(".violation .first"), "All 4 lanes can never finish.")

    def test_the_source_of_a_kernel_is_found_beside_its_ptx(self):
        page = self.open("check", "examples/cuda/ticket.ptx", "--block", "3", "--buffer", "counter=1:s32", "--arg",
                         "counter", status=1)
        source = (SOURCE / "examples/cuda/ticket.cu").read_text().splitlines()
        self.assertIn(source[6].strip(), page.text(".line:nth-child(7)"))

    def replayed(self, page):
        """What replay says of the run that the page keeps."""
        href = page.script("document.querySelector('a.save').href")
        file = self.folder / page.script("document.querySelector('a.save').download")
        file.write_text(urllib.parse.unquote(href.split(",", 1)[1]))
        result = warpcheck("replay", file, "--trust")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def play(self, *arguments, **look):
        page = self.open("play", *arguments, **look)
        self.choices = lambda: [" ".join(row.split()) for row in page.texts(".next tr")]
        return page

    def test_a_reader_plays_the_scheduler(self):
        page = self.play("scenarios/counters/lost_update.toml", "--only", "its-sc-fair", height=760)
        self.assertRegex(self.said, r"12 states to play with in ")
        self.assertEqual(self.choices(), ["1 w0.l0 load counter → 0 lost_update.hpp:10",
                                          "2 w1.l0 load counter → 0 lost_update.hpp:10"])
        page.press("h")
        self.assertEqual(page.text(".hint"), "2 of these choices can lead to a violation.")
        self.assertIn("can lead to assertion", self.choices()[0])
        page.press("1")
        self.assertEqual(page.text(LABEL), "1 choice made")
        page.press("1")  # the same lane goes on: this run is right
        self.assertIn("counter\t0 → 1", self.panel(page, "memory"))
        page.press("h")
        self.assertRegex(page.text(".hint"), "^No choice leads to a deadlock, a failed assertion or a bad access")
        self.assertTrue(all("leads to no violation" in choice for choice in self.choices()))
        while page.text(".outcome").find("finished") < 0:
            page.press("1")
        self.assertIn("All lanes have finished, and all is well.", page.text(".outcome"))
        self.assertEqual(self.choices(), ["Nobody: this run is over. Back takes a choice back."])
        page.click(".so-far tr:nth-child(2) button")  # back to before the second choice
        self.assertEqual(page.text(LABEL), "1 choice made")
        page.click(".next tr:nth-child(2) button")
        page.press("1")
        page.press("1")
        self.assertEqual(page.text(".outcome .badge"), "assertion")
        self.assertIn("You have made it fail.", page.text(".outcome"))
        self.assertIn("lost_update.hpp:10", page.text(".so-far tr"))
        self.assertIn("what w0.l0 wrote in step 3 is lost", self.replayed(page))
        self.assertRegex(page.text(".progress"), r"You have been in \d+ of 12 states, and have tried \d+ of \d+ choices")
        self.picture(page, "play.png")
        page.press("b")
        self.assertEqual(page.text(LABEL), "3 choices made")
        page.click(".controls button:nth-child(3)")
        self.assertEqual(page.text(LABEL), "0 choices made")

    def test_a_game_shows_deadlocks_links_and_what_may_be_read(self):
        page = self.play("scenarios/locks/opposite_order.toml", "--only", "its-sc-fair")
        page.press("h")
        self.assertIn("can lead to deadlock", self.choices()[0])
        page.press("1")
        page.press("h")
        (last,) = [n for n, choice in enumerate(self.choices(), 1) if "no schedule finishes" in choice]
        page.press(str(last))
        self.assertEqual(page.text(".outcome .badge"), "deadlock")
        self.assertIn("can never finish", self.replayed(page))
        run = warpcheck("run", "scenarios/locks/opposite_order.toml", "--only", "its-sc-fair", "-v").stdout
        for sentence in page.texts(".outcome li"):
            self.assertIn(" ".join(sentence.split()), " ".join(run.split()))
        choices = page.text(LABEL)
        page.click(".next a")  # leads to the line, and chooses nothing
        self.assertEqual(page.text(LABEL), choices)
        page = self.play("scenarios/idioms/load_buffering.toml", "--only", "its-ptx-fair", dark=True)
        page.press("1")
        page.press("1")
        self.assertIn("0, by b1.w0.l0", self.panel(page, "may"))
        page.look(390, 844, False)
        self.assertLessEqual(page.script("document.documentElement.scrollWidth"), 390)

    def test_a_game_tells_races_of_two_steps(self):
        page = self.play("scenarios/flags/grote_3_3_intended_weak.toml", "--only", "its-sc-fair")

        def ways(depth):  # all short runs, until one races
            for number in range(1, len(page.texts(".next button")) + 1):
                page.press(str(number))
                if page.texts(".outcome .badge") == ["race"] or (depth > 1 and ways(depth - 1)):
                    return True
                page.press("b")
            return False
        self.assertTrue(ways(5))
        self.assertIn("race", self.replayed(page))

    def test_a_game_that_is_too_large_is_refused(self):
        file = self.folder / "play.html"
        result = warpcheck("play", "scenarios/queues/michael_scott.toml", "--html", file)
        self.assertEqual((result.returncode, file.exists()), (2, False))
        self.assertIn("too many for a page; use fewer lanes", result.stderr)

    def test_of_a_folder_only_surprises_are_shown_in_full(self):
        page = self.open("run", "scenarios/counters")
        runs = len(re.findall(r"^scenarios/", self.said, re.M))
        self.assertEqual((len(page.texts(".run")), len(page.texts(".violation"))), (runs, 0))

    def test_a_file_that_cannot_be_written_is_told_before_anything_runs(self):
        (self.folder / "file").touch()
        for command in [("run", "scenarios/locks/tas.toml"),
                        ("history", "tests/golden/histories/queue.jsonl", "--spec", "queue")]:
            result = warpcheck(*command, "--html", self.folder / "file/report.html")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("--html", result.stderr)

    def test_data_is_json_without_markup(self):
        self.open("run", "scenarios/locks/tas.toml")
        text = (self.folder / "report.html").read_text()
        (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
        self.assertNotIn("<", data)
        self.assertEqual(json.loads(data)["kind"], "run")
        self.assertNotIn(str(SOURCE), text)


if __name__ == "__main__":
    unittest.main()
