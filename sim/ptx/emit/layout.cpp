// Finds the variables and functions that a kernel uses, places them and declares them.
#include "sim/ptx/emit/layout.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "sim/ptx/translate.hpp"

namespace simt::ptx {
namespace {

constexpr std::uint64_t alignment = 256;  // of buffers; of the dynamic shared memory 16
constexpr std::uint64_t gap_bytes = 256;
constexpr std::uint64_t largest_buffer = std::uint64_t{1} << 26;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t align) {
  return align == 0 ? value : (value + align - 1) / align * align;
}

void each_symbol(const operand& o, const std::function<void(const std::string&)>& visit) {
  if (!o.name.empty()) visit(o.name);
  for (const operand& part : o.parts) each_symbol(part, visit);
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t b) { return b == 0; });
}

std::uint64_t bits_at(std::span<const std::uint8_t> bytes, std::uint64_t at, std::uint64_t size) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < size && at + i < bytes.size(); ++i) {
    value |= std::uint64_t{bytes[at + i]} << 8 * i;
  }
  return value;
}

// The element of an array of bytes that once was an array of something else, guessed from its
// alignment.
type element_of(const variable& v, std::uint64_t size) {
  if (v.element != type::b8 && v.element != type::u8) return v.element;
  if (v.align >= 8 && size % 8 == 0 && v.align == 8) return type::u64;
  if (v.align >= 4 && size % 4 == 0) return type::u32;
  if (v.align == 2 && size % 2 == 0) return type::u16;
  return type::u8;
}

const char* element_name(type t) {
  switch (t) {
    case type::s8: return "std::int8_t";
    case type::u8:
    case type::b8: return "std::uint8_t";
    case type::s16: return "std::int16_t";
    case type::u16:
    case type::b16:
    case type::f16:
    case type::bf16: return "std::uint16_t";
    case type::s32: return "std::int32_t";
    case type::f32: return "float";
    case type::s64: return "std::int64_t";
    case type::u64:
    case type::b64: return "std::uint64_t";
    case type::f64: return "double";
    default: return "std::uint32_t";
  }
}

std::string element_value(type t, std::uint64_t bits) {
  switch (t) {
    case type::f32: return fmt::format("__builtin_bit_cast(float, {:#x}u)", bits);
    case type::f64: return fmt::format("__builtin_bit_cast(double, {:#x}ull)", bits);
    case type::s8: return fmt::format("{}", static_cast<std::int8_t>(bits));
    case type::s16: return fmt::format("{}", static_cast<std::int16_t>(bits));
    case type::s32: return fmt::format("static_cast<std::int32_t>({}u)", bits);
    case type::s64: return fmt::format("static_cast<std::int64_t>({}ull)", bits);
    case type::u64:
    case type::b64: return fmt::format("{}ull", bits);
    default: return fmt::format("{}u", bits);
  }
}

// A gap behind each variable in global memory, so that an index that is too large hits nothing.
std::string gap_behind(std::size_t number, const char* section) {
  return fmt::format(
      "[[gnu::section(\"{}\"), gnu::used]] static std::uint8_t __simt_gap_{}[{}] = {{{}}};\n",
      section, number, gap_bytes, std::string_view(section).starts_with(".bss") ? "" : "1");
}

std::string values_of(type element, std::span<const std::uint8_t> bytes, std::uint64_t size) {
  const std::uint64_t each = std::max<std::uint64_t>(size_of(element), 1);
  std::string text;
  const std::uint64_t given = std::min<std::uint64_t>(bytes.size(), size);
  for (std::uint64_t at = 0; at < given; at += each) {
    if (at != 0) text += at / each % 8 == 0 ? ",\n    " : ", ";
    text += element_value(element, bits_at(bytes, at, each));
  }
  return text;
}

}  // namespace

layout::layout(const module& m, const kernel& k, const launch* l)
    : module_(m), kernel_(k), launch_(l == nullptr ? launch{} : *l), is_real_(l != nullptr) {
  if (!is_real_) {
    launch_.arguments.resize(k.parameters.size());
    launch_.block = {64, 1, 1};
    launch_.grid = {2, 1, 1};
  } else {
    check_launch();
  }
  name_buffers();
  std::vector<const function*> way;
  collect_functions(k, way);
  collect_variables(k);
  for (const function* f : functions_) collect_variables(*f);
  place_shared();
}

