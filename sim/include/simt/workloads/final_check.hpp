// The final check of a subject: what it says on the host when all lanes have exited.
#pragma once

#include <type_traits>

#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>
#include <simt/detail/qualifiers.hpp>

namespace simt {

using launch_shape = detail::launch_shape;

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
concept answers_by_shape = requires(T& kernel, launch_shape& shape) {
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

namespace detail {

SIMT_UNTRACED inline const char* message_of(const char* message) { return message; }
SIMT_UNTRACED inline const char* message_of(bool holds) {
  return holds ? nullptr : "the final check failed";
}

/// What the subject's check() says; null: all is well, or there is none.
template <class T>
SIMT_UNTRACED const char* final_check(const T& subject,
                                      [[maybe_unused]] const launch_shape& shape) {
  if constexpr (checks_itself_by_shape<T>) {
    return message_of(subject.check(shape));
  } else if constexpr (checks_itself<T>) {
    return message_of(subject.check());
  } else {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace simt
