// Reads single instructions of litmus tests.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "litmus/mbarrier.hpp"
#include "litmus/read/mnemonics.hpp"
#include "litmus/read/reader.hpp"

namespace litmus {

namespace {

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
    const auto* const access = std::ranges::find(accesses, first, &access_name::name);
    if (access != accesses.end()) {
      one_.code = access->code;
      one_.proxy = access->proxy;
      read_access();
    } else if (first == "fence" || first == "membar") {
      read_fence();
    } else if (first == "bar") {
      read_barrier();
    } else if (first == "barrier") {
      read_cluster_barrier();
    } else if (first == "mbarrier") {
      read_mbarrier_instruction();
    } else if (first == "cp") {
      read_copy();
    } else if (parts_.size() == 1 && first == "goto") {
      one_.code = opcode::jump;
      read_label();
    } else if (const auto how = find_part(branches, first); parts_.size() == 1 && how) {
      one_.code = opcode::branch;
      one_.comparison = *how;
      one_.a = read_operand();
      comma();
      one_.b = read_operand();
      comma();
      read_label();
    } else if (const auto what = find_part(arithmetic, first); parts_.size() == 1 && what) {
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
    constexpr std::array<std::string_view, 27> known{
        "ld",   "st",    "atom",   "red",      "suld", "sust", "suatom",  "sured", "tld",
        "cold", "fence", "membar", "mbarrier", "cp",   "bar",  "barrier", "add",   "sub",
        "mul",  "div",   "beq",    "bne",      "bge",  "ble",  "bgt",     "blt",   "goto"};
    in_.fail(mnemonic_, fmt::format("there is no instruction {}; {}", reader::shown(mnemonic_),
                                    reader::nearest(
                                        parts_[0], known,
                                        fmt::format("it begins with {}", fmt::join(known, ", ")))));
  }

