// Looks up names, types and places in a parsed module.
#include "sim/ptx/module.hpp"

#include <algorithm>
#include <array>

namespace simt::ptx {
namespace {

struct type_row {
  const char* name;
  type what;
  std::uint32_t size;
};
constexpr std::array type_rows{
    type_row{"b8", type::b8, 1},         type_row{"b16", type::b16, 2},
    type_row{"b32", type::b32, 4},       type_row{"b64", type::b64, 8},
    type_row{"b128", type::b128, 16},    type_row{"u8", type::u8, 1},
    type_row{"u16", type::u16, 2},       type_row{"u32", type::u32, 4},
    type_row{"u64", type::u64, 8},       type_row{"s8", type::s8, 1},
    type_row{"s16", type::s16, 2},       type_row{"s32", type::s32, 4},
    type_row{"s64", type::s64, 8},       type_row{"f16", type::f16, 2},
    type_row{"f16x2", type::f16x2, 4},   type_row{"bf16", type::bf16, 2},
    type_row{"bf16x2", type::bf16x2, 4}, type_row{"f32", type::f32, 4},
    type_row{"f64", type::f64, 8},       type_row{"pred", type::pred, 1}};

const type_row* row_of(type t) {
  const auto found = std::ranges::find(type_rows, t, &type_row::what);
  return found == type_rows.end() ? nullptr : &*found;
}

template <class T>
const T* named(const std::vector<T>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &T::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::uint32_t size_of(type t) {
  const type_row* row = row_of(t);
  return row == nullptr ? 0 : row->size;
}

bool has_sign(type t) {
  return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64;
}

bool is_float(type t) { return t >= type::f16 && t <= type::f64; }

const char* name_of(type t) {
  const type_row* row = row_of(t);
  return row == nullptr ? "" : row->name;
}

type type_named(std::string_view name) {
  const auto found = std::ranges::find(type_rows, name, &type_row::name);
  return found == type_rows.end() ? type::none : found->what;
}

const char* name_of(space s) {
  constexpr std::array names{"", "reg", "global", "shared", "const", "local", "param"};
  return names[static_cast<std::size_t>(s)];
}

bool instruction::has(std::string_view modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

type instruction::type_from_end(std::size_t k) const {
  for (std::size_t i = modifiers.size(); i-- > 0;) {
    const type found = type_named(modifiers[i]);
    if (found != type::none && k-- == 0) return found;
  }
  return type::none;
}

const kernel* module::find_kernel(std::string_view name) const { return named(kernels, name); }

const function* module::find_function(std::string_view name) const {
  const function* declared = nullptr;
  for (const function& each : functions) {
    if (each.name != name) continue;
    if (each.has_body) return &each;
    declared = &each;
  }
  return declared;
}

const variable* module::find_variable(std::string_view name) const {
  return named(variables, name);
}

std::string module::file_of(const instruction& i) const {
  if (!i.place || *i.place >= places.size()) return {};
  const auto found = std::ranges::find(files, places[*i.place].file, &source_file::number);
  return found == files.end() ? std::string{} : found->name;
}

std::uint32_t module::line_of(const instruction& i) const {
  return i.place && *i.place < places.size() ? places[*i.place].line : 0;
}

std::vector<std::uint64_t> parameter_offsets(const function& kernel) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const parameter& one : kernel.parameters) {
    const std::uint64_t align = std::max<std::uint64_t>(one.align, 1);
    offsets.push_back((end + align - 1) / align * align);
    end = offsets.back() + one.size;
  }
  return offsets;
}

}  // namespace simt::ptx
