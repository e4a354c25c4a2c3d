// naive_tool emit SEED FIRST COUNT          a header of subjects
// naive_tool show SEED INDEX                one subject, its grid and its violations
// naive_tool statistics SEED FIRST COUNT    how many programs have which violations
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"
#include "tests/naive/generate.hpp"

namespace {

constexpr std::size_t max_states = 20'000;

std::string names(warpcheck::verdict_set violations) {
  std::string result;
  for (unsigned v = 0; v < static_cast<unsigned>(warpcheck::verdict::inconclusive); ++v) {
    if ((violations >> v & 1U) == 0) continue;
    result += (result.empty() ? "" : " ") + std::string(warpcheck::verdict_names[v]);
  }
  return result.empty() ? "ok" : result;
}

std::string model_name(const naive::configuration& c) {
  return std::string(c.reconvergence == naive::reconvergence::stack ? "stack" : "its  ") +
         (c.progress == naive::progress::fair ? " fair  " : " unfair");
}

void show(std::uint64_t seed, unsigned index, naive::kinds kind) {
  const naive::sample s = naive::generate(seed, index, naive::grids::any, kind);
  std::cout << naive::emit(s.code) << "blocks " << s.config.blocks << ", lanes";
  for (const int n : s.config.lanes) std::cout << " " << n;
  std::cout << ", resident " << s.config.resident
            << (s.config.blocks_in_order ? ", blocks in order" : "") << ", cluster "
            << s.config.cluster << "\n";
  if (s.code.has_text) return;
  for (const naive::configuration& c : naive::variants(s.config)) {
    const naive::outcome o = naive::explore(s.code, c, max_states);
    std::cout << model_name(c) << ": " << (o.too_large ? "too large" : names(o.violations)) << " ("
              << o.states << " states)\n";
  }
}

void statistics(std::uint64_t seed, unsigned first, unsigned count) {
  std::size_t most = 0;
  for (std::size_t model = 0; model < 4; ++model) {
    std::map<std::string, int> with;
    std::size_t states = 0;
    unsigned small = 0;
    naive::configuration shown;
    for (unsigned i = 0; i < count; ++i) {
      const naive::sample s = naive::generate(seed, first + i);
      shown = naive::variants(s.config)[model];
      const naive::outcome o = naive::explore(s.code, shown, max_states);
      std::string what = o.too_large ? "too large" : names(o.violations);
      if (what == "ok") what += o.contended ? ", contended" : ", trivial";
      ++with[what];
      states += o.states;
      most = std::max(most, o.states);
      if (!o.too_large) ++small;
    }
    std::cout << model_name(shown) << ": mean states " << states / std::max(small, 1U)
              << ", most so far " << most << "\n";
    for (const auto& [what, times] : with) std::cout << "  " << times << "\t" << what << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::string last = argv[argc - 1];
  const naive::kinds kind = last == "mixed"       ? naive::kinds::mixed_sizes
                            : last == "phases"    ? naive::kinds::phases
                            : last == "choices"   ? naive::kinds::choices
                            : last == "launches"  ? naive::kinds::launches
                            : last == "messages"  ? naive::kinds::messages
                            : last == "standing"  ? naive::kinds::standing
                            : last == "dealing"   ? naive::kinds::dealing
                            : last == "gathering" ? naive::kinds::gathering
                            : last == "scopes"    ? naive::kinds::scopes
                                                  : naive::kinds::any;
  const auto first = static_cast<unsigned>(number(3));
  const auto count = static_cast<unsigned>(number(4));
  if (mode == "emit") {
    std::cout << naive::emit_header(number(2), first, count, naive::grids::any, kind);
  } else if (mode == "show") {
    show(number(2), first, kind);
  } else if (mode == "statistics") {
    statistics(number(2), first, count);
  } else {
    std::cerr
        << "naive_tool emit|statistics SEED FIRST COUNT, or show SEED INDEX; behind it,\n"
           "mixed, phases, choices, launches, messages, standing, dealing, gathering or scopes: "
           "programs of these kinds\n";
    return 2;
  }
}
