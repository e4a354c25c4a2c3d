// Sequential specifications: what an object does when its operations come one at a time.
//
// A specification is a small value type. Its data members are its parameters (a capacity, a first
// value); its state is a sequence of 64-bit values that it keeps canonical: equal states are equal
// sequences. So every state can be compared, hashed and written as bytes without more code.
//
//   struct toggle {
//     static constexpr const char* name = "toggle";
//     static std::vector<simt::spec::operation> operations() {
//       return {{"flip", {}, simt::spec::type::boolean}};
//     }
//     simt::spec::state initial() const { return {0}; }
//     void apply(const simt::spec::state& before, const simt::spec::call&,
//                simt::spec::outcomes& out) const {
//       out.add(simt::spec::some(before[0]), {1 - before[0]});
//     }
//   };
//   SIMT_SPEC(toggle);
//
// A specification may also have, each of them a promise that checkers rely on:
//   static std::vector<parameter_of<T>> parameters()   members that `name:member=number` sets
//   value part(const call&) const     operations of different parts never affect each other: the
//                                     object is a product of objects, one a part
//   role role_of(const call&, const result&) const     see `role`
//   static constexpr family known_as  the object behaves as one with an algorithm of its own
//   static constexpr bool uses_clients = true          `apply` reads call::client; it may not, else
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <simt/detail/members.hpp>

namespace simt::spec {

using value = std::int64_t;
using state = std::vector<value>;

/// The type of an argument or result. A `value` is opaque (a number, or a string in a recorded
/// history). The specification calculates with or compares a `number`.
enum class type : std::uint8_t {
  nothing,  // results only
  boolean,  // 0 or 1
  number,
  value,
  maybe_value,  // results only: a value, or none
};

struct argument {
  const char* name;
  type what;
  /// Values for generated clients. Empty: each call gets a new value, or the numbers 1 and 2.
  std::vector<value> examples{};
};

struct operation {
  const char* name;
  std::vector<argument> arguments;
  type returns = type::nothing;
  const char* none = "none";           // the word for the result that is no value: "empty"
  std::vector<const char*> aliases{};  // other names that histories may use
  /// How many atomic steps the operation has. Only a rendezvous needs more than one. The steps of
  /// one call are taken in order, other operations may come between, and only the last step
  /// returns.
  std::uint32_t steps = 1;
};

inline constexpr std::size_t max_arguments = 3;

struct call {
  std::uint32_t operation = 0;  // index in operations()
  std::uint32_t step = 0;       // from 0; see operation::steps
  std::uint32_t client = 0;     // who calls; each client has one call at a time
  value arguments[max_arguments] = {};

  friend bool operator==(const call&, const call&) = default;
};

/// A value, or none. None stands for "nothing is returned", and for "there was nothing to return".
struct result {
  bool is_some = false;
  value what = 0;

  friend bool operator==(const result&, const result&) = default;
};
inline constexpr result none{};
constexpr result some(value what) { return {true, what}; }

/// The outcomes of a call in a state. No outcome: the call is not enabled, and waits. Several: any
/// of them may happen.
class outcomes {
 public:
  struct outcome {
    result returned;
    state after;
  };

  void add(result returned, state after) { all_.push_back({returned, std::move(after)}); }
  void clear() { all_.clear(); }
  [[nodiscard]] const std::vector<outcome>& all() const { return all_; }

 private:
  std::vector<outcome> all_;
};

/// What a completed operation means for the rest of a history. Both members are promises.
struct role {
  /// The operation changed nothing: without it, the rest is as legal as before.
  bool observer = false;
  /// Without all operations of its group, the rest is as legal as before.
  std::optional<value> group{};

