// Learns facts of a program with weak memory, and encodes a state's memory.
#include <algorithm>
#include <cstring>

#include <simt/detail/agent.hpp>

#include "sim/lane/lane_runner.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/memory/copy_marks.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {
namespace {

/// The block of a lane, or of a copy.
std::uint32_t block_of(const grid_places& places, std::size_t viewer) {
  const std::size_t lanes = places.lanes.size();
  return viewer < lanes
             ? places.lanes[viewer].block
             : static_cast<std::uint32_t>((viewer - lanes) / memory_layout::copies_of_block);
}

/// The smallest scope that contains both viewers.
sync_scope common_scope(const grid_places& places, std::size_t a, std::size_t b) {
  const std::uint32_t one = block_of(places, a), other = block_of(places, b);
  if (one == other) return sync_scope::cta;
  return places.shape.share_cluster(one, other) ? sync_scope::cluster : sync_scope::gpu;
}

}  // namespace

weak_memory::weak_memory(const grid_places& places, shared_facts& facts, interned_bytes& images,
                         std::size_t image_size, bool promises, sc_fences fences)
    : machine_memory({.is_image = false,
                      .names_lanes = true,
                      .ends_at_races = true,
                      .has_stale_steps = true,
                      .learns_facts = true,
                      .orders_events = true,
                      .votes_order = false,
                      .work_of_step = places.lanes.size() * places.lanes.size() / clocks_in_word},
                     images, image_size),
      places_(places),
      viewers_(static_cast<std::uint32_t>(memory_layout::viewers_of(places.shape))),
      size_of_marks_(places.shape.copies ? size_of_copy_marks(image_size) : 0),
      widest_(common_scope(places, 0, places.lanes.size() - 1)),
      promises_(promises),
      fences_(fences),
      shared_(facts),
      rules_(
          viewers_, [&](std::uint32_t a, std::uint32_t b) { return common_scope(places, a, b); },
          facts.now()) {}

void weak_memory::begin(std::vector<std::uint8_t>& image) {
  shared_.first_image = image;
  changed_.clear();
  rules_.set_facts(shared_.now());
  begin_launch(image);
}

void weak_memory::begin_launch(std::vector<std::uint8_t>& image) {
  image.resize(image_size_ + size_of_marks_, 0);
  encode(initial(), image);
}

weak_state weak_memory::initial() const {
  weak_state s = rules_.initial();
  for (std::uint32_t viewer = 0; viewer < viewers_; ++viewer) {
    const bool is_copy = viewer >= places_.lanes.size();
    if (is_copy || places_.shape.is_agent(places_.lanes[viewer].warp)) ptx_memory::end(s, viewer);
  }
  return s;
}

std::uint32_t weak_memory::first_copy_of(std::uint32_t block) const {
  return static_cast<std::uint32_t>(places_.lanes.size()) + block * memory_layout::copies_of_block;
}

std::uint32_t weak_memory::viewer_of(const memory_request& asked) const {
  const bool is_copy = asked.op.kind == operation_kind::memory && asked.op.number != 0;
  return is_copy ? first_copy_of(places_.lanes[asked.lane].block) + asked.op.number : asked.lane;
}

std::uint32_t weak_memory::lane_of(std::uint32_t viewer) const {
  if (viewer < places_.lanes.size()) return viewer;
  return (block_of(places_, viewer) + 1) * places_.shape.block_threads() - 1;
}

std::span<const std::uint8_t> weak_memory::write(weak_state& state,
                                                 std::span<const std::uint8_t> before) {
  bytes_.assign(before.begin(),
                before.begin() + static_cast<std::ptrdiff_t>(image_size_ + size_of_marks_));
  for (const memory_location& x : state.locations) {
    std::memcpy(bytes_.data() + x.key, &x.messages.back().value, x.size);
  }
  rules_.canonicalize(state);
  encode(state, bytes_);
  return bytes_;
}

bool weak_memory::learn_operation(const learnable_operation& from) {
  using kind = operation_traits::kind;
  const operation& op = from.op;
  const operation_traits& t = from.traits;
  const bool is_access = t.what == kind::access;
  if (is_access && (touches_no_value(op) || is_of_desk(op))) return false;
  const bool updates = is_access && !is_load(op) && !is_store(op);
  // Lanes of one CTA meet at an mbarrier, which is what its scope is for.
  const bool phased = from.joins_phases && is_access && simt::is_phased(op) &&
                      (t.block != no_block || widest_ == sync_scope::cta) &&
                      !rules_.facts().unphased.contains(t.offset);
  const bool narrow =
      ((is_access || op.kind == operation_kind::fence) && is_narrow(op, t) && !phased) ||
      (updates && !access_of(op).strong);
  bool unsynchronized = t.what == kind::collective || t.what == kind::barrier || from.in_lockstep;
  if (is_access) {
    if (from.mixed_sizes) {
      throw lane_runaway(
          lane_runaway::cause::mixed_sizes,
          "accesses of different sizes that overlap are not modelled with memory = \"ptx\"", op.pc);
    }
    const memory_access how = access_of(op);
    const bool releases = how.release || op.order == memory_order::seq_cst;
    const bool loads = !is_store(op);
    const bool synchronizes =
        phased || (!narrow && (!t.writes || releases) && (!loads || how.acquire));
    unsynchronized = unsynchronized || (how.strong && !synchronizes);
  }
  seen_.narrow = seen_.narrow || narrow;
  seen_.unsynchronized = seen_.unsynchronized || unsynchronized;
  const memory_facts& had = rules_.facts();
  const bool news = (seen_.narrow && !had.narrow) || (seen_.unsynchronized && !had.unsynchronized);
  if (shared_.settled()) {
    lacks_facts_ = lacks_facts_ || news;
    return false;
  }
  if (news) shared_.learn(seen_);
  return news;
}

