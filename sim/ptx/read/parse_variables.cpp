// Reads declarations of variables, with their initial values.
#include <bit>
#include <charconv>
#include <cstring>

#include "sim/ptx/read/parser.hpp"

namespace simt::ptx {
namespace {

constexpr unsigned deepest_initializer = 16;
constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;

}  // namespace

std::uint64_t parser::array_size() {
  expect('[', "before the size of an array");
  if (accept(']')) return 0;
  std::uint64_t count = number("the size of an array");
  while (accept('*')) {
    const std::uint64_t factor = number("a factor");
    if (factor != 0 && count > largest_variable / factor)
      in_.fail(in_.peek(), "an array is too large");
    count *= factor;
  }
  expect(']', "behind the size of an array");
  return count;
}

void parser::variables(space where, bool is_extern, std::vector<variable>& to, bool in_function) {
  variable common;
  common.where = where;
  common.is_extern = is_extern;
  bool has_align = false;
  while (in_.peek().what == token::kind::dotted) {
    const token name = in_.take();
    if (name.text == "align") {
      const std::uint64_t align = number("an alignment");
      if (!std::has_single_bit(align) || align > 4096) {
        in_.fail(name, "an alignment is a power of two, at most 4096");
      }
      common.align = static_cast<std::uint32_t>(align);
      has_align = true;
    } else if (name.text == "attribute") {
      expect('(', "behind .attribute");
      while (!in_.peek().is(')')) {
        if (in_.take().what == token::kind::end) in_.fail(in_.peek(), "expected )");
      }
      in_.take();
    } else if (name.text == "v2" || name.text == "v4" || name.text == "v8") {
      common.vector = static_cast<std::uint32_t>(name.text[1] - '0');
    } else if (name.text == "ptr" || name.text == "const" || name.text == "global") {
      // where a pointer points to
    } else {
      common.element = type_named(name.text);
      if (common.element == type::none) common.element = type::other;
    }
  }
  const std::uint64_t element =
      std::uint64_t{common.element == type::other ? 8 : size_of(common.element)} * common.vector;
  if (!has_align) common.align = static_cast<std::uint32_t>(element);
  do {
    variable v = common;
    const token name = expect_name("the name of a variable");
    v.name = in_function ? declare(std::string(name.text)) : std::string(name.text);
    v.line = name.line;
    v.size = element;
    while (in_.peek().is('[')) {
      const bool is_first = !v.is_array;
      v.is_array = true;
      const std::uint64_t count = array_size();
      if (count == 0 && is_first) {
        v.size.reset();
      } else if (v.size) {
        if (count != 0 && *v.size > largest_variable / count)
          in_.fail(name, "an array is too large");
        *v.size *= count;
      }
    }
    if (accept('=')) {
      std::uint64_t at = 0;
      initializer(v, at, 0);
      if (!v.size) v.size = at;
    }
    // Only of shared memory does the launch give the size.
    if (!v.size && where != space::shared) v.size = 0;
    to.push_back(std::move(v));
  } while (accept(','));
  expect(';', "behind a declaration");
}

void parser::initializer(variable& v, std::uint64_t& at, unsigned depth) {
  if (depth > deepest_initializer) in_.fail(in_.peek(), "initial values are nested too deeply");
  if (in_.peek().what == token::kind::string) {
    for (const char c : in_.take().text) {
      put_bytes(v, at++, static_cast<unsigned char>(c), 1);
    }
    return;
  }
  if (!accept('{')) return initial_value(v, at);
  if (accept('}')) return;
  do initializer(v, at, depth + 1);
  while (accept(','));
  expect('}', "behind initial values");
}

void parser::initial_value(variable& v, std::uint64_t& at) {
  const std::uint32_t size = v.element == type::other ? 8 : size_of(v.element);
  const token t = in_.peek();
  if (t.what == token::kind::name) {
    address_value address;
    address.at = at;
    address.size = size;
    in_.take();
    if (t.text == "generic") {
      expect('(', "behind generic");
      address.generic = true;
      address.symbol = expect_name("the name of a variable").text;
      address.offset = signed_offset();
      expect(')', "behind the name");
    } else {
      address.symbol = t.text;
    }
    address.offset += signed_offset();
    v.addresses.push_back(std::move(address));
    put_bytes(v, at, 0, size);
  } else {
    operand value = one_operand(1);
    if (value.what != operand::kind::immediate) in_.fail(t, "expected an initial value");
    // mask(symbol): single bytes of an address.
    if (in_.peek().is('(')) in_.fail(t, "single bytes of an address are not supported here");
    std::uint64_t bits = value.bits;
    if (value.is_float && v.element == type::f32 && !value.is_f32) {
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    }
    put_bytes(v, at, bits, size);
  }
  at += size;
}

void parser::put_bytes(variable& v, std::uint64_t at, std::uint64_t bits, std::uint32_t size) {
  // Each value has characters of its own and at most 16 bytes, so the text's size bounds these.
  if (v.bytes.size() < at + size) v.bytes.resize(at + size);
  for (std::uint32_t i = 0; i < size; ++i) {
    v.bytes[at + i] = i < 8 ? static_cast<std::uint8_t>(bits >> 8 * i) : std::uint8_t{0};
  }
}

}  // namespace simt::ptx
