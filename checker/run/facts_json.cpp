// Writes facts of memory as members of a JSON object, and reads them, also from older files.
#include "checker/run/facts_json.hpp"

#include <concepts>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpcheck {
namespace {

[[noreturn]] void fail(const char* key, const char* what) {
  throw std::runtime_error(fmt::format("\"{}\" {}", key, what));
}

template <std::unsigned_integral T>
T number(const nlohmann::json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
    fail(key, "is not a number in its range");
  return value.get<T>();
}

const nlohmann::json& member(const nlohmann::json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end()) fail(key, "is missing");
  return *found;
}

bool flag(const nlohmann::json& from, const char* key) {
  const nlohmann::json& value = member(from, key);
  if (!value.is_boolean()) fail(key, "is neither true nor false");
  return value.get<bool>();
}

template <std::unsigned_integral T>
std::set<T> numbers(const nlohmann::json& from, const char* key) {
  std::set<T> all;
  for (const nlohmann::json& value : member(from, key)) all.insert(number<T>(value, key));
  return all;
}

}  // namespace

nlohmann::json to_json(const std::map<simt::vote, simt::vote_answers>& votes) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [call, answers] : votes) {
    list.push_back({{"place", call.place},
                    {"value", call.value},
                    {"mask", call.mask},
                    {"shfl", call.shfl},
                    {"lane", call.lane},
                    {"answers", answers.values},
                    {"asked", answers.asked}});
  }
  return list;
}

nlohmann::json to_json(const simt::memory_facts& facts) {
  return {{"mixed", facts.mixed},
          {"ordinary", facts.ordinary},
          {"shared", facts.shared},
          {"contested", facts.contested},
          {"all_contested", facts.all_contested},
          {"narrow", facts.narrow},
          {"unsynchronized", facts.unsynchronized},
          {"may_buffer", facts.may_buffer},
          {"has_circles", facts.has_circles},
          {"votes", to_json(facts.votes)},
          {"telling", facts.telling},
          {"mbarriers", facts.mbarriers},
          {"unphased", facts.unphased},
          {"gave_up_bursts", facts.gave_up_bursts}};
}

std::map<simt::vote, simt::vote_answers> votes_in(const nlohmann::json& list) {
  std::map<simt::vote, simt::vote_answers> votes;
  for (const nlohmann::json& one : list) {
    if (!one.is_object()) fail("votes", "has an element that is not an object");
    simt::vote call;
    call.place = number<std::uint64_t>(member(one, "place"), "place");
    call.value = number<std::uint64_t>(member(one, "value"), "value");
    call.mask = number<std::uint32_t>(member(one, "mask"), "mask");
    call.shfl = number<std::uint32_t>(member(one, "shfl"), "shfl");
    call.lane = number<std::uint32_t>(member(one, "lane"), "lane");
    votes[call] = {numbers<std::uint64_t>(one, "answers"), flag(one, "asked")};
  }
  return votes;
}

simt::memory_facts memory_facts_in(const nlohmann::json& from) {
  if (!from.is_object()) throw std::runtime_error("it is not an object");
  simt::memory_facts facts;
  facts.mixed = numbers<std::uint32_t>(from, "mixed");
  facts.ordinary = numbers<std::uint32_t>(from, "ordinary");
  facts.contested = numbers<std::uint32_t>(from, "contested");
  // Files of 0.9 and before name no shared locations besides the contested ones.
  facts.shared = from.contains("shared") ? numbers<std::uint32_t>(from, "shared") : facts.contested;
  facts.all_contested = flag(from, "all_contested");
  facts.telling = numbers<std::uint32_t>(from, "telling");
  // Files of 0.9 and before do not know of phases of mbarriers.
  if (from.contains("mbarriers")) {
    facts.mbarriers = numbers<std::uint32_t>(from, "mbarriers");
    facts.unphased = numbers<std::uint32_t>(from, "unphased");
  }
  facts.narrow = flag(from, "narrow");
  facts.unsynchronized = flag(from, "unsynchronized");
  facts.may_buffer = flag(from, "may_buffer");
  // Files of 2026-11-30 and before do not know of circles.
  facts.has_circles = from.contains("has_circles") && flag(from, "has_circles");
  facts.gave_up_bursts = flag(from, "gave_up_bursts");
  facts.votes = votes_in(member(from, "votes"));
  return facts;
}

}  // namespace warpcheck
