"""warpcheck measure, with a GPU driver and an nvcc that pretend: no GPU is needed."""

import csv
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from hardware_test import BINARY, COMPILER, DRIVER, SOURCE

# The "runner" that it makes writes its options to a log, and reports times that go with the grid; for
# the subject named by $FAKE_WRONG, a counter that is wrong.
FAKE_NVCC = """#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; fi
case " $* " in *" -E "*) echo text; exit 0;; esac
echo "nvcc $@" >> "{log}"
while [ $# -gt 0 ]; do
  case "$1" in -o) output="$2"; shift;; esac
  shift
done
cat > "$output" <<'END'
#!/bin/sh
echo "run $@" >> "{log}"
case "$*" in *--accesses*)
  echo '{{"blocks": 4, "results": [{{"access": "read", "kind": "volatile", "contended": true,'
  echo '"after_atomic": false, "message": "", "times": [0.001, 0.002, 0.003]}}]}}'; exit 0;;
esac
if [ "$2" = "$FAKE_WRONG" ]; then
  echo '{{"outcome": "'$FAKE_OUTCOME'", "message": "counter is 3", "times": []}}'; exit 0
fi
case "$*" in *--particles*|*--operations\\ 32\\ *) counted=', "counted": 12.5';; esac
echo '{{"outcome": "finished", "message": "", "times": [9, 0.001, 0.003, 0.002]'"$counted"'}}'
END
chmod +x "$output"
"""

TAS = "scenarios/locks/tas.toml"
TICKET = "scenarios/locks/ticket.toml"
SMALL = ["--blocks", "1,8", "--block-sizes", "32,48", "--increments", "3072", "--trials", "3"]


