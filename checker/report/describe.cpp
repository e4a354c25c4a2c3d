// Names the API's function for each kind of operation, and writes values as their types have them.
#include "checker/report/describe.hpp"

#include <array>

#include <fmt/format.h>

#include <simt/detail/mbarrier_word.hpp>

#include "sim/lane/operation.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {

using simt::operation_kind;
using simt::detail::memory_kind;

namespace {

// Returns the name of the API's function.
std::string_view mbarrier_name(const simt::operation& op) {
  const auto arrivals = static_cast<std::uint32_t>(op.operand);
  const auto bytes = static_cast<std::int32_t>(op.operand >> 32U);
  if (arrivals == 0) return bytes < 0 ? "mbarrier_complete_tx" : "mbarrier_expect_tx";
  if (static_cast<std::uint32_t>(op.compare) != 0) return "mbarrier_arrive_drop";
  return bytes != 0 ? "mbarrier_arrive_expect_tx" : "mbarrier_arrive";
}

}  // namespace

std::string_view operation_name(const simt::operation& op) {
  switch (op.kind) {
    case operation_kind::memory:
      return op.memory == memory_kind::mbarrier ? mbarrier_name(op) : simt::row_of(op.memory).name;
    case operation_kind::collective: return simt::row_of(op.collective).name;
    case operation_kind::barrier:
      if (op.barrier == simt::barrier_part::syncthreads && op.number != 0) return "bar_sync";
      if (op.barrier == simt::barrier_part::arrive && op.compare != 0) {
        return row_of(simt::barrier_part::wait).name;
      }
      return row_of(op.barrier).name;
    default: return row_of(op.kind).name;
  }
}

std::string operation_name(const simt::operation& op, names& named) {
  if (op.kind == operation_kind::barrier) {
    if (const std::string& called = named.barrier_call(op.pc); !called.empty()) return called;
  }
  return std::string(operation_name(op));
}

std::string operation_name(const lane_action& action) {
  return action.called.empty() ? std::string(operation_name(action.op)) : action.called;
}

std::string_view scope_name(simt::thread_scope scope) {
  switch (scope) {
    case simt::thread_scope_system: return "system";
    case simt::thread_scope_device: return "device";
    case simt::thread_scope_cluster: return "cluster";
    case simt::thread_scope_block: return "block";
    case simt::thread_scope_thread: return "thread";
  }
  return "?";
}

std::string_view order_name(simt::memory_order order) {
  switch (order) {
    case simt::memory_order_relaxed: return "relaxed";
    case simt::memory_order_consume: return "consume";
    case simt::memory_order_acquire: return "acquire";
    case simt::memory_order_release: return "release";
    case simt::memory_order_acq_rel: return "acq_rel";
    case simt::memory_order_seq_cst: return "seq_cst";
  }
  return "?";
}

namespace {

// Returns "call enqueue 1", "dequeue returns 2", or "dequeue returns empty".
std::string event_text(const simt::operation& op, const names& named) {
  const simt::detail::operation_entry what = named.object_operation(op.number);
  if (op.kind == operation_kind::called) {
    std::string text = fmt::format("call {}", what.name);
    const std::array<std::uint64_t, 3> arguments{op.address, op.operand, op.compare};
    for (std::uint32_t i = 0; i < what.arguments; ++i) {
      text += fmt::format(" {}", static_cast<std::int64_t>(arguments[i]));
    }
    return text;
  }
  using result = simt::detail::operation_entry::result;
  if (what.returns == result::nothing) return fmt::format("{} returns", what.name);
  if (op.count == 0) return fmt::format("{} returns {}", what.name, named.no_result(op.number));
  if (what.returns == result::boolean) {
    return fmt::format("{} returns {}", what.name, op.operand != 0);
  }
  return fmt::format("{} returns {}", what.name, static_cast<std::int64_t>(op.operand));
}

}  // namespace

namespace {

// Returns "nodes" for "nodes.words[0]": the pool that the word belongs to.
std::string pool_name(const std::string& word) { return word.substr(0, word.rfind('.')); }

// Of a copy, as its thread and the agent see it.
std::string view_text(const simt::operation& op) {
  switch (static_cast<simt::detail::copy_views>(op.operand)) {
    case simt::detail::copy_views::posted: return "issues a bulk copy";
    case simt::detail::copy_views::taken: return "begins a bulk copy";
    case simt::detail::copy_views::over: return "the bulk copy is over";
  }
  return {};
}

}  // namespace