void layout::check_launch() const {
  const auto fail = [&](const std::string& what) {
    throw launch_error("kernel " + demangled(kernel_.name) + ": " + what);
  };
  if (launch_.arguments.size() != kernel_.parameters.size()) {
    fail(fmt::format("it has {} parameters, but the launch gives {} arguments",
                     kernel_.parameters.size(), launch_.arguments.size()));
  }
  for (const std::uint32_t d : launch_.grid) {
    if (d == 0) fail("the grid has no blocks: each of its dimensions is at least 1");
  }
  std::uint64_t all = 1;
  for (const std::uint32_t d : launch_.block) all *= d;
  if (all == 0 || all > 1024) {
    fail(fmt::format("a block has {} threads: give 1 to 1024", all));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (kernel_.required_threads[i] && *kernel_.required_threads[i] != launch_.block[i]) {
      fail(fmt::format("it was compiled for blocks of {} threads in dimension {}, not of {}",
                       *kernel_.required_threads[i], "xyz"[i], launch_.block[i]));
    }
  }
  if (kernel_.max_threads[0]) {
    std::uint64_t most = 1;
    for (const auto& d : kernel_.max_threads) most *= d.value_or(1);
    if (all > most) {
      fail(fmt::format("it was compiled for blocks of at most {} threads, not of {}", most, all));
    }
  }
  const bool is_explicit = std::ranges::any_of(
      kernel_.directives, [](const directive& d) { return d.name == "explicitcluster"; });
  if (is_explicit && !kernel_.cluster[0] && launch_.cluster == 0)
    fail("it is only for launches in clusters (.explicitcluster): say how many blocks one has");
  if (kernel_.cluster[0].value_or(cluster()) != cluster()) {
    fail(fmt::format("it was compiled for clusters of {} blocks, not of {}", *kernel_.cluster[0],
                     cluster()));
  }
  if (cluster() == 0 || launch_.grid[0] % cluster() != 0) {
    fail(fmt::format("{} blocks in x are no whole number of clusters of {}", launch_.grid[0],
                     cluster()));
  }
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    const argument& a = launch_.arguments[i];
    const parameter& p = kernel_.parameters[i];
    if (a.bytes.size() > p.size) {
      fail(fmt::format("argument {} has {} bytes, but its parameter has {}", i, a.bytes.size(),
                       p.size));
    }
    for (const pointer_argument& pointer : a.pointers) {
      if (pointer.buffer >= launch_.buffers.size()) {
        fail(fmt::format("argument {} points to a buffer that is not there", i));
      }
      if (pointer.at % 8 != 0 || pointer.at + 8 > p.size) {
        fail(fmt::format("argument {} cannot hold a pointer at byte {}", i, pointer.at));
      }
    }
  }
  for (const buffer& b : launch_.buffers) {
    const std::uint64_t each = size_of(b.element);
    if (each == 0 || each > 8) fail("buffer " + b.name + ": its elements have no size");
    if (b.count == 0) fail("buffer " + b.name + " is empty: give it at least one element");
    if (b.count > largest_buffer / each) {
      fail("buffer " + b.name + " is larger than 64 MiB: give it fewer elements");
    }
    for (const buffer::pointer& p : b.pointers) {
      if (p.buffer >= launch_.buffers.size())
        fail("buffer " + b.name + " points to a buffer that is not there");
      if (p.at % 8 != 0 || p.at + 8 > b.count * each || b.count * each % 8 != 0)
        fail(fmt::format("buffer {} cannot hold a pointer at byte {}", b.name, p.at));
    }
    if (b.bytes.size() > b.count * each)
      fail("buffer " + b.name + ": it has more values than elements");
  }
}

void layout::name_buffers() {
  for (const buffer& b : launch_.buffers) buffer_names_.push_back(names_.take(b.name));
}

