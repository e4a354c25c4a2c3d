// The instructions of litmus tests.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "litmus/read/reader.hpp"

namespace litmus {

namespace {

template <class Value>
struct named {
  std::string_view name;
  Value what;
};

template <class Value, std::size_t N>
std::optional<Value> find(const std::array<named<Value>, N>& table, std::string_view name) {
  for (const auto& [known, what] : table) {
    if (known == name) return what;
  }
  return std::nullopt;
}

template <class Value, std::size_t N>
std::vector<std::string_view> names(const std::array<named<Value>, N>& table) {
  std::vector<std::string_view> all;
  for (const auto& one : table) all.push_back(one.name);
  return all;
}

constexpr std::array<named<scope>, 4> scopes{
    {{"cta", scope::cta}, {"cluster", scope::cluster}, {"gpu", scope::gpu}, {"sys", scope::sys}}};

constexpr std::array<named<operation>, 7> atomics{{{"add", operation::add},
                                                   {"sub", operation::sub},
                                                   {"and", operation::bit_and},
                                                   {"or", operation::bit_or},
                                                   {"xor", operation::bit_xor},
                                                   {"exch", operation::exchange},
                                                   {"cas", operation::compare_and_swap}}};

constexpr std::array<named<operation>, 4> arithmetic{{{"add", operation::add},
                                                      {"sub", operation::sub},
                                                      {"mul", operation::mul},
                                                      {"div", operation::div}}};

constexpr std::array<named<comparison>, 6> branches{{{"beq", comparison::equal},
                                                     {"bne", comparison::not_equal},
                                                     {"bge", comparison::greater_equal},
                                                     {"ble", comparison::less_equal},
                                                     {"bgt", comparison::greater},
                                                     {"blt", comparison::less}}};

constexpr std::array<named<memory_order>, 3> load_orders{{{"weak", memory_order::weak},
                                                          {"relaxed", memory_order::relaxed},
                                                          {"acquire", memory_order::acquire}}};

constexpr std::array<named<memory_order>, 3> store_orders{{{"weak", memory_order::weak},
                                                           {"relaxed", memory_order::relaxed},
                                                           {"release", memory_order::release}}};

constexpr std::array<named<memory_order>, 4> atomic_orders{{{"relaxed", memory_order::relaxed},
                                                            {"acquire", memory_order::acquire},
                                                            {"release", memory_order::release},
                                                            {"acq_rel", memory_order::acq_rel}}};

constexpr std::array<named<memory_order>, 2> fence_orders{
    {{"acq_rel", memory_order::acq_rel}, {"sc", memory_order::sc}}};

std::vector<std::string_view> split(std::string_view word) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = word.find('.');
    parts.push_back(word.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    word.remove_prefix(dot + 1);
  }
}

/// Reads one instruction, part by part.
class instruction_reader {
 public:
  instruction_reader(reader& in, std::size_t thread, std::vector<token>& labels)
      : in_(in), thread_(thread), labels_(labels), mnemonic_(in.next()) {}

  instruction read() {
    if (mnemonic_.what != token::kind::word) {
      in_.fail(fmt::format("{} is no instruction; write for example ld.acquire.gpu r0, x",
                           reader::shown(mnemonic_)));
    }
    in_.take();
    parts_ = split(mnemonic_.text);
    const std::string_view first = parts_[0];
    if (first == "ld") {
      read_load();
    } else if (first == "st") {
      read_store();
    } else if (first == "atom" || first == "red") {
      read_atomic(first == "red");
    } else if (first == "fence") {
      read_fence();
    } else if (first == "bar") {
      read_barrier();
    } else if (parts_.size() == 1 && first == "goto") {
      one_.code = opcode::jump;
      read_label();
    } else if (const auto how = find(branches, first); parts_.size() == 1 && how) {
      one_.code = opcode::branch;
      one_.comparison = *how;
      one_.a = read_operand();
      comma();
      one_.b = read_operand();
      comma();
      read_label();
    } else if (const auto what = find(arithmetic, first); parts_.size() == 1 && what) {
      one_.code = opcode::arithmetic;
      one_.operation = *what;
      read_destination();
      one_.a = read_operand();
      comma();
      one_.b = read_operand();
    } else {
      unknown();
    }
    return one_;
  }

 private:
  [[noreturn]] void unknown() {
    constexpr std::array<std::string_view, 17> known{"ld",  "st",  "atom", "red", "fence", "bar",
                                                     "add", "sub", "mul",  "div", "beq",   "bne",
                                                     "bge", "ble", "bgt",  "blt", "goto"};
    in_.fail(mnemonic_, fmt::format("there is no instruction {}; {}", reader::shown(mnemonic_),
                                    reader::nearest(
                                        parts_[0], known,
                                        fmt::format("it begins with {}", fmt::join(known, ", ")))));
  }

