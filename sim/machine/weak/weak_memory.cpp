// Lists the outcomes that a weak memory allows for an operation of a lane.
//
// A sequentially consistent access takes two steps, as libcu++ compiles it: a fence.sc, then the
// access. A compare-and-exchange that fails counts as a load, as in C++. The ISA has it store the
// old value back, but that would allow no further outcome: without that store there is only less
// order. In races it counts as a store, as in the ISA.
#include "sim/machine/weak/weak_memory.hpp"

#include <algorithm>
#include <cstring>

#include <simt/detail/agent.hpp>
#include <simt/detail/mbarrier_word.hpp>

#include "sim/machine/choice.hpp"
#include "sim/machine/memory/copy_marks.hpp"
#include "sim/machine/reduce/own_addresses.hpp"
#include "sim/memory/lane_names.hpp"

namespace simt {

bool weak_memory::has_part_in(const operation& op) const {
  if (op.kind == operation_kind::fence) return is_memory_fence(op);
  if (op.kind == operation_kind::collective) {  // under `stack`, where it is a step of one lane
    return op.collective == detail::collective_kind::syncwarp;
  }
  return op.kind == operation_kind::memory;
}

bool weak_memory::orders(const operation& op) const {
  switch (op.kind) {
    case operation_kind::memory: {
      const memory_access how = access_of(op);
      return how.acquire || how.release || begins_with_fence(op);
    }
    case operation_kind::called:
    case operation_kind::returned: return true;
    default: return is_memory_fence(op);
  }
}

std::uint16_t weak_memory::locate(weak_state& s, std::span<const std::uint8_t> image,
                                  const operation_traits& at) {
  std::uint64_t newest = 0;
  std::memcpy(&newest, image.data() + at.offset, at.size);
  return ptx_memory::locate(s, at.offset, at.size, newest);
}

std::span<const std::uint8_t> weak_memory::with_marks(const memory_request& asked) {
  const auto image = images_[asked.memory].first(image_size_ + size_of_marks_);
  const operation_traits& t = asked.traits;
  const bool writes_for_copies = size_of_marks_ != 0 && !is_load(asked.op);
  if (!writes_for_copies && !t.changes_marks(image)) return image;
  marked_.assign(image.begin(), image.end());
  t.change_marks(marked_);
  if (writes_for_copies) change_copy_marks(std::span(marked_).subspan(image_size_), asked.op, t);
  return marked_;
}

std::uint64_t weak_memory::mark_told(const memory_request& asked) const {
  const bool may_tell = tells_marks(asked.op) || concerns_marks_only(asked.op);
  if (!may_tell || size_of_marks_ == 0) return 0;
  const auto image = images_[asked.memory];
  std::vector<std::uint8_t> marks(
      image.begin() + static_cast<std::ptrdiff_t>(image_size_),
      image.begin() + static_cast<std::ptrdiff_t>(image_size_ + size_of_marks_));
  return change_copy_marks(marks, asked.op, asked.traits) ? marked : 0;
}

// The number of a viewer for the copy that was posted. What is kept of an earlier copy of a viewer,
// to find races, counts as known to whoever waits for the next one. So the viewer is one of which
// nothing is kept, or else one whose last copy the thread of the next one knows. 0: there is none.
std::uint32_t weak_memory::free_copy(const weak_state& s, const operation& op,
                                     std::uint32_t posted) {
  for (const bool is_known : {false, true}) {
    for (std::uint32_t number = 1; number <= detail::most_viewing_copies; ++number) {
      const std::size_t kept = s.records[posted + number].size();
      const std::size_t known = is_known ? s.lanes[posted].known.clock[posted + number] : 0;
      if (!is_in_use(op, number) && kept <= known) return number;
    }
  }
  return 0;
}

// A copy begins with what its thread knows.
memory_outcome weak_memory::view_of_copy(const memory_request& asked) {
  const auto image = images_[asked.memory];
  weak_state s = state_of(asked.memory);
  const std::uint32_t posted = first_copy_of(places_.lanes[asked.lane].block);
  const auto begin = [&s](std::uint32_t viewer, std::uint32_t from) {
    s.lanes[viewer] = {};
    s.lanes[viewer].known = s.lanes[from].known;
  };
  std::uint32_t number = 0;
  switch (static_cast<detail::copy_views>(asked.op.operand)) {
    case detail::copy_views::posted: begin(posted, asked.lane); break;
    case detail::copy_views::taken:
      number = free_copy(s, asked.op, posted);
      if (number != 0) begin(posted + number, posted);
      ptx_memory::end(s, posted);
      break;
    case detail::copy_views::over:
      ptx_memory::end(s, posted + static_cast<std::uint32_t>(asked.op.compare));
      break;
  }
  return {.answer = number, .memory = images_.intern(write(s, image))};
}

// An access to a location that is not contested: there, memory is the image. What lanes know only
// concerns contested locations.
memory_outcome weak_memory::in_order(const memory_request& asked,
                                     std::span<const std::uint8_t> image) {
  const operation_traits& t = asked.traits;
  std::uint64_t old = 0;
  std::memcpy(&old, image.data() + t.offset, t.size);
  const std::uint64_t value = apply(asked.op, old);
  after_.assign(image.begin(), image.end());
  t.change_marks(after_);
  const std::uint64_t told = answer(asked.op, old) | mark_told(asked);
  if (size_of_marks_ != 0) {
    change_copy_marks(std::span(after_).subspan(image_size_, size_of_marks_), asked.op, t);
  }
  std::memcpy(after_.data() + t.offset, &value, t.size);
  return {.answer = told, .memory = images_.intern(after_)};
}

// `alone` is null, or the lane runs alone and `alone` collects its stores.
void weak_memory::list(const memory_request& asked, std::vector<lone_store>* alone,
                       std::vector<memory_outcome>& out) {
  const operation& op = asked.op;
  const std::uint32_t lane = asked.lane;
  const auto image = images_[asked.memory];
  const bool begins = begins_with_fence(op);
  const bool is_access = op.kind == operation_kind::memory;
  if (is_access && op.memory == detail::memory_kind::copy_view) {
    return out.push_back(view_of_copy(asked));
  }
  const bool is_in_order = touches_no_value(op) || is_of_desk(op);
  if (is_access && !begins && (is_in_order || !is_contested(asked.traits.offset))) {
    return out.push_back(in_order(asked, image));
  }
  weak_state before = state_of(asked.memory);
  const auto without_answer = [&](bool stays) {
    out.push_back({.memory = images_.intern(write(before, image)), .stays = stays});
  };
  if (op.kind == operation_kind::fence) {
    const bool sc = op.order == memory_order::seq_cst && fences_ != sc_fences::through_barriers;
    const bool is_alone = alone != nullptr;
    if (rules_.fence(before, lane, sc, scope_from(op.scope), is_alone, sides_of(op)).possible) {
      without_answer(false);
    }
    return;
  }
  if (op.kind == operation_kind::collective) {
    ptx_memory::barrier(before, asked.together, asked.together);
    return without_answer(false);
  }
  if (begins && !before.lanes[lane].fenced) {
    if (!rules_.fence(before, lane, true, scope_from(op.scope), alone != nullptr).possible) return;
    before.lanes[lane].fenced = true;
    return without_answer(true);
  }
  before.lanes[lane].fenced = false;
  if (!is_contested(asked.traits.offset)) {
    return out.push_back(in_order(asked, write(before, image)));
  }
  list_access(asked, before, alone, out);
}

// The messages that a test of an mbarrier with merged phases may read, the newest first. That is
// the message which begins each phase, and the arrivals' message of the phase in which the lane has
// arrived.
std::vector<std::size_t> weak_memory::read_by_test(const weak_state& s, std::uint32_t lane,
                                                   std::uint16_t x) {
  const auto& messages = s.locations[x].messages;
  const std::size_t known = s.lanes[lane].known.at[x];
  std::vector<std::size_t> all;
  for (std::size_t m = messages.size(); m-- > known;) {
    if (m == known || !ptx_memory::is_of_arrivals(messages, m)) all.push_back(m);
  }
  return all;
}

// Lists the outcomes of such a test. An outcome's number says how many newer phases have begun.
void weak_memory::list_tests(const memory_request& asked, const memory_access& how,
                             const weak_state& before, std::uint16_t x,
                             std::vector<memory_outcome>& out) {
  const auto& messages = before.locations[x].messages;
  const std::uint32_t lane = viewer_of(asked);
  const std::vector<std::size_t> all = read_by_test(before, lane, x);
  for (std::uint32_t number = 0; number < all.size(); ++number) {
    const std::size_t m = all[number];
    memory_outcome one{.answer = answer(asked.op, messages[m].value), .number = number};
    one.is_own_phase = ptx_memory::is_of_arrivals(messages, m);
    one.is_stale = number > 0 && number + 1 == all.size();
    one.location = asked.traits.offset;
    memory_access test = how;
    test.is_repeated = asked.repeats != nullptr && (*asked.repeats)(one.answer);
    weak_state after = before;
    const memory_effect effect = one.is_own_phase ? rules_.test_again(after, lane, test, x)
                                                  : rules_.load(after, lane, test, x, m);
    if (!effect.possible) continue;
    one.races = effect.race.has_value();
    if (!one.races) one.memory = images_.intern(write(after, images_[asked.memory]));
    out.push_back(one);
  }
}

bool weak_memory::tests_phase(const memory_request& asked) const {
  return asked.op.memory == detail::memory_kind::load &&
         rules_.facts().is_phased(asked.traits.offset);
}

// Lists the outcomes of an access to a contested location.
void weak_memory::list_access(const memory_request& asked, weak_state& before,
                              std::vector<lone_store>* alone, std::vector<memory_outcome>& out) {
  const operation& op = asked.op;
  const std::uint32_t lane = viewer_of(asked);
  const auto image = with_marks(asked);
  const std::uint64_t mark = mark_told(asked);
  memory_access how = access_of(op);
  how.is_alone = alone != nullptr;
  // Whoever waits for a copy learns of the copy, and not of the thread that has issued it.
  const bool is_copy = lane != asked.lane;
  if (is_copy) how.release = false;
  const std::uint16_t x = locate(before, image, asked.traits);
  const auto& messages = before.locations[x].messages;
  const std::size_t known = before.lanes[lane].known.at[x];
  const auto take = [&](weak_state& after, const memory_effect& effect, memory_outcome one) {
    if (!effect.possible) return;
    if (!effect.race && ptx_memory::has_passed_promise(after, lane)) return;
    if (!effect.race && is_copy) rules_.tell_of_access(after, lane, x);
    one.location = asked.traits.offset;
    one.races = effect.race.has_value();
    if (!one.races) one.memory = images_.intern(write(after, image));
    out.push_back(one);
  };
  if (tests_phase(asked)) return list_tests(asked, how, before, x, out);
  const bool is_load = simt::is_load(op);
  const bool is_store = simt::is_store(op);
  // Goes from the newest message to older ones. An outcome's number says how many messages are
  // newer.
  const std::size_t newest_message = messages.size() - 1;
  for (std::size_t m = newest_message + 1; m-- > known;) {
    const std::uint64_t old = messages[m].value;
    const bool fails = simt::fails(op, old);
    const memory_outcome one{.answer = answer(op, old) | mark,
                             .number = static_cast<std::uint32_t>(newest_message - m),
                             .is_stale = m == known && m < newest_message};
    if (is_load || fails) {
      if (!ptx_memory::may_read(before, lane, x, m)) continue;
      weak_state after = before;
      memory_access load = how;
      load.conflicts_as_store = fails;
      const memory_effect effect = rules_.load(after, lane, load, x, m);
      take(after, effect, one);
      continue;
    }
    const std::uint64_t value = apply(op, old);
    const bool keeps =
        m < newest_message && rules_.keeps_promise(before, lane, how, x, m + 1, value, !is_store);
    if (keeps) {
      weak_state after = before;
      const memory_effect effect = rules_.keep(after, lane, how, x, m + 1);
      memory_outcome kept = one;
      kept.number |= choice::keeps;
      kept.is_stale = false;
      take(after, effect, kept);
    }
    const bool possible = is_store ? ptx_memory::may_store(before, lane, x, m + 1)
                                   : ptx_memory::may_update(before, lane, x, m);
    if (!possible) continue;
    if (alone != nullptr) {
      const bool waits = !is_store && how.acquire && (messages[m].promised || messages[m].linked);
      alone->push_back({how, old, value, m < newest_message, waits});
    }
    weak_state after = before;
    const memory_effect effect = is_store ? rules_.store(after, lane, how, x, m + 1, value)
                                          : rules_.update(after, lane, how, x, m, value);
    take(after, effect, one);
  }
}

std::uint32_t weak_memory::meet(std::uint32_t memory, std::span<const std::uint32_t> lanes) {
  const auto image = images_[memory];
  weak_state s = read(image);
  ptx_memory::barrier(s, lanes, lanes);
  if (fences_ == sc_fences::through_barriers) rules_.share_fences(s, lanes);
  return images_.intern(write(s, image));
}

std::uint32_t weak_memory::arrive(std::uint32_t memory, const barrier_arrival& how) {
  const auto image = images_[memory];
  weak_state s = read(image);
  for (const std::uint32_t lane : how.lanes) ptx_memory::arrive(s, lane, how.barrier);
  if (how.completes) {
    ptx_memory::complete(s, how.barrier, how.behind);
    ptx_memory::reopen(s, how.barrier);
  }
  return images_.intern(write(s, image));
}

std::uint32_t weak_memory::arrive_relaxed(std::uint32_t memory, const barrier_arrival& how,
                                          std::uint32_t in_block) {
  const auto image = images_[memory];
  weak_state s = read(image);
  for (const std::uint32_t lane : how.lanes) rules_.arrive_relaxed(s, lane, how.barrier, in_block);
  return images_.intern(write(s, image));
}

// An mbarrier that is in use was initialized by the latest plain store to its place: any other
// plain store there would have ended the run. It has the value of an mbarrier in its first phase.
std::uint32_t weak_memory::tell_inits(std::uint32_t memory, const barrier_arrival& how,
                                      const device_memory& places) {
  const auto image = images_[memory];
  weak_state s = read(image);
  for (std::uint16_t x = 0; x < s.locations.size(); ++x) {
    const memory_location& at = s.locations[x];
    if (at.size != 8 || !places.mbarrier_mark_at(at.key).is_in(image)) continue;
    std::size_t m = at.messages.size();
    while (m > 0 && at.messages[m - 1].chained) --m;
    if (m == 0) continue;
    const message& init = at.messages[--m];
    const std::uint32_t count = detail::mbarrier_expected_arrivals(init.value);
    if (init.promised || init.value != detail::mbarrier_initial(count)) continue;
    for (const std::uint32_t lane : how.lanes)
      ptx_memory::arrive_with_store(s, lane, how.barrier, x, m);
  }
  return images_.intern(write(s, image));
}

std::uint32_t weak_memory::pass(std::uint32_t memory, std::uint32_t barrier,
                                std::span<const std::uint32_t> lanes) {
  const auto image = images_[memory];
  weak_state s = read(image);
  if (std::ranges::find(s.arrivals, barrier, &barrier_arrivals::barrier) == s.arrivals.end()) {
    return memory;
  }
  ptx_memory::complete(s, barrier, lanes);
  return images_.intern(write(s, image));
}

// Makes all that happened before any earlier return visible to a client that calls an operation.
// Clients that know of an order between their operations know it by synchronizing. Where they do
// not synchronize, the call may as well come earlier.
std::uint32_t weak_memory::after_event(std::uint32_t memory, std::uint32_t lane,
                                       const operation& op) {
  constexpr std::uint32_t clock = 0xffffffff;
  const auto image = images_[memory];
  weak_state s = read(image);
  if (op.kind == operation_kind::returned) {
    ptx_memory::arrive(s, lane, clock);
  } else {
    ptx_memory::complete(s, clock, {&lane, 1});
  }
  return images_.intern(write(s, image));
}

// Forgets what these lanes know.
std::uint32_t weak_memory::end(std::uint32_t memory, std::span<const std::uint32_t> lanes) {
  const auto image = images_[memory];
  weak_state s = read(image);
  bool any = false;
  for (const std::uint32_t lane : lanes) {
    if (!s.lanes[lane].live) continue;
    ptx_memory::end(s, lane);
    any = true;
  }
  return any ? images_.intern(write(s, image)) : memory;
}

std::span<const std::uint32_t> weak_memory::signatures(std::uint32_t memory) {
  const auto known = signatures_.find(memory);
  if (known != signatures_.end()) return known->second;
  return signatures_.emplace(memory, lane_signatures(read(images_[memory]))).first->second;
}

std::uint32_t weak_memory::change_places(std::uint32_t memory,
                                         std::span<const std::uint32_t> lane_at) {
  std::vector<std::uint32_t> key(lane_at.begin(), lane_at.end());
  key.push_back(memory);
  if (const auto known = changed_.find(key); known != changed_.end()) return known->second;
  std::vector<std::uint32_t> place_of(lane_at.size());
  for (std::uint32_t place = 0; place < lane_at.size(); ++place) place_of[lane_at[place]] = place;
  const auto image = images_[memory];
  weak_state s = read(image);
  rules_.rename(s, place_of);
  const std::uint32_t changed = images_.intern(write(s, image));
  changed_.emplace(std::move(key), changed);
  return changed;
}

std::uint32_t weak_memory::rename(std::uint32_t memory, const memory_names& names) {
  const auto image = images_[memory];
  weak_state s = read(image);
  rules_.rename(s, names.lanes());
  std::vector<std::uint32_t> keys;
  for (memory_location& x : s.locations) {
    for (message& m : x.messages) m.value = names.value_of(x.key, x.size, m.value);
    keys.push_back(names.offset_of(x.key, x.size));
  }
  rename_locations(s, keys);
  for (auto& records : s.records) {
    for (access_record& r : records) r.key = names.offset_of(r.key);
  }
  std::vector<std::uint8_t> moved(image.begin(), image.end());
  names.rename(image, moved);
  return images_.intern(write(s, moved));
}

std::vector<std::uint8_t> weak_memory::besides_image(std::uint32_t memory,
                                                     const own_addresses& addresses) const {
  weak_state s = read(images_[memory]);
  for (memory_location& x : s.locations) {
    if (x.size < 8) continue;
    for (message& m : x.messages) m.value = addresses.relative(m.value);
  }
  std::vector<std::uint8_t> bytes;
  encode(s, bytes);
  return bytes;
}

memory_reading weak_memory::reading(const memory_request& asked, std::uint32_t number) const {
  const auto image = images_[asked.memory];
  memory_reading result;
  std::memcpy(&result.value, image.data() + asked.traits.offset, asked.traits.size);
  const bool begins = begins_with_fence(asked.op);
  if (!begins && !is_contested(asked.traits.offset)) return result;
  const weak_state& s = state_of(asked.memory);
  result.is_fence = begins && !s.lanes[asked.lane].fenced;
  const auto x = std::ranges::find(s.locations, asked.traits.offset, &memory_location::key);
  if (x == s.locations.end()) return result;
  const auto index = static_cast<std::uint16_t>(x - s.locations.begin());
  result.newer = number & ~choice::keeps;
  if (tests_phase(asked)) {
    result.is_of_phase = true;
    const std::vector<std::size_t> all = read_by_test(s, viewer_of(asked), index);
    const std::size_t m = all[std::min<std::size_t>(number, all.size() - 1)];
    result.newer = static_cast<std::uint32_t>(x->messages.size() - 1 - m);
  }
  if (result.newer < x->messages.size()) {
    result.value = x->messages[x->messages.size() - 1 - result.newer].value;
  }
  return result;
}

std::vector<stored_value> weak_memory::stored_at(std::uint32_t memory, std::uint32_t offset,
                                                 std::uint8_t size) const {
  const auto image = images_[memory];
  std::vector<stored_value> all;
  const auto newest_alone = [&] {
    std::memcpy(&all.emplace_back().value, image.data() + offset, size);
    return all;
  };
  if (!is_contested(offset)) return newest_alone();
  const weak_state& s = state_of(memory);
  const auto x = std::ranges::find(s.locations, offset, &memory_location::key);
  if (x == s.locations.end()) return newest_alone();
  for (const message& m : x->messages) {
    const auto writer = static_cast<std::uint16_t>(lane_of(m.writer));
    all.push_back({m.value, m.chained, m.promised, writer});
  }
  return all;
}

std::vector<std::vector<std::uint32_t>> weak_memory::readers_at(
    std::uint32_t memory, std::uint32_t offset, std::span<const std::uint32_t> lanes) const {
  if (!is_contested(offset)) return machine_memory::readers_at(memory, offset, lanes);
  const weak_state& s = state_of(memory);
  const auto at = std::ranges::find(s.locations, offset, &memory_location::key);
  // A location with one message is not in the list: all lanes read that message.
  if (at == s.locations.end()) return machine_memory::readers_at(memory, offset, lanes);
  const auto x = static_cast<std::uint16_t>(at - s.locations.begin());
  std::vector<std::vector<std::uint32_t>> readers(at->messages.size());
  for (const std::uint32_t lane : lanes) {
    for (std::size_t m = 0; m < readers.size(); ++m) {
      if (ptx_memory::may_read(s, lane, x, m)) readers[m].push_back(lane);
    }
  }
  return readers;
}

std::optional<race_partner> weak_memory::race(const memory_request& asked,
                                              std::uint32_t number) const {
  std::optional<race_partner> found = race_of_viewers(asked, number);
  if (found) found->lane = lane_of(found->lane);
  return found;
}

std::optional<race_partner> weak_memory::race_of_viewers(const memory_request& asked,
                                                         std::uint32_t number) const {
  const operation& op = asked.op;
  const std::uint32_t lane = viewer_of(asked);
  const auto image = images_[asked.memory];
  weak_state s = read(image);
  const std::uint16_t x = locate(s, image, asked.traits);
  const std::size_t count = s.locations[x].messages.size();
  const memory_access how = access_of(op);
  if (tests_phase(asked)) {
    const std::vector<std::size_t> all = read_by_test(s, lane, x);
    const std::size_t read = all[std::min<std::size_t>(number, all.size() - 1)];
    return ptx_memory::is_of_arrivals(s.locations[x].messages, read)
               ? rules_.test_again(s, lane, how, x).race
               : rules_.load(s, lane, how, x, read).race;
  }
  const std::size_t newer = number & ~choice::keeps;
  if (newer >= count) return std::nullopt;
  const std::size_t m = count - 1 - newer;
  if ((number & choice::keeps) != 0) return rules_.keep(s, lane, how, x, m + 1).race;
  if (is_store(op)) return rules_.store(s, lane, how, x, m + 1, 0).race;
  if (is_load(op)) return rules_.load(s, lane, how, x, m).race;
  const std::uint64_t old = s.locations[x].messages[m].value;
  if (fails(op, old)) {
    memory_access load = how;
    load.conflicts_as_store = true;
    return rules_.load(s, lane, load, x, m).race;
  }
  return rules_.update(s, lane, how, x, m, 0).race;
}

// docs/reductions.md, "Steps that commute where memory is weak".
bool weak_memory::may_go_ahead(const memory_request& asked, bool has_stacks, bool may_waver) {
  const operation& op = asked.op;
  const auto image = images_[asked.memory];
  const promise_state open = promises(image);
  if (open == promise_state::unread) return false;
  if (asked.traits.what == operation_traits::kind::access) {
    if (touches_no_value(op)) return true;
    const std::uint32_t location = asked.traits.offset;
    const bool wavers = is_wavering(location) && !may_waver;
    if (is_contested(location) && (wavers || open != promise_state::none)) return false;
    if (has_stacks && makes_promises() && is_crossed_by_promises(op)) return false;
    return !begins_with_fence(op) || read(image).lanes[asked.lane].fenced;
  }
  if (!has_part_in(op)) return true;
  const bool is_sc = op.order == memory_order::seq_cst;
  if (is_sc && (op.kind != operation_kind::fence || open != promise_state::none)) return false;
  return open == promise_state::none || !ptx_memory::minds_promises(read(image), asked.lane);
}

// A fence.sc concerns other lanes, unless later fences learn from it only what they would learn
// anyway.
bool weak_memory::tells_others(const operation& op, std::uint32_t before,
                               std::uint32_t after) const {
  if (op.kind == operation_kind::memory || op.order != memory_order::seq_cst) return false;
  return read(images_[before]).fences != read(images_[after]).fences;
}

}  // namespace simt
