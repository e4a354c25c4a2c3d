// The workload "kernel": every client calls the subject once, in each launch. The subject may check
// the outcome.
#pragma once

#include <concepts>
#include <cstdint>

#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>
#include <simt/workloads/final_check.hpp>

namespace simt {

/// The body may take the number of its launch, from 0.
template <class T>
concept callable_with_launch = requires(T kernel, std::uint32_t launch) {
  kernel(launch);
};
template <class T>
concept callable_kernel = callable_with_launch<T> || requires(T kernel) {
  kernel();
};

/// A program of several launches. `bool next_launch(std::uint32_t launch)` runs on the host when
/// all lanes of the launch before have exited. It may change memory; true: launch again, and that
/// launch has this number; false: there is none, and the program is complete.
template <class T>
concept launched_again = requires(T kernel, std::uint32_t launch) {
  { kernel.next_launch(launch) } -> std::same_as<bool>;
};

namespace detail {

SIMT_DETAIL_MEMBER(next_launch);

}  // namespace detail

template <class Kernel>
struct kernel_workload {
  static constexpr const char* name = "kernel";

  Kernel kernel;

  /// A kernel repeats nothing: `launch` is the number of the launch.
  SIMT_FN void run(std::uint32_t launch) { call(launch); }

  /// With `repeat` for_ever, as in the workload "counter".
  SIMT_FN void run_for_ever(std::uint32_t repeat) {
    for (const std::uint32_t i = 0; i < repeat;) {
      detail::event_call(0, 0, 0, 0);
      call(0);
      detail::event_return(0, false, 0);
    }
  }

  SIMT_UNTRACED bool next_launch(std::uint32_t launch) requires launched_again<Kernel> {
    return kernel.next_launch(launch);
  }

  SIMT_UNTRACED const char* check(const launch_shape& shape) const {
    return detail::final_check(kernel, shape);
  }

 private:
  SIMT_FN void call([[maybe_unused]] std::uint32_t launch) {
    if constexpr (callable_with_launch<Kernel>) {
      kernel(launch);
    } else {
      kernel();
    }
  }
};

}  // namespace simt
