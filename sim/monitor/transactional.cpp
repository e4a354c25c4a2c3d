// Judges opacity and strict serializability, event by event.
//
// Models: as transactions.hpp. Each prefix of a history has to have an order. So a read of a value
// whose writer may still abort is wrong when it returns, whatever becomes of the writer.
#include <stdexcept>

#include "sim/monitor/observer.hpp"
#include "sim/monitor/transactions.hpp"
#include "sim/monitor/words.hpp"

namespace simt {
namespace {

constexpr std::uint64_t most_orders = 1'000'000;  // begun, of one history

class transactional final : public observer {
 public:
  transactional(const spec::specification& spec, bool opaque) : rules_(spec, opaque) {}

  word initial(std::span<const spec::state> states) override {
    transaction_history first;
    first.from.assign(states.begin(), states.end());
    return keep(std::move(first));
  }

  word called(word before, const spec::call& what) override {
    if (is_broken(before)) return before;
    transaction_history next = words_[before];
    rules_.called(next, what);
    return keep(std::move(next));
  }

  word returned(word before, std::uint32_t client, const spec::result& result) override {
    if (is_broken(before)) return before;
    transaction_history next = words_[before];
    std::uint64_t tried = 0;
    const auto stop = [&] { return ++tried > most_orders; };
    const auto is_explained =
        rules_.returned(next, client, result) ? rules_.has_order(next, stop) : std::optional(true);
    if (is_explained == false) return keep({});  // one word for all that is broken
    if (!is_explained || !rules_.forget(next, stop)) {
      throw std::length_error("a history of transactions has too many orders to try");
    }
    return keep(std::move(next));
  }

  [[nodiscard]] bool is_broken(word now) const override { return words_[now].from.empty(); }
  bool is_broken_at_end(word now) override { return is_broken(now); }
  [[nodiscard]] std::size_t memory() const override { return bytes_; }

 private:
  transaction_rules rules_;
  words_of<transaction_history> words_;
  std::size_t bytes_ = 0;

  word keep(transaction_history h) {
    const std::size_t known = words_.size();
    const word made = words_.intern(std::move(h));
    if (words_.size() == known) return made;
    const transaction_history& kept = words_[made];
    bytes_ += 128;
    for (const spec::state& s : kept.from) bytes_ += sizeof s + s.size() * sizeof(spec::value);
    for (const transaction& t : kept.all) {
      bytes_ += sizeof t + t.operations.size() * sizeof(transaction_operation);
    }
    return made;
  }
};

}  // namespace

std::unique_ptr<observer> make_transactional(const spec::specification& spec, bool opaque);
std::unique_ptr<observer> make_transactional(const spec::specification& spec, bool opaque) {
  return std::make_unique<transactional>(spec, opaque);
}

}  // namespace simt
