// Names choices of weak memory by groups of stores, as text, and reads such names.
#include "sim/machine/walk/choice_name.hpp"

#include <array>
#include <charconv>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include <simt/detail/mbarrier_word.hpp>

#include "sim/lane/device_memory.hpp"
#include "sim/machine/promises/promised_store.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace simt {
namespace {

/// Counts the groups behind message `m` of a location, and the newer messages of its own group. A
/// group is a store with the read-modify-writes that repeat it, or all messages of a phase.
choice_name::place_in_order place_of_message(std::span<const stored_value> all, std::size_t m,
                                             bool of_phases) {
  const auto joins = [&](std::size_t i) {
    const std::uint64_t differs = all[i].value ^ all[i - 1].value;
    return of_phases ? (differs & detail::mbarrier_tested) == 0 : all[i].chained && differs == 0;
  };
  choice_name::place_in_order place;
  std::size_t i = m + 1;
  while (i < all.size() && joins(i)) ++i;
  place.within = i - m - 1;
  for (; i < all.size(); ++i) {
    if (!joins(i)) ++place.newer;
  }
  return place;
}

/// A value, or "&object+8" for an address in device memory, which each process has elsewhere.
std::string value_text(const device_memory& memory, std::uint64_t value, std::uint8_t size) {
  const allocation* const at = size == sizeof(value) ? memory.find(value, 1) : nullptr;
  if (at == nullptr) return fmt::format("{}", value);
  return "&" + name_of_place(memory, at->offset + (value - at->address));
}

std::string store_text(const device_memory& memory, const promised_store& one) {
  constexpr std::array<std::string_view, 4> scopes{"cta", "cluster", "gpu", "sys"};
  std::string text = fmt::format("{} = {} by a {} {}", name_of_place(memory, one.offset),
                                 value_text(memory, one.value, one.size),
                                 !one.how.strong   ? "weak"
                                 : one.how.release ? "release"
                                                   : "relaxed",
                                 one.open      ? "exchange"
                                 : one.chained ? "update"
                                               : "store");
  if (one.how.strong)
    text += fmt::format(" for {}", scopes[static_cast<std::size_t>(one.how.scope)]);
  return text;
}

std::optional<choice_name> placed_promise(machine& in, state_view state, const choice& by) {
  const std::vector<promised_store> all = in.promises(state, by.unit);
  if (by.mask >= all.size()) return std::nullopt;
  const promised_store& one = all[by.mask];
  const device_memory& memory = *in.setup().memory;
  const std::vector<stored_value> stored = in.stored_at(state, one.offset, one.size);
  const std::size_t front = one.place - 1;
  return choice_name{{choice::kind::promise, by.unit, 0},
                     store_text(memory, one),
                     place_of_message(stored, front, false),
                     "behind " + value_text(memory, stored[front].value, one.size)};
}

std::optional<choice_name> placed_access(machine& in, state_view state, const choice& by) {
  if (in.traits_of_memory().is_image || by.is_at_choose()) return std::nullopt;
  const operation_traits at = in.lanes().traits(state[by.unit]);
  if (at.what != operation_traits::kind::access || in.is_bad_access(state, by.unit, at))
    return std::nullopt;
  const memory_reading reading = in.reading_of(state, by);
  if (reading.is_fence) return std::nullopt;
  const operation& op = in.waits_at(state, by.unit);
  const bool of_phases = op.memory == detail::memory_kind::load && is_phased(op);
  const std::vector<stored_value> stored = in.stored_at(state, at.offset, at.size);
  if (reading.newer >= stored.size()) return std::nullopt;
  const std::size_t m = stored.size() - 1 - reading.newer;
  const device_memory& memory = *in.setup().memory;
  choice_name name{{choice::kind::lane, by.unit, by.mask & choice::keeps},
                   {},
                   place_of_message(stored, m, of_phases),
                   name_of_place(memory, at.offset)};
  if (!of_phases) name.note += " is " + value_text(memory, stored[m].value, at.size);
  return name;
}

/// Reads a number off the front of `text`.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::string name_of_place(const device_memory& memory, std::uint64_t offset) {
  for (const allocation& a : memory.allocations()) {
    if (offset < a.offset || offset - a.offset >= a.size) continue;
    std::string name = a.what == allocation::kind::object ? "object" : a.name;
    if (a.what == allocation::kind::shared) name = fmt::format("b{}.{}", a.block, name);
    if (offset > a.offset) name += fmt::format("+{}", offset - a.offset);
    return name;
  }
  return fmt::format("image+{}", offset);
}

