// Splits states into tuples, numbers the tuples, and packs a state's two numbers into a record of a
// line.
#include "checker/states/compressed_table.hpp"

#include <stdexcept>

namespace warpcheck {
namespace {

using leaf = state_tree::leaf;

// Returns the tuple of a leaf. `room` holds the tuple of a leaf that has fewer words than others.
const std::uint32_t* leaf_tuple(const leaf& l, const std::uint32_t* words,
                                std::uint32_t (&room)[state_tree::arity]) {
  if (l.count == state_tree::arity) return words + l.first;
  std::fill_n(room, state_tree::arity, 0);
  std::copy_n(words + l.first, l.count, room);
  return room;
}

}  // namespace

compressed_table::compressed_table(const state_shape& shape, const storage_options& options)
    : tree_(shape),
      lines_(options, (most_states / line_states + std::size_t{1}) * sizeof(line)),
      extra_(options, most_states * sizeof(std::uint16_t)),
      index_(options, [this](state_id id) {
        std::uint32_t halves[2];
        read_halves(id, halves);
        return hash(halves[0], halves[1]);
      }) {
  for (std::size_t i = 0; i < tree_.levels(); ++i) {
    levels_.push_back(std::make_unique<tuple_table>(arity, options));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t count = std::max(tree_.side(i).count, 1U);  // a state may be one word
    halves_[i] = std::make_unique<tuple_table>(count, options);
  }
}

void compressed_table::cursor::prepare(const state_tree& tree) {
  words_.resize(tree.shape().words);
  numbers_.resize(tree.numbers());
  level_memos_.resize(tree.levels());
}

compressed_table::key compressed_table::key_of(std::span<const std::uint32_t> state) {
  std::vector<std::uint32_t> numbers(tree_.numbers());
  std::uint32_t halves[2];
  (void)number_all(
      state.data(), numbers.data(), halves,
      [](tuple_table& table, const std::uint32_t* tuple) { return table.intern(tuple); });
  return located(halves);
}

state_id compressed_table::find(std::span<const std::uint32_t> state) const {
  std::vector<std::uint32_t> numbers(tree_.numbers());
  std::uint32_t halves[2];
  const auto number = [](const tuple_table& table, const std::uint32_t* tuple) {
    return table.find(tuple);
  };
  if (!number_all(state.data(), numbers.data(), halves, number)) return none;
  const key k = located(halves);
  const packed p(k);
  return index_.find(k.at, [&](state_id id) { return equal(id, p); });
}

// Numbers all parts of a state by `number(table, tuple)`. Returns false as soon as one has no
// number.
template <class Number>
bool compressed_table::number_all(const std::uint32_t* words, std::uint32_t* numbers,
                                  std::uint32_t (&halves)[2], Number number) const {
  std::uint32_t room[arity];
  for (const leaf& l : tree_.leaves()) {
    std::uint32_t& at = numbers[tree_.side(l.half).levels.front().first + l.at];
    at = number(*levels_.front(), leaf_tuple(l, words, room));
    if (at == none) return false;
  }
  const state_shape& shape = tree_.shape();
  for (std::size_t i = 0; i < 2; ++i) {
    const state_tree::half& h = tree_.side(i);
    for (std::size_t k = 1; k < h.levels.size(); ++k) {
      for (std::uint32_t j = 0; j < h.levels[k].count; ++j) {
        std::uint32_t& at = numbers[h.levels[k].first + j];
        at = number(*levels_[k], numbers + h.levels[k - 1].first + j * arity);
        if (at == none) return false;
      }
    }
    constexpr std::uint32_t nothing = 0;
    const std::uint32_t* tuple = numbers + h.first;
    if (tree_.is_flat()) {
      tuple = h.count == 0 ? &nothing : words + h.first;
    } else if (i == 1) {
      std::copy_n(words + shape.first_hot, shape.hot, numbers + h.first + h.levels.back().count);
    }
    halves[i] = number(*halves_[i], tuple);
    if (halves[i] == none) return false;
  }
  return true;
}

// Numbers only the parts that differ from `near`: leaves, then the branches above them. Numbers
// come from `number(table, tuple, memo)`. Returns false as soon as one part has no number.
template <class Number>
bool compressed_table::number_changed(std::span<const std::uint32_t> state, cursor& near,
                                      std::uint32_t (&halves)[2], Number number) const {
  const std::uint32_t* const words = state.data();
  std::vector<std::uint32_t>& numbers = near.scratch_;
  numbers = near.numbers_;
  // Changed places within the present level, ascending. Each level replaces those of the level
  // below.
  for (auto& places : near.changed_) places.clear();
  std::uint32_t room[arity];
  for (const leaf& l : tree_.leaves()) {
    if (std::equal(words + l.first, words + l.first + l.count, near.words_.data() + l.first)) {
      continue;
    }
    std::uint32_t& at = numbers[tree_.side(l.half).levels.front().first + l.at];
    at = number(*levels_.front(), leaf_tuple(l, words, room), near.level_memos_.front());
    if (at == none) return false;
    near.changed_[l.half].push_back(l.at);
  }
  const state_shape& shape = tree_.shape();
  for (std::size_t i = 0; i < 2; ++i) {
    const state_tree::half& h = tree_.side(i);
    std::vector<std::uint32_t>& changed = near.changed_[i];
    for (std::size_t k = 1; k < h.levels.size(); ++k) {
      std::size_t kept = 0;
      for (const std::uint32_t place : changed) {
        const auto above = static_cast<std::uint32_t>(place / arity);
        if (kept != 0 && changed[kept - 1] == above) continue;
        std::uint32_t& at = numbers[h.levels[k].first + above];
        at = number(*levels_[k], numbers.data() + h.levels[k - 1].first + above * arity,
                    near.level_memos_[k]);
        if (at == none) return false;
        changed[kept++] = above;
      }
      changed.resize(kept);
    }
    bool differs = !changed.empty();
    if (i == 1) {
      const auto* const hot = words + shape.first_hot;
      std::uint32_t* const copies = numbers.data() + h.first + h.levels.back().count;
      differs = differs || !std::equal(hot, hot + shape.hot, copies);
      std::copy_n(hot, shape.hot, copies);
    }
    if (differs) halves[i] = number(*halves_[i], numbers.data() + h.first, near.half_memos_[i]);
    if (halves[i] == none) return false;
  }
  return true;
}

void compressed_table::number_all_changed(std::span<const std::uint32_t> state, cursor& near,
                                          std::uint32_t (&halves)[2]) {
  (void)number_changed(state, near, halves,
                       [](tuple_table& table, const std::uint32_t* tuple,
                          tuple_table::memo& lately) { return table.intern(tuple, lately); });
}

state_id compressed_table::find(std::span<const std::uint32_t> state, cursor& near) const {
  std::uint32_t halves[2] = {near.halves_[0], near.halves_[1]};
  if (tree_.is_flat()) {
    for (std::size_t i = 0; i < 2; ++i) {
      const state_tree::half& h = tree_.side(i);
      if (same(state.data() + h.first, near.words_.data() + h.first, h.count)) continue;
      halves[i] = halves_[i]->find(state.data() + h.first);
      if (halves[i] == none) return none;
    }
  } else if (!number_changed(state, near, halves,
                             [](const tuple_table& table, const std::uint32_t* tuple,
                                tuple_table::memo&) { return table.find(tuple); })) {
    return none;
  }
  const key k = located(halves);
  const packed p(k);
  return index_.find(k.at, [&](state_id id) { return equal(id, p); });
}

void compressed_table::read_halves(state_id id, std::uint32_t (&halves)[2]) const {
  const line& l = line_of(id);
  const std::uint32_t i = id % line_states;
  const std::uint32_t low = l.low[i].load(std::memory_order_relaxed);
  const std::uint32_t high = l.high[i].load(std::memory_order_relaxed);
  halves[0] = low & 0xffffffU;
  halves[1] = low >> 24 | high << 8;
  if (has_extra(id)) {
    const std::uint32_t extra = std::atomic_ref(extra_of(id)).load(std::memory_order_relaxed);
    halves[0] |= extra << 24;
    halves[1] |= extra >> 8 << 24;
  }
}

void compressed_table::read(state_id id, std::span<std::uint32_t> out) const {
  std::vector<std::uint32_t> numbers(tree_.numbers());
  std::uint32_t halves[2];
  read_halves(id, halves);
  read(halves, numbers.data(), out.data());
}

void compressed_table::read(state_id id, cursor& out) const {
  if (out.words_.empty()) out.prepare(tree_);
  read_halves(id, out.halves_);
  if (tree_.is_flat()) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t* const tuple = (*halves_[i])[out.halves_[i]];
      const state_tree::half& h = tree_.side(i);
      for (std::uint32_t k = 0; k < h.count; ++k)
        out.words_[h.first + k] = tuple[k];  // few words: a loop is faster than a call
    }
    return;
  }
  read(out.halves_, out.numbers_.data(), out.words_.data());
}