const std::string& layout::function_name(const function& f) const { return function_names_.at(&f); }

void layout::collect_functions(const function& f, std::vector<const function*>& way) {
  if (std::ranges::find(way, &f) != way.end()) {
    recurses_ = true;
    return;
  }
  way.push_back(&f);
  for (const instruction& i : f.instructions) {
    if (i.opcode != "call") continue;
    for (const operand& o : i.operands) {
      if (o.what != operand::kind::symbol) continue;
      const function* callee = module_.find_function(o.name);
      if (callee == nullptr || !callee->has_body) continue;
      if (std::ranges::find(functions_, callee) != functions_.end()) continue;
      collect_functions(*callee, way);
      if (std::ranges::find(functions_, callee) == functions_.end() && callee != &kernel_) {
        functions_.push_back(callee);
        function_names_[callee] = names_.take(short_name(callee->name));
      }
    }
  }
  way.pop_back();
}

void layout::collect_variables(const function& f) {
  const std::function<void(const std::string&)> add = [&](const std::string& name) {
    if (name.starts_with("%envreg")) uses_workspace_ = true;
    if (name == "%reserved_smem_offset_1") uses_reserved_ = true;
    const variable* found = nullptr;
    for (const variable& v : f.variables) {
      if (v.name == name) found = &v;
    }
    if (found == nullptr) found = module_.find_variable(name);
    if (found == nullptr || found->where == space::local || found->where == space::param) return;
    if (placed_.contains(found)) return;
    placed_variable placed;
    placed.what = found;
    placed.size = found->size.value_or(0);
    placed.is_read_only =
        found->where == space::constant ||
        (found->where == space::global && found->name.find("$str") != std::string::npos);
    placed.name = names_.take(short_name(found->name.substr(0, found->name.find('@'))));
    placed_[found] = placed;
    order_.push_back(found);
    for (const address_value& address : found->addresses) add(address.symbol);
  };
  for (const instruction& i : f.instructions) {
    async_copies_ += i.opcode == "cp" && i.has("async") && (i.has("ca") || i.has("cg")) ? 1 : 0;
    has_wmma_ = has_wmma_ || i.opcode == "wmma";
    if (i.opcode == "cp" && i.has("bulk") && !i.has("prefetch")) has_bulk_copies_ = true;
    if (i.opcode == "fence" && i.has("mbarrier_init")) fences_inits_ = true;
    if (i.opcode == "barrier" && i.has("arrive") && i.has("relaxed")) arrives_relaxed_ = true;
    if (i.opcode == "mbarrier" && i.has("pending_count")) counts_pending_ = true;
    // Strings that are printed, and messages of assertions, are constants of the text.
    for (const operand& o : i.operands) each_symbol(o, add);
  }
}

std::size_t layout::most_async_copies() const {
  if (async_copies_ == 0) return 0;
  return std::clamp<std::size_t>(4 * async_copies_, 8, 128);  // loops begin several of each
}

void layout::place_shared() {
  std::uint64_t dynamic_align = 16;
  for (const variable* v : order_) {
    if (v->where != space::shared) continue;
    placed_variable& placed = placed_.at(v);
    if (v->is_extern) {
      has_dynamic_ = true;
      dynamic_align = std::max<std::uint64_t>(dynamic_align, v->align);
      continue;
    }
    placed.offset = rounded_up(static_size_, std::max<std::uint64_t>(v->align, 1));
    static_size_ = placed.offset + placed.size;
  }
  dynamic_at_ = rounded_up(static_size_, dynamic_align);
  for (auto& [v, placed] : placed_) {
    if (v->where == space::shared && v->is_extern) placed.offset = dynamic_at_;
  }
  shared_size_ = static_size_;
  if (launch_.dynamic_shared > 0) shared_size_ = dynamic_at_ + launch_.dynamic_shared;
}

const layout::placed_variable* layout::find(const std::string& name, const function& within) const {
  const variable* found = nullptr;
  for (const variable& v : within.variables) {
    if (v.name == name) found = &v;
  }
  if (found == nullptr) found = module_.find_variable(name);
  const auto at = placed_.find(found);
  return at == placed_.end() ? nullptr : &at->second;
}

