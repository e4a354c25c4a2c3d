// Turns buffers and arguments of a launch into bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/scenario/kernel_launch.hpp"
#include "sim/ptx/launch.hpp"

namespace warpcheck {

/// Returns a number in the bytes of that type, little-endian. Nothing: it does not fit, or is no
/// number.
std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view number, simt::ptx::type as);

/// Returns the buffer with its first bytes. Throws usage_error.
simt::ptx::buffer buffer_of(const written_buffer& written);

/// Returns one argument for each parameter. Throws usage_error that lists the parameters.
std::vector<simt::ptx::argument> arguments_of(const simt::ptx::kernel& kernel,
                                              const kernel_launch& launch);

/// Returns the buffers of a launch, with the pointers that they hold. Throws usage_error.
std::vector<simt::ptx::buffer> buffers_of(const kernel_launch& launch);

/// Returns the variables of the module to which the launch gives values. Throws usage_error.
std::vector<simt::ptx::variable_value> variables_of(const simt::ptx::module& module,
                                                    const kernel_launch& launch);

/// Returns "0: u64 (a pointer)", for messages and lists.
std::string parameter_text(const simt::ptx::parameter& parameter, std::size_t number);

}  // namespace warpcheck
