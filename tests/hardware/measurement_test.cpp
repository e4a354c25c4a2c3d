// Times that were measured: their spread, and how they look.
#include "checker/measure/measurement.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "checker/measure/csv.hpp"
#include "checker/measure/line_plot.hpp"
#include "checker/measure/measured_accesses.hpp"
#include "checker/measure/plots.hpp"

using namespace warpcheck;

namespace {

measurement measured(std::uint64_t blocks, std::uint64_t threads, std::vector<double> seconds) {
  measurement one;
  one.subject = "locks/tas";
  one.blocks = blocks;
  one.threads = threads;
  one.repeat = 32768 / (blocks * threads);
  one.seconds = std::move(seconds);
  one.outcome = trial_outcome::finished;
  return one;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const measurement_setting setting{
    benchmark::counter, {"G", "sm_90", "580.1", "13.0", 1}, "13.0.88", "2026-11-21", 32768, 3};

}  // namespace

TEST_CASE("quartiles lie between the times") {
  const auto five = spread_of(measured(1, 32, {5, 1, 4, 2, 3}));
  REQUIRE(five);
  CHECK(five->least == 1);
  CHECK(five->low == 2);
  CHECK(five->median == 3);
  CHECK(five->high == 4);
  CHECK(five->most == 5);
  CHECK(spread_of(measured(1, 32, {1, 2}))->median == 1.5);
  CHECK(spread_of(measured(1, 32, {7}))->high == 7);
  CHECK_FALSE(spread_of(measured(1, 32, {})).has_value());
}

TEST_CASE("the runner's line: the first launch does not count") {
  const measurement one =
      read_measurement(measured(8, 64, {}),
                       R"({"outcome": "finished", "message": "", "times": [9.5, 0.25, 0.5]})", 0);
  CHECK(one.seconds == std::vector<double>{0.25, 0.5});
  CHECK(one.blocks == 8);
  CHECK(one.counted == std::nullopt);
}

TEST_CASE("the runner's line: what is counted beside the time") {
  const std::string line = R"({"outcome": "finished", "message": "", "times": [9], "counted": )";
  CHECK(read_measurement(measured(8, 64, {}), line + "0.5}", 0).counted == 0.5);
  CHECK(read_measurement(measured(8, 64, {}), line + "null}", 0).counted == std::nullopt);
  CHECK(read_measurement(measured(8, 64, {}), line + "\"many\"}", 0).outcome ==
        trial_outcome::no_result);
}

TEST_CASE("a launch that is wrong has no times") {
  const measurement lost = read_measurement(
      measured(8, 64, {}),
      R"({"outcome": "check-failed", "message": "counter is 3", "times": [0.25, 0.5]})", 0);
  CHECK(lost.outcome == trial_outcome::check_failed);
  CHECK(lost.message == "counter is 3");
  CHECK(lost.seconds.empty());
  CHECK(read_measurement(measured(1, 1, {}), "launch: out of resources\n", 4).message ==
        "launch: out of resources");
  CHECK(read_measurement(measured(1, 1, {}), R"({"outcome": "finished"})", 0).outcome ==
        trial_outcome::no_result);
}

TEST_CASE("table, CSV, JSON") {
  measurement wrong = measured(8, 64, {});
  wrong.outcome = trial_outcome::check_failed;
  wrong.message = "counter is 3";
  const std::vector<measurement> all{measured(1, 1, {0.001, 0.002, 0.003}),
                                     measured(8, 32, {0.004, 0.005, 0.006}), wrong};
  const std::string table = measurement_table(setting, all);
  CHECK(has(table, "\nsubject    blocks             1            32            64\n"));
  CHECK(has(table, "\nlocks/tas       1         2.000"));
  CHECK(has(table, "\nlocks/tas       8                       5.000  check-failed\n"));
  CHECK(has(table, "locks/tas, 8 × 64: counter is 3\n"));
  const std::string csv = to_csv(all);
  CHECK(has(csv, "locks/tas,counter,8,32,,,,128,finished,3,0.004000000,0.004500000,0.005000000,"));
  CHECK(has(csv, "locks/tas,counter,8,64,,,,64,check-failed,0,,,,,,\n"));
  const auto document = to_json(setting, all);
  CHECK(document["results"][1]["median"] == 0.005);
  CHECK(document["results"][1]["least"] == 0.004);
  CHECK(document["results"][1]["most"] == 0.006);
  CHECK(document["results"][2]["median"].is_null());
}

TEST_CASE("a CSV is read as it was written") {
  measurement wrong = measured(8, 64, {});
  wrong.outcome = trial_outcome::hang;
  measurement other = measured(30, 128, {0.5, 0.25, 1});
  other.workload = "list";
  other.entry_points = 16;
  other.keys = 1000;
  other.counted = 2.5;
  const std::vector<measurement> all{measured(8, 32, {0.004, 0.005, 0.006, 0.011}), wrong, other};
  const std::vector<measurement> read = measurements_of_csv(to_csv(all), "all.csv");
  REQUIRE(read.size() == 3);
  CHECK(read[0].subject == "locks/tas");
  CHECK(read[0].threads == 32);
  CHECK(read[0].repeat == 128);
  CHECK(read[0].buckets == 0);
  CHECK(spread_of(read[0])->low == doctest::Approx(spread_of(all[0])->low));
  CHECK(spread_of(read[0])->median == doctest::Approx(0.0055));
  CHECK(spread_of(read[0])->high == doctest::Approx(spread_of(all[0])->high));
  CHECK(read[1].outcome == trial_outcome::hang);
  CHECK(read[1].seconds.empty());
  CHECK(read[2].workload == "list");
  CHECK(read[2].entry_points == 16);
  CHECK(read[2].keys == 1000);
  CHECK(read[1].counted == std::nullopt);
  CHECK(read[2].counted == 2.5);
}

TEST_CASE("a plot has a line for each number of blocks, and the single thread") {
  const std::string svg = measurement_plot(setting,
                                           {measured(1, 1, {0.002}), measured(8, 32, {0.004}),
                                            measured(8, 64, {0.005}), measured(16, 32, {0.006})},
                                           "locks/tas");
  CHECK(svg.starts_with("<svg xmlns"));
  CHECK(has(svg, ">8 blocks</text>"));
  CHECK(has(svg, ">16 blocks</text>"));
  CHECK(has(svg, ">one thread</text>"));
  CHECK(has(svg, "stroke-dasharray"));
  CHECK(has(svg, ">64</text>"));
  // Nothing measured is an empty picture, not a division by zero.
  const std::string empty = measurement_plot(setting, {}, "locks/tas");
  CHECK(empty.ends_with("</svg>\n"));
  CHECK_FALSE(has(empty, "nan"));
  CHECK_FALSE(has(empty, "inf"));
}

TEST_CASE("names in a plot are text") {
  CHECK(has(to_svg({"a<b & c", "", "", {}, {}}), "a&lt;b &amp; c"));
}

TEST_CASE("by blocks: operations per second") {
  measurement_setting by_blocks = setting;
  by_blocks.what = benchmark::blocks;
  by_blocks.operations = 1000;
  measurement mutex = measured(8, 128, {0.5, 0.25, 1});
  mutex.repeat = 1000;
  measurement barrier = mutex;
  barrier.subject = "barriers/xf_barrier";
  barrier.workload = "phases";
  // A barrier is one operation of all blocks.
  CHECK(operations_per_second(mutex, 0.5) == 16000);
  CHECK(operations_per_second(barrier, 0.5) == 2000);
  const std::string table = measurement_table(by_blocks, {mutex, barrier});
  CHECK(has(table, "1,000 operations of each block; thousands of operations per second"));
  CHECK(has(table, "\nlocks/tas                    16.0\n"));
  CHECK(has(table, "\nbarriers/xf_barrier           2.0\n"));
  const std::string svg = throughput_plot(by_blocks, {mutex, barrier}, "phases");
  CHECK(has(svg, ">barriers/xf_barrier</text>"));
  CHECK_FALSE(has(svg, ">locks/tas</text>"));
  CHECK(has(svg, ">1000</text>"));  // powers of ten around 1,000 to 4,000
  CHECK(has(svg, ">10000</text>"));
  const std::string empty = throughput_plot(by_blocks, {}, "phases");
  CHECK_FALSE(has(empty, "nan"));
  CHECK_FALSE(has(empty, "inf"));
}

TEST_CASE("a plot breaks a line where a grid hung, and has room for long names") {
  const auto lines_of = [](const std::string& svg) {
    std::size_t count = 0;
    for (auto at = svg.find("<polyline"); at != std::string::npos;
         at = svg.find("<polyline", at + 1))
      ++count;
    return count;
  };
  measurement_setting by_blocks = setting;
  by_blocks.what = benchmark::blocks;
  by_blocks.operations = 1000;
  std::vector<measurement> all{measured(1, 128, {1}), measured(2, 128, {1}), measured(4, 128, {1})};
  for (measurement& m : all) m.repeat = 1000;
  CHECK(lines_of(throughput_plot(by_blocks, all, "counter")) == 1);
  all[1].outcome = trial_outcome::hang;
  all[1].seconds.clear();
  CHECK(lines_of(throughput_plot(by_blocks, all, "counter")) == 2);
  for (measurement& m : all) m.buckets = m.blocks;
  CHECK(lines_of(table_plot(by_blocks, all)) == 2);
  CHECK(has(throughput_plot(by_blocks, all, "counter"), "viewBox=\"0 0 720 440\""));
  for (measurement& m : all) m.subject = "semaphores/spin_backoff_post_120";
  CHECK_FALSE(has(throughput_plot(by_blocks, all, "counter"), "viewBox=\"0 0 720 440\""));
}

TEST_CASE("accesses to memory") {
  measured_accesses measured;
  measured.setting = setting;
  measured.setting.operations = 1000;
  read_accesses(R"({"device": "G", "blocks": 2112, "accesses": 1000, "results": [
    {"access": "read", "kind": "volatile", "contended": true, "after_atomic": false, "message": "",
     "times": [0.003, 0.001, 0.002]},
    {"access": "write", "kind": "volatile", "contended": true, "after_atomic": false,
     "message": "lost", "times": []},
    {"access": "read", "kind": "atomic", "contended": false, "after_atomic": true, "message": "",
     "times": [0.5]}]})",
                measured);
  const std::string table = access_table(measured);
  CHECK(has(table, "1,000 accesses of each of 2,112 blocks"));
  CHECK(has(table, "\ncontended volatile                           2.000     wrong\n"));
  CHECK(has(table, "\nuncontended atomic after an atomic         500.000          \n"));
  CHECK(has(table, "contended volatile, write: lost\n"));
  CHECK(has(to_csv(measured), "read,volatile,true,false,2112,1000,3,0.001000000,"));
  CHECK(to_json(measured)["results"][0]["median"] == 0.002);
  CHECK(to_json(measured)["results"][1]["median"].is_null());
  measured_accesses none;
  CHECK_THROWS_AS(read_accesses("no GPU here", none), std::runtime_error);
}

