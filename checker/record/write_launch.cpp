// Writes a launch as a scenario: its arguments, with pointers as places in buffers, and the
// contents of these buffers.
#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/record/program_session.hpp"
#include "checker/scenario/scenario_limits.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/compile/cache.hpp"
#include "sim/files/whole_file.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using bytes_view = std::span<const std::uint8_t>;

std::uint64_t word_at(bytes_view bytes, std::uint64_t at, std::uint64_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

// Returns the allocation that an address points into, or just past.
std::optional<std::uint64_t> allocation_of(const launch_request& what, std::uint64_t address) {
  auto next = what.allocated.upper_bound(address);
  if (next == what.allocated.begin()) return std::nullopt;
  --next;
  if (address > next->first + next->second) return std::nullopt;
  return next->first;
}

struct used_buffer {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::string element;
};

// Returns the types of parameters, such as "float const*" for the second of "void f<int>(int*,
// float const*)".
std::vector<std::string> parameter_types(const std::string& signature) {
  std::vector<std::string> types;
  const auto open = signature.find('(');
  if (open == std::string::npos || !signature.ends_with(')')) return types;
  int depth = 0;
  std::string one;
  for (const char c : signature.substr(open + 1, signature.size() - open - 2)) {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      types.push_back(std::move(one));
      one.clear();
    } else if (c != ' ' || !one.empty()) {
      one += c;
    }
  }
  if (!one.empty()) types.push_back(std::move(one));
  return types;
}

// Returns what a pointer of that type points to, by PTX's names, or u32 if that is not known.
std::string element_of(std::string type, std::uint64_t bytes) {
  for (const char* part : {" const", " volatile", " restrict", "const ", "volatile ", "*", "&"}) {
    for (auto at = type.find(part); at != std::string::npos; at = type.find(part))
      type.erase(at, std::string_view(part).size());
  }
  constexpr std::pair<std::string_view, std::pair<std::string_view, std::uint64_t>> known[] = {
      {"float", {"f32", 4}},        {"double", {"f64", 8}},
      {"int", {"s32", 4}},          {"unsigned int", {"u32", 4}},
      {"long", {"s64", 8}},         {"unsigned long", {"u64", 8}},
      {"long long", {"s64", 8}},    {"unsigned long long", {"u64", 8}},
      {"short", {"s16", 2}},        {"unsigned short", {"u16", 2}},
      {"char", {"s8", 1}},          {"signed char", {"s8", 1}},
      {"unsigned char", {"u8", 1}}, {"bool", {"u8", 1}},
      {"__half", {"f16", 2}},       {"__nv_bfloat16", {"bf16", 2}}};
  for (const auto& [name, element] : known) {
    if (type == name && bytes % element.second == 0) return std::string(element.first);
  }
  return bytes % 4 == 0 ? "u32" : "u8";
}

std::uint64_t size_of_element(const std::string& element) {
  return simt::ptx::size_of(simt::ptx::type_named(element));
}

// Writes arguments as scenarios have them, and collects the buffers that they point into.
class argument_writer {
 public:
  argument_writer(const launch_request& what, const seen_memory& memory)
      : what_(what),
        memory_(memory),
        types_(parameter_types(cuda_name(*what.kernel))),
        offsets_(simt::ptx::parameter_offsets(*what.kernel)) {}

