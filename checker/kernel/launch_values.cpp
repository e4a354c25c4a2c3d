// Rounds and encodes numbers as their types ask for, and fills buffers.
#include "checker/kernel/launch_values.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/text/in_quotes.hpp"
#include "checker/text/plain_text.hpp"
#include "checker/text/usage_error.hpp"

namespace warpcheck {
namespace {

using simt::ptx::type;

std::vector<std::uint8_t> low_bytes(std::uint64_t bits, std::uint32_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::memcpy(bytes.data(), &bits, std::min<std::size_t>(size, sizeof bits));
  return bytes;
}

std::optional<double> real_number(std::string_view text) {
  if (text.ends_with('f') || text.ends_with('F')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns the upper half of an f32, rounded to nearest even.
std::uint64_t bf16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

std::uint64_t f16_bits(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (size >= 65520) return sign | 0x7c00;
  if (size < std::ldexp(1.0, -14)) {
    return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, 24)));
  }
  int exponent = 0;
  const double mantissa = std::frexp(size, &exponent);  // 0.5 <= mantissa < 1
  const auto digits = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(mantissa, 11)));
  // Digits that round up to 2^11 carry into the exponent.
  return sign | ((static_cast<std::uint64_t>(exponent + 13) << 10) + digits);
}

std::optional<std::vector<std::uint8_t>> integer_bytes(std::string_view text, std::uint32_t size) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  const unsigned bits = size * 8;
  const std::uint64_t largest =
      size >= 8 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t least = std::uint64_t{1} << (std::min(bits, 64U) - 1);
  if (value > (negative ? least : largest)) return std::nullopt;
  return low_bytes(negative ? 0 - value : value, size);
}

std::vector<std::uint8_t> file_bytes(const written_buffer& written, std::uint64_t most) {
  std::ifstream stream(written.file, std::ios::binary);
  std::vector<std::uint8_t> bytes(most + 1);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream.eof() && !stream) {
    throw usage_error(
        fmt::format("{}: {} cannot be read; fill a buffer with zero, iota, a list of "
                    "numbers, or a file of raw bytes",
                    written.where, in_quotes(written.file.string())));
  }
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  if (bytes.size() > most) {
    throw usage_error(fmt::format("{}: {} has more than the {} bytes of buffer {}", written.where,
                                  in_quotes(written.file.string()), most, in_quotes(written.name)));
  }
  return bytes;
}

std::uint32_t buffer_number(const std::string& where, const std::string& name,
                            const kernel_launch& launch) {
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    if (launch.buffers[i].name == name) return static_cast<std::uint32_t>(i);
  }
  std::vector<std::string> there;
  for (const written_buffer& buffer : launch.buffers) there.push_back(buffer.name);
  throw usage_error(fmt::format("{}: there is no buffer {}; {}", where, in_quotes(name),
                                there.empty()
                                    ? fmt::format("add one, as in --buffer {}=128:f32", name)
                                    : fmt::format("there is {}", fmt::join(there, ", "))));
}

// In PTX, a parameter of 4 or 8 bytes has no sign and no kind. So the form of the number decides.
type type_of_number(const written_value& value, const simt::ptx::parameter& parameter,
                    bool is_structure) {
  if (!value.type.empty()) return simt::ptx::type_named(value.type);
  const bool is_real = value.number.find('.') != std::string::npos || value.number.ends_with('f');
  if (is_structure) return is_real ? type::f32 : type::u32;
  if (is_real && parameter.size == 4) return type::f32;
  if (is_real && parameter.size == 8) return type::f64;
  return parameter.element;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view number, type as) {
  const std::uint32_t size = simt::ptx::size_of(as);
  if (!simt::ptx::is_float(as)) return integer_bytes(number, size);
  const auto value = real_number(number);
  if (!value) return std::nullopt;
  const auto narrow = static_cast<float>(*value);
  if (as == type::f64) return low_bytes(std::bit_cast<std::uint64_t>(*value), size);
  if (as == type::f32) return low_bytes(std::bit_cast<std::uint32_t>(narrow), size);
  return low_bytes(as == type::bf16 ? bf16_bits(narrow) : f16_bits(*value), size);
}

simt::ptx::buffer buffer_of(const written_buffer& written) {
  simt::ptx::buffer buffer;
  buffer.name = written.name;
  buffer.count = written.count;
  buffer.element = simt::ptx::type_named(written.element);
  const std::uint32_t size = simt::ptx::size_of(buffer.element);
  const auto append = [&](const std::string& number) {
    const auto bytes = bytes_of(number, buffer.element);
    if (!bytes) {
      throw usage_error(fmt::format("{}: {} is no value of type {}", written.where,
                                    in_quotes(number), written.element));
    }
    buffer.bytes.insert(buffer.bytes.end(), bytes->begin(), bytes->end());
  };
  switch (written.filled) {
    case written_buffer::fill::zero: break;
    case written_buffer::fill::iota: {
      // Small elements start again from 0 when their type has no larger numbers.
      const std::uint64_t numbers = size >= 4 ? written.count : std::uint64_t{1} << (size * 8 - 1);
      for (std::uint64_t i = 0; i < written.count; ++i) append(std::to_string(i % numbers));
      break;
    }
    case written_buffer::fill::values:
      for (const std::string& value : written.values) append(value);
      break;
    case written_buffer::fill::file:
      buffer.bytes = file_bytes(written, written.count * size);
      break;
  }
  return buffer;
}