TEST_CASE("tables by buckets") {
  measurement_setting by_buckets = setting;
  by_buckets.what = benchmark::table;
  by_buckets.operations = 1000;
  measurement one = measured(30, 256, {0.5, 0.25, 1});
  one.subject = "mcs";
  one.workload = "table";
  one.buckets = 16;
  const std::string table = measurement_table(by_buckets, {one});
  CHECK(has(table, "1,000 pairs put into a hash table; milliseconds, median of 3 launches"));
  CHECK(has(table, "\nmcs           500.000\n"));
  CHECK(has(to_csv({one}), "\nmcs,table,30,256,16,"));
  CHECK(to_json(by_buckets, {one})["pairs"] == 1000);
  CHECK(has(table_plot(by_buckets, {one}), ">mcs</text>"));
}

TEST_CASE("lists by entry points and by threads") {
  measurement_setting of_lists = setting;
  of_lists.what = benchmark::list;
  of_lists.operations = 1000;
  measurement one = measured(30, 128, {0.5, 0.25, 1});
  one.subject = "coupled_tas";
  one.workload = "list";
  one.entry_points = 16;
  measurement other = one;
  other.subject = "coarse_tas";
  other.threads = 32;
  const std::string table = measurement_table(of_lists, {one, other});
  CHECK(has(table, "1,000 pairs put into a sorted list; milliseconds, median of 3 launches"));
  CHECK(has(table, "\nsubject      threads            16\n"));
  CHECK(has(table, "\ncoupled_tas      128       500.000\n"));
  CHECK(has(table, "\ncoarse_tas        32       500.000\n"));
  CHECK(has(to_csv({one}), "\ncoupled_tas,list,30,128,,16,"));
  CHECK(to_json(of_lists, {one})["pairs"] == 1000);
  CHECK(to_json(of_lists, {one})["results"][0]["entry_points"] == 16);
  const std::string by_entry_points = list_plot_by_entry_points(of_lists, {one, other}, 128);
  CHECK(has(by_entry_points, ">coupled_tas</text>"));
  CHECK_FALSE(has(by_entry_points, ">coarse_tas</text>"));
  CHECK(has(list_plot_by_threads(of_lists, {one, other}, 16), ">coarse_tas</text>"));
  CHECK_FALSE(has(list_plot_by_threads(of_lists, {one, other}, 32), ">coarse_tas</text>"));
}

TEST_CASE("the name of a workload says how many clients move") {
  CHECK(percent_of_movers("queue_stack_50_high") == 50);
  CHECK(percent_of_movers("stack_stack_100_low") == 100);
  CHECK(percent_of_movers("queue_queue_0_high") == 0);
  for (const char* other : {"queue_full", "hash_map_low", "20_20_60", "phases", "counter", "", "_"})
    CHECK(percent_of_movers(other) == 0);
}

TEST_CASE("a move counts as two operations") {
  measurement one = measured(10, 32, {1});
  one.workload = "queue_queue_25_low";
  one.repeat = 100;
  CHECK(operations_per_second(one, 2) == 600);  // 8 clients and 2 that move, rounded down
  one.workload = "20_20_60_by_kind";
  CHECK(operations_per_second(one, 2) == 500);
}
