// Searches code for immediate operands, and repeats a lane's way to see what the lane holds.
#include "checker/report/cause/near_values.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <span>

namespace warpcheck {
namespace {

// A report need not be complete, but it must come soon.
constexpr std::uint64_t code_before = 512, code_behind = 512;  // bytes
constexpr std::size_t most_constants = 40;
constexpr std::size_t most_locals = 32;
constexpr std::size_t most_words = 64;  // of a stack
constexpr std::size_t most_looked_at = 200'000;

struct address_range {
  std::uint64_t begin, end;
};

/// Returns the executable segment of a loaded file that contains `pc`; empty: there is none.
address_range segment_of(std::uint64_t pc) {
  struct search {
    std::uint64_t pc;
    address_range found{0, 0};
  } what{pc};
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* data) {
        auto& wanted = *static_cast<search*>(data);
        for (const ElfW(Phdr) & part : std::span(file->dlpi_phdr, file->dlpi_phnum)) {
          const std::uint64_t begin = file->dlpi_addr + part.p_vaddr;
          const bool is_code = part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0;
          if (!is_code || wanted.pc < begin || wanted.pc >= begin + part.p_memsz) continue;
          wanted.found = {begin, begin + part.p_memsz};
          return 1;
        }
        return 0;
      },
      &what);
  return what.found;
}

/// Returns the code around `pc` that is searched: only of its function, as far as that is known.
address_range code_around(const simt::subject_library& library, std::uint64_t pc) {
  address_range code = segment_of(pc);
  for (const simt::basic_block& block : library.blocks) {
    const std::uint64_t entry = library.blocks[block.function].address;
    if (entry <= pc) code.begin = std::max(code.begin, entry);
    if (entry > pc) code.end = std::min(code.end, entry);
  }
  return {std::max(code.begin, pc - std::min(pc, code_before)),
          std::min(code.end, pc + code_behind)};
}

#if defined(__x86_64__)

using byte_view = std::span<const std::uint8_t>;

/// Returns `size` bytes at the place, with their sign; none: there are fewer bytes.
std::optional<std::uint64_t> number_at(byte_view code, std::size_t place, std::size_t size) {
  if (place + size > code.size()) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, code.data() + place, size);
  const auto unused = static_cast<unsigned>(64 - size * 8);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

/// What the byte ModRM at the place says about an instruction.
struct operands {
  std::size_t end = 0;  // the end of the operands, where an immediate operand begins
  unsigned digit = 0;   // part of the opcode
  std::size_t displacement = 0, bytes = 0;
};

std::optional<operands> operands_at(byte_view code, std::size_t place) {
  if (place >= code.size()) return std::nullopt;
  const unsigned mod = code[place] >> 6U, low = code[place] & 7U;
  operands found{place + 1, code[place] >> 3U & 7U};
  if (mod == 3) return found;
  const bool has_index = low == 4;
  if (has_index && found.end >= code.size()) return std::nullopt;
  const bool is_far = has_index && (code[found.end] & 7U) == 5;
  if (has_index) ++found.end;
  if (mod == 1) found.bytes = 1;
  if (mod == 2 || (mod == 0 && (low == 5 || is_far))) found.bytes = 4;
  found.displacement = found.end;
  found.end += found.bytes;
  // An address relative to the instruction is no number of the program.
  if (mod == 0 && low == 5) found.bytes = 0;
  return found;
}

/// Returns the immediate operand of the instruction whose opcode is at the place, if it has one.
/// See Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
std::optional<std::uint64_t> immediate_at(byte_view code, std::size_t place) {
  const auto before = [&](std::size_t n) { return place >= n ? code[place - n] : std::uint8_t{0}; };
  const bool has_rex = (before(1) & 0xf0U) == 0x40;
  const bool is_wide = has_rex && (before(1) & 8U) != 0;
  const bool is_short = before(1) == 0x66 || (has_rex && before(2) == 0x66);
  const std::size_t usual = is_short ? 2 : 4;
  const std::uint8_t opcode = code[place];
  // add, or, adc, sbb, and, sub, xor, cmp with the accumulator; test with the accumulator
  if ((opcode & 0xc7U) == 0x05 || opcode == 0xa9) return number_at(code, place + 1, usual);
  if ((opcode & 0xc7U) == 0x04 || opcode == 0xa8) return number_at(code, place + 1, 1);
  if ((opcode & 0xf8U) == 0xb8) return number_at(code, place + 1, is_wide ? 8 : usual);  // mov
  if (opcode == 0x0f) {                                                                  // bt
    const auto bit = place + 1 < code.size() && code[place + 1] == 0xba
                         ? operands_at(code, place + 2)
                         : std::nullopt;
    if (!bit || bit->digit != 4) return std::nullopt;
    const auto number = number_at(code, bit->end, 1);
    return number && *number < 64 ? std::optional(std::uint64_t{1} << *number) : std::nullopt;
  }
  const auto of = operands_at(code, place + 1);
  if (!of) return std::nullopt;
  switch (opcode) {
    case 0x80:
    case 0x83: return number_at(code, of->end, 1);  // add to cmp, with a register or memory
    case 0x81: return number_at(code, of->end, usual);
    case 0x69: return number_at(code, of->end, usual);  // imul
    case 0x6b: return number_at(code, of->end, 1);
    case 0xc0:
    case 0xc1: return number_at(code, of->end, 1);                                      // shifts
    case 0xc7: return of->digit == 0 ? number_at(code, of->end, usual) : std::nullopt;  // mov
    case 0xf6: return of->digit == 0 ? number_at(code, of->end, 1) : std::nullopt;      // test
    case 0xf7: return of->digit == 0 ? number_at(code, of->end, usual) : std::nullopt;
    case 0x8d:  // lea
      return of->bytes != 0 ? number_at(code, of->displacement, of->bytes) : std::nullopt;
    default: return std::nullopt;
  }
}