std::vector<simt::ptx::buffer> buffers_of(const kernel_launch& launch) {
  std::vector<simt::ptx::buffer> all;
  for (const written_buffer& buffer : launch.buffers) all.push_back(buffer_of(buffer));
  for (const written_pointer& pointer : launch.pointers) {
    all[buffer_number(pointer.where, pointer.buffer, launch)].pointers.push_back(
        {pointer.at, buffer_number(pointer.where, pointer.target.buffer, launch),
         pointer.target.offset});
  }
  return all;
}

std::vector<simt::ptx::variable_value> variables_of(const simt::ptx::module& module,
                                                    const kernel_launch& launch) {
  std::vector<simt::ptx::variable_value> all;
  for (const written_buffer& written : launch.variables) {
    simt::ptx::buffer content = buffer_of(written);
    content.bytes.resize(content.count * simt::ptx::size_of(content.element));
    const simt::ptx::variable* const variable = module.find_variable(written.name);
    if (variable == nullptr) {
      std::vector<std::string> there;
      for (const simt::ptx::variable& one : module.variables) there.push_back(one.name);
      throw usage_error(fmt::format(
          "{}: the module has no variable {}; {}", written.where, in_quotes(written.name),
          there.empty() ? std::string("it has none")
                        : fmt::format("it has {}", fmt::join(there, ", "))));
    }
    all.push_back({written.name, std::move(content.bytes), std::nullopt});
  }
  return all;
}

std::string parameter_text(const simt::ptx::parameter& parameter, std::size_t number) {
  if (parameter.is_array) {
    return fmt::format("{}: a structure of {} bytes", number, parameter.size);
  }
  return fmt::format("{}: {}{}", number, simt::ptx::name_of(parameter.element),
                     parameter.is_pointer ? ", a pointer" : "");
}

namespace {

/// The arguments as given. Without any, a kernel gets the buffers in their order, if it has a
/// parameter for each that can be an address.
std::vector<written_argument> given_arguments(const simt::ptx::kernel& kernel,
                                              const kernel_launch& launch) {
  const bool takes_buffers =
      launch.arguments.empty() && launch.buffers.size() == kernel.parameters.size() &&
      std::ranges::all_of(kernel.parameters, [](const simt::ptx::parameter& parameter) {
        return !parameter.is_array && parameter.size == 8;
      });
  if (!takes_buffers) return launch.arguments;
  std::vector<written_argument> all;
  for (const written_buffer& buffer : launch.buffers)
    all.push_back(argument_from(buffer.name, buffer.where));
  return all;
}

}  // namespace

std::vector<simt::ptx::argument> arguments_of(const simt::ptx::kernel& kernel,
                                              const kernel_launch& launch) {
  const std::vector<written_argument> given = given_arguments(kernel, launch);
  if (given.size() != kernel.parameters.size()) {
    const bool is_told_buffers = launch.arguments.empty() && !launch.buffers.empty();
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      wanted.push_back(parameter_text(kernel.parameters[i], i));
    throw usage_error(fmt::format(
        "{}: the kernel has {} and gets {}{}; give each one, in order, a buffer or a number "
        "(--buffer "
        "in=128:f32 --arg in --arg 128). Parameters: {}",
        launch.arguments.empty() ? launch.file.string() : launch.arguments.back().where,
        counted(kernel.parameters.size(), "parameter", "parameters"),
        counted(launch.arguments.size(), "argument", "arguments"),
        is_told_buffers
            ? fmt::format(" and {}", counted(launch.buffers.size(), "buffer", "buffers"))
            : "",
        wanted.empty() ? std::string("none") : fmt::format("{}", fmt::join(wanted, "; "))));
  }
  std::vector<simt::ptx::argument> all;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const simt::ptx::parameter& parameter = kernel.parameters[i];
    const written_argument& written = given[i];
    if (parameter.is_array && !written.is_structure) {
      throw usage_error(fmt::format(
          "{}: {} is given for {}; write its parts by their offsets, as in {{0:in, 8:5:u64}}",
          written.where, in_quotes(written.text), parameter_text(parameter, i)));
    }
    simt::ptx::argument argument;
    argument.bytes.resize(parameter.size);
    for (const auto& [offset, value] : written.parts) {
      const auto does_not_fit = [&, at = offset](const std::string& why) {
        throw usage_error(fmt::format("{}: {} {} (parameter {}, offset {})", written.where,
                                      in_quotes(written.text), why, parameter_text(parameter, i),
                                      at));
      };
      if (!value.buffer.empty()) {
        if (offset + 8 > parameter.size)
          does_not_fit("is an address, for which there are not 8 bytes");
        argument.pointers.push_back(
            {offset, buffer_number(written.where, value.buffer, launch), value.offset});
        continue;
      }
      const type as = type_of_number(value, parameter, written.is_structure);
      const auto bytes = bytes_of(value.number, as);
      if (!bytes) {
        does_not_fit(fmt::format("is no value of type {}", simt::ptx::name_of(as)));
      } else if (offset + bytes->size() > parameter.size) {
        does_not_fit("does not fit there");
      } else {
        std::memcpy(argument.bytes.data() + offset, bytes->data(), bytes->size());
      }
    }
    all.push_back(std::move(argument));
  }
  return all;
}

}  // namespace warpcheck