  /// The part of the mnemonic at `index`, which must be a key of the table.
  template <class Value, std::size_t N>
  Value part(std::size_t index, const std::array<named_value<Value>, N>& table,
             std::string_view what) {
    const auto known = names_of(table);
    if (index >= parts_.size()) {
      in_.fail(mnemonic_, fmt::format("{} has no {}; add one of .{}", reader::shown(mnemonic_),
                                      what, fmt::join(known, ", .")));
    }
    if (const auto found = find_part(table, parts_[index])) return *found;
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

  /// The order and, unless the access is weak, the scope: the parts at `index` and behind it.
  template <std::size_t N>
  std::size_t read_order(std::size_t index, const std::array<named_value<memory_order>, N>& table) {
    one_.order = part(index, table, "order");
    if (one_.order == memory_order::weak) {
      if (index + 1 < parts_.size() && find_part(scopes, parts_[index + 1])) {
        in_.fail(mnemonic_,
                 fmt::format("a weak access has no scope; remove \".{}\"", parts_[index + 1]));
      }
      return index + 1;
    }
    one_.scope = part(index + 1, scopes, "scope");
    return index + 2;
  }

  /// The order and scope of a load or store; volatile stands for both.
  template <std::size_t N>
  std::size_t read_order_or_volatile(const std::array<named_value<memory_order>, N>& table) {
    if (parts_.size() < 2 || parts_[1] != "volatile") return read_order(1, table);
    if (one_.proxy != proxy::generic) {
      in_.fail(mnemonic_, fmt::format("{} is never volatile; write {}.weak", parts_[0], parts_[0]));
    }
    one_.is_volatile = true;
    one_.order = memory_order::relaxed;
    one_.scope = scope::sys;
    return 2;
  }

  /// The type at `index`, if there is one: the mnemonic's last part.
  void read_type(std::size_t index, std::span<const std::string_view> allowed) {
    if (index >= parts_.size()) return;
    no_more_parts(index + 1);
    const auto found = find_part(types, parts_[index]);
    if (!found || std::ranges::find(allowed, parts_[index]) == allowed.end()) {
      in_.fail(mnemonic_, fmt::format("{} has no type \"{}\"; leave it out, or write one of .{}",
                                      mnemonic_.text.substr(0, mnemonic_.text.rfind('.')),
                                      parts_[index], fmt::join(allowed, ", .")));
    }
    one_.type = *found;
  }

  void read_access() {
    if (mnemonic_.is("ld")) {
      one_.code = opcode::move;
      read_destination();
      one_.a = read_operand(
          "a plain ld moves registers and integers; to load, write for example "
          "ld.weak r0, x");
      return;
    }
    if (one_.code == opcode::load) {
      read_type(read_order_or_volatile(load_orders), names_of(types));
      read_destination();
      read_location();
    } else if (one_.code == opcode::store) {
      read_type(read_order_or_volatile(store_orders), names_of(types));
      read_location();
      comma();
      one_.a = read_operand();
    } else {
      read_atomic();
    }
    refuse_mbarrier(one_.location);
    in_.check_size(mnemonic_, one_.location, one_.type.bits);
  }

  /// "mbarrier.arrive m[, n]", "mbarrier.test_wait r, m, parity". Either may have an order and a
  /// scope; one never stands without the other.
  void read_mbarrier_instruction() {
    const std::string_view what = parts_.size() > 1 ? parts_[1] : "";
    const bool arrives = what == "arrive";
    if (!arrives && what != "test_wait" && what != "try_wait") {
      in_.fail(mnemonic_,
               fmt::format("there is no {}; write mbarrier.arrive, mbarrier.test_wait or "
                           "mbarrier.try_wait",
                           reader::shown(mnemonic_)));
    }
    std::size_t at = 2;
    const bool expects = arrives && at < parts_.size() && parts_[at] == "expect_tx";
    if (expects || (!arrives && at < parts_.size() && parts_[at] == "parity")) ++at;
    one_.order = arrives ? memory_order::release : memory_order::acquire;
    one_.scope = scope::cta;
    if (at < parts_.size() && parts_[at] != "b64") {
      one_.order = arrives ? part(at, arrive_orders, "order") : part(at, test_orders, "order");
      one_.scope = part(at + 1, mbarrier_scopes, "scope");
      at += 2;
    }
    no_more_parts(at < parts_.size() && parts_[at] == "b64" ? at + 1 : at);
    one_.code = arrives ? opcode::red : opcode::load;
    if (arrives) {
      one_.operation = operation::arrive_at_mbarrier;
    } else {
      one_.tests_mbarrier = true;
      read_destination();
    }
    read_location();
    one_.a.integer = 1;
    one_.b.integer = expected_at(one_.location);
    if (expects) {
      comma();
      read_bytes();
    } else if (!arrives) {
      comma();
      one_.a = read_operand();
    } else if (in_.take_if(",")) {
      one_.a = read_operand();
    }
  }

  void read_bytes() {
    const token number = in_.next();
    one_.bytes = in_.integer("the bytes to expect are missing; write 8 for each copy");
    if (one_.bytes >= 0 && one_.bytes < mbarrier_limit / 2) return;
    in_.fail(number,
             fmt::format("{} are too many bytes, or too few; write 8 for each copy", one_.bytes));
  }

  /// The arrivals that make a phase of the mbarrier.
  value expected_at(std::uint32_t location) {
    const auto expected = in_.program.mbarriers.find(location);
    if (expected == in_.program.mbarriers.end()) {
      const std::string& named = in_.program.locations[location];
      in_.fail(
          mnemonic_,
          fmt::format("{0} is no mbarrier; declare it, as in {0} @ mbarrier expects 1", named));
    }
    return expected->second;
  }

  /// "cp.async.bulk x, y, m": from y to x; it completes at m.
  void read_copy() {
    if (mnemonic_.text != "cp.async.bulk") {
      in_.fail(mnemonic_, fmt::format("there is no copy {}; write cp.async.bulk x, y, m",
                                      reader::shown(mnemonic_)));
    }
    one_.code = opcode::copy;
    reader::copy made{mnemonic_, thread_, in_.program.threads[thread_].instructions.size(),
                      {},        {},      0};
    made.to = read_plain_memory();
    comma();
    made.from = read_plain_memory();
    comma();
    made.mbarrier = in_.memory_in_brackets("name the mbarrier that it completes at").location;
    expected_at(made.mbarrier);
    in_.copies.push_back(made);
  }

  named_memory read_plain_memory() {
    const named_memory named = in_.memory_in_brackets("memory is named by a word: x, y, flag");
    refuse_mbarrier(named.location);
    in_.check_size(mnemonic_, named.location, 64);
    return named;
  }

  void refuse_mbarrier(std::uint32_t location) {
    if (!in_.program.mbarriers.contains(location)) return;
    in_.fail(mnemonic_, fmt::format("{} is an mbarrier; only mbarrier.arrive, .test_wait and "
                                    ".try_wait access it",
                                    in_.program.locations[location]));
  }

  void read_atomic() {
    const bool red = one_.code == opcode::red;
    const std::size_t at = read_order(1, atomic_orders);
    one_.operation = part(at, atomics, "operation");
    read_type(at + 1, types_of(one_.operation));
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
    if (parts_.size() > 1 && parts_[1] == "proxy") {
      read_proxy_fence();
    } else if (parts_[0] == "membar") {
      one_.order = memory_order::sc;
      one_.scope = part(1, membar_levels, "level");
      no_more_parts(2);
    } else {
      one_.order = part(1, fence_orders, "order");
      one_.scope = part(2, scopes, "scope");
      no_more_parts(3);
    }
  }

  void read_proxy_fence() {
    if (parts_.size() > 2 && parts_[2] == "generic") {
      in_.fail(mnemonic_,
               fmt::format("a proxy fence orders the generic proxy with another one; "
                           "write {}.proxy.alias, .async, .constant, .texture or .surface",
                           parts_[0]));
    }
    one_.proxy = part(2, fenced_proxies, "proxy");
    no_more_parts(3);
    in_.proxy_fences.push_back({mnemonic_, one_.proxy});
  }

  void read_instance() {
    one_.instance =
        in_.integer(fmt::format("{} is no integer; a barrier's instance is one: bar.cta.sync 1",
                                reader::shown(in_.next())));
  }

  void read_barrier() {
    const bool known = parts_.size() >= 3 && parts_[1] == "cta";
    if (known && parts_[2] == "red") return read_reduction();
    if (!known || (parts_[2] != "sync" && parts_[2] != "arrive")) {
      in_.fail(mnemonic_, fmt::format("there is no barrier {}; write bar.cta.sync, bar.cta.arrive "
                                      "or bar.cta.red",
                                      reader::shown(mnemonic_)));
    }
    no_more_parts(3);
    one_.code = parts_[2] == "sync" ? opcode::barrier : opcode::arrive;
    read_instance();
    if (!in_.take_if(",")) return;
    one_.resource = read_operand();
    if (in_.take_if(",")) one_.quorum = read_operand();
  }

  /// "bar.cta.red.popc r0, I, v", or with a resource: "r0, I, R, v".
  void read_reduction() {
    one_.code = opcode::barrier;
    one_.reduction = part(3, reductions, "operation");
    const std::string_view type = one_.reduction == reduction::popc ? "u32" : "pred";
    no_more_parts(parts_.size() > 4 && parts_[4] == type ? 5 : 4);
    in_.reductions.push_back(
        {mnemonic_, thread_, in_.program.threads[thread_].instructions.size()});
    read_destination();
    read_instance();
    comma();
    one_.a = read_operand();
    if (!in_.next().is(",")) return;
    if (one_.a.is_register) {
      in_.fail(mnemonic_, "the resource of bar.cta.red is no register; write an integer");
    }
    in_.take();
    one_.resource = one_.a;
    one_.a = read_operand();
  }

  /// "barrier.cluster.arrive I" and "barrier.cluster.wait I"; without I it is 0.
  void read_cluster_barrier() {
    const bool known = parts_.size() >= 3 && parts_[1] == "cluster";
    if (!known || (parts_[2] != "arrive" && parts_[2] != "wait")) {
      in_.fail(mnemonic_, fmt::format("there is no barrier {}; write barrier.cluster.arrive or "
                                      "barrier.cluster.wait (of a CTA: bar.cta.sync)",
                                      reader::shown(mnemonic_)));
    }
    const bool arrives = parts_[2] == "arrive";
    one_.code = arrives ? opcode::arrive : opcode::barrier;
    one_.scope = scope::cluster;
    one_.order = arrives ? memory_order::release : memory_order::acquire;
    std::size_t at = 3;
    if (at < parts_.size() && parts_[at] != "aligned") {
      one_.order = arrives ? part(at, arrive_orders, "order") : part(at, wait_orders, "order");
      ++at;
    }
    no_more_parts(at < parts_.size() && parts_[at] == "aligned" ? at + 1 : at);
    if (in_.integer_follows()) one_.instance = in_.integer("");
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
    const named_memory named = in_.memory_in_brackets("memory is named by a word: x, y, flag");
    one_.location = named.location;
    one_.address = named.address;
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