std::string layout::argument_bits(std::size_t number, std::uint64_t offset,
                                  std::uint32_t size) const {
  if (launch_.is_for_one_run) {
    const std::uint64_t at = parameter_offsets(kernel_).at(number) + offset;
    return fmt::format("ptx::launch_argument<ptx::u{}>({}ull)", 8 * size, at);
  }
  const argument& a = launch_.arguments.at(number);
  const char* suffix = size == 8 ? "ull" : "u";
  if (number == 0 && launch_.object && size == 8) return "reinterpret_cast<ptx::u64>(&object)";
  for (const pointer_argument& pointer : a.pointers) {
    if (offset + size <= pointer.at || offset >= pointer.at + 8) continue;
    std::string whole =
        fmt::format("reinterpret_cast<ptx::u64>(&{})", buffer_names_[pointer.buffer]);
    if (pointer.offset != 0) whole = fmt::format("({} + {}ull)", whole, pointer.offset);
    if (offset == pointer.at && size == 8) return whole;
    if (offset < pointer.at || offset + size > pointer.at + 8) {
      throw launch_error(
          fmt::format("kernel {}: an access to argument {} crosses the end of a pointer in it",
                      demangled(kernel_.name), number));
    }
    return fmt::format("static_cast<ptx::u{}>({} >> {})", 8 * size, whole,
                       8 * (offset - pointer.at));
  }
  return fmt::format("{}{}", bits_at(a.bytes, offset, size), suffix);
}

std::optional<std::string> layout::text_in(const variable& v) {
  const auto end = std::ranges::find(v.bytes, 0);
  // The text may leave out a 0 at the end.
  if (v.bytes.empty() || (end == v.bytes.end() && v.bytes.size() >= v.size.value_or(0)))
    return std::nullopt;
  return std::string(v.bytes.begin(), end);
}

std::vector<std::uint8_t> layout::initial_bytes(const variable& v) const {
  std::vector<std::uint8_t> bytes = v.bytes;
  for (const variable_value& given : launch_.variables) {
    if (given.name != v.name && given.name != short_name(v.name)) continue;
    if (given.bytes.size() > v.size.value_or(0)) {
      throw launch_error(fmt::format("the launch gives {} bytes for variable {}, which has {}",
                                     given.bytes.size(), given.name, v.size.value_or(0)));
    }
    if (bytes.size() < given.bytes.size()) bytes.resize(given.bytes.size());
    std::ranges::copy(given.bytes, bytes.begin());
  }
  return bytes;
}

std::string layout::constant_check() const {
  std::string is_there;
  for (const variable* v : order_) {
    if (v->where != space::constant) continue;
    const placed_variable& placed = placed_.at(v);
    is_there += fmt::format(
        "{0}(at - reinterpret_cast<ptx::u64>(&{1}) < {2}ull && "
        "{2}ull - (at - reinterpret_cast<ptx::u64>(&{1})) >= size)",
        is_there.empty() ? "" : " ||\n        ", placed.name, placed.size);
  }
  if (is_there.empty()) is_there = "false";
  return fmt::format(
      "  SIMT_FN static bool is_constant(ptx::u64 at, ptx::u64 size) {{\n    return {};\n  }}\n",
      is_there);
}

