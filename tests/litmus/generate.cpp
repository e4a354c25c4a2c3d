// Makes random litmus tests with every instruction of the dialect.
#include "tests/litmus/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace naive {

namespace {

/// Rows of a column that stay together.
using item = std::vector<std::string>;

struct column {
  std::string head;
  std::vector<item> items;
  std::vector<std::size_t> registers;  // that are set in it
  std::size_t labels = 0;
};

class generator {
 public:
  generator(std::uint32_t seed, const generator_options& options)
      : random_(seed), options_(options) {}

  std::string test() {
    const bool clusters = options_.cluster_barriers || below(3) == 0;
    std::vector<column> columns(2 + below(3) * below(2));
    for (std::size_t t = 0; t < columns.size(); ++t) {
      columns[t].head = fmt::format("P{}@cta {},{}gpu {}", t, below(2),
                                    clusters ? fmt::format("cluster {},", cluster()) : "",
                                    below(4) == 0 && !options_.strong ? 1 : 0);
    }
    for (std::size_t i = 0; i < 4 * columns.size(); ++i) add(columns[below(columns.size())]);
    const bool barriers = below(options_.waits ? 2 : 4) == 0;
    for (column& c : columns) {
      if (options_.cluster_barriers) {
        insert_cluster_barrier(c);
        continue;
      }
      if (barriers && below(4) != 0) insert_barrier(c);
      if (below(4) == 0) branch(c);
    }
    return shown(columns);
  }

 private:
  std::mt19937 random_;
  generator_options options_;
  std::size_t loads_ = 0, stores_ = 0, acts_ = 0;
  std::size_t registers_ = 0;

  std::size_t below(std::size_t bound) { return random_() % bound; }

  template <std::size_t N>
  std::string_view one_of(const std::array<std::string_view, N>& all) {
    return all[below(N)];
  }

