// Provides the PTX of subjects for runs under `stack`: compiled when needed, or prepared before.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "checker/scenario/scenario.hpp"
#include "sim/compile/ptx.hpp"

namespace warpcheck {

/// The order of the arms of branches in the code, which decides which arm the GPU runs first.
enum class arm_order : std::uint8_t { as_written, swapped };

inline constexpr std::array<std::string_view, 2> arm_order_names{"as written", "swapped"};

constexpr std::string_view name(arm_order o) {
  return arm_order_names[static_cast<std::size_t>(o)];
}

/// Throws simt::compile_error if there is no clang to make PTX.
void require_ptx_compiler();

class stack_code {
 public:
  /// `folder` was made by prepare_ptx(); nothing: the PTX is compiled here.
  explicit stack_code(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  /// Says why there can be no PTX; empty: there can be.
  [[nodiscard]] std::string why_not() const;

  /// Returns the PTX of the scenario's subject. Throws usage_error if the folder does not have it,
  /// or the subject has changed since. Throws simt::compile_error if it does not compile.
  [[nodiscard]] simt::ptx_files of(const scenario& what) const;

 private:
  std::optional<std::filesystem::path> folder_;
};

/// Compiles the scenario's subject to a folder, for another machine. Throws as stack_code::of does.
void prepare_ptx(const scenario& what, const std::filesystem::path& folder);

}  // namespace warpcheck
