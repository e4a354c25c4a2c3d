// Collects the visible operations and branches of a subject from the continuations that a search
// has met.
#include "checker/report/body.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "checker/report/describe.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;

std::string access_of(const simt::operation& op) {
  if (op.kind == operation_kind::fence) {
    return fmt::format("{}, scope {}", order_name(op.order), scope_name(op.scope));
  }
  if (op.kind != operation_kind::memory) return {};
  if (op.weak) return "weak";
  return fmt::format("strong, {}, scope {}", order_name(op.order), scope_name(op.scope));
}

// Turns "flag[3]" into "flag[…]". Lanes that do the same to their own elements count as one.
std::string without_indices(const std::string& variable) {
  std::string text;
  bool inside = false;
  for (const char c : variable) {
    if (c == ']') inside = false;
    if (!inside) text += c;
    if (c == '[') {
      inside = true;
      text += "…";
    }
  }
  return text;
}

bool is_visible(const simt::operation& op) { return row_of(op.kind).is_shown; }

auto order_of(const source_place& p) { return std::tie(p.file, p.line); }

}  // namespace

std::vector<body_operation> operations_of(session& run, names& named) {
  const simt::lane_program& program = run.lanes();
  std::map<std::tuple<std::uint64_t, std::string>, std::set<std::string>> variables;
  std::map<std::tuple<std::uint64_t, std::string>, simt::operation> operations;
  for (simt::continuation c = 0; c < program.size(); ++c) {
    const simt::operation& op = program.at(c);
    if (!is_visible(op)) continue;
    const auto key = std::tuple(op.pc, operation_name(op, named));
    operations.emplace(key, op);
    if (op.kind == operation_kind::memory) variables[key].insert(named.variable(op.address));
  }
  std::vector<body_operation> result;
  for (const auto& [key, op] : operations) {
    body_operation one{named.place(op.pc), operation_name(op, named), access_of(op)};
    const auto& seen = variables[key];
    std::set<std::string> shown;
    for (const std::string& name : seen) {
      shown.insert(seen.size() > 1 ? without_indices(name) : name);
    }
    std::string list;
    for (const std::string& name : shown) list += (list.empty() ? " " : ", ") + name;
    one.text += list;
    const bool known = std::ranges::any_of(result, [&](const body_operation& o) {
      return o.at == one.at && o.text == one.text && o.access == one.access;
    });
    if (!known) result.push_back(std::move(one));
  }
  // The compiler may order blocks as it likes. Within one line, the order of addresses is good
  // enough.
  std::ranges::stable_sort(
      result, [](const auto& a, const auto& b) { return order_of(a.at) < order_of(b.at); });
  return result;
}

std::vector<branch_point> branches_of(session& run, names& named) {
  const simt::subject_library& library = *run.setup().library;
  const simt::lane_program& program = run.lanes();
  std::set<std::uint32_t> left;  // blocks that lanes of this run have left by a branch
  for (simt::continuation c = 0; c < program.size(); ++c) {
    const simt::operation& op = program.at(c);
    if (op.kind == operation_kind::branch && library.roles[op.block].branches)
      left.insert(op.block);
  }
  std::vector<branch_point> result;
  for (const std::uint32_t block : left) {
    const std::uint32_t join = library.roles[block].immediate_post_dominator;
    branch_point point{named.block(block),
                       join == simt::no_block ? source_place{} : named.block(join)};
    const bool known = std::ranges::any_of(result, [&](const branch_point& b) {
      return b.at == point.at && b.reconverges == point.reconverges;
    });
    if (!known) result.push_back(std::move(point));
  }
  std::ranges::stable_sort(
      result, [](const auto& a, const auto& b) { return order_of(a.at) < order_of(b.at); });
  return result;
}

}  // namespace warpcheck
