// Writes copies that go on while the lane does (cp.async), as calls of simt/ptx/async_copy.hpp.
#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {

std::optional<std::string> emitter::async_copy(const instruction& i) {
  if (i.opcode != "cp") return std::nullopt;
  if (!i.has("async")) throw not_translated{"this copy"};
  const bool has_copies = memory_.most_async_copies() > 0;
  if (i.has("commit_group")) {
    want(i, 0, 0);
    return has_copies ? "copies.commit();" : "";
  }
  if (i.has("wait_group")) {
    want(i, 1, 1);
    return has_copies ? fmt::format("copies.wait_group({}{});", in(i, 0, type::u32),
                                    memory_.has_bulk_copies() ? ", bulk" : "")
                      : "";
  }
  if (i.has("wait_all")) {
    want(i, 0, 0);
    return has_copies ? fmt::format("copies.wait_all({});", told_of_copies()) : "";
  }
  if (i.has("mbarrier")) {
    only(i, {"async", "mbarrier", "arrive", "noinc", "shared", "shared::cta"});
    want(i, 1, 1);
    // Without .noinc the instruction first adds its arrival to those that the phase expects. So it
    // changes no count in the end.
    if (!i.has("noinc")) return has_copies ? "copies.bind();" : "";
    return fmt::format(
        "{}ptx::mbarrier_change<simt::thread_scope_block, simt::memory_order_release>({}, 1u, 0u, "
        "0u);",
        has_copies ? fmt::format("copies.wait_all({}); ", told_of_copies()) : "",
        address(i.operands[0], space_of(i)));
  }
  only(i, {"async", "ca", "cg", "shared", "shared::cta", "global", "L2::cache_hint", "L2::64B",
           "L2::128B", "L2::256B"});
  // Operands: [to], [from], size {, bytes that are copied, or a predicate: none are} {, cache
  // policy}
  const std::size_t hint = i.has("L2::cache_hint") ? 1 : 0;
  want(i, 3 + hint, 4 + hint);
  const operand& size = i.operands[2];
  if (size.what != operand::kind::immediate ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16))
    throw not_translated{"a copy of that size"};
  std::string given = fmt::format("{}u", size.bits);
  if (i.operands.size() == 4 + hint) {
    const operand& fourth = i.operands[3];
    const register_declaration* r = fourth.what == operand::kind::reg ? find(fourth.name) : nullptr;
    if (r != nullptr && r->kind == type::pred) {
      given = fmt::format("ptx::select<ptx::u32>({}, 0u, {})", predicate(fourth), given);
    } else {
      given = in(fourth, type::u32);
    }
  }
  return fmt::format("copies.begin({}, {}, {}u, {});", address(i.operands[0], space::shared),
                     address(i.operands[1], space::global), size.bits, given);
}

std::string emitter::carried_out_copies() const {
  if (memory_.most_async_copies() == 0) return "";
  return fmt::format("copies.carry_out({}); ", told_of_copies());
}

std::string emitter::told_of_copies() const { return memory_.has_bulk_copies() ? "bulk" : ""; }

std::string emitter::compared_with_copies(space where, const std::string& at, std::uint64_t size,
                                          bool writes) const {
  const bool is_seen = where == space::generic || where == space::global || where == space::shared;
  if (!is_seen) return "";
  std::string text;
  if (memory_.most_async_copies() > 0)
    text += fmt::format("copies.about_to_{}({}, {}u); ", writes ? "write" : "read", at, size);
  if (memory_.has_bulk_copies() && writes) text += fmt::format("bulk.wrote({}, {}u); ", at, size);
  return text;
}

bool emitter::orders_memory(const instruction& i) const {
  const std::string& op = i.opcode;
  const auto is_one_of = [](const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (op == "ld" || op == "st") {
    return std::ranges::any_of(i.modifiers, [&](const std::string& m) {
      return is_one_of(m, {"volatile", "relaxed", "acquire", "release", "mmio"});
    });
  }
  if (moves_matrix(i)) return true;  // whatever other lanes do comes before or behind it
  return is_one_of(op, {"atom", "red", "fence", "membar", "bar", "barrier", "shfl", "vote", "match",
                        "redux", "elect"});
}

}  // namespace simt::ptx