std::string layout::declare_global(const placed_variable& v, std::size_t number) const {
  const std::vector<std::uint8_t> bytes = initial_bytes(*v.what);
  const std::uint64_t size = std::max<std::uint64_t>(v.size, 1);
  const bool has_addresses = !v.what->addresses.empty();
  type element = element_of(*v.what, size);
  if (has_addresses) element = type::u64;
  const std::uint64_t each = std::max<std::uint64_t>(size_of(element), 1);
  const std::uint64_t count = std::max<std::uint64_t>(size / each, 1);
  for (const variable_value& given : launch_.variables) {
    if (!given.at || given.name != v.what->name) continue;
    return fmt::format("static {0} (&{1})[{2}] = *reinterpret_cast<{0} (*)[{2}]>({3:#x}ull);\n",
                       element_name(element), v.name, count, *given.at);
  }
  std::string values = values_of(element, bytes, size);
  if (has_addresses) {
    values.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string value = element_value(element, bits_at(bytes, 8 * i, 8));
      for (const address_value& address : v.what->addresses) {
        if (address.at != 8 * i) continue;
        const placed_variable* target = find(address.symbol, kernel_);
        if (target == nullptr || target->what->where == space::shared) continue;
        value = fmt::format("reinterpret_cast<std::uint64_t>(&{}) + {}ull", target->name,
                            static_cast<std::uint64_t>(address.offset));
      }
      values += (i == 0 ? "" : ", ") + value;
    }
  }
  const bool is_zero_data = is_zero(bytes) && !has_addresses;
  const char* section = is_zero_data ? ".bss.simt" : ".data.simt";
  const bool is_scalar = !v.what->is_array && count == 1 && size == each;
  // A constant has one element more, so that nothing of another one lies behind it.
  const std::uint64_t elements = count + (v.is_read_only ? 1 : 0);
  const std::string name = is_scalar ? v.name : fmt::format("{}[{}]", v.name, elements);
  if (v.is_read_only) {
    return fmt::format("alignas({}) static const {} {} = {{{}}};\n", alignment,
                       element_name(element), name, values);
  }
  return fmt::format("[[gnu::section(\"{}\")]] alignas({}) SIMT_GLOBAL {} {} = {{{}}};\n", section,
                     alignment, element_name(element), name, is_zero_data ? "" : values) +
         gap_behind(number, section);
}

// A buffer that holds addresses is an array of 8 bytes each.
std::string layout::declare_buffer_of_pointers(std::size_t number, std::size_t gap) const {
  const buffer& b = launch_.buffers[number];
  const std::uint64_t count = b.count * size_of(b.element) / 8;
  std::map<std::uint64_t, std::string> addresses;  // by the number of the element
  for (const buffer::pointer& p : b.pointers) {
    addresses[p.at / 8] = fmt::format("reinterpret_cast<std::uint64_t>(&{}) + {}ull",
                                      buffer_names_[p.buffer], p.offset);
  }
  std::string values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto found = addresses.find(i);
    values += i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ";
    values += found != addresses.end() ? found->second
                                       : element_value(type::u64, bits_at(b.bytes, 8 * i, 8));
  }
  constexpr const char* section = ".data.simt";
  return fmt::format(
             "[[gnu::section(\"{}\")]] alignas({}) SIMT_GLOBAL std::uint64_t {}[{}] = {{{}}};\n",
             section, alignment, buffer_names_[number], count, values) +
         gap_behind(gap, section);
}

std::string layout::declare_buffer(std::size_t number, std::size_t gap) const {
  const buffer& b = launch_.buffers[number];
  if (!b.pointers.empty()) return declare_buffer_of_pointers(number, gap);
  const bool is_zero_data = is_zero(b.bytes);
  const char* section = is_zero_data ? ".bss.simt" : ".data.simt";
  return fmt::format(
             "[[gnu::section(\"{}\")]] alignas({}) SIMT_GLOBAL {} {}[{}] = {{{}}};\n", section,
             alignment, element_name(b.element), buffer_names_[number], b.count,
             is_zero_data ? "" : values_of(b.element, b.bytes, b.count * size_of(b.element))) +
         gap_behind(gap, section);
}

