#include "sim/machine/prospect.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace simt {

machine::prospect::prospect(machine& of, state_view state)
    : machine_(of),
      state_(state),
      memory_(of.weak_->read(of.stores_.images[state[of.memory_word()]])) {}

bool machine::prospect::may_end(const standoff& lanes) {
  if (machine_.unknown_prospects_ >= most_unknown_prospects) return true;
  run();
  if (!is_known_) {
    ++machine_.unknown_prospects_;
    return true;
  }
  const bool is_narrow = machine_.weak_->rules().facts().narrow;
  for (std::uint32_t reader = 0; reader < machine_.places_.lanes.size(); ++reader) {
    if (state_[reader] == exited) continue;
    const operation& op = machine_.stores_.program.at(state_[reader]);
    if (op.kind != operation_kind::memory || op.memory == detail::memory_kind::store) continue;
    // (From the promise of a release nobody acquires; a compare-exchange may fail.)
    const bool acquires =
        machine_.access_of(op).acquire && op.memory != detail::memory_kind::compare_exchange;
    const std::uint32_t offset = machine_.traits(state_[reader]).offset;
    for (const stored& one : stored_) {
      if (one.lane == reader || one.offset != offset || !lanes.may_end(reader, one.lane)) continue;
      if (!acquires || !one.releases || is_narrow) return true;
    }
  }
  return false;
}

void machine::prospect::run() {
  const auto flat = machine_.weak_->image(machine_.stores_.images[state_[machine_.memory_word()]]);
  const std::uint32_t plain = number_of({flat.begin(), flat.end()});
  for (std::uint32_t lane = 0; lane < machine_.places_.lanes.size(); ++lane) {
    const stop first{lane, state_[lane], plain};
    if (first.at == exited || !seen_.insert(first).second) continue;
    todo_.push_back(first);
  }
  while (!todo_.empty() && is_known_) {
    if (seen_.size() % 64 == 0) machine_.stores_.program.give_up_in_time();
    const stop here = todo_.back();
    todo_.pop_back();
    step(here);
  }
}

void machine::prospect::step(const stop& here) {
  using kind = operation_traits::kind;
  switch (machine_.traits(here.at).what) {
    case kind::access: return access(here);
    case kind::collective: {
      const operation& op = machine_.stores_.program.at(here.at);
      if (op.collective != detail::collective_kind::syncwarp) is_known_ = false;
      return go_on(here, 0, here.plain);
    }
    case kind::silent:
    case kind::event:
    case kind::barrier:
    case kind::branch: return go_on(here, 0, here.plain);
    case kind::exited:
    case kind::bad_access:
    case kind::fail:
    case kind::local: return;
  }
}

void machine::prospect::access(const stop& here) {
  const operation op = machine_.stores_.program.at(here.at);
  const operation_traits t = machine_.traits(here.at);
  if (machine_.is_bad(here.lane, t)) return;
  location* const x = location_of(t);
  if (x == nullptr) return;
  if (op.memory == detail::memory_kind::store) return store(here, op.operand);
  x->readers.push_back(here);
  // What the lane has stored plainly, it may read. (What is stored by what it does then comes to
  // all who have come to read the location.)
  std::vector<std::uint64_t> values = x->values;
  std::uint64_t own = 0;
  std::memcpy(&own, images_[here.plain].data() + t.offset, t.size);
  if (std::ranges::find(values, own) == values.end()) values.push_back(own);
  for (const std::uint64_t value : values) read(here, value);
}

void machine::prospect::read(const stop& here, std::uint64_t value) {
  const operation op = machine_.stores_.program.at(here.at);
  const operation_traits t = machine_.traits(here.at);
  const bool fails = op.memory == detail::memory_kind::compare_exchange &&
                     (value ^ op.compare) << (64U - 8U * t.size) != 0;
  if (op.memory != detail::memory_kind::load && !fails) store(here, simt::apply(op, value));
  go_on(here, simt::answer(op, value), here.plain);
}

// What a read-modify-write stores does not go on: its lane does so with what it has read.
void machine::prospect::store(const stop& here, std::uint64_t value) {
  const operation op = machine_.stores_.program.at(here.at);
  const operation_traits t = machine_.traits(here.at);
  const memory_access how = machine_.access_of(op);
  const bool updates = op.memory != detail::memory_kind::store;
  if (t.size < 8) value &= (std::uint64_t{1} << 8U * t.size) - 1;
  const bool is_plain = !how.strong && !updates;
  if (is_plain) {
    if (!machine_.weak_->rules().facts().telling.contains(t.offset)) {
      std::vector<std::uint8_t> image = images_[here.plain];
      std::memcpy(image.data() + t.offset, &value, t.size);
      return go_on(here, 0, number_of(image));
    }
    go_on(here, 0, here.plain);
  } else {
    stored_.insert({here.lane, t.offset, how.release && !machine_.is_narrow(op)});
    if (!updates) go_on(here, 0, here.plain);
  }
  location* const x = location_of(t);
  if (x == nullptr || std::ranges::find(x->values, value) != x->values.end()) return;
  x->values.push_back(value);
  is_known_ = x->values.size() <= most_values;
  const std::vector<stop> readers = x->readers;
  for (const stop& reader : readers) {
    if (is_known_) read(reader, value);
  }
}

void machine::prospect::go_on(const stop& here, std::uint64_t answer, std::uint32_t plain) {
  if (!is_known_) return;
  const auto next = machine_.next_if_possible(here.lane, here.at, answer);
  if (!next || *next == exited) return;
  const stop there{here.lane, *next, plain};
  if (!seen_.insert(there).second) return;
  is_known_ = seen_.size() <= most_stops;
  todo_.push_back(there);
}

// Null where sizes overlap that are not the same: then nothing is known.
machine::prospect::location* machine::prospect::location_of(const operation_traits& t) {
  const auto [at, is_new] = locations_.try_emplace(t.offset);
  location& x = at->second;
  if (!is_new) {
    is_known_ = is_known_ && x.size == t.size;
    return is_known_ ? &x : nullptr;
  }
  x.size = t.size;
  const auto after = std::next(at);
  const bool overlaps =
      (at != locations_.begin() && std::prev(at)->first + std::prev(at)->second.size > t.offset) ||
      (after != locations_.end() && t.offset + t.size > after->first);
  is_known_ = is_known_ && !overlaps;
  const auto known = std::ranges::find(memory_.locations, t.offset, &memory_location::key);
  if (known != memory_.locations.end()) {
    for (const message& m : known->messages) {
      if (std::ranges::find(x.values, m.value) == x.values.end()) x.values.push_back(m.value);
    }
  } else {
    std::memcpy(&x.values.emplace_back(), images_.front().data() + t.offset, t.size);
  }
  return is_known_ ? &x : nullptr;
}

std::uint32_t machine::prospect::number_of(const std::vector<std::uint8_t>& image) {
  const auto [at, is_new] =
      image_numbers_.try_emplace(image, static_cast<std::uint32_t>(images_.size()));
  if (is_new) images_.push_back(image);
  return at->second;
}

}  // namespace simt
