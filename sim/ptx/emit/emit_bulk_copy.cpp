// Writes bulk copies (cp.async.bulk, cp.reduce.async.bulk), as calls of simt/ptx/bulk_copy.hpp.
#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

using enum type;

/// The operation of a reduction on elements of that type. Empty: it is not modelled.
std::string reduction_of(const instruction& i, type t) {
  const bool is_integer = !is_float(t) && (size_of(t) == 4 || size_of(t) == 8);
  if (!is_integer) return "";
  for (const char* bits : {"and", "or", "xor"}) {
    if (i.has(bits)) return std::string("bit_") + bits;
  }
  if (i.has("add")) return "add";
  if (i.has("min")) return has_sign(t) ? "min_signed" : "min_unsigned";
  if (i.has("max")) return has_sign(t) ? "max_signed" : "max_unsigned";
  if (t == u32 && i.has("inc")) return "add_wrap";
  if (t == u32 && i.has("dec")) return "sub_wrap";
  return "";
}

}  // namespace

std::optional<std::string> emitter::bulk_copy(const instruction& i) {
  if (i.opcode != "cp" || !i.has("bulk")) return std::nullopt;
  if (i.has("prefetch")) return "";
  if (i.has("tensor")) throw not_translated{"a copy by a tensor map"};
  if (i.has("commit_group")) {
    only(i, {"async", "bulk", "commit_group"});
    want(i, 0, 0);
    return "bulk.commit();";
  }
  if (i.has("wait_group")) {
    only(i, {"async", "bulk", "wait_group", "read"});
    want(i, 1, 1);
    return fmt::format("bulk.wait_group{}({});", i.has("read") ? "_read" : "", in(i, 0, u32));
  }
  if (i.has("multicast::cluster")) throw not_translated{"a copy to several blocks of a cluster"};
  const bool reduces = i.has("reduce");
  if (reduces) {
    only(i, {"reduce", "async", "bulk", "shared::cluster", "shared::cta", "global",
             "mbarrier::complete_tx::bytes", "bulk_group", "L2::cache_hint", "add", "min", "max",
             "inc", "dec", "and", "or", "xor"});
  } else {
    only(i, {"async", "bulk", "shared::cluster", "shared::cta", "global",
             "mbarrier::complete_tx::bytes", "bulk_group", "L2::cache_hint"});
  }
  // The spaces of destination and source, in this order.
  std::vector<space> spaces;
  for (const std::string& m : i.modifiers) {
    if (m == "global") spaces.push_back(space::global);
    if (m == "shared::cta" || m == "shared::cluster") spaces.push_back(space::shared);
  }
  const bool ends_at_mbarrier = i.has("mbarrier::complete_tx::bytes");
  if (spaces.size() != 2 || ends_at_mbarrier == i.has("bulk_group") ||
      (spaces[0] == space::shared) != ends_at_mbarrier ||
      (spaces[0] == space::global && spaces[1] == space::global)) {
    throw not_translated{"a bulk copy of that form"};
  }
  // Operands: [to], [from], bytes {, [mbarrier]} {, cache policy}
  const std::size_t operands =
      3 + (ends_at_mbarrier ? 1U : 0U) + (i.has("L2::cache_hint") ? 1U : 0U);
  want(i, operands, operands);
  std::string what =
      fmt::format("static_cast<ptx::u64>(ptx::bulk_kind::{})", reduces            ? "reduce"
                                                               : ends_at_mbarrier ? "load"
                                                                                  : "store");
  if (reduces) {
    const type t = i.type_from_end();
    const std::string operation = reduction_of(i, t);
    if (operation.empty()) throw not_translated{"this reduction by a copy"};
    what += fmt::format(" | {} | static_cast<ptx::u64>(ptx::memory_kind::{}) << 4",
                        size_of(t) == 8 ? "8u" : "0u", operation);
  }
  const std::string all = fmt::format("{}, {}, {}, {}", what, address(i.operands[0], spaces[0]),
                                      address(i.operands[1], spaces[1]), in(i, 2, u32));
  if (!ends_at_mbarrier) return fmt::format("bulk.in_group({});", all);
  return fmt::format("bulk.to_mbarrier({}, {});", all, address(i.operands[3], space::shared));
}

bool emitter::acquires(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "bar" || op == "barrier") return !i.has("arrive");
  if (op == "mbarrier") return i.has("test_wait") || i.has("try_wait");
  if (op == "fence") return !i.has("proxy") && !i.has("mbarrier_init") && !i.has("release");
  if (op == "ld") {
    return i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("mmio");
  }
  if (op == "atom") return i.operands[0].what != operand::kind::sink;
  return op == "membar";
}

}  // namespace simt::ptx