#endif

}  // namespace

std::vector<std::uint64_t> constants_near(const simt::subject_library& library, std::uint64_t pc) {
  std::vector<std::uint64_t> found;
#if defined(__x86_64__)
  const address_range range = code_around(library, pc);
  if (pc < range.begin || pc >= range.end) return found;
  const byte_view code(reinterpret_cast<const std::uint8_t*>(range.begin),
                       static_cast<std::size_t>(range.end - range.begin));
  const auto here = static_cast<std::size_t>(pc - range.begin);
  const auto look_at = [&](std::size_t place) {
    const auto number = immediate_at(code, place);
    // Values up to 16 are tried anyway.
    if (!number || *number <= 16 || found.size() >= most_constants) return;
    if (std::ranges::find(found, *number) == found.end()) found.push_back(*number);
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (here + i < code.size()) look_at(here + i);
    if (i < here) look_at(here - i - 1);
  }
#else
  static_cast<void>(library);
  static_cast<void>(pc);
#endif
  return found;
}

/// Finds the shortest ways from where lanes start, by answers that the search knows.
void lane_locals::walk() {
  simt::lane_program& lanes = run_.lanes();
  std::deque<simt::continuation> queue;
  for (std::uint32_t launch = 0; launch < lanes.launches(); ++launch) {
    const simt::continuation start = lanes.start(launch);
    starts_.push_back(start);
    if (met_.emplace(start, arrival{start, 0}).second) queue.push_back(start);
  }
  while (!queue.empty() && met_.size() < most_looked_at) {
    const simt::continuation at = queue.front();
    queue.pop_front();
    lanes.for_each_known(at, [&](std::uint64_t answer, simt::continuation next) {
      if (met_.emplace(next, arrival{at, answer}).second) queue.push_back(next);
    });
  }
}

std::optional<lane_locals::way> lane_locals::way_to(simt::continuation c) const {
  if (!met_.contains(c)) return std::nullopt;
  way found;
  auto start = std::ranges::find(starts_, c);
  for (; start == starts_.end(); start = std::ranges::find(starts_, c)) {
    const arrival& last = met_.at(c);
    // A lane does not stop at a branch.
    if (run_.lanes().at(last.from).kind != simt::operation_kind::branch) {
      found.answers.push_back(last);
    }
    c = last.from;
  }
  found.launch = static_cast<std::uint32_t>(start - starts_.begin());
  std::ranges::reverse(found.answers);
  return found;
}

simt::lane_image lane_locals::image_at_end(const way& of) {
  const simt::machine_setup& setup = run_.setup();
  const simt::detail::subject_entry& entry = *setup.entry;
  if (!runner_) runner_.emplace(setup.library, run_.memory(), run_.lanes().stops_at_branches());
  const bool endless = setup.repeat == simt::detail::for_ever && entry.endless != nullptr;
  simt::lane_image image =
      runner_->start_body(endless ? entry.endless : entry.body,
                          entry.next_launch != nullptr ? of.launch : setup.repeat);
  for (const arrival& each : of.answers) image = runner_->resume(image, each.answer);
  return image;
}

std::vector<std::uint64_t> lane_locals::at(simt::continuation c, std::uint8_t size) {
  std::vector<std::uint64_t> found;
  if (starts_.empty()) walk();
  const auto way = way_to(c);
  if (!way || way->answers.size() > work_left_) return found;
  work_left_ -= way->answers.size();
  simt::lane_image image;
  try {
    image = image_at_end(*way);
  } catch (const std::exception&) {
    return found;  // an earlier run went this way, but this run need not
  }
  if (image.next.pc != run_.lanes().at(c).pc) return found;
  const std::size_t bytes = std::min(image.stack.size(), most_words * 8);
  const simt::subject_library& library = *run_.setup().library;
  for (std::size_t place = 0; place + size <= bytes && found.size() < most_locals; place += size) {
    const auto dead = std::span(image.dead).subspan(place, size);
    if (std::ranges::any_of(dead, [](std::uint8_t d) { return d != 0; })) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, image.stack.data() + place, size);
    // Values up to 16 are tried anyway.
    const bool is_code = value >= library.code_begin && value < library.code_end;
    if (value <= 16 || is_code) continue;
    if (std::ranges::find(found, value) == found.end()) found.push_back(value);
  }
  return found;
}

}  // namespace warpcheck