  static role of(value group, bool observer = false) { return {observer, group}; }
};

/// Objects for which there are faster algorithms than a search (docs/histories.md). Operation 0
/// puts or writes its argument, operation 1 takes or reads and returns a value or none.
/// `transactions`: operation 0 begins a transaction, operation 1 commits it and returns a boolean,
/// operation 2 aborts it. `apply` says what the other operations do if no transaction interrupts
/// another. An operation that returns none, or false, has been aborted with its transaction
/// (docs/transactions.md).
enum class family : std::uint8_t { other, fifo, lifo, read_write, transactions };

struct parameter {
  const char* name;
  value least;
  value preset;
};

template <class T>
struct parameter_of {
  const char* name;
  value T::*member;
  value least;
};

/// A specification whose type is not known, which is what checkers work with.
class specification {
 public:
  specification() = default;
  specification(const specification&) = delete;
  specification& operator=(const specification&) = delete;
  virtual ~specification() = default;

  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual const std::vector<operation>& operations() const = 0;
  [[nodiscard]] virtual std::vector<parameter> parameters() const = 0;
  /// Sets a parameter. False: there is no such parameter, or `to` is less than its least value.
  virtual bool set(std::string_view parameter, value to) = 0;
  [[nodiscard]] virtual state initial() const = 0;
  /// Adds the outcomes of `what` in the state `before`.
  virtual void apply(const state& before, const call& what, outcomes& out) const = 0;
  /// The part of the object that a call affects. None: the object has only one part.
  [[nodiscard]] virtual std::optional<value> part(const call& what) const = 0;
  [[nodiscard]] virtual role role_of(const call& what, const result& returned) const = 0;
  [[nodiscard]] virtual family known_as() const = 0;
  [[nodiscard]] virtual bool uses_clients() const = 0;
};

namespace detail {

SIMT_DETAIL_MEMBER(parameters);
SIMT_DETAIL_MEMBER(initial);
SIMT_DETAIL_MEMBER(part);
SIMT_DETAIL_MEMBER(role_of);
SIMT_DETAIL_MEMBER(known_as);
SIMT_DETAIL_MEMBER(uses_clients);

template <class T>
concept has_parameters = requires {
  { T::parameters() } -> std::convertible_to<std::vector<parameter_of<T>>>;
};
template <class T>
concept has_initial = requires(const T& it) {
  { it.initial() } -> std::convertible_to<state>;
};
template <class T>
concept has_part = requires(const T& it, const call& what) {
  { it.part(what) } -> std::convertible_to<std::optional<value>>;
};
template <class T>
concept has_role_of = requires(const T& it, const call& what, const result& returned) {
  { it.role_of(what, returned) } -> std::convertible_to<role>;
};
template <class T>
concept has_known_as = requires {
  typename std::integral_constant<family, T::known_as>;
};
template <class T>
concept has_uses_clients = requires {
  typename std::bool_constant<T::uses_clients>;
};

/// Each optional member must have the form that is used, or be absent, as for subjects.
template <class T>
constexpr void refuse_misfits() {
  static_assert(!has_member_parameters<T> || has_parameters<T>,
                "parameters() does not fit and would not be called; write it in public as static "
                "std::vector<simt::spec::parameter_of<T>> parameters()");
  static_assert(
      !has_member_initial<T> || has_initial<T>,
      "initial() does not fit and would not be called; write it in public as simt::spec::state "
      "initial() const");
  static_assert(
      !has_member_part<T> || has_part<T>,
      "part() does not fit and would not be called; write it in public as simt::spec::value "
      "part(const simt::spec::call&) const");
  static_assert(
      !has_member_role_of<T> || has_role_of<T>,
      "role_of() does not fit and would not be called; write it in public as simt::spec::role "
      "role_of(const simt::spec::call&, const simt::spec::result&) const");
  static_assert(
      !has_member_known_as<T> || has_known_as<T>,
      "known_as does not fit and would not be used; write it in public as static constexpr "
      "simt::spec::family known_as");
  static_assert(
      !has_member_uses_clients<T> || has_uses_clients<T>,
      "uses_clients does not fit and would not be used; write it in public as static constexpr "
      "bool uses_clients");
}

}  // namespace detail

template <class T>
class specification_of final : public specification {
 public:
  [[nodiscard]] const char* name() const override { return T::name; }
  [[nodiscard]] const std::vector<operation>& operations() const override { return operations_; }

