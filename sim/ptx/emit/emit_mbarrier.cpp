// Writes instructions of mbarriers, as calls of simt/ptx/mbarrier.hpp.
#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {

std::optional<std::string> emitter::mbarrier(const instruction& i) {
  if (i.opcode != "mbarrier") return std::nullopt;
  only(i, {"init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait",
           "try_wait", "parity", "pending_count", "noComplete", "release", "acquire", "relaxed",
           "cta", "cluster", "shared", "shared::cta", "shared::cluster"});
  // PTX gives changes and tests without a scope that of the block. But then no block could wait for
  // arrivals from another one, as libraries do: in a cluster, they get that of the cluster
  // (kernel_subject.cpp says so of each verdict).
  const bool in_cluster = memory_.cluster() > 1 && !i.has("cta");
  const char* const scope = in_cluster         ? "simt::thread_scope_cluster"
                            : i.has("cluster") ? "simt::thread_scope_device"
                                               : "simt::thread_scope_block";
  const auto order = [&](const char* usual) {
    return fmt::format("simt::memory_order_{}", i.has("relaxed") ? "relaxed" : usual);
  };
  const auto place = [&](std::size_t k) {
    if (k >= i.operands.size()) throw not_translated{"it has too few operands"};
    return address(i.operands[k], space_of(i));
  };
  const std::string copies = memory_.most_async_copies() > 0
                                 ? fmt::format("copies.before_mbarrier({}); ", told_of_copies())
                                 : "";
  const bool counts = memory_.counts_pending();
  const auto set_state = [&](const operand& to, const std::string& value) {
    if (to.what == operand::kind::sink) return copies + value + ";";
    return copies + set(to, type::b64, value);
  };

  if (i.has("init")) {
    want(i, 2, 2);
    return (memory_.tells_inits() ? "tells_inits = false; " : "") +
           (memory_.has_bulk_copies() ? fmt::format("bulk.initialized({}); ", place(0)) : "") +
           fmt::format("ptx::mbarrier_init({}, {});", place(0), in(i, 1, type::u32));
  }
  if (i.has("inval")) {
    want(i, 1, 1);
    return (memory_.has_bulk_copies() ? fmt::format("bulk.wrote({}, 8u); ", place(0)) : "") +
           fmt::format("ptx::mbarrier_inval({});", place(0));
  }
  if (i.has("pending_count")) {
    want(i, 2, 2);
    return set(i.operands[0], type::u32,
               fmt::format("ptx::mbarrier_pending_count({})", in(i, 1, type::b64)));
  }
  if (i.has("test_wait") || i.has("try_wait")) {
    want(i, 3, i.has("try_wait") ? 4 : 3);
    const bool by_parity = i.has("parity");
    return copies +
           set_predicate(i.operands[0],
                         fmt::format("ptx::mbarrier_test_wait{}<{}, {}>({}, {})",
                                     by_parity ? "_parity" : "", scope, order("acquire"), place(1),
                                     in(i, 2, by_parity ? type::u32 : type::b64)));
  }
  if (i.has("arrive") || i.has("arrive_drop")) {
    // Operands: state, [address] {, count}. With .expect_tx a number of bytes is in place of the
    // count.
    const bool expects = i.has("expect_tx");
    want(i, expects ? 3 : 2, 3);
    const std::string third = i.operands.size() == 3 ? in(i, 2, type::u32) : "1u";
    const std::string count = expects ? "1u" : third;
    const std::string drops = i.has("arrive_drop") ? count : "0u";
    if (i.has("noComplete")) {
      const std::string state = fmt::format("ptx::mbarrier_change_within_phase<{}, {}>({}, {}, {})",
                                            scope, order("release"), place(1), count, drops);
      return set_state(i.operands[0], counts ? state : "ptx::mbarrier_phase_of(" + state + ")");
    }
    return set_state(i.operands[0], fmt::format("ptx::mbarrier_change{}<{}, {}>({}, {}, {}, {})",
                                                counts ? "_counted" : "", scope, order("release"),
                                                place(1), count, drops, expects ? third : "0u"));
  }
  if (i.has("expect_tx") || i.has("complete_tx")) {
    want(i, 2, 2);
    return fmt::format("ptx::mbarrier_change<{}, simt::memory_order_relaxed>({}, 0u, 0u, {}{});",
                       scope, place(0), i.has("complete_tx") ? "0u - " : "", in(i, 1, type::u32));
  }
  throw not_translated{"this operation on an mbarrier"};
}

}  // namespace simt::ptx
