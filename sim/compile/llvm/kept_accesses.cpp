// Writes uses of loads and copies into LLVM's text, so that no pass deletes them before they are
// instrumented.
#include "sim/compile/llvm/kept_accesses.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sim/compile/llvm/between.hpp"
#include "sim/compile/llvm/llvm_types.hpp"
#include "sim/compile/llvm/undefined_value.hpp"

namespace simt::detail {
namespace {

using lines = std::vector<std::string_view>;

// A copy of more fields is kept as a whole. Then its variable stays in memory.
constexpr std::size_t most_fields = 64;

lines split(std::string_view text) {
  lines all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// The name in front of " = " of an instruction. Empty: it has none.
std::string_view result_of(std::string_view line) {
  if (!line.starts_with("  %")) return {};
  const std::size_t end = line.find(" = ");
  return end == std::string_view::npos ? std::string_view{} : line.substr(2, end - 2);
}

/// The place in the source, as an instruction names it: ", !dbg !12".
std::string place_of(std::string_view line) {
  const std::string_view number = between(line, ", !dbg !", ",");
  return number.empty() ? "" : ", !dbg !" + std::string(number);
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Whether values of the type fit into a register.
bool is_scalar(std::string_view type) {
  if (type == "ptr" || type == "float" || type == "double") return true;
  return type.starts_with("i") && number_in(type.substr(1)) >= 1 && number_in(type.substr(1)) <= 64;
}

// A use that no pass takes away. If the value is loaded from a local variable that becomes a
// register, the register is used instead.
std::string use(std::string_view type, std::string_view value, const std::string& place) {
  return "  call void asm sideeffect \"# kept\", \"X\"(" + std::string(type) + " " +
         std::string(value) + ")" + place;
}

struct field {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

class module_text {
 public:
  explicit module_text(std::string_view text) : lines_(split(text)) {
    for (const std::string_view line : lines_) {
      const std::size_t end = line.find(" = !{");
      if (line.starts_with("!") && end != std::string_view::npos) {
        entries_.emplace(line.substr(0, end), line.substr(end + 5));
      }
    }
  }

  std::string keep() {
    for (const std::string_view line : lines_) {
      if (line.starts_with("define ")) locals_.clear();
      if (line.find(" = alloca ") != std::string_view::npos) locals_.insert(result_of(line));
      if (hide_null(line)) continue;
      keep_undefined(line);
      add(line);
      keep_load(line);
      keep_copy(line);
    }
    return std::move(out_);
  }

 private:
  void add(std::string_view line) { (out_ += line) += '\n'; }

  // LLVM gives a load through a pointer that is known to be null any value, and deletes it. So a
  // null that is stored to a local variable comes out of an empty piece of assembly. Returns
  // whether the line was such a store.
  bool hide_null(std::string_view line) {
    constexpr std::string_view store = "  store ptr null, ptr ";
    if (!line.starts_with(store)) return false;
    const std::string_view rest = line.substr(store.size());
    if (!locals_.contains(rest.substr(0, rest.find(',')))) return false;
    const std::string name = "%kept.null." + std::to_string(kept_++);
    add("  " + name + " = call ptr asm \"# kept\", \"=r,0\"(ptr null)" + place_of(line));
    add("  store ptr " + name + ", ptr " + std::string(rest));
    return true;
  }

  // LLVM deletes a branch on an undefined value, and its place with it. So the value is used
  // before.
  void keep_undefined(std::string_view line) {
    const std::string_view type = type_of_undefined(line);
    if (!type.empty()) add(use(type, "poison", place_of(line)));
  }

  void keep_load(std::string_view line) {
    const std::size_t at = line.find(" = load ");
    if (!line.starts_with("  %") || at == std::string_view::npos) return;
    const std::string_view what = line.substr(at + 8);
    const std::string_view type = what.substr(0, what.find(','));
    const std::string_view from = between(what, ", ptr ", ",");
    if (locals_.contains(from)) return;
    const std::string place = place_of(line);
    if (is_scalar(type)) return add(use(type, result_of(line), place));
    // The type fits into no general register, so its bits are used; of 16 bytes the first half.
    if (!is_seen(type)) return;
    const unsigned bits = bits_of(type);
    const std::string number = std::to_string(kept_++);
    const std::string whole = "i" + std::to_string(bits);
    std::string kept(result_of(line));
    if (type != whole) {
      add("  %kept.bits." + number + " = bitcast " + std::string(type) + " " + kept + " to " +
          whole + place);
      kept = "%kept.bits." + number;
    }
    if (bits < 128) return add(use(whole, kept, place));
    add("  %kept.half." + number + " = trunc i128 " + kept + " to i64" + place);
    add(use("i64", "%kept.half." + number, place));
  }

  void keep_copy(std::string_view line) {
    if (!line.starts_with("  call void @llvm.memcpy.") &&
        !line.starts_with("  call void @llvm.memmove.")) {
      return;
    }
    // The arguments: (ptr align 4 %to, ptr align 4 %from, i64 8, i1 false)
    const std::string_view arguments = line.substr(line.find('(') + 1);
    const std::string_view first = arguments.substr(0, arguments.find(','));
    const std::string_view to = first.substr(first.rfind(' ') + 1);
    if (!locals_.contains(to)) return;
    const std::string place = place_of(line);
    const std::vector<field> fields = fields_of(line, arguments);
    if (fields.empty() || fields.size() > most_fields) return add(use("ptr", to, place));
    for (const field& each : fields) {
      const std::string number = std::to_string(kept_++);
      const std::string type = "i" + std::to_string(8 * each.size);
      add("  %kept.at." + number + " = getelementptr inbounds i8, ptr " + std::string(to) +
          ", i64 " + std::to_string(each.offset) + place);
      add("  %kept." + number + " = load " + type + ", ptr %kept.at." + number + ", align 1" +
          place);
      add(use(type, "%kept." + number, place));
    }
  }

  /// The fields of a copy, at most one more than are looked at. Empty: they are not known.
  std::vector<field> fields_of(std::string_view line, std::string_view arguments) const {
    std::vector<field> fields;
    if (const std::string_view number = between(line, ", !tbaa.struct !", ",");
        !number.empty()) {  // i64 OFFSET, i64 SIZE, !TYPE, ...
      const auto entry = entries_.find("!" + std::string(number));
      if (entry == entries_.end()) return {};
      std::string_view rest = entry->second;
      while (rest.starts_with("i64 ") && fields.size() <= most_fields) {
        const std::uint64_t offset = number_in(rest.substr(4));
        rest.remove_prefix(std::min(rest.find(", i64 ") + 6, rest.size()));
        const std::uint64_t size = number_in(rest);
        if (!std::set<std::uint64_t>{1, 2, 4, 8}.contains(size)) return {};
        fields.push_back({offset, size});
        for (int skipped = 0; skipped < 2; ++skipped) {
          rest.remove_prefix(std::min(rest.find(", "), rest.size() - 2) + 2);
        }
      }
      return fields;
    }
    const std::string_view second = arguments.substr(arguments.find(", ptr ") + 6);
    const std::uint64_t alignment =
        second.starts_with("align ") ? std::min<std::uint64_t>(number_in(second.substr(6)), 8) : 1;
    const std::uint64_t size = number_in(between(second, ", i64 ", ","));
    for (std::uint64_t at = 0; at < size && fields.size() <= most_fields;) {
      std::uint64_t part = alignment;
      while (part > size - at) part /= 2;
      fields.push_back({at, part});
      at += part;
    }
    return fields;
  }

  lines lines_;
  std::map<std::string, std::string_view, std::less<>> entries_;  // metadata, by its number
  std::string out_;
  std::set<std::string_view> locals_;  // of the function that is looked at
  std::size_t kept_ = 0;
};

}  // namespace

std::string keep_accesses(std::string_view module) { return module_text(module).keep(); }

}  // namespace simt::detail
