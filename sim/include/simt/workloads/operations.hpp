// The workload "operations": each client calls operations of an object, one after another, as the
// scenario lists them. Each call and each return is an event, which checkers of histories see. When
// all have returned, the object may check itself.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <simt/detail/backend.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/members.hpp>
#include <simt/detail/qualifiers.hpp>
#include <simt/maybe.hpp>
#include <simt/workloads/kernel.hpp>

namespace simt {
namespace detail {

/// A member function whose arguments are three integers (or enumerations) at most.
template <class F>
struct method {
  static constexpr bool fits = false;
};
template <class R, class C, class... A>
struct method<R (C::*)(A...)> {
  static constexpr bool fits =
      sizeof...(A) <= 3 && ((std::is_integral_v<A> || std::is_enum_v<A>)&&...);
  static constexpr unsigned arguments = sizeof...(A);
  using result = R;
  template <class Call, class T>
  SIMT_FN static R apply(T& object, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return unpack<Call, T, A...>(object, a, b, c);
  }

 private:
  template <class Call, class T>
  SIMT_FN static R unpack(T& object, std::uint64_t, std::uint64_t, std::uint64_t) {
    return Call::call(object);
  }
  template <class Call, class T, class A1>
  SIMT_FN static R unpack(T& object, std::uint64_t a, std::uint64_t, std::uint64_t) {
    return Call::call(object, static_cast<A1>(a));
  }
  template <class Call, class T, class A1, class A2>
  SIMT_FN static R unpack(T& object, std::uint64_t a, std::uint64_t b, std::uint64_t) {
    return Call::call(object, static_cast<A1>(a), static_cast<A2>(b));
  }
  template <class Call, class T, class A1, class A2, class A3>
  SIMT_FN static R unpack(T& object, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return Call::call(object, static_cast<A1>(a), static_cast<A2>(b), static_cast<A3>(c));
  }
};
template <class R, class C, class... A>
struct method<R (C::*)(A...) const> : method<R (C::*)(A...)> {};
template <class R, class C, class... A>
struct method<R (C::*)(A...) noexcept> : method<R (C::*)(A...)> {};
template <class R, class C, class... A>
struct method<R (C::*)(A...) const noexcept> : method<R (C::*)(A...)> {};

/// What an operation returns, as the checkers see it.
template <class R>
struct result_of {
  static_assert(std::is_integral_v<R> || std::is_enum_v<R>,
                "an operation returns nothing, bool, an integer, or simt::maybe of one");
  static constexpr auto kind =
      std::is_same_v<R, bool> ? operation_entry::result::boolean : operation_entry::result::number;
  SIMT_FN static bool is_some(R) { return true; }
  SIMT_FN static std::uint64_t bits(R value) { return static_cast<std::uint64_t>(value); }
};
template <class T>
struct result_of<maybe<T>> {
  static constexpr auto kind = operation_entry::result::maybe;
  SIMT_FN static bool is_some(const maybe<T>& value) { return value.is_some; }
  SIMT_FN static std::uint64_t bits(const maybe<T>& value) {
    return static_cast<std::uint64_t>(value.what);
  }
};

}  // namespace detail

/// Operations of an object, each made by SIMT_OPERATION.
template <class... Operations>
struct operation_list {};

/// SIMT_OPERATION(flip); at namespace scope makes `simt_operation_flip`, for an operation that is
/// not among those below. A type that has others than these lists its operations:
///   using operations = simt::operation_list<simt_operation_flip>;
#define SIMT_OPERATION(NAME)                                   \
  struct simt_operation_##NAME {                               \
    static constexpr const char* name = #NAME;                 \
    template <class T>                                         \
    requires requires { &T::NAME; }                            \
    using method = ::simt::detail::method<decltype(&T::NAME)>; \
    template <class T, class... A>                             \
    SIMT_FN static auto call(T& object, A... arguments) {      \
      return object.NAME(arguments...);                        \
    }                                                          \
  }

