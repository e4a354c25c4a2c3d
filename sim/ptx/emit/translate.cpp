// Puts a subject together: declarations, functions, the kernel.
#include "sim/ptx/translate.hpp"

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/emit/opaque.hpp"
#include "sim/ptx/unsupported.hpp"

namespace simt::ptx {
namespace {

// Addresses of shared memory count from a window's begin. `shared` is the address of the block's
// own memory. An address that is far from it has none in the window: what it becomes is nowhere.
constexpr const char* shared_helpers = R"(
  SIMT_FN static ptx::u64 shared_at(ptx::u64 shared, ptx::u64 address) {
    return shared + (address - WINDOWull);
  }
  SIMT_FN static ptx::u64 in_shared(ptx::u64 shared, ptx::u64 generic) {
    const ptx::u64 at = generic - shared;
    return at < 0x40000 ? at + WINDOWull : 0xffffff00;
  }
  SIMT_FN static bool is_shared(ptx::u64 shared, ptx::u64 generic) {
    return generic - shared < sizeof(ptx::kernel_shared);
  }
)";
// In a cluster of several blocks, the highest byte of an address in the shared::cluster window says
// of which block it is, by its rank + 1. 0: of the block itself. So addresses of the shared::cta
// window are such addresses, too.
constexpr const char* cluster_helpers = R"(
  SIMT_FN static ptx::u64 cluster_at(ptx::u64, ptx::u64 address) {
    return ptx::cluster_place<ptx::kernel_shared>(address) - WINDOWull;
  }
  SIMT_FN static ptx::u64 in_cluster(ptx::u64 shared, ptx::u64 generic) {
    return ptx::in_cluster_window<ptx::kernel_shared, RANKS>(shared, generic, WINDOWull);
  }
)";
// Without shared memory, no address in its window is right.
constexpr const char* no_shared_helpers = R"(
  SIMT_FN static ptx::u64 shared_at(ptx::u64, ptx::u64 address) { return address; }
  SIMT_FN static ptx::u64 in_shared(ptx::u64, ptx::u64 generic) { return generic; }
  SIMT_FN static ptx::u64 cluster_at(ptx::u64, ptx::u64 address) { return address; }
  SIMT_FN static ptx::u64 in_cluster(ptx::u64, ptx::u64 generic) { return generic; }
  SIMT_FN static bool is_shared(ptx::u64, ptx::u64) { return false; }
)";

std::string with_window(std::string text, const layout& memory) {
  for (const auto& [name, number] :
       {std::pair<std::string, std::uint32_t>("WINDOW", shared_window),
        std::pair<std::string, std::uint32_t>("RANKS", memory.cluster())}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, name.size(), std::to_string(number));
    }
  }
  return text;
}

}  // namespace

std::string to_subject(const module& m, const kernel& k, const launch& l) {
  const layout memory(m, k, &l);
  const opaque_values opaque = find_opaque(memory);
  if (!opaque.unsupported.empty()) {
    throw std::invalid_argument(
        "kernel " + demangled(k.name) + " has `" + opaque.unsupported.front().what +
        "`, which cannot be translated: " + opaque.unsupported.front().reason);
  }
  std::string text =
      fmt::format("// Made from the PTX of {}.\n#pragma once\n\n#include <simt/ptx.hpp>\n\n",
                  on_one_comment_line(demangled(k.name)));
  if (l.object) text += fmt::format("#include {}\n\n", quoted_text(l.object->header));
  if (memory.has_bulk_copies()) {
    text += fmt::format(
        "namespace simt::ptx {{\ninline constexpr unsigned bulk_threads = {};\n}}\n"
        "#include <simt/ptx/bulk_copy.hpp>\n\n",
        memory.threads());
  }
  text += "namespace ptx = simt::ptx;\n\n";
  text += memory.declarations();
  text += "struct kernel_subject";
  if (l.object) {
    text += fmt::format(" : ptx::compiled_object<{}, {}>", l.object->type, l.object->repeat);
  }
  text += " {";
  text += memory.has_shared() ? with_window(shared_helpers, memory) : no_shared_helpers;
  text += memory.constant_check();
  if (memory.cluster() > 1 && memory.has_shared()) text += with_window(cluster_helpers, memory);
  for (const function* f : memory.functions()) {
    emitter made(memory, *f, false);
    const std::string body = made.body(opaque);
    text +=
        fmt::format("\n  SIMT_FN static void {}([[maybe_unused]] ptx::u64 shared{}) {{\n{}  }}\n",
                    memory.function_name(*f), made.parameter_list(), body);
  }
  emitter made(memory, k, true);
  const std::string body = made.body(opaque);
  // Computed once at the begin: the lane's values then show best that a pointer is to its own
  // block.
  const bool uses_shared = body.find("shared") != std::string::npos || memory.has_bulk_copies();
  text += "\n  SIMT_FN void operator()() {\n";
  if (uses_shared) {
    text += memory.has_shared() ? "  const ptx::u64 shared = reinterpret_cast<ptx::u64>("
                                  "&simt::block_shared<ptx::kernel_shared>());\n"
                                : "  const ptx::u64 shared = 0;\n";
  }
  if (const std::size_t most = memory.most_async_copies(); most > 0)
    text += fmt::format("  ptx::async_copies<{}> copies;\n", most);
  if (memory.has_bulk_copies())
    text += fmt::format("  ptx::bulk_lane bulk(shared, {});\n", memory.shared_size());
  if (memory.tells_inits()) text += "  [[maybe_unused]] bool tells_inits = false;\n";
  text += body + "  }\n};\n\n";
  return text + "SIMT_SUBJECT(kernel_subject);\n";
}

std::vector<std::string> buffer_names(const module& m, const launch& l) {
  (void)m;
  name_pool names;
  std::vector<std::string> all;
  for (const buffer& b : l.buffers) all.push_back(names.take(b.name));
  return all;
}

}  // namespace simt::ptx
