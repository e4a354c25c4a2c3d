// Whether a type has a member of some name, whatever it is and whoever may use it.
//
// What the API calls only where a type has it ("optional members": init, check, ...) is looked for
// by a concept, which says no as well where the member is there but is private, or has other
// parameters. Then it would silently not be called. So each such name has a second question, by
// SIMT_DETAIL_MEMBER, and one that is there and does not fit is an error (subject.hpp, spec.hpp).
#pragma once

#include <type_traits>

namespace simt::detail {

/// What the address of a variable, static or not, is; that of a function is not.
template <class Address>
inline constexpr bool is_of_variable = std::is_member_object_pointer_v<Address> ||
                                       (std::is_pointer_v<Address> &&
                                        std::is_object_v<std::remove_pointer_t<Address>>);

}  // namespace simt::detail

/// SIMT_DETAIL_MEMBER(init) makes has_member_init<T>, and has_function_init<T> that leaves public
/// variables out. A name that T and another base class both have is ambiguous, also where it is
/// private. Of a class that is `final`, and of a union, only what is public can be seen. The name
/// of T itself, or of a public type within T, does not count.
#define SIMT_DETAIL_MEMBER(NAME)                                                       \
  struct other_##NAME {                                                                \
    int NAME;                                                                          \
  };                                                                                   \
  template <class T>                                                                   \
  struct with_##NAME : T, other_##NAME {};                                             \
  template <class T>                                                                   \
  concept unambiguous_##NAME = requires {                                              \
    &with_##NAME<T>::NAME;                                                             \
  };                                                                                   \
  template <class T>                                                                   \
  concept public_##NAME = requires {                                                   \
    &T::NAME;                                                                          \
  };                                                                                   \
  template <class T>                                                                   \
  constexpr bool find_##NAME() {                                                       \
    if constexpr (std::is_class_v<T> && !std::is_final_v<T>) {                         \
      return !unambiguous_##NAME<T>;                                                   \
    } else {                                                                           \
      return public_##NAME<T>;                                                         \
    }                                                                                  \
  }                                                                                    \
  template <class T>                                                                   \
  concept names_type_##NAME = requires {                                               \
    typename T::NAME;                                                                  \
  }                                                                                    \
  || requires(class T::NAME * own) { own; };                                           \
  template <class T>                                                                   \
  inline constexpr bool has_member_##NAME = find_##NAME<T>() && !names_type_##NAME<T>; \
  template <class T>                                                                   \
  concept is_variable_##NAME = requires {                                              \
    requires ::simt::detail::is_of_variable<decltype(&T::NAME)>;                       \
  };                                                                                   \
  template <class T>                                                                   \
  inline constexpr bool has_function_##NAME = has_member_##NAME<T> && !is_variable_##NAME<T>