std::optional<std::uint32_t> place_of_store(const device_memory& memory, const choice_name& name) {
  const std::string_view place = std::string_view(name.store).substr(0, name.store.find(" = "));
  for (const allocation& a : memory.allocations()) {
    std::string_view rest = place;
    if (!take_word(rest, name_of_place(memory, a.offset))) continue;
    std::optional<std::size_t> in = 0;
    if (take_word(rest, "+")) in = take_number(rest);
    if (rest.empty() && in && *in < a.size) return static_cast<std::uint32_t>(a.offset + *in);
  }
  return std::nullopt;
}

std::optional<choice_name> placed(machine& in, state_view state, const choice& by) {
  if (by.what == choice::kind::promise) return placed_promise(in, state, by);
  if (by.what != choice::kind::lane) return std::nullopt;
  return placed_access(in, state, by);
}

choice_name name_of(machine& in, state_view state, const choice& by) {
  // With all facts, the newest message is the newest.
  if (by.what == choice::kind::lane && by.mask == 0) return {by, {}, {}, {}};
  choice_name name = placed(in, state, by).value_or(choice_name{by, {}, {}, {}});
  const bool reads = name.place && by.what == choice::kind::lane;
  if (reads && in.reading_of(state, by).is_of_phase) name.place->within.reset();
  return name;
}

std::string to_text(const choice_name& name, const grid_shape& grid) {
  if (!name.place) return to_text(name.by, grid);
  std::string order = fmt::format("{}", name.place->newer);
  if (name.place->within.value_or(0) > 0) order += fmt::format("+{}", *name.place->within);
  const std::string lane = lane_name(name.by.unit, grid);
  if (name.by.what == choice::kind::promise)
    return fmt::format("{} promises {}, older {} ({})", lane, name.store, order, name.note);
  const char* const what = !name.place->within                   ? "phase"
                           : (name.by.mask & choice::keeps) != 0 ? "keeps"
                                                                 : "older";
  return fmt::format("{} {} {} ({})", lane, what, order, name.note);
}

choice_name choice_name_from(std::string_view text, const grid_shape& grid) {
  const std::string_view whole = text;
  const auto fail = [&] {
    return std::invalid_argument(fmt::format("\"{}\" is not a choice of this grid", whole));
  };
  const auto begin_of_note = text.rfind(" (");
  if (!text.ends_with(')') || begin_of_note == std::string_view::npos)
    return {choice_from(text, grid), {}, {}, {}};
  choice_name name;
  name.note = text.substr(begin_of_note + 2, text.size() - begin_of_note - 3);
  text = text.substr(0, begin_of_note);
  const auto end_of_lane = text.find(' ');
  if (end_of_lane == std::string_view::npos) throw fail();
  name.by = choice_from(text.substr(0, end_of_lane), grid);
  if (name.by.what != choice::kind::lane) throw fail();
  text.remove_prefix(end_of_lane);
  name.place.emplace();
  if (take_word(text, " promises ")) {
    constexpr std::string_view order = ", older ";
    const auto end_of_store = text.rfind(order);
    if (end_of_store == std::string_view::npos) throw fail();
    name.by.what = choice::kind::promise;
    name.store = text.substr(0, end_of_store);
    text.remove_prefix(end_of_store + order.size());
  } else if (take_word(text, " phase ")) {
    name.place->within.reset();
  } else if (take_word(text, " keeps ")) {
    name.by.mask = choice::keeps;
  } else if (!take_word(text, " older ")) {
    throw fail();
  }
  const auto newer = take_number(text);
  if (!newer) throw fail();
  name.place->newer = *newer;
  if (name.place->within && take_word(text, "+")) {
    name.place->within = take_number(text);
    if (!name.place->within) throw fail();
  }
  if (!text.empty()) throw fail();
  return name;
}

}  // namespace simt
