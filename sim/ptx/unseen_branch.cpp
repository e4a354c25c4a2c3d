// Tries, as the place where the sides meet, each instruction that one way comes to.
#include "sim/ptx/unseen_branch.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "sim/ptx/flow.hpp"

namespace simt::ptx {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// The ways from a branch to one place.
class ways {
 public:
  ways(const function& f, std::size_t branch, std::size_t end)
      : f_(f), branch_(branch), end_(end) {}

  /// How often a lane sleeps from here to the end, at least. `never`: some way does not lead there,
  /// or does what others may see, or comes here again.
  std::size_t sleeps(std::size_t at) {
    if (at == end_) return 0;
    if (at == branch_ || at >= f_.instructions.size()) return never;
    const auto [known, is_new] = sleeps_.emplace(at, never);
    if (!is_new) return known->second;  // of a place that is still being looked at: `never`
    const instruction& i = f_.instructions[at];
    if (!only_computes(i) && i.opcode != "nanosleep" && i.opcode != "bra") return never;
    std::size_t least = never;
    for (const std::size_t next : successors(f_, at)) {
      const std::size_t behind = sleeps(next);
      if (behind == never) return never;
      least = std::min(least, behind + (i.opcode == "nanosleep" ? 1 : 0));
    }
    return sleeps_[at] = least;
  }
  [[nodiscard]] std::set<std::size_t> sides() const {
    std::set<std::size_t> all;
    for (const auto& [at, known] : sleeps_) all.insert(at);
    return all;
  }

 private:
  const function& f_;
  std::size_t branch_, end_;
  std::map<std::size_t, std::size_t> sleeps_;
};

bool names_one_of(const instruction& i, const std::set<std::string>& registers) {
  std::vector<std::string> named;
  for (const operand& o : i.operands) list_registers(o, named);
  if (!i.guard.empty()) named.push_back(i.guard);
  return std::ranges::any_of(named, [&](const std::string& r) { return registers.contains(r); });
}

}  // namespace

std::optional<unseen_branch> find_unseen(const function& f, std::size_t branch,
                                         const std::set<std::string>& may_be_undefined) {
  const instruction& i = f.instructions[branch];
  if (i.opcode != "bra" || i.guard.empty() || names_one_of(i, may_be_undefined))
    return std::nullopt;
  const std::vector<std::size_t> both = successors(f, branch);  // the label's side first
  if (both.size() != 2) return std::nullopt;
  constexpr std::size_t furthest = 256;
  std::size_t end = both[1];
  for (std::size_t step = 0; step < furthest && end < f.instructions.size(); ++step) {
    ways all(f, branch, end);
    const std::size_t taken = all.sleeps(both[0]);
    const std::size_t passed = taken == never ? never : all.sleeps(both[1]);
    if (passed != never) {
      const std::set<std::size_t> sides = all.sides();
      const bool is_seen = std::ranges::any_of(sides, [&](std::size_t at) {
        const instruction& one = f.instructions[at];
        if (names_one_of(one, may_be_undefined)) return true;
        if (!only_computes(one)) return false;
        std::vector<std::string> set;
        list_registers(one.operands[0], set);
        return std::ranges::any_of(set, [&](const auto& r) { return is_live(f, r, end); });
      });
      if (!is_seen) return unseen_branch{sides, taken < passed};
    }
    const instruction& here = f.instructions[end];
    const std::vector<std::size_t> next = successors(f, end);
    if (next.empty() ||
        (!only_computes(here) && here.opcode != "nanosleep" && here.opcode != "bra"))
      return std::nullopt;
    end = next.front();
  }
  return std::nullopt;
}

}  // namespace simt::ptx
