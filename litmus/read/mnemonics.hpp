// The parts of mnemonics, and what they stand for.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "litmus/program.hpp"

namespace litmus {

template <class Value>
struct named_value {
  std::string_view name;
  Value what;
};

template <class Value, std::size_t N>
std::optional<Value> find_part(const std::array<named_value<Value>, N>& table,
                               std::string_view name) {
  for (const auto& [known, what] : table) {
    if (known == name) return what;
  }
  return std::nullopt;
}

template <class Value, std::size_t N>
std::vector<std::string_view> names_of(const std::array<named_value<Value>, N>& table) {
  std::vector<std::string_view> all;
  for (const auto& one : table) all.push_back(one.name);
  return all;
}

inline constexpr std::array<named_value<scope>, 4> scopes{
    {{"cta", scope::cta}, {"cluster", scope::cluster}, {"gpu", scope::gpu}, {"sys", scope::sys}}};

inline constexpr std::array<named_value<scope>, 3> membar_levels{
    {{"cta", scope::cta}, {"gl", scope::gpu}, {"sys", scope::sys}}};

inline constexpr std::array<named_value<operation>, 11> atomics{
    {{"add", operation::add},
     {"sub", operation::sub},
     {"and", operation::bit_and},
     {"or", operation::bit_or},
     {"xor", operation::bit_xor},
     {"inc", operation::increment},
     {"dec", operation::decrement},
     {"min", operation::minimum},
     {"max", operation::maximum},
     {"exch", operation::exchange},
     {"cas", operation::compare_and_swap}}};

/// Instructions that access memory, and their proxies.
struct access_name {
  std::string_view name;
  opcode code;
  litmus::proxy proxy;
};
inline constexpr std::array<access_name, 10> accesses{{{"ld", opcode::load, proxy::generic},
                                                       {"st", opcode::store, proxy::generic},
                                                       {"atom", opcode::atom, proxy::generic},
                                                       {"red", opcode::red, proxy::generic},
                                                       {"suld", opcode::load, proxy::surface},
                                                       {"sust", opcode::store, proxy::surface},
                                                       {"suatom", opcode::atom, proxy::surface},
                                                       {"sured", opcode::red, proxy::surface},
                                                       {"tld", opcode::load, proxy::texture},
                                                       {"cold", opcode::load, proxy::constant}}};

inline constexpr std::array<named_value<proxy>, 5> fenced_proxies{{{"alias", proxy::alias},
                                                                   {"async", proxy::async},
                                                                   {"constant", proxy::constant},
                                                                   {"texture", proxy::texture},
                                                                   {"surface", proxy::surface}}};

inline constexpr std::array<named_value<value_type>, 12> types{{{"b8", {8, false}},
                                                                {"u8", {8, false}},
                                                                {"s8", {8, true}},
                                                                {"b16", {16, false}},
                                                                {"u16", {16, false}},
                                                                {"s16", {16, true}},
                                                                {"b32", {32, false}},
                                                                {"u32", {32, false}},
                                                                {"s32", {32, true}},
                                                                {"b64", {64, false}},
                                                                {"u64", {64, false}},
                                                                {"s64", {64, true}}}};

inline constexpr std::array<named_value<reduction>, 3> reductions{
    {{"popc", reduction::popc}, {"and", reduction::all}, {"or", reduction::any}}};

/// The types that PTX has the operation for; "sub" is ours.
inline std::vector<std::string_view> types_of(operation what) {
  switch (what) {
    case operation::increment:
    case operation::decrement: return {"u32"};
    case operation::minimum:
    case operation::maximum: return {"u32", "s32", "u64", "s64"};
    case operation::bit_and:
    case operation::bit_or:
    case operation::bit_xor:
    case operation::exchange: return {"b32", "b64"};
    case operation::compare_and_swap: return {"b16", "b32", "b64"};
    default: return {"u32", "s32", "u64"};
  }
}

inline constexpr std::array<named_value<operation>, 4> arithmetic{{{"add", operation::add},
                                                                   {"sub", operation::sub},
                                                                   {"mul", operation::mul},
                                                                   {"div", operation::div}}};

inline constexpr std::array<named_value<comparison>, 6> branches{
    {{"beq", comparison::equal},
     {"bne", comparison::not_equal},
     {"bge", comparison::greater_equal},
     {"ble", comparison::less_equal},
     {"bgt", comparison::greater},
     {"blt", comparison::less}}};

inline constexpr std::array<named_value<memory_order>, 3> load_orders{
    {{"weak", memory_order::weak},
     {"relaxed", memory_order::relaxed},
     {"acquire", memory_order::acquire}}};

inline constexpr std::array<named_value<memory_order>, 3> store_orders{
    {{"weak", memory_order::weak},
     {"relaxed", memory_order::relaxed},
     {"release", memory_order::release}}};

inline constexpr std::array<named_value<memory_order>, 4> atomic_orders{
    {{"relaxed", memory_order::relaxed},
     {"acquire", memory_order::acquire},
     {"release", memory_order::release},
     {"acq_rel", memory_order::acq_rel}}};

inline constexpr std::array<named_value<memory_order>, 4> fence_orders{
    {{"acq_rel", memory_order::acq_rel},
     {"sc", memory_order::sc},
     {"acquire", memory_order::acquire},
     {"release", memory_order::release}}};

inline constexpr std::array<named_value<memory_order>, 2> arrive_orders{
    {{"release", memory_order::release}, {"relaxed", memory_order::relaxed}}};
inline constexpr std::array<named_value<memory_order>, 1> wait_orders{
    {{"acquire", memory_order::acquire}}};
inline constexpr std::array<named_value<memory_order>, 2> test_orders{
    {{"acquire", memory_order::acquire}, {"relaxed", memory_order::relaxed}}};

inline constexpr std::array<named_value<scope>, 2> mbarrier_scopes{
    {{"cta", scope::cta}, {"cluster", scope::cluster}}};

}  // namespace litmus
