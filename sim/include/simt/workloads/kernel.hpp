// The workload "kernel": every client calls the subject once. The subject may check the outcome.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>

namespace simt {

using launch_shape = detail::launch_shape;

template <class T>
concept callable_kernel = requires(T kernel) {
  kernel();
};

namespace detail {

SIMT_DETAIL_MEMBER(check);

/// A number, of mistakes say, would be taken for "all is well".
template <class R>
concept final_answer = std::is_same_v < std::remove_cvref_t<R>,
bool > || std::is_convertible_v<R, const char*>;

}  // namespace detail

/// `check() const`, with or without the shape, returns bool (true: all is well) or a message (null:
/// all is well).
template <class T>
concept checks_itself = requires(const T& kernel) {
  { kernel.check() } -> detail::final_answer;
};
template <class T>
concept checks_itself_by_shape = requires(const T& kernel, const launch_shape& shape) {
  { kernel.check(shape) } -> detail::final_answer;
};

namespace detail {

template <class T>
concept answers_without_shape = requires(T& kernel) {
  kernel.check();
};
template <class T>
concept answers_by_shape = requires(T& kernel, const launch_shape& shape) {
  kernel.check(shape);
};
template <class T, class R>
concept has_check_that_writes = requires {
  static_cast<R (T::*)()>(&T::check);
}
|| requires { static_cast<R (T::*)(const launch_shape&)>(&T::check); };

/// Several overloads of check() that could be meant, of which one alone would be called.
template <class T>
concept has_several_checks =
    !public_check<T> && ((answers_without_shape<T> && answers_by_shape<T>) ||
                         has_check_that_writes<T, bool> || has_check_that_writes<T, const char*>);

}  // namespace detail

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
    if constexpr (checks_itself_by_shape<Kernel>) {
      return message_of(kernel.check(shape));
    } else if constexpr (checks_itself<Kernel>) {
      return message_of(kernel.check());
    } else {
      (void)shape;
      return nullptr;
    }
  }

 private:
  static const char* message_of(const char* message) { return message; }
  static const char* message_of(bool holds) { return holds ? nullptr : "the final check failed"; }
};

}  // namespace simt