  std::vector<std::string> write() {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < offsets_.size(); ++i) all.push_back(argument(i));
    find_pointers_in_buffers();
    return all;
  }
  [[nodiscard]] const std::vector<std::string>& pointers() const { return pointers_; }
  [[nodiscard]] const std::vector<used_buffer>& buffers() const { return buffers_; }

 private:
  const launch_request& what_;
  const seen_memory& memory_;
  std::vector<std::string> types_;
  std::vector<std::uint64_t> offsets_;
  std::vector<used_buffer> buffers_;
  std::vector<std::string> pointers_;

  std::string argument(std::size_t number) {
    const simt::ptx::parameter& parameter = what_.kernel->parameters[number];
    const bytes_view bytes = bytes_view(what_.arguments).subspan(offsets_[number], parameter.size);
    const bool is_value = !parameter.is_array && parameter.size <= 8;
    if (is_value && parameter.size == 8) {
      if (const auto place = place_of(word_at(bytes, 0, 8), number)) return *place;
    }
    if (is_value) {
      return fmt::format("{}:u{}", word_at(bytes, 0, parameter.size), 8 * parameter.size);
    }
    std::vector<std::string> parts;
    for (std::uint64_t at = 0; at < bytes.size();) {
      std::uint64_t size = 8;
      while (at % size != 0 || at + size > bytes.size()) size /= 2;
      const std::uint64_t word = word_at(bytes, at, size);
      const auto place = size == 8 ? place_of(word, number) : std::nullopt;
      if (place) {
        parts.push_back(fmt::format("{}:{}", at, *place));
      } else if (word != 0) {
        parts.push_back(fmt::format("{}:{}:u{}", at, word, 8 * size));
      }
      at += size;
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  // Returns "arg0+16". `number` is the parameter's number, or the number of all parameters if
  // another buffer holds the address.
  std::optional<std::string> place_of(std::uint64_t address, std::size_t number) {
    const auto begin = allocation_of(what_, address);
    if (!begin) return std::nullopt;
    auto found = std::ranges::find(buffers_, *begin, &used_buffer::begin);
    if (found == buffers_.end()) {
      const std::string stem = number < offsets_.size() ? fmt::format("arg{}", number) : "reached";
      std::string name = stem;
      for (int n = 2; std::ranges::find(buffers_, name, &used_buffer::name) != buffers_.end(); ++n)
        name = fmt::format("{}_{}", stem, n);
      const std::uint64_t size = what_.allocated.at(*begin);
      const std::string type = number < types_.size() ? types_[number] : std::string();
      const bool is_pointer = type.ends_with('*');
      found = buffers_.insert(
          buffers_.end(),
          {std::move(name), *begin, size, element_of(is_pointer ? type : std::string(), size)});
    }
    if (address == *begin) return found->name;
    return fmt::format("{}+{}", found->name, address - *begin);
  }

  // Buffers that are found are searched, too. A number that looks like a pointer is taken for a
  // pointer. That only matters if two programs would see different numbers.
  void find_pointers_in_buffers() {
    constexpr std::size_t most = 10'000;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const used_buffer buffer = buffers_[i];
      const std::uint8_t* const begin = memory_.at(buffer.begin);
      for (std::uint64_t at = 0; at + 8 <= buffer.size; at += 8) {
        const std::uint64_t address = word_at({begin + at, 8}, 0, 8);
        if (!allocation_of(what_, address)) continue;
        if (buffer.size % 8 != 0 || pointers_.size() == most) {
          throw usage_error(fmt::format(
              "buffer {} holds a pointer at byte {}, which cannot be checked: {}", buffer.name, at,
              buffer.size % 8 != 0 ? "its size is no multiple of 8"
                                   : fmt::format("there are more than {}", most)));
        }
        pointers_.push_back(
            fmt::format("{}+{}={}", buffer.name, at, *place_of(address, offsets_.size())));
      }
    }
  }
};

std::string list_text(const std::array<std::uint32_t, 3>& extent) {
  return fmt::format("[{}]", fmt::join(extent, ", "));
}

std::array<std::uint32_t, 3> shrunk(std::array<std::uint32_t, 3> grid, std::uint64_t blocks) {
  if (blocks == 0) return grid;
  for (std::uint32_t& extent : grid) {
    extent = static_cast<std::uint32_t>(std::min<std::uint64_t>(extent, blocks));
    blocks = std::max<std::uint64_t>(blocks / extent, 1);
  }
  return grid;
}