void compressed_table::read(const std::uint32_t (&halves)[2], std::uint32_t* numbers,
                            std::uint32_t* words) const {
  for (std::size_t i = 0; i < 2; ++i) {
    const state_tree::half& h = tree_.side(i);
    const std::uint32_t* const tuple = (*halves_[i])[halves[i]];
    if (tree_.is_flat()) {
      std::copy_n(tuple, h.count, words + h.first);
      continue;
    }
    std::copy_n(tuple, h.count, numbers + h.first);
    for (std::size_t k = h.levels.size() - 1; k > 0; --k) {
      for (std::uint32_t j = 0; j < h.levels[k].count; ++j) {
        const std::uint32_t* const parts = (*levels_[k])[numbers[h.levels[k].first + j]];
        std::copy_n(parts, arity, numbers + h.levels[k - 1].first + j * arity);
      }
    }
  }
  for (const leaf& l : tree_.leaves()) {
    const std::uint32_t number = numbers[tree_.side(l.half).levels.front().first + l.at];
    std::copy_n((*levels_.front())[number], l.count, words + l.first);
  }
  if (!tree_.is_flat()) {
    const state_tree::half& h = tree_.side(1);
    std::copy_n(numbers + h.first + h.levels.back().count, tree_.shape().hot,
                words + tree_.shape().first_hot);
  }
}

