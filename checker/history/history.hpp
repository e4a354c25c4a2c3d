// A recorded history: its operations, what they returned, and when.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <simt/spec.hpp>

namespace warpcheck {

/// A point in time: the number of an event in the order of all events. No two events share one.
using event_time = std::uint32_t;
/// The return time of an operation that is still pending at the end.
inline constexpr event_time never = std::numeric_limits<event_time>::max();

struct recorded_operation {
  simt::spec::call what;  // with step 0
  bool completed = false;
  simt::spec::result returned;  // if the operation completed
  event_time called = 0;
  event_time returns = never;
  std::uint32_t call_line = 0;  // line of the file, from 1
  std::uint32_t return_line = 0;
};

/// Strings as values: opaque numbers at the far end of the range.
class value_names {
 public:
  simt::spec::value of(std::string_view text);
  /// Returns "7", or "\"text\"".
  [[nodiscard]] std::string text(simt::spec::value v) const;
  [[nodiscard]] bool is_name(simt::spec::value v) const { return v < first_number; }

  /// The least integer that a history may hold.
  static constexpr simt::spec::value first_number =
      std::numeric_limits<simt::spec::value>::min() + (simt::spec::value{1} << 40);

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, simt::spec::value> numbers_;
};

struct history {
  std::vector<recorded_operation> operations;  // in the order of their calls
  std::vector<std::string> clients;            // names, by the number in call::client
  value_names names;
};

/// Reads JSON Lines as docs/histories.md describes them. Throws usage_error "file:line: what; what
/// to do".
history read_history(const std::filesystem::path& file, const simt::spec::specification& spec);
history parse_history(std::string_view text, const std::string& file,
                      const simt::spec::specification& spec);

/// Returns "enqueue 1", and with its result "dequeue → 2" or "dequeue → empty".
std::string call_text(const history& of, const simt::spec::specification& spec,
                      const simt::spec::call& what);
std::string operation_text(const history& of, const simt::spec::specification& spec,
                           const recorded_operation& what);
std::string result_text(const history& of, const simt::spec::operation& what,
                        const simt::spec::result& returned);
/// Returns "[1, 2]".
std::string state_text(const history& of, const simt::spec::state& what);

}  // namespace warpcheck