std::string layout::declare_shared() const {
  std::string members;
  std::string checks;
  for (const variable* v : order_) {
    if (v->where != space::shared || v->is_extern) continue;
    const placed_variable& placed = placed_.at(v);
    if (placed.size == 0) continue;
    const type element = element_of(*v, placed.size);
    const std::uint64_t each = std::max<std::uint64_t>(size_of(element), 1);
    const std::string count =
        v->is_array || placed.size != each ? fmt::format("[{}]", placed.size / each) : "";
    members += fmt::format("  alignas({}) {} {}{};\n", std::max<std::uint64_t>(v->align, each),
                           element_name(element), placed.name, count);
    checks += fmt::format("static_assert(offsetof(ptx::kernel_shared, {}) == {});\n", placed.name,
                          placed.offset);
  }
  if (launch_.dynamic_shared > 0) {
    std::string name = "dynamic_shared";
    type element = type::u32;
    for (const variable* v : order_) {
      if (v->where != space::shared || !v->is_extern) continue;
      name = placed_.at(v).name;
      variable sized = *v;
      sized.align = std::min<std::uint32_t>(std::max<std::uint32_t>(v->align, 1), 8);
      element = element_of(sized, launch_.dynamic_shared);
      break;
    }
    std::uint64_t each = std::max<std::uint64_t>(size_of(element), 1);
    if (launch_.dynamic_shared % each != 0) {
      element = type::u8;
      each = 1;
    }
    members += fmt::format("  alignas(16) {} {}[{}];\n", element_name(element), name,
                           launch_.dynamic_shared / each);
    checks +=
        fmt::format("static_assert(offsetof(ptx::kernel_shared, {}) == {});\n", name, dynamic_at_);
  }
  // The struct is as large as its alignment asks. Bytes behind the last variable are no memory.
  const std::string exact = fmt::format(
      "template <>\nstruct simt::detail::shared_variable<ptx::kernel_shared, ptx::kernel_shared> "
      "{{\n"
      "  [[gnu::section(\"simt_shared\"), gnu::used]] inline static constexpr shared_descriptor "
      "descriptor{{\n      {}, alignof(ptx::kernel_shared), {}}};\n}};\n",
      shared_size_, !launch_.zero_shared);
  // It stands behind the kernel's own in each block, so that an offset from there is positive.
  const std::string reserved =
      !uses_reserved_
          ? ""
          : fmt::format(
                "namespace simt::ptx {{\nstruct kernel_reserved {{\n  u32 "
                "reserved_shared[{}];\n}};\n"
                "}}\n"
                "template <>\nstruct simt::detail::shared_variable<ptx::kernel_reserved, "
                "ptx::kernel_reserved> {{\n"
                "  [[gnu::section(\"simt_shared\"), gnu::used]] inline static constexpr "
                "shared_descriptor descriptor{{\n      {}, 16, false}};\n}};\n",
                reserved_bytes / 4, reserved_bytes);
  // Reports name the members of this type as variables.
  return std::string("namespace simt::ptx {\nstruct ") +
         (has_bulk_copies_ || has_wmma_ ? "alignas(128) " : "") + "kernel_shared {\n" + members +
         "};\n}\n" + checks + exact + reserved + "\n";
}

std::string layout::declarations() const {
  std::string text;
  std::size_t gaps = 0;
  text += gap_behind(gaps++, ".data.simt");
  text += gap_behind(gaps++, ".bss.simt");
  // Buffers may point to each other, so all are declared first.
  for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
    const buffer& b = launch_.buffers[i];
    const bool has_words = !b.pointers.empty();
    text +=
        fmt::format("extern {} {}[{}];\n", has_words ? "std::uint64_t" : element_name(b.element),
                    buffer_names_[i], has_words ? b.count * size_of(b.element) / 8 : b.count);
  }
  for (std::size_t i = 0; i < launch_.buffers.size(); ++i) text += declare_buffer(i, gaps++);
  // Variables that others point to come first.
  for (int pass = 0; pass < 2; ++pass) {
    for (const variable* v : order_) {
      if (v->where == space::shared || v->addresses.empty() != (pass == 0)) continue;
      text += declare_global(placed_.at(v), gaps++);
    }
  }
  if (uses_workspace_) {
    text += fmt::format(
                "// Of cooperative groups: its size, the barrier of the grid.\n"
                "[[gnu::section(\".bss.simt\")]] alignas({}) SIMT_GLOBAL std::uint32_t "
                "grid_workspace[4] = {{}};\n",
                alignment) +
            gap_behind(gaps++, ".bss.simt");
  }
  text += "\n";
  if (has_shared()) text += declare_shared();
  return text;
}

}  // namespace simt::ptx
