// Reads buffers, arguments and extents of a kernel's launch from the text of scenarios and of the
// command line.
#include "checker/scenario/kernel_launch.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/scenario/scenario_limits.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/kind_of_file.hpp"

namespace warpcheck {
namespace {

constexpr std::array<std::string_view, 16> element_types{"u8",  "s8",   "b8",  "u16", "s16", "b16",
                                                         "u32", "s32",  "b32", "u64", "s64", "b64",
                                                         "f16", "bf16", "f32", "f64"};
constexpr std::string_view buffer_form =
    "write COUNT:TYPE, and where it does not begin as zeros COUNT:TYPE:FILL, as in 128:f32:iota, "
    "4:u32:1,0,0,7 or 16:u8:data.bin";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint64_t> unsigned_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::ranges::all_of(text, [](char c) {
           return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z');
         });
}

[[noreturn]] void refuse_text(const std::string& where, const std::string& text,
                              std::string_view remedy) {
  throw usage_error(fmt::format("{}: {} is not understood; {}", where, in_quotes(text), remedy));
}

written_value value_from(const std::string& text, const std::string& whole,
                         const std::string& where) {
  constexpr std::string_view form =
      "an argument is a number (5, -1, 1.5, with its type in a structure: 5:u64), the name of a "
      "buffer (in, in+16), or a structure by the offsets of its parts ({0:in, 8:5:u64})";
  written_value value;
  const std::vector<std::string> typed = split(text, ':');
  if (is_number(typed.front())) {
    value.number = typed.front();
    if (typed.size() > 2) refuse_text(where, whole, form);
    if (typed.size() == 2) value.type = typed[1];
    if (!value.type.empty() && std::ranges::find(element_types, value.type) == element_types.end())
      refuse_text(where, whole, fmt::format("types are {}", fmt::join(element_types, ", ")));
    return value;
  }
  const std::vector<std::string> sum = split(text, '+');
  const auto offset = sum.size() == 2 ? unsigned_number(sum[1]) : std::optional<std::uint64_t>(0);
  if (sum.size() > 2 || !offset || !is_name(sum.front())) refuse_text(where, whole, form);
  value.buffer = sum.front();
  value.offset = *offset;
  return value;
}

}  // namespace

std::string why_no_kernels(const std::filesystem::path& path, const std::string& written) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return {};
  if (!std::filesystem::exists(path, error)) return "there is no file " + written;
  return fmt::format("{} {}; name a .cu or a .ptx file", written, simt::in_place_of_file(path));
}

written_buffer buffer_from(const std::string& name, const std::string& text,
                           const std::string& where) {
  written_buffer buffer;
  buffer.name = name;
  buffer.text = text;
  buffer.where = where;
  if (!is_name(name)) {
    refuse_text(where, name, "a buffer's name has letters, digits and _, and begins with no digit");
  }
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 2 && parts.size() != 3) refuse_text(where, text, buffer_form);
  const auto count = unsigned_number(parts[0]);
  if (!count || *count == 0 || *count > max_elements) {
    refuse_text(where, text, fmt::format("a buffer has 1 to {} elements", max_elements));
  }
  buffer.count = *count;
  buffer.element = parts[1];
  if (std::ranges::find(element_types, buffer.element) == element_types.end()) {
    refuse_text(where, text, fmt::format("types are {}", fmt::join(element_types, ", ")));
  }
  if (parts.size() == 2 || parts[2] == "zero") return buffer;
  if (parts[2] == "iota") {
    buffer.filled = written_buffer::fill::iota;
    return buffer;
  }
  std::vector<std::string> values = split(parts[2], ',');
  if (std::ranges::all_of(values, is_number)) {
    buffer.filled = written_buffer::fill::values;
    buffer.values = std::move(values);
    if (buffer.values.size() > buffer.count) {
      refuse_text(
          where, text,
          fmt::format("{} values do not fit into {} elements", buffer.values.size(), buffer.count));
    }
    return buffer;
  }
  buffer.filled = written_buffer::fill::file;
  buffer.file = parts[2];
  if (parts[2].empty()) refuse_text(where, text, buffer_form);
  return buffer;
}

written_argument argument_from(const std::string& text, const std::string& where) {
  written_argument argument;
  argument.text = text;
  argument.where = where;
  const std::string plain = trimmed(text);
  if (!plain.starts_with('{')) {
    argument.parts[0] = value_from(plain, text, where);
    return argument;
  }
  argument.is_structure = true;
  if (!plain.ends_with('}')) refuse_text(where, text, "a structure ends with }");
  const std::string inside = trimmed(std::string_view(plain).substr(1, plain.size() - 2));
  if (inside.empty()) return argument;  // no parts: all bytes are 0
  for (const std::string& part : split(inside, ',')) {
    const auto colon = part.find(':');
    const auto offset = unsigned_number(trimmed(std::string_view(part).substr(0, colon)));
    if (colon == std::string::npos || !offset || *offset > 4096) {
      refuse_text(where, text, "the parts of a structure are OFFSET:VALUE, as in {0:in, 8:5:u64}");
    }
    argument.parts[static_cast<std::uint32_t>(*offset)] =
        value_from(trimmed(std::string_view(part).substr(colon + 1)), text, where);
  }
  return argument;
}

written_pointer pointer_from(const std::string& text, const std::string& where) {
  constexpr std::string_view form =
      "a pointer in a buffer is PLACE=ADDRESS, both in buffers, as in list+16=nodes+8";
  written_pointer pointer;
  pointer.text = text;
  pointer.where = where;
  const std::vector<std::string> sides = split(text, '=');
  if (sides.size() != 2) refuse_text(where, text, form);
  const written_value place = value_from(sides[0], text, where);
  pointer.target = value_from(sides[1], text, where);
  if (place.buffer.empty() || pointer.target.buffer.empty()) refuse_text(where, text, form);
  if (place.offset % 8 != 0) refuse_text(where, text, "a pointer's place is a multiple of 8");
  pointer.buffer = place.buffer;
  pointer.at = place.offset;
  return pointer;
}

std::array<std::uint32_t, 3> extent_from(const std::string& text, const std::string& where) {
  std::array<std::uint32_t, 3> extent{1, 1, 1};
  const std::vector<std::string> parts =
      split(text, text.find('x') != std::string::npos ? 'x' : ',');
  if (parts.size() > 3) refuse_text(where, text, "give one to three numbers, as in 2 or 2,2,1");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = unsigned_number(parts[i]);
    if (!number || *number == 0 || *number > max_threads) {
      refuse_text(
          where, text,
          fmt::format("give one to three numbers from 1 to {}, as in 2 or 2,2,1", max_threads));
    }
    extent[i] = static_cast<std::uint32_t>(*number);
  }
  return extent;
}

void check_extents(const kernel_launch& launch, const std::string& where) {
  constexpr std::uint64_t most_of_block = max_warps * max_lanes;
  if (launch.threads_of_block() > most_of_block) {
    throw usage_error(fmt::format("{}: a block of {} threads; CUDA allows {}", where,
                                  launch.threads_of_block(), most_of_block));
  }
  constexpr std::uint32_t most_in_z = 64;
  if (launch.block[2] > most_in_z) {
    throw usage_error(fmt::format("{}: a block of {} threads in z; CUDA allows {}", where,
                                  launch.block[2], most_in_z));
  }
  const std::uint64_t threads = launch.blocks() * launch.threads_of_block();
  if (threads > max_threads) {
    throw usage_error(fmt::format("{}: the grid has {} threads; make it {} at most", where, threads,
                                  max_threads));
  }
}

}  // namespace warpcheck