  /// The part of the mnemonic at `index`, which must be in the table.
  template <class Value, std::size_t N>
  Value part(std::size_t index, const std::array<named<Value>, N>& table, std::string_view what) {
    const auto known = names(table);
    if (index >= parts_.size()) {
      in_.fail(mnemonic_, fmt::format("{} has no {}; add one of .{}", reader::shown(mnemonic_),
                                      what, fmt::join(known, ", .")));
    }
    if (const auto found = find(table, parts_[index])) return *found;
    in_.fail(mnemonic_,
             fmt::format("{} has no {} \"{}\"; {}", parts_[0], what, parts_[index],
                         reader::nearest(parts_[index], known,
                                         fmt::format("it is one of {}", fmt::join(known, ", ")))));
  }

  void no_more_parts(std::size_t count) {
    if (parts_.size() <= count) return;
    in_.fail(mnemonic_, fmt::format("\".{}\" is too much in {}; remove it", parts_[count],
                                    reader::shown(mnemonic_)));
  }

  /// The order and, unless it is weak, the scope; at `index` and the next.
  template <std::size_t N>
  std::size_t read_order(std::size_t index, const std::array<named<memory_order>, N>& table) {
    one_.order = part(index, table, "order");
    if (one_.order == memory_order::weak) {
      if (index + 1 < parts_.size()) {
        in_.fail(mnemonic_,
                 fmt::format("a weak access has no scope; remove \".{}\"", parts_[index + 1]));
      }
      return index + 1;
    }
    one_.scope = part(index + 1, scopes, "scope");
    return index + 2;
  }

  void read_load() {
    one_.code = parts_.size() == 1 ? opcode::move : opcode::load;
    if (one_.code == opcode::move) {
      read_destination();
      one_.a = read_operand(
          "a plain ld moves registers and integers; to load, write for example "
          "ld.weak r0, x");
      return;
    }
    no_more_parts(read_order(1, load_orders));
    read_destination();
    read_location();
  }

  void read_store() {
    one_.code = opcode::store;
    no_more_parts(read_order(1, store_orders));
    read_location();
    comma();
    one_.a = read_operand();
  }

  void read_atomic(bool red) {
    one_.code = red ? opcode::red : opcode::atom;
    const std::size_t at = read_order(1, atomic_orders);
    one_.operation = part(at, atomics, "operation");
    no_more_parts(at + 1);
    const bool cas = one_.operation == operation::compare_and_swap;
    if (red && (cas || one_.operation == operation::exchange)) {
      in_.fail(
          mnemonic_,
          fmt::format("red has no {}; write atom, with a register for the old value", parts_[at]));
    }
    if (!red) read_destination();
    read_location();
    comma();
    one_.a = read_operand();
    if (!cas) return;
    comma();
    one_.b = read_operand();
  }

  void read_fence() {
    one_.code = opcode::fence;
    one_.order = part(1, fence_orders, "order");
    one_.scope = part(2, scopes, "scope");
    no_more_parts(3);
  }

  void read_barrier() {
    if (parts_.size() < 3 || parts_[1] != "cta" || (parts_[2] != "sync" && parts_[2] != "arrive")) {
      in_.fail(mnemonic_,
               fmt::format("there is no barrier {}; write bar.cta.sync or bar.cta.arrive",
                           reader::shown(mnemonic_)));
    }
    no_more_parts(3);
    one_.code = parts_[2] == "sync" ? opcode::barrier : opcode::arrive;
    one_.instance =
        in_.integer(fmt::format("{} is no integer; a barrier's instance is one: bar.cta.sync 1",
                                reader::shown(in_.next())));
    if (!in_.take_if(",")) return;
    one_.resource = read_operand();
    if (in_.take_if(",")) one_.quorum = read_operand();
  }

  void read_destination() {
    if (!reader::is_register(in_.next())) {
      in_.fail(fmt::format("{} is no register; the result goes into r0, r1, …",
                           reader::shown(in_.next())));
    }
    one_.destination = in_.register_index(thread_, in_.take().text);
    comma();
  }

  void read_location() {
    one_.location = in_.location_in_brackets("memory is named by a word: x, y, flag");
  }

  operand read_operand(std::string_view remedy = "write a register or an integer") {
    operand result;
    if (in_.integer_follows()) {
      result.integer = in_.integer("");
      return result;
    }
    if (!reader::is_register(in_.next())) {
      in_.fail(fmt::format("{} is no value; {}", reader::shown(in_.next()), remedy));
    }
    result.is_register = true;
    result.index = in_.register_index(thread_, in_.take().text);
    return result;
  }

  void read_label() {
    if (in_.next().what != token::kind::word) {
      in_.fail(fmt::format("{} is no label; write for example LC00", reader::shown(in_.next())));
    }
    one_.target = static_cast<std::uint32_t>(labels_.size());
    labels_.push_back(in_.take());
  }

  void comma() {
    in_.expect(",",
               fmt::format("{} comes too soon in {}; more operands are missing, separated by ,",
                           reader::shown(in_.next()), mnemonic_.text));
  }

  reader& in_;
  std::size_t thread_;
  std::vector<token>& labels_;
  token mnemonic_;
  std::vector<std::string_view> parts_;
  instruction one_;
};

}  // namespace

instruction read_instruction(reader& in, std::size_t thread, std::vector<token>& labels) {
  return instruction_reader(in, thread, labels).read();
}

}  // namespace litmus
