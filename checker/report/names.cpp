// Finds names in debug information, and keeps those it has found.
#include "checker/report/names.hpp"

#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <simt/detail/mbarrier_word.hpp>

namespace warpcheck {
namespace {

// Reading debug information takes longer than most explorations, so each file is read once.
std::shared_ptr<const simt::debug_info> info_of(const std::filesystem::path& file) {
  static std::map<std::filesystem::path, std::shared_ptr<const simt::debug_info>> known;
  auto& info = known[file];
  if (!info) info = std::make_shared<simt::debug_info>(file);
  return info;
}

// The workload's members, and the member that is the subject itself.
struct wrapper {
  std::string_view workload, subject;
  std::vector<std::string_view> others;
};
const wrapper wrappers[] = {
    {"counter", "lock", {"counter"}}, {"kernel", "kernel", {}}, {"operations", "object", {}}};

std::string real_text(std::uint64_t bits, std::uint32_t size) {
  if (size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return size == 8 ? fmt::format("{}", std::bit_cast<double>(bits)) : fmt::format("{:#x}", bits);
}

bool is_member(std::string_view path, std::string_view member) {
  return path.starts_with(member) &&
         (path.size() == member.size() || path[member.size()] == '.' || path[member.size()] == '[');
}

}  // namespace

// The parity tells phases apart.
std::string mbarrier_text(std::uint64_t word) {
  namespace detail = simt::detail;
  if (!detail::mbarrier_is_live(word)) return "not initialized";
  const std::uint32_t expected = detail::mbarrier_expected_arrivals(word);
  const auto arrived = std::int64_t{expected} - detail::mbarrier_pending_arrivals(word);
  std::string text =
      fmt::format("phase {}: {} of {} arrived", detail::mbarrier_parity(word), arrived, expected);
  const std::int32_t bytes = detail::mbarrier_pending_bytes(word);
  if (bytes > 0) text += fmt::format(", {} bytes outstanding", bytes);
  if (bytes < 0) text += fmt::format(", {} bytes more than expected", -bytes);
  return text;
}

names::names(const session& run)
    : run_(run),
      info_(info_of(run.setup().library->file)),
      type_(simt::workload_type(*run.setup().entry)) {}

std::string names::no_result(std::uint32_t number) const {
  const object_setup& object = run_.object();
  if (object.monitor == nullptr) return "none";
  return object.spec->operations()[object.monitor->meaning(number)].none;
}

std::string names::in_object(const std::string& path) const {
  const auto& entry = *run_.setup().entry;
  for (const wrapper& w : wrappers) {
    if (w.workload != entry.workload) continue;
    const std::string prefix = fmt::format("{}.", w.subject);
    if (!path.starts_with(prefix)) return path;
    std::string stripped = path.substr(prefix.size());
    for (const std::string_view other : w.others) {
      if (is_member(stripped, other)) return path;
    }
    return stripped;
  }
  return path;
}

simt::named_data names::in_shared(const simt::allocation& a, std::uint64_t offset) const {
  const auto slots = static_cast<std::uint32_t>(run_.setup().library->shared.size());
  simt::named_data data = info_->shared(run_.memory().shared_slot(a), slots, offset);
  if (run_.setup().grid.blocks > 1) data.name = fmt::format("b{} {}", a.block, data.name);
  return data;
}

/// For an address where nothing lies: names the nearest allocation, on whichever side.
std::string names::near_to(std::uint64_t address) const {
  const simt::allocation* a = nullptr;
  std::uint64_t best = ~std::uint64_t{0};
  for (const simt::allocation& candidate : run_.memory().allocations()) {
    const std::uint64_t end = candidate.address + candidate.size;
    const std::uint64_t distance =
        address < candidate.address ? candidate.address - address : address - end + 1;
    if (distance < best) {
      best = distance;
      a = &candidate;
    }
  }
  if (a == nullptr || best > 4096) return address < 4096 ? "null" : fmt::format("{:#x}", address);
  std::string name = a->name;
  if (a->what == simt::allocation::kind::object) name = "the object";
  if (a->what == simt::allocation::kind::shared) name = in_shared(*a, 0).name;
  if (address < a->address) return fmt::format("{} bytes before {}", best, name);
  return best == 1 ? fmt::format("just behind {}", name)
                   : fmt::format("{} bytes behind the end of {}", best - 1, name);
}

simt::named_data names::find_data(std::uint64_t address) {
  const simt::device_memory& memory = run_.memory();
  const simt::allocation* a = memory.find(address, 1);
  if (a == nullptr) return {near_to(address), {}};
  const std::uint64_t offset = address - a->address;
  switch (a->what) {
    case simt::allocation::kind::object: {
      simt::named_data data = info_->member(type_, offset);
      data.name = in_object(data.name);
      return data;
    }
    case simt::allocation::kind::global: return info_->variable(a->name, offset);
    case simt::allocation::kind::shared: return in_shared(*a, offset);
    case simt::allocation::kind::array: break;
  }
  // The object's pointer to the array tells its element type.
  const auto& image = memory.initial_image();
  for (const simt::allocation& owner : memory.allocations()) {
    if (owner.what != simt::allocation::kind::object) continue;
    for (std::uint64_t at = 0; at + 8 <= owner.size; at += 8) {
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, image.data() + owner.offset + at, 8);
      if (pointer != a->address) continue;
      simt::named_data data = info_->element(type_, at, offset);
      data.name = a->name + data.name;
      return data;
    }
  }
  return {fmt::format("{}+{}", a->name, offset), {}};
}

/// Whether some lane uses the 8 bytes there as an mbarrier. The shared memory of a kernel is bytes
/// without types.
bool names::is_used_as_mbarrier(std::uint64_t address) const {
  const simt::lane_program& lanes = run_.lanes();
  for (simt::continuation c = 0; c < lanes.size(); ++c) {
    const simt::operation& op = lanes.at(c);
    if (op.kind != simt::operation_kind::memory || op.address != address) continue;
    using enum simt::detail::memory_kind;
    if (op.memory == mbarrier || (op.memory == store && op.compare != 0)) return true;
  }
  return false;
}

const simt::named_data& names::data_at(std::uint64_t address) {
  const auto [at, is_new] = variables_.try_emplace(address);
  if (is_new) {
    at->second = find_data(address);
    const simt::allocation* a = run_.memory().find(address, 8);
    const bool is_shared = a != nullptr && a->what == simt::allocation::kind::shared;
    if (is_shared && address % 8 == 0 && is_used_as_mbarrier(address)) {
      at->second.type = {};
      at->second.type.what = simt::value_type::kind::mbarrier;
    }
  }
  return at->second;
}

const std::string& names::variable(std::uint64_t address) { return data_at(address).name; }

const source_place& names::place(std::uint64_t return_address) {
  const auto [at, is_new] = places_.try_emplace(return_address);
  if (is_new) at->second = place_of(*info_, return_address);
  return at->second;
}

const std::string& names::barrier_call(std::uint64_t return_address) {
  const auto [at, is_new] = barrier_calls_.try_emplace(return_address);
  if (is_new) at->second = warpcheck::barrier_call(*info_, return_address);
  return at->second;
}

const source_place& names::block(std::uint32_t number) {
  const auto [at, is_new] = blocks_.try_emplace(number);
  const auto& blocks = run_.setup().library->blocks;
  // A return address lies just after the call that it belongs to.
  if (is_new && number < blocks.size()) at->second = place_of(*info_, blocks[number].address + 1);
  return at->second;
}

// Only values of 8 bytes are addresses, and small ones are not.
bool names::is_address(std::uint64_t value, std::uint32_t size) const {
  return size == 8 && value >= 4096 && run_.memory().find(value, 1) != nullptr;
}

std::string names::value(std::uint64_t value, std::uint32_t size) {
  if (is_address(value, size)) return "&" + variable(value);
  if (size >= 8) return fmt::format("{}", static_cast<std::int64_t>(value));
  const unsigned unused = 64U - size * 8U;
  return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
}

std::string names::value_at(std::uint64_t address, std::uint64_t value, std::uint32_t size) {
  const simt::value_type& type = data_at(address).type;
  const unsigned unused = size >= 8 ? 0U : 64U - size * 8U;
  const std::uint64_t bits = value << unused >> unused;
  const auto number = static_cast<std::int64_t>(value << unused) >> unused;
  const bool has_sign = type.what == simt::value_type::kind::signed_integer;
  const auto named = type.enumerators.find(has_sign ? number : static_cast<std::int64_t>(bits));
  if (named != type.enumerators.end()) return named->second;
  if (type.what == simt::value_type::kind::real) return real_text(bits, size);
  if (type.what == simt::value_type::kind::mbarrier && size == 8) return mbarrier_text(bits);
  if (type.what == simt::value_type::kind::boolean && bits <= 1)
    return bits != 0 ? "true" : "false";
  if (has_sign || is_address(bits, size)) return names::value(value, size);
  // Few counters get this large; masks and keys do.
  return bits < 1U << 16U ? fmt::format("{}", bits) : fmt::format("{:#x}", bits);
}

const simt::value_type& names::type(std::uint64_t address) { return data_at(address).type; }

std::string names::lane(std::uint32_t lane) const {
  return simt::lane_name(lane, run_.setup().grid);
}

namespace {

// Returns runs of neighbours: the first and the last of each.
std::vector<std::pair<std::uint32_t, std::uint32_t>> runs_of(
    const std::vector<std::uint32_t>& lanes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  for (const std::uint32_t lane : lanes) {
    if (!runs.empty() && runs.back().second + 1 == lane) {
      runs.back().second = lane;
    } else {
      runs.emplace_back(lane, lane);
    }
  }
  return runs;
}

}  // namespace

std::string names::lanes(const std::vector<std::uint32_t>& lanes) const {
  std::vector<std::string> parts;
  for (const auto& [first, last] : runs_of(lanes)) {
    if (last - first >= 2) {
      parts.push_back(fmt::format("{} to {}", lane(first), lane(last)));
    } else {
      for (std::uint32_t l = first; l <= last; ++l) parts.push_back(lane(l));
    }
  }
  if (parts.empty()) return "nobody";
  const std::string last = parts.back();
  parts.pop_back();
  return parts.empty() ? last : fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

std::string names::lane_range(const std::vector<std::uint32_t>& lanes) const {
  std::vector<std::string> parts;
  for (const auto& [first, last] : runs_of(lanes)) {
    const std::string begin = lane(first);
    if (first == last) {
      parts.push_back(begin);
      continue;
    }
    std::string end = lane(last);
    // Within one warp, the end only needs its lane.
    const auto dot = begin.rfind('.');
    if (end.substr(0, end.rfind('.')) == begin.substr(0, dot)) end = end.substr(end.rfind('.') + 1);
    parts.push_back(fmt::format("{}–{}", begin, end));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace warpcheck