state_id compressed_table::append(const packed& p) {
  state_id id = size_.load(std::memory_order_relaxed);
  do {
    const bool needs_extra = p.extra != 0 && !has_extra(id);
    if (id >= room_.load(std::memory_order_acquire) || needs_extra) make_room(id, needs_extra);
  } while (!size_.compare_exchange_weak(id, id + 1, std::memory_order_relaxed));
  line& l = line_of(id);
  l.low[id % line_states].store(p.low, std::memory_order_relaxed);
  l.high[id % line_states].store(p.high, std::memory_order_relaxed);
  if (p.extra != 0) std::atomic_ref(extra_of(id)).store(p.extra, std::memory_order_relaxed);
  return id;
}

// Makes room for the state with number `id`. `extra`: from there on, numbers of halves need more
// bits than a line has.
void compressed_table::make_room(state_id id, bool extra) {
  if (id == most_states) throw std::length_error("more states than can be numbered");
  const std::lock_guard lock(growing_);
  lines_.grow((id / line_states + std::size_t{1}) * sizeof(line));
  const auto room = static_cast<state_id>(
      std::min<std::size_t>(lines_.size() / sizeof(line) * line_states, most_states));
  const state_id from = extra_from_.load(std::memory_order_relaxed);
  const state_id first = from == none && extra ? id : from;
  if (first != none) extra_.grow((room - first) * sizeof(std::uint16_t));
  extra_from_.store(first, std::memory_order_release);
  room_.store(room, std::memory_order_release);
}

compressed_table::usage compressed_table::used() const {
  usage result;
  const auto add = [&](std::size_t& sum, std::size_t memory, std::size_t on_disk) {
    sum += memory + on_disk;
    result.memory += memory;
    result.on_disk += on_disk;
  };
  for (const growing_memory* m : {&lines_, &extra_}) {
    add(result.states, m->is_file() ? 0 : m->size(), m->is_file() ? m->size() : 0);
  }
  add(result.index, index_.memory(), index_.on_disk());
  for (const auto& t : levels_) add(result.shared, t->memory(), t->on_disk());
  for (const auto& t : halves_) add(result.shared, t->memory(), t->on_disk());
  return result;
}

std::size_t compressed_table::resident() const {
  std::size_t bytes = lines_.resident() + extra_.resident() + index_.resident();
  for (const auto& t : levels_) bytes += t->resident();
  for (const auto& t : halves_) bytes += t->resident();
  return bytes;
}

}  // namespace warpcheck