class measure(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.log = self.folder / "log"
        nvcc = self.folder / "cuda/bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.write_text(FAKE_NVCC.format(log=self.log))
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        source = self.folder / "driver.cpp"
        source.write_text(DRIVER)
        library = self.folder / "lib/libcuda.so.1"
        library.parent.mkdir()
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
        shutil.copy(library, library.parent / "libnvidia-ml.so.1")
        self.environment = {"WARPCHECK_CACHE": str(self.folder / "cache"),
                            "PATH": f"{nvcc.parent}:{os.environ['PATH']}",
                            "LD_LIBRARY_PATH": str(library.parent)}

    def measure(self, *arguments, **variables):
        return subprocess.run([BINARY, "measure", *map(str, arguments)], cwd=SOURCE,
                              env={**os.environ, **self.environment, **variables},
                              capture_output=True, text=True, timeout=200)

    def refused(self, *arguments, says):
        result = self.measure(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)

    def test_a_table(self):
        result = self.measure(TAS, TICKET, *SMALL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3,072 increments under a lock; milliseconds, median of 3 launches",
                      result.stdout)
        self.assertRegex(result.stdout, r"locks/tas +1 +2\.000 +2\.000 +2\.000\n")
        self.assertRegex(result.stdout, r"locks/ticket +8 +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("-DSIMT_MEASURED", lines[0])
        self.assertNotIn("-DSIMT_DELAYS", lines[0])
        self.assertEqual(sum(line.startswith("nvcc") for line in lines), 1)
        self.assertEqual(len(lines), 1 + 2 * 5)
        self.assertIn("--subject tas --workload counter --clients lane --blocks 8 --lanes 32,16 "
                      "--repeat 8 --rounds 4 --timed 1", lines[5])

    def test_files(self):
        result = self.measure(TAS, *SMALL, "--csv", self.folder / "out/all.csv", "--svg",
                              self.folder / "plots", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual((document["version"], document["benchmark"], document["increments"]),
                         (1, "counter", 3072))
        self.assertEqual(document["results"][0],
                         {"subject": "locks/tas", "workload": "counter", "blocks": 1, "threads": 1,
                          "buckets": None, "entry_points": None, "keys": None, "bitonic_below": None,
                          "repeat": 3072,
                          "outcome": "finished", "message": "", "least": 0.001,
                          "lower_quartile": 0.0015, "median": 0.002, "upper_quartile": 0.0025,
                          "most": 0.003,
                          "seconds": [0.001, 0.003, 0.002], "counted": None})
        with open(self.folder / "out/all.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 5)
        self.assertEqual(float(rows[4]["median"]), 0.002)
        self.assertEqual([f.name for f in (self.folder / "plots").iterdir()], ["locks_tas.svg"])
        xml.etree.ElementTree.parse(self.folder / "plots/locks_tas.svg")

    def test_blocks(self):
        result = self.measure("--benchmark", "blocks", "scenarios/mutexes/spin.toml",
                              "scenarios/barriers/xf_barrier.toml",
                              "scenarios/semaphores/sleeping_2.toml",
                              "scenarios/semaphores/sleeping_120.toml",
                              "scenarios/semaphores/spin_2.toml", "--blocks", "1,8",
                              "--operations", "500", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"mutexes/spin +250\.0 +2000\.0\n")
        self.assertRegex(result.stdout, r"barriers/xf_barrier +250\.0 +250\.0\n")
        runs = [l for l in self.log.read_text().splitlines() if l.startswith("run")]
        self.assertIn("--workload counter --clients block --blocks 1 --lanes 32,32,32,32 "
                      "--repeat 500", runs[0])
        self.assertIn("--workload phases --clients lane", runs[2])
        self.assertIn("--workload capacity --clients block", runs[4])
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["capacity_120.svg", "capacity_2.svg", "counter.svg", "phases.svg"])
        plot = (self.folder / "plots/capacity_2.svg").read_text()
        self.assertIn("semaphores/spin_2", plot)
        self.assertNotIn("sleeping_120", plot)

    def test_accesses(self):
        result = self.measure("--benchmark", "accesses", "--blocks", "4", "--csv",
                              self.folder / "all.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"contended volatile +2\.000")
        self.assertIn("run --blocks 4 --accesses 1000 --trials 10", self.log.read_text())
        with open(self.folder / "all.csv", newline="") as file:
            self.assertEqual(next(csv.DictReader(file))["kind"], "volatile")

    def test_tables(self):
        result = self.measure("--benchmark", "table", "--buckets", "16,64", "--pairs", "1000", "--svg",
                              self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"lock_free +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("-DSIMT_MEASURED", lines[0])
        self.assertIn("run --subject tas --buckets 16 --pairs 1000 --blocks 30 --threads 256 --trials 10 "
                      "--deadline 10", lines)
        self.assertEqual(len(lines), 1 + 15 * 2)
        self.assertEqual([f.name for f in (self.folder / "plots").iterdir()], ["table.svg"])
        self.refused(TAS, "--benchmark", "table", says="name none")
        self.refused("--benchmark", "table", "--block-sizes", "48", says="whole warps")

    def test_lists(self):
        result = self.measure("--benchmark", "list", "--entry-points", "16,64", "--block-sizes", "32,128",
                              "--pairs", "1000", "--subjects", "coupled_tas,coarse_mcs", "--svg",
                              self.folder / "plots", "--csv", self.folder / "all.csv", "--launch-time", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1,000 pairs put into a sorted list; milliseconds, median of 10 launches, by "
                      "entry points", result.stdout)
        self.assertRegex(result.stdout, r"coarse_mcs +128 +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("list.cu", lines[0])
        self.assertIn("-DSIMT_MEASURED", lines[0])
        self.assertIn("run --subject coarse_mcs --entry-points 64 --pairs 1000 --blocks 30 --threads 32 "
                      "--trials 10 --deadline 3", lines)
        self.assertEqual(len(lines), 1 + 2 * 2 * 2)
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["list_128_threads.svg", "list_16_entry_points.svg", "list_32_threads.svg",
                          "list_64_entry_points.svg"])
        with open(self.folder / "all.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((rows[1]["subject"], rows[1]["entry_points"], rows[1]["buckets"]),
                         ("coupled_tas", "64", ""))

    def test_all_lists(self):
        result = self.measure("--benchmark", "list", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual((document["benchmark"], document["pairs"]), ("list", 262144))
        self.assertEqual(len(document["results"]), 18 * 7)
        self.assertEqual(document["results"][0]["entry_points"], 16)
        self.refused(TAS, "--benchmark", "list", says="name none")
        self.refused("--benchmark", "list", "--block-sizes", "48", says="whole warps")
        self.refused("--benchmark", "list", "--subjects", "coupled_mcs",
                     says='has no "coupled_mcs", but coupled_tas_listing, coupled_ttas_listing')

    def test_sorting(self):
        result = self.measure("--benchmark", "sorting", "--keys", "1024,1048576", "--subjects",
                              "gpu_quicksort,std_sort", "--workloads", "uniform,zero", "--trials", "3",
                              "--csv", self.folder / "all.csv", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("keys sorted; milliseconds, median of 3 launches, by keys\n", result.stdout)
        self.assertRegex(result.stdout, r"subject +workload +1024 +1048576\n")
        self.assertRegex(result.stdout, r"gpu_quicksort +uniform +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("sorting.cu", lines[0])
        self.assertEqual(len(lines), 1 + 2 * 2 * 2)
        self.assertIn("run --subject gpu_quicksort --workload zero --keys 1024 --blocks 128 --threads 256 "
                      "--trials 3 --deadline 10", lines)
        self.assertIn("run --subject std_sort --workload uniform --keys 1048576 --blocks 1 --threads 1 "
                      "--trials 3 --deadline 10", lines)
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["sorting_uniform.svg", "sorting_zero.svg"])
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "sorting", "--workloads",
                             "zero", "--keys", "1024", "--svg", self.folder / "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        (plot,) = (self.folder / "again").iterdir()
        self.assertIn("Keys sorted, zero", plot.read_text())
        self.assertNotIn("1048576", plot.read_text())
        self.refused("--from", self.folder / "all.csv", "--svg", self.folder,
                     says="add --benchmark sorting")
        self.refused("--benchmark", "sorting", "--workloads", "zeros",
                     says='--workloads: the benchmark "sorting" has no "zeros", but uniform, sorted')

    def test_parameters_of_sorting(self):
        result = self.measure("--benchmark", "sorting", "--keys", "1048576", "--subjects",
                              "gpu_quicksort_average,cub_radix", "--workloads", "scanned", "--blocks", "256,512",
                              "--bitonic-below", "64,1024", "--csv", self.folder / "all.csv", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = self.log.read_text().splitlines()
        self.assertIn("run --subject gpu_quicksort_average --workload scanned --keys 1048576 --bitonic-below 64 "
                      "--blocks 512 --threads 256 --trials 10 --deadline 10", lines)
        self.assertIn("run --subject cub_radix --workload scanned --keys 1048576 --blocks 256 --threads 256 "
                      "--trials 10 --deadline 10", lines)
        self.assertEqual(len(lines), 1 + 4 + 2)
        found = [(r["subject"], r["blocks"], r["bitonic_below"]) for r in json.loads(result.stdout)["results"]]
        self.assertEqual(found[:2], [("gpu_quicksort_average", 256, 64), ("gpu_quicksort_average", 256, 1024)])
        self.assertIn(("cub_radix", 512, None), found)
        with open(self.folder / "all.csv", newline="") as file:
            self.assertEqual([row["bitonic_below"] for row in csv.DictReader(file)], ["64", "1024"] * 2 + ["", ""])
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "sorting", "--bitonic-below", "64",
                             "--blocks", "256", "--svg", self.folder / "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.refused("--benchmark", "sets", "--bitonic-below", "64", says='the benchmark "sets" does not sort')

    def test_work_items(self):
        result = self.measure("--benchmark", "work_items", "--blocks", "1,8", "--block-sizes", "32,128", "--subjects",
                              "tas_listing,mcs_listing", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"subject +workload, blocks +32 +128\n")
        self.assertRegex(result.stdout, r"tas_listing +known, 8 +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("work_items.cu", lines[0])
        self.assertIn("run --subject mcs_listing --workload read --operations 32768 --blocks 8 --threads 128 "
                      "--trials 10 --deadline 10", lines)
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["work_items_known_1_blocks.svg", "work_items_known_8_blocks.svg",
                          "work_items_read_1_blocks.svg", "work_items_read_8_blocks.svg"])

    def test_sets_and_queues(self):
        result = self.measure("--benchmark", "sets", "--keys", "100,1000", "--subjects",
                              "list,cpu_list", "--workloads", "40_40_20", "--block-sizes", "64",
                              "--operations", "6400", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual((document["benchmark"], document["operations"]), ("sets", 6400))
        self.assertEqual([(r["subject"], r["keys"]) for r in document["results"]],
                         [("list", 100), ("list", 1000), ("cpu_list", 100), ("cpu_list", 1000)])
        self.assertEqual((document["results"][0]["blocks"], document["results"][0]["repeat"]), (100, 1))
        self.assertEqual(document["results"][2]["blocks"], 1)
        lines = self.log.read_text().splitlines()
        self.assertIn("sets_cpu.cpp", lines[0])
        self.assertIn("run --subject list --workload 40_40_20 --keys 100 --operations 6400 --blocks 100 "
                      "--threads 64 --trials 10 --deadline 10", lines)
        self.log.unlink()
        result = self.measure("--benchmark", "queues", "--subjects", "vyukov", "--workloads", "50_50",
                              "--operations", "1280,2560", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"subject +workload +1280 +2560\n")
        self.assertIn("run --subject vyukov --workload 50_50 --operations 2560 --blocks 20 --threads 128 "
                      "--trials 10 --deadline 10", self.log.read_text().splitlines())
        self.assertEqual([f.name for f in (self.folder / "plots").iterdir()], ["queues_50_50.svg"])
        self.refused(TAS, "--benchmark", "sets", says="name none")

    def test_graphs(self):
        result = self.measure("--benchmark", "graphs", "--vertices", "1000,2000", "--subjects",
                              "level_bfs,cpu_bfs", "--svg", self.folder / "plots", "--csv",
                              self.folder / "all.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"level_bfs +roads +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("run --subject level_bfs --vertices 2000 --blocks 264 --threads 128 --trials 10 "
                      "--deadline 10", lines)
        self.assertIn("run --subject cpu_bfs --vertices 1000 --blocks 1 --threads 1 --trials 10 "
                      "--deadline 10", lines)
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "graphs", "--vertices",
                             "2000", "--svg", self.folder / "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn(">1000<", (self.folder / "again/graphs_roads.svg").read_text())

    def test_deques(self):
        result = self.measure("--benchmark", "deques", "--subjects", "arora,locked", "--workloads", "stolen",
                              "--blocks", "1,8", "--operations", "128", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("128 tasks of each block in deques", result.stdout)
        self.assertRegex(result.stdout, r"arora +stolen +64\.0 +512\.0\n")
        self.assertIn("the part of the tasks that was stolen", result.stdout)
        self.assertIn("run --subject locked --workload stolen --operations 128 --blocks 8 --threads 32 --trials 10 "
                      "--deadline 10", self.log.read_text().splitlines())
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["deques_stolen.svg", "deques_stolen_thefts.svg"])
        self.assertIn("of all tasks", (self.folder / "plots/deques_stolen_thefts.svg").read_text())

    def test_moves(self):
        result = self.measure("--benchmark", "move", "--subjects", "dcas,unready", "--workloads",
                              "stack_stack_0_high,stack_stack_50_high,stack_stack_100_high", "--blocks", "4,16",
                              "--operations", "32", "--csv", self.folder / "all.csv", "--svg", self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        # Of four clients two move, and a move counts as two operations.
        self.assertRegex(result.stdout, r"dcas +stack_stack_0_high +64\.0 +256\.0\n")
        self.assertRegex(result.stdout, r"dcas +stack_stack_50_high +96\.0 +384\.0\n")
        self.assertRegex(result.stdout, r"dcas +stack_stack_100_high +128\.0 +512\.0\n")
        self.assertRegex(result.stdout, r"unready +stack_stack_0_high +64\.0 +256\.0\n")
        self.assertNotRegex(result.stdout, r"unready +stack_stack_50_high")  # it cannot move
        self.assertRegex(result.stdout, r"dcas +stack_stack_50_high +12\.500 +12\.500\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("move.cu", lines[0])
        self.assertIn("run --subject dcas --workload stack_stack_50_high --operations 32 --blocks 16 --threads 32 "
                      "--trials 10 --deadline 10", lines)
        of_workloads = [f"move_stack_stack_{percent}_high.svg" for percent in [0, 50, 100]]
        of_movers = [f"move_stack_stack_high_{blocks}_blocks{rest}.svg" for blocks in [4, 16]
                     for rest in ["", "_others"]]
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         sorted(of_workloads + of_movers))
        plot = (self.folder / "plots/move_stack_stack_high_16_blocks.svg").read_text()
        self.assertIn("percent of the clients that move", plot)
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "move", "--blocks", "4", "--svg",
                             self.folder / "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(sorted(f.name for f in (self.folder / "again").iterdir()),
                         ["move_stack_stack_high_4_blocks.svg", "move_stack_stack_high_4_blocks_others.svg"])

    def test_sums_and_priority_queues(self):
        result = self.measure("--benchmark", "sums", "--threads", "64,128", "--subjects", "scan,cub", "--svg",
                              self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"subject +workload +64 +128\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("sums.cu", lines[0])
        self.assertIn("run --subject cub --operations 1000 --blocks 132 --threads 128 --trials 10 --deadline 10", lines)
        self.log.unlink()
        result = self.measure("--benchmark", "priority_queues", "--keys", "100,1000", "--subjects",
                              "skip_queue,cpu_mutex", "--workloads", "50_50", "--operations", "1280", "--svg",
                              self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = self.log.read_text().splitlines()
        self.assertIn("priority_queues_cpu.cpp", lines[0])
        self.assertIn("run --subject skip_queue --workload 50_50 --keys 1000 --operations 1280 --blocks 10 "
                      "--threads 128 --trials 10 --deadline 10", lines)
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["priority_queues_50_50.svg", "sums_block.svg"])

    def test_what_is_wrong_is_not_measured(self):
        result = self.measure(TAS, TICKET, *SMALL, FAKE_WRONG="tas", FAKE_OUTCOME="check-failed")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"locks/tas +1 +check-failed")
        self.assertIn("counter is 3", result.stdout)
        result = self.measure(TAS, *SMALL, FAKE_WRONG="tas", FAKE_OUTCOME="hang")
        self.assertEqual(result.returncode, 1)
        # A hang costs its deadline; one is enough.
        self.assertEqual(result.stdout.count("hang"), 1)

    def test_plots_of_a_file(self):
        """They are those that were drawn when it was measured; no GPU is asked for."""
        measured = self.measure(TAS, TICKET, *SMALL, "--csv", self.folder / "all.csv", "--svg",
                                self.folder / "plots")
        self.assertEqual(measured.returncode, 0, measured.stderr)
        self.log.unlink()
        gpu = re.match(r"(.*) \(sm_", measured.stdout)[1]
        again = self.measure("--from", self.folder / "all.csv", "--svg", self.folder / "again", "--gpu",
                             gpu, FAKE_NO_GPU="1")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertFalse(self.log.exists())
        self.assertEqual(again.stdout.splitlines(),
                         [f"{self.folder}/again/locks_{name}.svg" for name in ["tas", "ticket"]])
        for plot in (self.folder / "plots").iterdir():
            self.assertEqual(plot.read_text(), (self.folder / "again" / plot.name).read_text())
        part = self.measure("--from", self.folder / "all.csv", "--svg", self.folder / "part", "--subjects",
                            "locks/tas", "--blocks", "8")
        self.assertEqual(part.returncode, 0, part.stderr)
        (plot,) = (self.folder / "part").iterdir()
        self.assertIn(">locks/tas: 3,072 increments</text>", plot.read_text())
        self.assertIn(">8 blocks<", plot.read_text())
        self.assertNotIn("one thread", plot.read_text())

    def test_plots_of_a_list(self):
        file = self.folder / "list.csv"
        measured = self.measure("--benchmark", "list", "--entry-points", "16,64", "--block-sizes", "32,128",
                                "--subjects", "coupled_tas,coarse_mcs", "--pairs", "1000", "--csv", file)
        self.assertEqual(measured.returncode, 0, measured.stderr)

        def names(*arguments):
            shutil.rmtree(self.folder / "plots", ignore_errors=True)
            result = self.measure("--from", file, "--benchmark", "list", "--pairs", "1000", "--svg",
                                  self.folder / "plots", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            return sorted(f.name for f in (self.folder / "plots").iterdir())

        self.assertEqual(len(names()), 4)
        # A plot over what has one value would be of single points.
        self.assertEqual(names("--entry-points", "64"), ["list_64_entry_points.svg"])
        self.assertEqual(names("--block-sizes", "32", "--subjects", "coarse_mcs"), ["list_32_threads.svg"])
        plot = (self.folder / "plots/list_32_threads.svg").read_text()
        self.assertIn("coarse_mcs", plot)
        self.assertNotIn("coupled_tas", plot)
        of_file = ["--from", file, "--svg", self.folder / "plots"]
        self.refused(*of_file, "--benchmark", "list",
                     says="--pairs: 262,144 pairs are not 2 for each of 960 threads")
        self.refused(*of_file, says='workload "list", which is not of the benchmark "counter"; add '
                                    "--benchmark list")
        of_file += ["--benchmark", "list", "--pairs", "1000"]
        self.refused(*of_file, "--subjects", "coupled_mcs", says='has no "coupled_mcs", but coarse_mcs, '
                                                              "coupled_tas")
        self.refused(*of_file, "--entry-points", "32", says="nothing that is asked for has a time")

    def test_files_that_cannot_be_plotted(self):
        file = self.folder / "all.csv"
        self.refused("--from", file, "--svg", self.folder, says=f"--from: {file} cannot be read")
        self.refused("--from", self.folder, "--svg", self.folder, says="cannot be read")
        good = ("subject,workload,blocks,threads,buckets,entry_points,keys,repeat,outcome,launches,least,"
                "lower_quartile,median,upper_quartile,most,counted\n"
                "locks/tas,counter,8,32,,,,128,finished,3,0.1,0.2,0.3,0.4,0.5,\n")
        file.write_text(good)
        self.assertEqual(self.measure("--from", file, "--svg", self.folder).returncode, 0)
        self.refused("--from", file, says="say where the plots go")
        self.refused(TAS, "--from", file, "--svg", self.folder, says="name no scenario")
        self.refused("--from", file, "--svg", self.folder, "--benchmark", "accesses", says="no plot")
        self.refused("--from", file, "--svg", self.folder, "--benchmark", "lists", says='"lists"')
        self.assertEqual(self.measure("--from", file, "--svg", self.folder, "--json").returncode, 2)
        self.assertEqual(self.measure(TAS, "--gpu", "G").returncode, 2)
        for wrong, by, says in [
                ("median", "mediam", ':1: unknown column "mediam"; did you mean "median"?'),
                ("workload", "of", ':1: unknown column "of"; warpcheck measure --csv writes subject,'),
                ("most,", "least,", ':1: more than one column "least"'),
                (",most,", ",", ':1: no column "most"'),
                (",8,32", ",8", ":2: 15 values, but the first line names 16 columns"),
                ("0.5,\n", "0.5,-1\n", ':2: counted "-1" is not a number from 0 on'),
                (",8,", ",none,", ':2: blocks "none" is not a number above 0'),
                ("finished", "done", ':2: outcome "done" is none of finished, hang,'),
                ("0.3", "-3", ':2: median "-3" is not a number above 0'),
                ("0.3", "0.15", ':2: median "0.15" is less than lower_quartile'),
                (good.splitlines()[1], "", ": no measurements")]:
            file.write_text(good.replace(wrong, by))
            self.refused("--from", file, "--svg", self.folder, says=f"{file}{says}")
        file.write_text(good + good.splitlines()[1].replace(",128,", ",64,"))
        self.refused("--from", file, "--svg", self.folder,
                     says="32,768 increments and with 16,384, which do not belong into one plot")

    def test_octrees(self):
        result = self.measure("--benchmark", "octree", "--subjects", "static,stealing", "--workloads", "tube",
                              "--blocks", "1,8", "--block-sizes", "32,64", "--svg", self.folder / "plots", "--csv",
                              self.folder / "all.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("particles sorted into octrees; milliseconds, median of 10 launches, by blocks\n",
                      result.stdout)
        self.assertRegex(result.stdout, r"subject +particles, threads +1 +8\n")
        self.assertRegex(result.stdout, r"stealing +500000 tube, 64 +2\.000 +2\.000\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("octree.cu", lines[0])
        self.assertEqual(len(lines), 1 + 2 * 2 * 2)
        self.assertIn("run --subject stealing --workload tube --particles 500000 --blocks 8 --threads 32 "
                      "--trials 10 --deadline 10", lines)
        with open(self.folder / "all.csv", newline="") as file:
            row = next(csv.DictReader(file))
        self.assertEqual((row["keys"], row["counted"]), ("500000", "12.5"))
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["octree_tube_500000_32_threads.svg", "octree_tube_500000_64_threads.svg"])
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "octree", "--block-sizes", "64",
                             "--svg", self.folder / "again", "--gpu", "Pretended GPU")
        self.assertEqual(again.returncode, 0, again.stderr)
        (plot,) = (self.folder / "again").iterdir()
        self.assertEqual(plot.read_text(), (self.folder / "plots" / plot.name).read_text())
        self.refused("--from", self.folder / "all.csv", "--svg", self.folder, says="add --benchmark octree")

    def test_octrees_by_particles(self):
        result = self.measure("--benchmark", "octree", "--subjects", "static", "--workloads", "tube", "--blocks",
                              "8", "--block-sizes", "32,64", "--particles", "1000,2000", "--svg",
                              self.folder / "plots")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(list((self.folder / "plots").iterdir())), 5)
        plot = (self.folder / "plots/octree_tube.svg").read_text()
        self.assertIn("Octrees, tube, each in its best grid", plot)
        self.refused("--benchmark", "octree", "--particles", "2000000", says="is more than 1048576")

    def test_transactions(self):
        result = self.measure("--benchmark", "stm", "--subjects", "blocking,lock_free", "--workloads",
                              "queue_full,binary_tree_low", "--blocks", "1,60", "--svg", self.folder / "plots",
                              "--csv", self.folder / "all.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("32 operations of each block by transactions; thousands of operations per second, median "
                      "of 10 launches, by blocks\n", result.stdout)
        self.assertRegex(result.stdout, r"blocking +queue_full +16\.0 +960\.0\n")
        self.assertIn("attempts that were aborted, of each operation\n", result.stdout)
        self.assertRegex(result.stdout, r"blocking +queue_full +12\.500 +12\.500\n")
        lines = self.log.read_text().splitlines()
        self.assertIn("stm.cu", lines[0])
        self.assertIn("run --subject lock_free --workload binary_tree_low --operations 32 --blocks 60 --threads 32 "
                      "--trials 10 --deadline 10", lines)
        self.assertEqual(sorted(f.name for f in (self.folder / "plots").iterdir()),
                         ["stm_binary_tree_low.svg", "stm_binary_tree_low_aborts.svg", "stm_queue_full.svg",
                          "stm_queue_full_aborts.svg"])
        again = self.measure("--from", self.folder / "all.csv", "--benchmark", "stm", "--workloads", "queue_full",
                             "--svg", self.folder / "again", "--gpu", "Pretended GPU")
        self.assertEqual(again.returncode, 0, again.stderr)
        for plot in (self.folder / "again").iterdir():
            self.assertEqual(plot.read_text(), (self.folder / "plots" / plot.name).read_text())

    def test_transactions_that_do_not_end(self):
        result = self.measure("--benchmark", "stm", "--subjects", "obstruction_free,blocking", "--workloads",
                              "queue_full", "--blocks", "60", "--launch-time", "1", "--json",
                              FAKE_WRONG="obstruction_free", FAKE_OUTCOME="hang")
        self.assertEqual(result.returncode, 1, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual((document["benchmark"], document["operations"]), ("stm", 32))
        late, done = document["results"]
        self.assertEqual((late["outcome"], late["message"], late["counted"]), ("hang", "counter is 3", None))
        self.assertEqual((done["outcome"], done["repeat"], done["counted"]), ("finished", 32, 12.5))

    def test_no_gpu(self):
        result = self.measure(TAS, FAKE_NO_GPU="1")
        self.assertEqual((result.returncode, result.stdout), (77, ""))
        self.assertFalse(self.log.exists())

    def test_wrong_use(self):
        self.refused(says="measure needs scenario files")
        self.refused(TAS, "--blocks", "1,none", says="--blocks")
        self.refused(TAS, "--block-sizes", "2048", says="--block-sizes: 2048 is more than 1024")
        self.refused(TAS, "--increments", "100", says="cannot be shared out")
        self.refused("scenarios/stacks/treiber.toml", says='workload = "counter"')
        self.refused(TAS, "--benchmark", "locks", says='there is no benchmark "locks"')
        self.refused(TAS, "--benchmark", "accesses", says="name none")
        self.refused(TAS, "--benchmark", "blocks", "--block-sizes", "32,64", says="one number")


if __name__ == "__main__":
    unittest.main()
