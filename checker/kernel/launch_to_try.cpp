// Reads the types of parameters from the kernel's name in CUDA, since PTX only has their sizes.
#include "checker/kernel/launch_to_try.hpp"

#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpcheck {
namespace {

constexpr std::uint32_t few_threads = 4;

// "scan<int>(int*, float const*)" → "int*", "float const*"
std::vector<std::string> parameter_types(const std::string& full_name) {
  std::vector<std::string> types;
  const std::size_t begin = full_name.find('(');
  if (begin == std::string::npos || full_name.back() != ')') return types;
  int depth = 0;
  std::string one;
  for (std::size_t i = begin + 1; i + 1 < full_name.size(); ++i) {
    const char c = full_name[i];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      types.push_back(std::exchange(one, {}));
    } else {
      one += c;
    }
  }
  if (!one.empty()) types.push_back(std::move(one));
  return types;
}

// Without qualifiers: "float const*" → "float*"
std::string plain_type(const std::string& type) {
  std::string plain;
  std::string spaced;
  for (const char c : type) {
    if (c == '*') spaced += ' ';
    spaced += c;
  }
  std::istringstream words(spaced);
  for (std::string word; words >> word;) {
    if (word == "const" || word == "volatile" || word == "restrict" || word == "__restrict__") {
      continue;
    }
    if (!plain.empty() && word != "*") plain += ' ';
    plain += word;
  }
  return plain;
}

/// Returns how PTX names the type; nothing for a class.
std::optional<std::string_view> ptx_type(std::string_view type) {
  using known = std::pair<std::string_view, std::string_view>;
  constexpr std::array<known, 17> all{{{"bool", "u8"},
                                       {"char", "s8"},
                                       {"signed char", "s8"},
                                       {"unsigned char", "u8"},
                                       {"short", "s16"},
                                       {"unsigned short", "u16"},
                                       {"int", "s32"},
                                       {"unsigned int", "u32"},
                                       {"unsigned", "u32"},
                                       {"long", "s64"},
                                       {"unsigned long", "u64"},
                                       {"long long", "s64"},
                                       {"unsigned long long", "u64"},
                                       {"float", "f32"},
                                       {"double", "f64"},
                                       {"__half", "f16"},
                                       {"__nv_bfloat16", "bf16"}}};
  for (const auto& [name, ptx] : all) {
    if (name == type) return ptx;
  }
  return std::nullopt;
}

}  // namespace

std::string launch_to_try(const kernel_file& file, const simt::ptx::kernel& kernel) {
  const std::string full = cuda_name(kernel);
  const std::vector<std::string> types = parameter_types(full);
  if (types.size() != kernel.parameters.size()) return {};
  const std::uint32_t threads = kernel.required_threads[0].value_or(few_threads);
  std::string options, arguments;
  if (file.module.kernels.size() > 1) options += fmt::format("--kernel {} ", kernel.name);
  options += fmt::format("--grid 1 --block {}", threads);
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::string type = plain_type(types[i]);
    const bool is_pointer = type.ends_with('*');
    if (is_pointer) type.pop_back();
    const auto element = ptx_type(type);
    if (is_pointer) {
      options += fmt::format(" --buffer p{}={}:{}", i, threads, element.value_or("b64"));
      arguments += fmt::format(" --arg p{}", i);
    } else if (element) {
      arguments += fmt::format(" --arg {}", threads);
    } else {
      return {};
    }
  }
  return options + arguments;
}

}  // namespace warpcheck
