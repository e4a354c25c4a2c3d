#include "tests/litmus/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace naive {

namespace {

class generator {
 public:
  generator(std::uint32_t seed, bool strong) : random_(seed), strong_(strong) {}

  std::string test() {
    const std::size_t threads = 2 + below(3) * below(2);
    std::string text = "PTX generated\n{}\n";
    std::vector<std::vector<std::string>> columns(threads);
    bool barrier = below(4) == 0;
    for (std::size_t t = 0; t < threads; ++t) {
      columns[t].push_back(fmt::format("P{}@cta {},{}gpu {}", t, below(2),
                                       cluster_ ? fmt::format("cluster {},", below(2)) : "",
                                       below(4) == 0 && !strong_ ? 1 : 0));
    }
    for (std::size_t i = 0; i < 4 * threads; ++i) add(columns[below(threads)]);
    for (auto& column : columns) {
      if (barrier && below(4) != 0) {
        const char* what = below(5) == 0 ? "bar.cta.arrive 1" : "bar.cta.sync 1";
        column.insert(column.begin() + static_cast<std::ptrdiff_t>(1 + below(column.size())), what);
      }
      if (column.size() > 3 && below(4) == 0) branch(column);
    }
    std::size_t rows = 0;
    for (const auto& column : columns) rows = std::max(rows, column.size());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t t = 0; t < threads; ++t) {
        text +=
            fmt::format("{}{}", t == 0 ? " " : " | ", r < columns[t].size() ? columns[t][r] : "");
      }
      text += " ;\n";
    }
    return text + "exists (0 == 0)\n";
  }

 private:
  std::mt19937 random_;
  std::size_t loads_ = 0, stores_ = 0, acts_ = 0;
  std::size_t registers_ = 0;
  bool cluster_ = false;
  bool strong_;

  std::size_t below(std::size_t bound) { return random_() % bound; }

  template <std::size_t N>
  std::string_view one_of(const std::array<std::string_view, N>& all) {
    return all[below(N)];
  }

  std::string_view scope() {
    if (strong_) return below(3) == 0 ? "sys" : "gpu";
    return one_of(std::array<std::string_view, 5>{"cta", "gpu", "gpu", "sys", "cluster"});
  }
  std::string order(std::string_view strong) {
    return !strong_ && below(3) == 0
               ? "weak"
               : fmt::format("{}.{}", below(2) == 0 ? "relaxed" : strong, scope());
  }
  char location() { return below(2) == 0 ? 'x' : 'y'; }

  void add(std::vector<std::string>& column) {
    if (acts_ >= 6) return;
    ++acts_;
    const std::size_t kind = below(10);
    const std::string_view atomic =
        one_of(std::array<std::string_view, 4>{"relaxed", "acquire", "release", "acq_rel"});
    if (kind < 3 && loads_ < 4) {
      ++loads_;
      column.push_back(fmt::format("ld.{} r{}, {}", order("acquire"), registers_++, location()));
    } else if (kind < 6 && stores_ < 5) {
      ++stores_;
      if (registers_ > 0 && below(3) == 0) {
        column.push_back(
            fmt::format("st.{} {}, r{}", order("release"), location(), below(registers_)));
      } else {
        column.push_back(fmt::format("st.{} {}, {}", order("release"), location(), 1 + below(2)));
      }
    } else if (kind < 8 && loads_ < 4 && stores_ < 5) {
      ++loads_;
      ++stores_;
      const std::size_t what = below(4);
      if (what == 0) {
        column.push_back(fmt::format("red.{}.{}.add {}, 1", atomic, scope(), location()));
      } else if (what == 1) {
        column.push_back(
            fmt::format("atom.{}.{}.add r{}, {}, 1", atomic, scope(), registers_++, location()));
      } else if (what == 2) {
        column.push_back(
            fmt::format("atom.{}.{}.exch r{}, {}, 2", atomic, scope(), registers_++, location()));
      } else {
        column.push_back(fmt::format("atom.{}.{}.cas r{}, {}, {}, 2", atomic, scope(), registers_++,
                                     location(), below(2)));
      }
    } else {
      column.push_back(fmt::format("fence.{}.{}", below(2) == 0 ? "sc" : "acq_rel", scope()));
    }
  }

  // Over the column's last instruction; not over barriers, who would then be waited for for ever.
  void branch(std::vector<std::string>& column) {
    if (registers_ == 0 || column.back().starts_with("bar")) return;
    column.insert(column.end() - 1, fmt::format("b{} r{}, {}, LC00", below(2) == 0 ? "eq" : "ne",
                                                below(registers_), below(2)));
    column.emplace_back("LC00:");
  }

 public:
  void use_clusters() { cluster_ = below(3) == 0; }
};

}  // namespace

std::string generate(std::uint32_t seed, bool strong) {
  generator g(seed, strong);
  g.use_clusters();
  return g.test();
}

}  // namespace naive
