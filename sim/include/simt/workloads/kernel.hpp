// The workload "kernel": every client calls the subject once. The subject may check the outcome.
#pragma once

#include <cstdint>

#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/workloads/final_check.hpp>

namespace simt {

template <class T>
concept callable_kernel = requires(T kernel) {
  kernel();
};

template <class Kernel>
struct kernel_workload {
  static constexpr const char* name = "kernel";

  Kernel kernel;

  SIMT_FN void run(std::uint32_t) { kernel(); }

  /// With `repeat` for_ever, as in the workload "counter".
  SIMT_FN void run_for_ever(std::uint32_t repeat) {
    for (const std::uint32_t i = 0; i < repeat;) {
      detail::event_call(0, 0, 0, 0);
      kernel();
      detail::event_return(0, false, 0);
    }
  }

  SIMT_UNTRACED const char* check(const launch_shape& shape) const {
    return detail::final_check(kernel, shape);
  }
};

}  // namespace simt