  static std::string shown(const std::vector<column>& columns) {
    std::vector<item> rows;
    std::size_t count = 0;
    for (const column& c : columns) {
      item& all = rows.emplace_back(item{c.head});
      for (const item& one : c.items) all.insert(all.end(), one.begin(), one.end());
      count = std::max(count, all.size());
    }
    std::string text = "PTX generated\n{}\n";
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t t = 0; t < rows.size(); ++t) {
        text += fmt::format("{}{}", t == 0 ? " " : " | ", r < rows[t].size() ? rows[t][r] : "");
      }
      text += " ;\n";
    }
    return text + "exists (0 == 0)\n";
  }

  std::size_t cluster() { return options_.cluster_barriers && below(4) != 0 ? 0 : below(2); }
  std::string_view scope() {
    if (options_.strong) return below(3) == 0 ? "sys" : "gpu";
    return one_of(std::array<std::string_view, 5>{"cta", "gpu", "gpu", "sys", "cluster"});
  }
  std::string order(std::string_view strong) {
    return !options_.strong && below(3) == 0
               ? "weak"
               : fmt::format("{}.{}", below(2) == 0 ? "relaxed" : strong, scope());
  }
  std::string atomic_order() {
    return fmt::format(
        "{}.{}",
        one_of(std::array<std::string_view, 4>{"relaxed", "acquire", "release", "acq_rel"}),
        scope());
  }
  char location() { return below(2) == 0 ? 'x' : 'y'; }
  std::string fresh(column& c) {
    c.registers.push_back(registers_);
    return fmt::format("r{}", registers_++);
  }
  /// A register that is set in the column, or an integer.
  std::string operand(const column& c, std::size_t least = 1) {
    if (!c.registers.empty() && below(3) == 0) {
      return fmt::format("r{}", c.registers[below(c.registers.size())]);
    }
    return fmt::format("{}", least + below(2));
  }

  void add(column& c) {
    if (acts_ >= 6) return;
    const std::size_t kind = below(12);
    if (kind >= 10) return compute(c);
    ++acts_;
    if (options_.waits && kind < 2 && loads_ < 4 && stores_ > 0) {
      spin(c);
    } else if (kind < 3 && loads_ < 4) {
      ++loads_;
      c.items.push_back({fmt::format("ld.{} {}, {}", order("acquire"), fresh(c), location())});
    } else if (kind < 6 && stores_ < 5) {
      ++stores_;
      c.items.push_back({fmt::format("st.{} {}, {}", order("release"), location(), operand(c))});
    } else if (kind < 8 && loads_ < 4 && stores_ < 5) {
      update(c);
    } else {
      c.items.push_back({fence()});
    }
  }

  std::string fence() {
    constexpr std::array<std::string_view, 6> orders{"sc",      "sc",      "acq_rel",
                                                     "acq_rel", "acquire", "release"};
    return fmt::format("fence.{}.{}", one_of(orders), scope());
  }

  void update(column& c) {
    ++loads_;
    ++stores_;
    const std::string value = operand(c);
    const std::size_t what = below(4);
    if (what == 0) {
      c.items.push_back(
          {fmt::format("atom.{}.exch {}, {}, {}", atomic_order(), fresh(c), location(), value)});
    } else if (what == 1) {
      c.items.push_back({fmt::format("atom.{}.cas {}, {}, {}, {}", atomic_order(), fresh(c),
                                     location(), below(2), value)});
    } else {
      const std::string_view how =
          one_of(std::array<std::string_view, 6>{"add", "add", "sub", "and", "or", "xor"});
      const std::string result = what == 2 ? fresh(c) + ", " : "";
      c.items.push_back({fmt::format("{}.{}.{} {}{}, {}", what == 2 ? "atom" : "red",
                                     atomic_order(), how, result, location(), value)});
    }
  }

  // Beside memory. Never divides by 0.
  void compute(column& c) {
    if (c.registers.empty()) return;
    const std::string from = fmt::format("r{}", c.registers[below(c.registers.size())]);
    const std::string_view how =
        one_of(std::array<std::string_view, 5>{"add", "sub", "mul", "div", "ld"});
    const std::string other =
        how == "div" ? fmt::format("{}", 1 + below(2)) : fmt::format("{}", operand(c));
    c.items.push_back({how == "ld" ? fmt::format("ld {}, {}", fresh(c), from)
                                   : fmt::format("{} {}, {}, {}", how, fresh(c), from, other)});
  }

  // Until somebody has stored something else than 0, in most cases. Read-modify-writes that spin
  // store what they read. Where they race, or tell something new in each round, there would be no
  // end to the rounds.
  void spin(column& c) {
    ++loads_;
    const std::string label = fmt::format("LC{:02}", c.labels++);
    const char where = location();
    const std::string result = fresh(c);
    item loop{label + ":"};
    std::string_view until = one_of(std::array<std::string_view, 3>{"beq", "beq", "ble"});
    if (options_.strong && stores_ < 5 && below(2) == 0) {
      ++stores_;
      const std::string_view how =
          one_of(std::array<std::string_view, 5>{"add", "or", "exch", "cas", "cas"});
      if (how == "cas") until = "bne";
      loop.push_back(fmt::format("atom.{}.{}.{} {}, {}, 0{}", below(2) == 0 ? "relaxed" : "acquire",
                                 scope(), how, result, where, how == "cas" ? ", 1" : ""));
    } else {
      if (below(4) == 0) {
        loop.push_back(fence());
      }
      loop.push_back(fmt::format("ld.{} {}, {}", order("acquire"), result, where));
    }
    loop.push_back(fmt::format("{} {}, 0, {}", until, result, label));
    c.items.push_back(loop);
  }

  void insert_barrier(column& c) {
    const std::size_t count = options_.waits ? 1 + below(2) : 1;
    for (std::size_t i = 1; i <= count; ++i) {
      std::string text = fmt::format("bar.cta.{} {}", below(5) == 0 ? "arrive" : "sync", i);
      const std::size_t at = below(c.items.size() + 1);
      if (options_.waits && below(2) == 0) {
        // Some of them are set later, and still 0.
        text += ", " + operand(c);
        if (below(2) == 0) text += fmt::format(", {}", 1 + below(3));
      }
      c.items.insert(c.items.begin() + static_cast<std::ptrdiff_t>(at), {text});
    }
  }

  void insert_cluster_barrier(column& c) {
    const auto insert = [&](std::size_t at, std::string text) {
      c.items.insert(c.items.begin() + static_cast<std::ptrdiff_t>(at), {std::move(text)});
    };
    const std::size_t arrives_at = below(c.items.size() + 1);
    if (below(4) != 0) {
      const std::size_t waits_at =
          arrives_at + (below(2) == 0 ? 0 : below(c.items.size() - arrives_at + 1));
      insert(waits_at, "barrier.cluster.wait 1");
    }
    if (below(10) == 0) return;
    const bool is_relaxed = below(3) != 0;
    if (is_relaxed && below(6) == 0) insert(arrives_at, fence_by_arrival());
    insert(arrives_at,
           is_relaxed ? "barrier.cluster.arrive.relaxed 1" : "barrier.cluster.arrive 1");
    if (is_relaxed && below(4) != 0) insert(arrives_at, fence_by_arrival());
  }

  std::string fence_by_arrival() {
    constexpr std::array<std::string_view, 6> orders{"acq_rel", "acq_rel", "acq_rel",
                                                     "sc",      "release", "acquire"};
    constexpr std::array<std::string_view, 6> scopes{"cluster", "cluster", "cluster",
                                                     "gpu",     "sys",     "cta"};
    const std::string_view order = one_of(orders);
    return fmt::format("fence.{}.{}", order, one_of(scopes));
  }

  // Over the column's last item, or one of the last two; not over barriers, which would then be
  // waited for for ever.
  void branch(column& c) {
    const auto is_barrier = [&](std::size_t back) {
      return c.items[c.items.size() - back].front().starts_with("bar");
    };
    if (c.registers.empty() || c.items.size() < 2 || is_barrier(1)) return;
    const std::string over = fmt::format("LC{:02}", c.labels++);
    const std::string_view how =
        one_of(std::array<std::string_view, 6>{"beq", "bne", "bge", "ble", "bgt", "blt"});
    const std::string jump = fmt::format(
        "{} r{}, {}, {}", how, c.registers[below(c.registers.size())], operand(c, 0), over);
    if (c.items.size() < 3 || is_barrier(2) || below(2) == 0) {
      c.items.insert(c.items.end() - 1, {jump});
      c.items.push_back({over + ":"});
      return;
    }
    const std::string end = fmt::format("LC{:02}", c.labels++);
    c.items.insert(c.items.end() - 2, {jump});
    c.items.insert(c.items.end() - 1, {"goto " + end, over + ":"});
    c.items.push_back({end + ":"});
  }
};

}  // namespace

std::string generate(std::uint32_t seed, const generator_options& options) {
  return generator(seed, options).test();
}

}  // namespace naive
