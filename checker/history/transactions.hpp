// Decides whether recorded histories of transactions are opaque or strictly serializable.
#pragma once

#include "checker/history/check_history.hpp"
#include "sim/monitor/transactions.hpp"

namespace warpcheck {

/// A transaction of a history, from its `begin` to its end.
struct recorded_transaction {
  std::uint32_t client = 0;
  // Indices in the history, with `begin` and the operation that ended it.
  std::vector<std::uint32_t> operations;
  simt::transaction_stage stage = simt::transaction_stage::open;
};

inline bool is_of_transactions(const simt::spec::specification& spec) {
  return spec.known_as() == simt::spec::family::transactions;
}

/// Returns all transactions of a history, in the order in which they begin.
std::vector<recorded_transaction> transactions_of(const history& of,
                                                  const simt::spec::specification& spec);

/// Returns "read 0 → 1, write 1 2, committed".
std::string transaction_text(const history& of, const simt::spec::specification& spec,
                             const recorded_transaction& what);

/// Checks a history as check_history() does, for a specification of transactions. An order that
/// explains the history has the operations of one transaction side by side.
history_result check_transactions(const history& of, const simt::spec::specification& spec,
                                  const history_options& options);

}  // namespace warpcheck