std::uint64_t product(const std::array<std::uint32_t, 3>& extent) {
  return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

void write_bytes(const fs::path& file, bytes_view bytes) {
  simt::write_whole(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Leaves out the zeros at the end, which a buffer has by default.
bytes_view trimmed(bytes_view bytes) {
  while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

// JSON's strings are TOML's basic strings, as far as the texts here go.
std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

}  // namespace

fs::path write_launch(const launch_request& what, const seen_memory& memory,
                      const record_options& options, std::uint64_t number) {
  const std::string kernel = cuda_name(*what.kernel);
  const std::array<std::uint32_t, 3> grid = shrunk(what.grid, options.shrink);
  const std::uint64_t threads = product(grid) * product(what.block);
  if (threads > max_threads) {
    throw usage_error(
        fmt::format("{} blocks of {} threads are more than the {} threads that can be checked; "
                    "--shrink {} checks only so many of its blocks",
                    product(grid), product(what.block), max_threads,
                    std::max<std::uint64_t>(max_threads / product(what.block), 1)));
  }
  argument_writer writer(what, memory);
  const std::vector<std::string> arguments = writer.write();
  const auto content_text = [&](const std::string& name, std::uint64_t count,
                                const std::string& element, bytes_view bytes) {
    const bytes_view content = trimmed(bytes);
    std::string fill = "zero";
    if (!content.empty()) {
      fill = fmt::format("launch-{}-{}.bin", number, name);
      write_bytes(options.folder / fill, content);
    }
    return fmt::format("{} = \"{}:{}:{}\"\n", name, count, element, fill);
  };

  std::string text = fmt::format("# Recorded by warpcheck exec.\ntitle = {}\n\n",
                                 toml_text(fmt::format("Launch {}: {}", number, kernel)));
  text +=
      fmt::format("[kernel]\nfile = {}\nname = {}\n\n",
                  toml_text(what.module->file.filename().string()), toml_text(what.kernel->name));
  text += fmt::format("[launch]\ngrid = {}\nblock = {}\nshared = {}\ncooperative = {}\nargs = [",
                      list_text(grid), list_text(what.block), what.shared, what.cooperative);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += (i == 0 ? "" : ", ") + toml_text(arguments[i]);
  text += "]\n";
  if (!writer.pointers().empty()) {
    text += "pointers = [";
    for (const std::string& pointer : writer.pointers())
      text += fmt::format("\n  {},", toml_text(pointer));
    text += "\n]\n";
  }
  text += "\n[buffers]\n";
  for (const used_buffer& buffer : writer.buffers()) {
    const std::uint64_t count = buffer.size / size_of_element(buffer.element);
    if (count > max_elements) {
      throw usage_error(
          fmt::format("buffer {} has {} elements, more than the {} that can be "
                      "checked; let the program work on less",
                      buffer.name, count, max_elements));
    }
    text +=
        content_text(buffer.name, count, buffer.element, {memory.at(buffer.begin), buffer.size});
  }
  text += "\n[variables]\n";
  for (const auto& [name, at] : what.variables) {
    const simt::ptx::variable& variable = *what.module->content.find_variable(name);
    const bytes_view now{memory.at(at), variable.size.value_or(0)};
    if (std::ranges::equal(trimmed(now), trimmed(variable.bytes))) continue;
    if (now.size() > max_elements) {
      throw usage_error(
          fmt::format("variable {} has {} bytes, more than the {} that can be checked", name,
                      now.size(), max_elements));
    }
    text += content_text(name, now.size(), "u8", now);
  }
  // PTX for targets before sm_70 runs with the scheduling of those GPUs, under both memory models.
  constexpr std::uint32_t volta = 70;
  text += fmt::format("\n[[run]]\nreconvergence = \"{}\"\n",
                      what.module->content.sm < volta ? "stack" : "its");
  const fs::path file = options.folder / fmt::format("launch-{}.toml", number);
  simt::write_whole(file, text);
  return file;
}

std::string launch_hash(const launch_request& what, const seen_memory& memory) {
  wire::writer all;
  all.text(what.module->file.string()).text(what.kernel->name);
  all.put(what.grid).put(what.block).put(what.shared).put(what.cooperative);
  all.blob(what.arguments);
  std::string text(all.bytes().begin(), all.bytes().end());
  const auto add = [&](std::uint64_t at, std::uint64_t size) {
    const auto* const bytes = reinterpret_cast<const char*>(memory.at(at));
    text += simt::detail::content_hash({bytes, size});
  };
  // Add the allocations that arguments point to, and those that these point to.
  std::set<std::uint64_t> reached;
  std::vector<std::uint64_t> left;
  const auto follow = [&](bytes_view bytes) {
    for (std::uint64_t at = 0; at + 8 <= bytes.size(); at += 8) {
      const auto begin = allocation_of(what, word_at(bytes, at, 8));
      if (begin && reached.insert(*begin).second) left.push_back(*begin);
    }
  };
  follow(what.arguments);
  while (!left.empty()) {
    const std::uint64_t begin = left.back();
    left.pop_back();
    const std::uint64_t size = what.allocated.at(begin);
    add(begin, size);
    follow({memory.at(begin), size});
  }
  for (const auto& [name, at] : what.variables)
    add(at, what.module->content.find_variable(name)->size.value_or(0));
  return simt::detail::content_hash(text);
}

}  // namespace warpcheck