  [[nodiscard]] std::vector<parameter> parameters() const override {
    std::vector<parameter> all;
    if constexpr (detail::has_parameters<T>) {
      for (const parameter_of<T>& p : T::parameters()) {
        all.push_back({p.name, p.least, it_.*p.member});
      }
    }
    return all;
  }

  bool set(std::string_view parameter, value to) override {
    if constexpr (detail::has_parameters<T>) {
      for (const parameter_of<T>& p : T::parameters()) {
        if (p.name != parameter || to < p.least) continue;
        it_.*p.member = to;
        return true;
      }
    }
    (void)parameter, (void)to;
    return false;
  }

  [[nodiscard]] state initial() const override {
    if constexpr (detail::has_initial<T>) {
      return it_.initial();
    } else {
      return {};
    }
  }

  void apply(const state& before, const call& what, outcomes& out) const override {
    it_.apply(before, what, out);
  }

  [[nodiscard]] std::optional<value> part(const call& what) const override {
    if constexpr (detail::has_part<T>) return it_.part(what);
    (void)what;
    return std::nullopt;
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const override {
    if constexpr (detail::has_role_of<T>) return it_.role_of(what, returned);
    (void)what, (void)returned;
    return {};
  }

  [[nodiscard]] family known_as() const override {
    if constexpr (detail::has_known_as<T>) return T::known_as;
    return family::other;
  }

  [[nodiscard]] bool uses_clients() const override {
    if constexpr (detail::has_uses_clients<T>) return T::uses_clients;
    return false;
  }

 private:
  T it_{};
  std::vector<operation> operations_ = T::operations();
};

template <class T>
std::unique_ptr<specification> make() {
  detail::refuse_misfits<T>();
  return std::make_unique<specification_of<T>>();
}

/// Makes a specification of the type, which the caller need not name.
using maker = std::unique_ptr<specification> (*)();

/// Appends the state as bytes: its length and its values. Each is in base 128, least group first,
/// with the sign in the lowest bit (LEB128 and zigzag, as in Protocol Buffers). Small values take
/// one byte. Equal states give equal bytes, and no encoding is a prefix of another.
inline void append_bytes(const state& from, std::string& to) {
  const auto append = [&to](std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) to += static_cast<char>(number | 0x80);
    to += static_cast<char>(number);
  };
  append(from.size());
  for (const value v : from) {
    append(static_cast<std::uint64_t>(v) << 1 ^ static_cast<std::uint64_t>(v >> 63));
  }
}

/// The state that append_bytes wrote at the front of `bytes`, which is then removed. Nothing: no
/// state stands there.
inline std::optional<state> take_bytes(std::string_view& bytes) {
  const auto take = [&bytes](std::uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  };
  std::uint64_t size = 0;
  if (!take(size) || size > bytes.size()) return std::nullopt;
  state read(static_cast<std::size_t>(size));
  for (value& v : read) {
    std::uint64_t number = 0;
    if (!take(number)) return std::nullopt;
    v = static_cast<value>(number >> 1 ^ (~(number & 1) + 1));
  }
  return read;
}

}  // namespace simt::spec

/// SIMT_SPEC(type); at namespace scope makes `type` a specification that the checker can use by its
/// name. In other builds of the same header (as a subject, by nvcc) it is nothing.
#if defined(SIMT_SPEC_BUILD)
extern "C" void simt_register_spec(::simt::spec::maker make);
#define SIMT_SPEC(...) SIMT_DETAIL_SPEC(__COUNTER__, __VA_ARGS__)
#define SIMT_DETAIL_SPEC(number, ...) SIMT_DETAIL_SPEC_AS(number, __VA_ARGS__)
#define SIMT_DETAIL_SPEC_AS(number, ...)                           \
  [[gnu::constructor]] static void simt_register_spec_##number() { \
    simt_register_spec(&::simt::spec::make<__VA_ARGS__>);          \
  }                                                                \
  static_assert(true)
#else
#define SIMT_SPEC(...) static_assert(true)
#endif
