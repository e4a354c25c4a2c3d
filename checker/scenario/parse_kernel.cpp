// Reads a kernel, its launch and the contents of its memory from TOML.
#include "checker/scenario/parse_kernel.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "checker/scenario/scenario_limits.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kernel_keys{"file", "name", "flags"};
constexpr std::array<std::string_view, 8> launch_keys{
    "grid", "block", "cluster", "shared", "zero_shared", "cooperative", "args", "pointers"};

std::optional<std::string> nowhere_else(std::string_view) { return std::nullopt; }

// Returns a number, a string, or a list of numbers as text.
std::string written(const toml_reader& reader, const toml::node& node, std::string_view key) {
  if (node.is_string()) return node.as_string()->get();
  if (node.is_integer()) return fmt::format("{}", node.as_integer()->get());
  if (node.is_floating_point()) return fmt::format("{:.17g}", node.as_floating_point()->get());
  if (!node.is_array()) {
    reader.fail(node, fmt::format("{} is {}; give it numbers or a string", in_quotes(key),
                                  type_name(node)));
  }
  std::string all;
  for (const toml::node& element : *node.as_array()) {
    if (!element.is_integer())
      reader.fail(element, fmt::format("{} is a list of integers", in_quotes(key)));
    all += fmt::format("{}{}", all.empty() ? "" : ",", element.as_integer()->get());
  }
  return all;
}

fs::path kernel_file(const toml_reader& reader, const toml::table& kernel, const fs::path& folder) {
  const auto file = reader.string(kernel, "file");
  if (!file) {
    reader.fail(kernel, "[kernel] has no \"file\"; add one, as in file = \"kernel.cu\"");
  }
  if (file->text.find('\0') != std::string::npos) {
    reader.fail(file->place,
                fmt::format("{} cannot be a file's name; correct it", in_quotes(file->text)));
  }
  const fs::path path = fs::absolute(folder / file->text).lexically_normal();
  if (const std::string why = why_no_kernels(path, in_quotes(file->text)); !why.empty())
    reader.fail(file->place, why + "; \"file\" is relative to the scenario's folder");
  return path;
}

// Reads [buffers] or [variables].
std::vector<written_buffer> contents(const toml_reader& reader, const toml::table& table,
                                     const fs::path& folder) {
  std::vector<written_buffer> all;
  for (const auto& [key, node] : table) {
    if (!node.is_string()) {
      reader.fail(node, fmt::format("{} is {}; write \"COUNT:TYPE:FILL\", as in \"128:f32:iota\"",
                                    in_quotes(key.str()), type_name(node)));
    }
    all.push_back(buffer_from(std::string(key.str()), node.as_string()->get(),
                              reader.text_of(node.source().begin)));
    written_buffer& last = all.back();
    if (last.filled == written_buffer::fill::file) last.file = folder / last.file;
  }
  return all;
}

}  // namespace

std::optional<kernel_launch> parse_kernel(const toml_reader& reader, const toml::table& root,
                                          const fs::path& folder) {
  const toml::table* kernel = reader.table(root, "kernel");
  const toml::table* launch = reader.table(root, "launch");
  const toml::table* buffers = reader.table(root, "buffers");
  const toml::table* variables = reader.table(root, "variables");
  if (kernel == nullptr) {
    for (const auto* other : {launch, buffers, variables}) {
      if (other != nullptr)
        reader.fail(*other, "belongs to a [kernel], which is missing: add [kernel] with its file");
    }
    return std::nullopt;
  }
  for (const char* key : {"subject", "source", "workload", "grid", "arrays", "threads", "generate",
                          "spec", "initial", "repeat", "claims", "step_bound", "clients"}) {
    if (const toml::node* node = root.get(key)) {
      reader.fail(*node, fmt::format("{} is for subjects; of a [kernel], [launch] and [buffers] "
                                     "say what it runs on",
                                     in_quotes(key)));
    }
  }
  kernel_launch result;
  reader.known_keys(*kernel, kernel_keys, nowhere_else);
  result.file = kernel_file(reader, *kernel, folder);
  if (const auto name = reader.string(*kernel, "name")) result.name = name->text;
  if (const auto flags = reader.strings(*kernel, "flags")) {
    for (const located_string& flag : *flags) result.flags.push_back(flag.text);
  }
  if (buffers != nullptr) result.buffers = contents(reader, *buffers, folder);
  if (variables != nullptr) result.variables = contents(reader, *variables, folder);
  if (launch == nullptr) return result;
  reader.known_keys(*launch, launch_keys, nowhere_else);
  for (const auto& [key, extent] :
       {std::pair("grid", &result.grid), std::pair("block", &result.block)}) {
    if (const toml::node* node = launch->get(key))
      *extent = extent_from(written(reader, *node, key), reader.text_of(node->source().begin));
  }
  check_extents(result, reader.text_of(launch->source().begin));
  result.cluster =
      static_cast<std::uint32_t>(reader.integer(*launch, "cluster", 1, max_cluster).value_or(0));
  result.shared = static_cast<std::uint32_t>(
      reader.integer(*launch, "shared", 0, most_shared_bytes).value_or(0));
  for (const auto& [key, flag] : {std::pair("cooperative", &result.cooperative),
                                  std::pair("zero_shared", &result.zero_shared)}) {
    const toml::node* const node = launch->get(key);
    if (node == nullptr) continue;
    if (!node->is_boolean()) reader.fail(*node, fmt::format("\"{}\" is true or false", key));
    *flag = node->as_boolean()->get();
  }
  if (const toml::node* node = launch->get("args")) {
    if (!node->is_array()) {
      reader.fail(*node, "\"args\" is a list, one for each parameter, as in args = [\"in\", 128]");
    }
    for (const toml::node& each : *node->as_array()) {
      result.arguments.push_back(
          argument_from(written(reader, each, "args"), reader.text_of(each.source().begin)));
    }
  }
  if (const auto pointers = reader.strings(*launch, "pointers")) {
    for (const located_string& pointer : *pointers)
      result.pointers.push_back(pointer_from(pointer.text, reader.text_of(pointer.place)));
  }
  return result;
}

}  // namespace warpcheck
