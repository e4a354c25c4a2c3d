// Adds, looks up and forgets facts that machines learn of a program while they explore it.
#include "sim/machine/memory/shared_facts.hpp"

namespace simt {

memory_facts shared_facts::now() const {
  const std::lock_guard lock(changing_);
  return facts_;
}

void shared_facts::learn(const memory_facts& more) {
  const std::lock_guard lock(changing_);
  facts_.mixed.insert(more.mixed.begin(), more.mixed.end());
  facts_.ordinary.insert(more.ordinary.begin(), more.ordinary.end());
  facts_.shared.insert(more.shared.begin(), more.shared.end());
  facts_.contested.insert(more.contested.begin(), more.contested.end());
  facts_.all_contested = facts_.all_contested || more.all_contested;
  facts_.wavering.insert(more.wavering.begin(), more.wavering.end());
  facts_.narrow = facts_.narrow || more.narrow;
  facts_.unsynchronized = facts_.unsynchronized || more.unsynchronized;
  facts_.may_buffer = facts_.may_buffer || more.may_buffer;
  facts_.has_circles = facts_.has_circles || more.has_circles;
  facts_.telling.insert(more.telling.begin(), more.telling.end());
  facts_.mbarriers.insert(more.mbarriers.begin(), more.mbarriers.end());
  facts_.unphased.insert(more.unphased.begin(), more.unphased.end());
  facts_.gave_up_bursts = facts_.gave_up_bursts || more.gave_up_bursts;
  for (const auto& [call, answers] : more.votes) {
    vote_answers& known = facts_.votes[call];
    known.values.insert(answers.values.begin(), answers.values.end());
    known.asked = known.asked || answers.asked;
  }
}

location_use shared_facts::use(std::uint32_t key, const location_use& one) {
  const std::lock_guard lock(changing_);
  const auto at = uses_.find(key);
  location_use all = one;
  if (at != uses_.end()) all.join(at->second);
  if (!settled_) uses_[key] = all;
  return all;
}

std::optional<std::set<std::uint64_t>> shared_facts::answers_to(const vote& call) {
  const std::lock_guard lock(changing_);
  if (!settled_) facts_.votes[call].asked = true;
  const auto known = facts_.votes.find(call);
  if (known == facts_.votes.end() || !known->second.asked) return std::nullopt;
  return known->second.values;
}

bool shared_facts::answered(const vote& call, std::uint64_t answer) {
  const std::lock_guard lock(changing_);
  const auto known = facts_.votes.find(call);
  const bool is_known = known != facts_.votes.end() && known->second.values.contains(answer);
  if (is_known) return false;
  if (settled_) return known != facts_.votes.end() && known->second.asked;
  vote_answers& all = facts_.votes[call];
  all.values.insert(answer);
  return all.asked;
}

void shared_facts::forget_uses() {
  const std::lock_guard lock(changing_);
  if (settled_) return;
  uses_.clear();
  facts_.mixed.clear();
  facts_.ordinary.clear();
  facts_.shared.clear();
  facts_.contested.clear();
  facts_.wavering.clear();
  facts_.telling.clear();
  facts_.mbarriers.clear();
  facts_.unphased.clear();
}

}  // namespace simt
