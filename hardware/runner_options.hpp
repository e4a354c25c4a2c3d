// The runner's command line, as the top of runner.cu describes it. Included by runner.cu alone.
#pragma once

#include <simt/detail/launch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace gpu_runner {

using simt::detail::client_kind;

constexpr int exit_usage = 2;

struct options {
  std::string subject;
  std::string workload;
  client_kind clients = client_kind::lane;
  unsigned blocks = 1;
  unsigned cluster = 1;
  bool cooperative = false;
  std::vector<unsigned> lanes{1};
  unsigned repeat = 1;
  std::map<std::string, std::size_t> arrays;
  std::map<std::string, std::vector<long long>> values;  // of arrays
  std::map<unsigned, std::string> operations;            // by thread
  std::string initial;
  unsigned rounds = 1;
  unsigned seed = 1;
  std::map<unsigned, std::vector<unsigned>> choices;  // that threads are told, by thread
  bool delays = false;
  double budget = 0;  // seconds; 0: without end
  std::string ptx;    // empty: as compiled by nvcc
  unsigned jit = 0;
  bool timed = false;
  double deadline = 5;
};

[[noreturn]] inline void wrong_use(const std::string& message) {
  std::fprintf(stderr, "%s; the top of hardware/runner.cu has the usage\n", message.c_str());
  std::exit(exit_usage);
}

inline unsigned block_threads(const options& run) {
  unsigned sum = 0;
  for (const unsigned lanes : run.lanes) sum += lanes;
  return sum;
}

inline unsigned client_count(const options& run) {
  switch (run.clients) {
    case client_kind::lane: return run.blocks * block_threads(run);
    case client_kind::warp: return run.blocks * static_cast<unsigned>(run.lanes.size());
    case client_kind::block: return run.blocks;
  }
  return 0;
}

inline unsigned long number(const std::string& option, const std::string& text, unsigned long most,
                            unsigned long least = 1) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != 0 || text[0] == '-' || value < least || value > most) {
    wrong_use(option + " takes a number from " + std::to_string(least) + " to " +
              std::to_string(most) + ", not \"" + text + "\"");
  }
  return value;
}

inline std::vector<unsigned> lane_list(const std::string& text) {
  std::vector<unsigned> lanes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    lanes.push_back(
        static_cast<unsigned>(number("--lanes", text.substr(begin, comma - begin), 32)));
    begin = comma + 1;
  }
  if (lanes.size() > simt::detail::max_warps) wrong_use("a block has at most 32 warps");
  return lanes;
}

inline client_kind clients_named(const std::string& text) {
  if (text == "lane") return client_kind::lane;
  if (text == "warp") return client_kind::warp;
  if (text == "block") return client_kind::block;
  wrong_use("--clients is lane, warp or block, not \"" + text + "\"");
}

inline void add_array(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) wrong_use("--array takes NAME=ELEMENTS, not \"" + text + "\"");
  run.arrays[text.substr(0, equals)] = number("--array", text.substr(equals + 1), 1UL << 30);
}

inline void add_values(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
  std::vector<long long>& values = run.values[text.substr(0, equals)];
  const char* at = text.c_str() + equals;  // at a separator
  do {
    char* end = nullptr;
    values.push_back(std::strtoll(at + 1, &end, 10));
    if (end == at + 1) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
    at = end;
  } while (*at == ',');
  if (*at != 0) wrong_use("--values takes NAME=V,V, not \"" + text + "\"");
}

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Reads "THREAD=V,V": what this thread chooses.
inline void add_choices(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) wrong_use("--choose takes THREAD=V,V, not \"" + text + "\"");
  const auto thread =
      static_cast<unsigned>(number("--choose", text.substr(0, equals), 0xfffffffe, 0));
  for (const std::string& each : split(text.substr(equals + 1), ','))
    run.choices[thread].push_back(static_cast<unsigned>(number("--choose", each, 0xffff, 0)));
}

inline void add_operations(options& run, const std::string& text) {
  const std::size_t equals = text.find('=');
  char* end = nullptr;
  const unsigned long thread = std::strtoul(text.c_str(), &end, 10);
  if (equals == std::string::npos || equals == 0 || end != text.c_str() + equals)
    wrong_use("--operations takes THREAD=OP,OP, not \"" + text + "\"");
  run.operations[static_cast<unsigned>(thread)] = text.substr(equals + 1);
}

inline options parse(int argc, char** argv) {
  options run;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) wrong_use(option + " needs a value");
    const std::string value = argv[i + 1];
    if (option == "--subject")
      run.subject = value;
    else if (option == "--workload")
      run.workload = value;
    else if (option == "--clients")
      run.clients = clients_named(value);
    else if (option == "--blocks")
      run.blocks = static_cast<unsigned>(number(option, value, 0x7fffffff));
    else if (option == "--cluster")
      run.cluster = static_cast<unsigned>(number(option, value, 16));
    else if (option == "--cooperative")
      run.cooperative = std::string_view(value) == "yes";
    else if (option == "--lanes")
      run.lanes = lane_list(value);
    else if (option == "--repeat")
      run.repeat = static_cast<unsigned>(number(option, value, 0xffffffff));
    else if (option == "--array")
      add_array(run, value);
    else if (option == "--values")
      add_values(run, value);
    else if (option == "--delays")
      run.delays = number(option, value, 1) == 1;
    else if (option == "--budget")
      run.budget = std::atof(value.c_str());
    else if (option == "--operations")
      add_operations(run, value);
    else if (option == "--initial")
      run.initial = value;
    else if (option == "--rounds")
      run.rounds = static_cast<unsigned>(number(option, value, 1'000'000));
    else if (option == "--seed")
      run.seed = static_cast<unsigned>(number(option, value, 0xffffffff));
    else if (option == "--choose")
      add_choices(run, value);
    else if (option == "--ptx")
      run.ptx = value;
    else if (option == "--jit")
      run.jit = static_cast<unsigned>(number(option, value, 4, 0));
    else if (option == "--timed")
      run.timed = number(option, value, 1) == 1;
    else if (option == "--deadline")
      run.deadline = std::atof(value.c_str());
    else
      wrong_use("unknown option " + option);
  }
  if (!(run.deadline > 0)) wrong_use("--deadline takes a number of seconds above 0");
  return run;
}

}  // namespace gpu_runner