bool weak_memory::learn_circles() {
  seen_.has_circles = true;
  if (shared_.settled()) return false;
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_buffering() {
  seen_.may_buffer = true;
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  shared_.learn(seen_);
  return promises_;
}

bool weak_memory::learn_use(std::uint32_t key, const location_use& one, bool as_contested) {
  if (!used_.emplace(key, one).second) return false;
  const location_use all = shared_.use(key, one);
  const memory_facts& had = rules_.facts();
  if (!all.is_shared() && !had.all_contested) return false;
  const bool mixed = all.stores && all.suspicious;
  as_contested = as_contested && !shared_.settled();
  const bool unphased = all.arrives && all.loses_phases;
  if (is_shared(key) && (!as_contested || is_contested(key)) &&
      (!mixed || had.mixed.contains(key)) && (!all.ordinary || had.ordinary.contains(key)) &&
      (!all.arrives || had.mbarriers.contains(key)) && (!unphased || had.unphased.contains(key))) {
    return false;
  }
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  seen_.shared.insert(key);
  if (as_contested) seen_.contested.insert(key);
  if (mixed) seen_.mixed.insert(key);
  if (all.ordinary) seen_.ordinary.insert(key);
  if (all.arrives) seen_.mbarriers.insert(key);
  if (unphased) take_for_unphased(key);
  shared_.learn(seen_);
  return true;
}

// Assumes the worst about the accesses of this mbarrier: it is not known any more what
// learn_operation() has assumed of them.
void weak_memory::take_for_unphased(std::uint32_t key) {
  seen_.unphased.insert(key);
  seen_.narrow = seen_.narrow || widest_ > sync_scope::cta;
  seen_.unsynchronized = true;
}

// Whether the access is an arrival at an mbarrier whose messages are merged by phase, and the lane
// knows the current phase.
bool weak_memory::arrives_in_phase(const memory_request& asked) const {
  const std::uint32_t key = asked.traits.offset;
  const bool arrives =
      asked.op.kind == operation_kind::memory && asked.op.memory == detail::memory_kind::mbarrier;
  return arrives && is_contested(key) && rules_.facts().is_phased(key) && knows_phase(asked);
}

bool weak_memory::learn_unphased(const memory_request& asked) {
  const std::uint32_t key = asked.traits.offset;
  if (!rules_.facts().is_phased(key)) return false;
  if (asked.op.memory == detail::memory_kind::mbarrier) {
    return !knows_phase(asked) && learn_unphased(key);
  }
  if (asked.op.memory != detail::memory_kind::store) return false;
  message before, again;
  std::memcpy(&before.value, images_[asked.memory].data() + key, asked.traits.size);
  again.value = apply(asked.op, before.value);
  return ptx_memory::are_of_one_phase(before, again) && learn_unphased(key);
}

bool weak_memory::learn_unphased(std::uint32_t key) {
  if (shared_.settled() || !rules_.facts().is_phased(key)) return false;
  take_for_unphased(key);
  shared_.learn(seen_);
  return true;
}

// Whether the lane knows that the current phase of the mbarrier has begun.
bool weak_memory::knows_phase(const memory_request& asked) const {
  const std::uint32_t key = asked.traits.offset;
  const weak_state s = read(images_[asked.memory]);
  const auto at = std::ranges::find(s.locations, key, &memory_location::key);
  if (at == s.locations.end()) return true;  // all lanes know the only message
  const auto& all = at->messages;
  const std::size_t known =
      s.lanes[viewer_of(asked)].known.at[static_cast<std::size_t>(at - s.locations.begin())];
  const auto ends_phase = [](const message& one, const message& next) {
    return !ptx_memory::are_of_one_phase(one, next);
  };
  const auto known_first = all.begin() + static_cast<std::ptrdiff_t>(known);
  return std::adjacent_find(known_first, all.end(), ends_phase) == all.end();
}

bool weak_memory::learn_contested(std::uint32_t key) {
  if (is_contested(key) || shared_.settled() || !seen_.contested.insert(key).second) return false;
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_wavering(std::uint32_t key) {
  if (is_wavering(key) || shared_.settled() || !seen_.wavering.insert(key).second) return false;
  shared_.learn(seen_);
  return true;
}

bool weak_memory::learn_answer(const vote& call, std::uint64_t answer) {
  if (!told_.emplace(call, answer).second) return false;
  const bool news = shared_.answered(call, answer);
  if (!shared_.settled()) return news;
  lacks_facts_ = lacks_facts_ || news;
  return false;
}

bool weak_memory::learn_telling(const std::set<std::uint32_t>& locations) {
  if (shared_.settled()) {
    lacks_facts_ = true;
    return false;
  }
  seen_.telling.insert(locations.begin(), locations.end());
  shared_.learn(seen_);
  return true;
}

void weak_memory::give_up_bursts() {
  if (shared_.follows()) return;
  seen_.gave_up_bursts = true;
  shared_.learn(seen_);
}

std::set<std::uint64_t> weak_memory::answers_to(const vote& call) {
  const auto known = shared_.answers_to(call);
  lacks_facts_ = lacks_facts_ || !known;
  return known.value_or(std::set<std::uint64_t>{});
}

}  // namespace simt
