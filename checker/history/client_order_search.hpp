// Decides sequential consistency: is there an order of the steps that the specification allows, in
// which the steps of each client stand as the client took them?
//
// The search goes depth first, and remembers what was tried as (progress of each client, state).
// Time decides nothing here, but it is a good guess: the client whose next call came first is tried
// first. A client's next step is taken at once if it is an observer that is legal now. It changes
// nothing, so whatever can follow without it can also follow after it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/history/state_store.hpp"
#include "checker/history/task.hpp"

namespace warpcheck {

class client_order_search {
 public:
  client_order_search(const simt::spec::specification& spec, std::span<const timed_step> steps,
                      const history_limits& limits);

  answer run();

  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] const std::string& stopped_by() const { return stopped_by_; }
  [[nodiscard]] std::uint64_t configurations() const { return seen_.size(); }

 private:
  struct frame {
    state_number state;
    std::size_t ordered;
    std::size_t candidate = 0;  // index in `clients`
    std::uint32_t target = 0;
    std::vector<std::uint32_t> clients;  // in the order in which their next steps were called
  };

  const simt::spec::specification& spec_;
  std::span<const timed_step> steps_;
  history_limits limits_;
  state_store store_;
  std::vector<std::uint32_t> signature_;
  std::vector<bool> is_observer_;
  std::vector<std::vector<std::uint32_t>> programs_;  // steps of each client
  std::vector<std::uint32_t> client_of_;
  std::vector<std::uint32_t> position_;  // by client: number of its next step
  std::size_t missing_ = 0;              // steps that must happen and are not yet in the order
  boost::unordered_flat_set<std::string> seen_;
  std::vector<frame> frames_;
  std::vector<std::uint32_t> order_;
  std::string stopped_by_;

  bool enter(state_number state);
  void take(std::uint32_t client);
};

}  // namespace warpcheck
