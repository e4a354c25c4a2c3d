// Takes the clients' steps in all orders that matter, and remembers what was tried.
#include "checker/history/client_order_search.hpp"

#include <algorithm>

namespace warpcheck {
namespace {

// Bounds the number of clients that rounds between two looks at the limits look at.
constexpr std::uint64_t clients_in_time = 65'536;

}  // namespace

client_order_search::client_order_search(const simt::spec::specification& spec,
                                         std::span<const timed_step> steps,
                                         const history_limits& limits)
    : spec_(spec), steps_(steps), limits_(limits), store_(spec) {
  std::vector<std::uint32_t> by_call(steps.size());
  for (std::uint32_t i = 0; i < steps.size(); ++i) by_call[i] = i;
  std::ranges::stable_sort(by_call, {}, [&](std::uint32_t i) { return steps[i].called; });
  client_of_.resize(steps.size());
  for (const std::uint32_t i : by_call) {
    const std::uint32_t client = steps[i].what.client;
    if (client >= programs_.size()) programs_.resize(client + 1);
    programs_[client].push_back(i);
    client_of_[i] = client;
  }
  for (const timed_step& s : steps) {
    signature_.push_back(store_.signature_of(s));
    is_observer_.push_back(s.has_result && spec_.role_of(s.what, s.returned).observer);
    missing_ += s.must_happen ? 1 : 0;
  }
  position_.resize(programs_.size(), 0);
}

answer client_order_search::run() {
  std::uint64_t rounds = 0;
  const std::uint64_t between_looks =
      std::clamp<std::uint64_t>(clients_in_time / (programs_.size() + 1), 1, 4'096);
  const std::uint64_t frame_bytes = programs_.size() * 4 + sizeof(frame);
  if (enter(store_.number_of(spec_.initial()))) return answer::explained;
  while (!frames_.empty()) {
    if (++rounds % between_looks == 0) {
      const std::uint64_t bytes = store_.bytes() + frames_.size() * frame_bytes +
                                  seen_.bucket_count() * sizeof(std::string) +
                                  seen_.size() * (programs_.size() * 4 + 16);
      if (const char* why = limits_.exceeded(bytes)) {
        stopped_by_ = why;
        return answer::stopped;
      }
    }
    frame& top = frames_.back();
    for (; order_.size() > top.ordered; order_.pop_back()) {
      --position_[client_of_[order_.back()]];
      missing_ += steps_[order_.back()].must_happen ? 1 : 0;
    }
    if (top.candidate == top.clients.size()) {
      frames_.pop_back();
      continue;
    }
    const std::uint32_t client = top.clients[top.candidate];
    const auto after = store_.after(top.state, signature_[programs_[client][position_[client]]]);
    if (top.target == after.size()) {
      ++top.candidate;
      top.target = 0;
      continue;
    }
    const state_number next = after[top.target++];
    take(client);
    if (enter(next)) return answer::explained;
  }
  return answer::impossible;
}

// Returns true if everything has happened that must happen.
bool client_order_search::enter(state_number state) {
  for (std::uint32_t client = 0; client < programs_.size(); ++client) {
    while (position_[client] < programs_[client].size()) {
      const std::uint32_t step = programs_[client][position_[client]];
      if (!is_observer_[step]) break;
      const auto after = store_.after(state, signature_[step]);
      if (after.size() != 1 || after[0] != state) break;
      take(client);
    }
  }
  if (missing_ == 0) return true;
  std::string key(reinterpret_cast<const char*>(&state), sizeof state);
  key.append(reinterpret_cast<const char*>(position_.data()),
             position_.size() * sizeof position_[0]);
  if (!seen_.insert(std::move(key)).second) return false;
  frame made{state, order_.size(), 0, 0, {}};
  for (std::uint32_t client = 0; client < programs_.size(); ++client) {
    if (position_[client] < programs_[client].size()) made.clients.push_back(client);
  }
  std::ranges::sort(made.clients, {}, [&](std::uint32_t client) {
    return steps_[programs_[client][position_[client]]].called;
  });
  frames_.push_back(std::move(made));
  return false;
}

void client_order_search::take(std::uint32_t client) {
  const std::uint32_t step = programs_[client][position_[client]++];
  order_.push_back(step);
  missing_ -= steps_[step].must_happen ? 1 : 0;
}

}  // namespace warpcheck
