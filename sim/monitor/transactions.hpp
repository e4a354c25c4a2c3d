// Transactions of a history: what each has done, when, and whether some order explains them.
//
// Models: opacity (Guerraoui and Kapalka 2008) and strict serializability (Papadimitriou 1979) of a
// history as it stands. Both ask for an order of whole transactions, one after the other. In it, a
// transaction that ended before another began comes first, and each operation returns what it did.
// A transaction that has not called `commit` counts as aborted. One whose `commit` has not returned
// may have committed or not. Opacity asks this of the operations of all transactions, strict
// serializability only of those of committed ones. Does not model: transactions within
// transactions. A `begin` abandons the transaction that its client has open. That one ends when the
// `begin` returns: all ends are returns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <simt/spec.hpp>

namespace simt {

/// An operation that has returned without aborting its transaction.
struct transaction_operation {
  std::uint32_t operation = 0;
  std::array<spec::value, spec::max_arguments> arguments{};
  bool is_some = false;
  spec::value what = 0;
  std::uint32_t tag = 0;  // for who wants to find it again
  friend auto operator<=>(const transaction_operation&, const transaction_operation&) = default;
};

enum class transaction_stage : std::uint8_t { open, committing, committed, aborted };

/// Time is counted in periods: in each, transactions begin first, and then some end. So a
/// transaction was over before another began if and only if it ended in an earlier period.
struct transaction {
  static constexpr std::uint32_t not_ended = 0xffffffff;

  std::uint32_t client = 0;
  std::uint32_t begun = 0;
  std::uint32_t ended = not_ended;
  transaction_stage stage = transaction_stage::open;
  std::vector<transaction_operation> operations;
  std::uint32_t tag = 0;
  friend auto operator<=>(const transaction&, const transaction&) = default;
};

/// A call that has not returned.
struct transaction_call {
  std::uint32_t client = 0, operation = 0;
  std::array<spec::value, spec::max_arguments> arguments{};
  std::uint32_t tag = 0;
  friend auto operator<=>(const transaction_call&, const transaction_call&) = default;
};

struct transaction_history {
  std::vector<spec::state> from;        // what memory may be before all of `all`; sorted
  std::vector<transaction> all;         // by client; those of one client in their order
  std::vector<transaction_call> calls;  // by client
  bool outside = false;  // an operation succeeded though its client had no transaction
  friend auto operator<=>(const transaction_history&, const transaction_history&) = default;
};

/// A transaction's place in an order, and whether the transaction takes effect there.
struct placed_transaction {
  std::uint32_t tag;
  bool takes_effect;
};

/// The meaning of histories of transactions over one object.
class transaction_rules {
 public:
  /// `opaque`: checks opacity. Otherwise strict serializability.
  transaction_rules(const spec::specification& spec, bool opaque) : spec_(spec), opaque_(opaque) {}

  /// Adds an event. `tag` identifies the operation and, if it is a `begin`, its transaction.
  void called(transaction_history& h, const spec::call& what, std::uint32_t tag = 0) const;
  /// Adds an event. True: with this event the history may lack an order.
  [[nodiscard]] bool returned(transaction_history& h, std::uint32_t client,
                              const spec::result& result) const;

  /// Says whether some order explains the history. `stop` is called now and then. Once it returns
  /// true, the search ends, and nothing is returned.
  [[nodiscard]] std::optional<bool> has_order(
      const transaction_history& h, const std::function<bool()>& stop,
      std::vector<placed_transaction>* order = nullptr) const;

  /// Leaves out what cannot matter any more. Transactions that were over before all others began
  /// are replaced by the states of memory that they may have left. The history must have an order.
  /// False: `stop` has returned true, and nothing is left out.
  [[nodiscard]] bool forget(transaction_history& h, const std::function<bool()>& stop) const;

  /// Whether the operation only looks: without it, the rest of its transaction has the same effect.
  [[nodiscard]] bool only_looks(const transaction_operation& what) const;
  /// The states that the transaction may leave, if it takes effect in the state `before`. Empty:
  /// its operations return something else there.
  [[nodiscard]] std::vector<spec::state> after(const transaction& what,
                                               const spec::state& before) const;

 private:
  const spec::specification& spec_;
  bool opaque_;
};

}  // namespace simt