std::string action_text(const lane_action& action, names& named) {
  // Under weak memory, the value that is read may not be the newest of the location.
  if (action.newer > 0) {
    lane_action plain = action;
    plain.newer = 0;
    const bool stores = action.op.memory == memory_kind::store;
    return fmt::format("{} ({}{} newer)", action_text(plain, named), stores ? "before " : "old, ",
                       action.newer);
  }
  const simt::operation& op = action.op;
  const std::string name = operation_name(action);
  switch (op.kind) {
    case operation_kind::memory: {
      const auto value = [&](std::uint64_t v) { return named.value_at(op.address, v, op.size); };
      const std::string& where = action.variable;
      if (op.memory == memory_kind::pool_take) {
        const std::uint64_t got = simt::answer(op, action.old_value);
        return got == simt::detail::pool_no_node
                   ? fmt::format("allocate from {}: none left", pool_name(where))
                   : fmt::format("allocate {}[{}]", pool_name(where), got);
      }
      if (op.memory == memory_kind::pool_retire) {
        return fmt::format("retire {}[{}]", pool_name(where), op.operand);
      }
      if (op.memory == memory_kind::store && op.compare != 0) {
        return fmt::format("mbarrier_{} {}",
                           op.compare == simt::detail::mbarrier_begins ? "init" : "inval", where);
      }
      if (op.memory == memory_kind::copy_view) return view_text(op);
      if (simt::touches_no_value(op)) return fmt::format("{} {}", name, where);
      if (!action.valid) return fmt::format("{} {}", op.writes() ? "write" : "read", where);
      if (op.memory == memory_kind::load) {
        return fmt::format("{} {} → {}", op.weak ? "read" : "load", where, value(action.old_value));
      }
      if (op.memory == memory_kind::store) {
        return fmt::format("{} {} = {}", op.weak ? "write" : "store", where, value(op.operand));
      }
      if (op.memory == memory_kind::compare_exchange) {
        const bool hit = action.old_value ==
                         (op.size >= 8 ? op.compare : op.compare & ((1ULL << op.size * 8U) - 1));
        return fmt::format("CAS {} → {}{}", where, value(action.old_value), hit ? "" : " (fails)");
      }
      return fmt::format("{} {} → {}", name, where, value(action.old_value));
    }
    case operation_kind::collective: {
      using simt::detail::collective_kind;
      if (op.collective == collective_kind::ballot ||
          op.collective == collective_kind::activemask) {
        return fmt::format("{} → {:#x}", name, action.result);
      }
      if (op.collective == collective_kind::any || op.collective == collective_kind::all) {
        return fmt::format("{} → {}", name, action.result);
      }
      if (simt::detail::is_reduction(op.collective)) {
        return fmt::format("{} {} → {}", name, named.value(op.operand, 4),
                           named.value(action.result, 4));
      }
      return name;
    }
    case operation_kind::barrier:
      if (op.barrier == simt::barrier_part::syncthreads &&
          (op.mask & simt::detail::barrier_reduces) != 0) {
        return fmt::format("{} {} → {}", name, op.operand, action.result);
      }
      return is_joint(op.barrier) || is_half(op.barrier)
                 ? name
                 : fmt::format("barrier {} {}", op.number,
                               op.barrier == simt::barrier_part::arrive ? "arrives" : "waits");
    case operation_kind::called:
    case operation_kind::returned: return event_text(op, named);
    case operation_kind::choose: return fmt::format("choose({}) → {}", op.count, action.result);
    case operation_kind::fence:  // PTX has fences of one side
      if (op.mask == 0) return name;
      return op.order == simt::memory_order::acquire ? "fence.acquire" : "fence.release";
    case operation_kind::fail: return "assertion fails";
    default: return name;
  }
}

std::string memory_text(const lane_action& action, names& named) {
  if (!action.op.writes() || !action.valid) return {};
  if (simt::is_load(action.op) || simt::touches_no_value(action.op)) return {};
  // A word of a pool is a set of nodes. The action says which node comes or goes.
  if (action.op.memory == memory_kind::pool_take || action.op.memory == memory_kind::pool_retire) {
    return {};
  }
  return fmt::format("{}  {} → {}", action.variable,
                     named.value_at(action.op.address, action.old_value, action.op.size),
                     named.value_at(action.op.address, action.new_value, action.op.size));
}

}  // namespace warpcheck