namespace detail {

SIMT_OPERATION(read);
SIMT_OPERATION(write);
SIMT_OPERATION(increment);
SIMT_OPERATION(decrement);
SIMT_OPERATION(add);
SIMT_OPERATION(fetch_add);
SIMT_OPERATION(push);
SIMT_OPERATION(pop);
SIMT_OPERATION(enqueue);
SIMT_OPERATION(dequeue);
SIMT_OPERATION(push_front);
SIMT_OPERATION(push_back);
SIMT_OPERATION(pop_front);
SIMT_OPERATION(pop_back);
SIMT_OPERATION(insert);
SIMT_OPERATION(erase);
SIMT_OPERATION(contains);
SIMT_OPERATION(put);
SIMT_OPERATION(get);
SIMT_OPERATION(delete_min);
SIMT_OPERATION(acquire);
SIMT_OPERATION(try_acquire);
SIMT_OPERATION(release);
SIMT_OPERATION(arrive_and_wait);
SIMT_OPERATION(arrive);
SIMT_OPERATION(wait);

using known_operations =
    operation_list<simt_operation_read, simt_operation_write, simt_operation_increment,
                   simt_operation_decrement, simt_operation_add, simt_operation_fetch_add,
                   simt_operation_push, simt_operation_pop, simt_operation_enqueue,
                   simt_operation_dequeue, simt_operation_push_front, simt_operation_push_back,
                   simt_operation_pop_front, simt_operation_pop_back, simt_operation_insert,
                   simt_operation_erase, simt_operation_contains, simt_operation_put,
                   simt_operation_get, simt_operation_delete_min, simt_operation_acquire,
                   simt_operation_try_acquire, simt_operation_release,
                   simt_operation_arrive_and_wait, simt_operation_arrive, simt_operation_wait>;

template <class T, class Operation>
concept offers = requires {
  typename Operation::template method<T>;
}
&&Operation::template method<T>::fits;

/// Those that T has, in their order.
template <class T, class List>
struct offered {
  using list = operation_list<>;  // `List` is none
};
template <class T>
struct offered<T, operation_list<>> {
  using list = operation_list<>;
};
template <class Operation, class List>
struct prepend;
template <class Operation, class... Others>
struct prepend<Operation, operation_list<Others...>> {
  using list = operation_list<Operation, Others...>;
};
template <class T, class First, class... Others>
struct offered<T, operation_list<First, Others...>> {
  using rest = typename offered<T, operation_list<Others...>>::list;
  using list = std::conditional_t<offers<T, First>, typename prepend<First, rest>::list, rest>;
};

template <class T>
concept lists_own_operations = requires {
  typename T::operations;
}
&&!std::is_same_v<typename T::operations, T>;

/// Whether all that T lists are operations.
template <class T, class List>
inline constexpr bool offers_all = false;
template <class T, class... Operations>
inline constexpr bool offers_all<T, operation_list<Operations...>> = (offers<T, Operations> && ...);
template <class T>
constexpr bool offers_what_it_lists() {
  if constexpr (lists_own_operations<T>) return offers_all<T, typename T::operations>;
  return true;
}

template <class T>
struct operations_of {
  using list = typename offered<T, known_operations>::list;
};
template <lists_own_operations T>
struct operations_of<T> {
  using list = typename offered<T, typename T::operations>::list;
};

SIMT_DETAIL_MEMBER(operations);
SIMT_DETAIL_MEMBER(spec);

template <class T>
inline constexpr bool has_operations =
    !std::is_same_v<typename operations_of<T>::list, operation_list<>>;

template <class T, class Operation>
constexpr operation_entry describe_operation() {
  using method = typename Operation::template method<T>;
  using result = typename method::result;
  if constexpr (std::is_void_v<result>) {
    return {Operation::name, method::arguments, operation_entry::result::nothing};
  } else {
    return {Operation::name, method::arguments, result_of<result>::kind};
  }
}

template <class T, class List>
struct operation_table;
template <class T, class... Operations>
struct operation_table<T, operation_list<Operations...>> {
  static constexpr std::uint32_t count = sizeof...(Operations);
  static constexpr operation_entry entries[count] = {describe_operation<T, Operations>()...};
};

template <class T>
concept names_spec = requires {
  { T::spec } -> std::convertible_to<const char*>;
  typename std::bool_constant<T::spec != nullptr>;
};

template <class T>
constexpr const char* spec_of() {
  if constexpr (names_spec<T>) {
    return T::spec;
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// `static constexpr const char* spec = "queue";` in the object's type names its specification,
/// with parameters if need be: "bounded_queue:capacity=2".
template <class Object>
struct operations_workload {
  static constexpr const char* name = "operations";
  using list = typename detail::operations_of<Object>::list;
  using table = detail::operation_table<Object, list>;
  static constexpr const detail::operation_entry* operations = table::entries;
  static constexpr std::uint32_t operation_count = table::count;
  static constexpr const char* spec = detail::spec_of<Object>();

  Object object;

  SIMT_FN void run(std::uint32_t) {
    for (unsigned number = 0;; number = detail::assigned_next(number)) {
      const unsigned which = detail::assigned_operation(number);
      if (which == detail::no_operation) break;
      choose<0>(list{}, which, number);
    }
  }

  /// If the object is a kernel as well, its check() is about what the kernel has done.
  SIMT_UNTRACED const char* check([[maybe_unused]] const launch_shape& shape) const {
    if constexpr (callable_kernel<Object>) {
      return nullptr;
    } else {
      return detail::final_check(object, shape);
    }
  }

 private:
  template <unsigned at>
  SIMT_FN void choose(operation_list<>, unsigned, unsigned) {}
  template <unsigned at, class First, class... Others>
  SIMT_FN void choose(operation_list<First, Others...>, unsigned which, unsigned number) {
    if constexpr (sizeof...(Others) == 0) {
      perform<at, First>(number);
    } else if (which == at) {
      perform<at, First>(number);
    } else {
      choose<at + 1>(operation_list<Others...>{}, which, number);
    }
  }

  template <unsigned at, class Operation>
  SIMT_FN void perform(unsigned number) {
    using method = typename Operation::template method<Object>;
    using result = typename method::result;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    if constexpr (method::arguments > 0) a = detail::assigned_argument(number, 0);
    if constexpr (method::arguments > 1) b = detail::assigned_argument(number, 1);
    if constexpr (method::arguments > 2) c = detail::assigned_argument(number, 2);
    detail::event_call(at, a, b, c);
    if constexpr (std::is_void_v<result>) {
      method::template apply<Operation>(object, a, b, c);
      detail::event_return(at, false, 0);
    } else {
      const result got = method::template apply<Operation>(object, a, b, c);
      using as = detail::result_of<result>;
      detail::event_return(at, as::is_some(got), as::bits(got));
    }
  }
};

}  // namespace simt
