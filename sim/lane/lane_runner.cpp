// Runs a lane on its stack region, twice, and compares the two results.
#include "sim/lane/lane_runner.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "sim/lane/fault_guard.hpp"
#include "sim/lane/lane_context.hpp"

namespace simt {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t stack_bytes = lane_stack_bytes;
constexpr std::size_t guard_bytes = 16 * 1024 * 1024;  // only reserved; large frames must hit it
// The two values differ in every byte, and as truth values. With the second, bytes vary from
// address to address (see poison_at). So a comparison of two places that the lane was not given
// differs, too.
constexpr std::array<std::uint8_t, 2> poisons{0x00, 0xA5};

// The most lines shown that one lane prints between two of its operations.
constexpr std::size_t most_lines = 100;

std::string describe(lane_context::misuse wrong, const char* detail) {
  using enum lane_context::misuse;
  const char* name = detail != nullptr ? detail : "?";
  switch (wrong) {
    case allocation:
      return fmt::format("device code calls {}: it must not allocate; use device_array or members",
                         name);
    case not_inlined:
      return "device code enters a function that was not inlined: mark it SIMT_FN, and do not "
             "recurse";
    case stack_pointer_stored:
      return "device code stores a pointer to a local variable in device memory: other lanes "
             "cannot "
             "follow it; put the variable in the object, a device_array or block_shared";
    case runaway: return "a lane runs on without any visible operation";
    case no_such_barrier:
      return "numbered barriers are 0 to 15, and who arrives says for 32 threads or more";
    case no_such_choice:
      return fmt::format("simt::choose(n) chooses among 1 to {} values", most_chosen);
    case of_workload: return name;
    case too_many_accesses: return "device code copies too much at once";
    case none: break;
  }
  return "unknown misuse";
}

}  // namespace

struct lane_runner::attempt {
  operation next;
  std::uint64_t last_pc = 0;
  std::vector<std::uint8_t> stack;
  std::vector<place_fact> told;
};

/// The memory where lanes run, with guard pages below. Each run starts with a stack that no code
/// wrote. Most lanes need little stack, so pages are opened when a lane first reaches them.
struct lane_runner::stack_region {
  std::uint8_t* begin = nullptr;                      // lowest address
  std::uint8_t* opened = nullptr;                     // lowest address that may be accessed
  std::array<std::vector<std::uint8_t>, 2> poisoned;  // content that no code wrote
  std::size_t poison = 0;                             // index of the present run's poison

  stack_region() {
    void* mapping =
        mmap(nullptr, guard_bytes + stack_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    begin = static_cast<std::uint8_t*>(mapping) + guard_bytes;
    opened = end();
    for (std::size_t p = 0; p < poisons.size(); ++p) {
      poisoned[p].resize(stack_bytes);
      for (std::size_t i = 0; i < stack_bytes; ++i) {
        poisoned[p][i] = poison_at(poisons[p], reinterpret_cast<std::uint64_t>(begin + i));
      }
    }
    if (!open(reinterpret_cast<std::uint64_t>(end() - 1))) throw std::bad_alloc();
  }
  ~stack_region() { munmap(begin - guard_bytes, guard_bytes + stack_bytes); }
  stack_region(const stack_region&) = delete;
  stack_region& operator=(const stack_region&) = delete;
  [[nodiscard]] std::uint8_t* end() const { return begin + stack_bytes; }

  /// Opens the pages from that of `address` on. False: they are open already, or not part of the
  /// stack. A signal handler calls this.
  bool open(std::uint64_t address) {
    static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto low = reinterpret_cast<std::uint64_t>(begin);
    if (address < low || address >= reinterpret_cast<std::uint64_t>(opened)) return false;
    const std::size_t first = (address - low) / page * page;
    const auto bytes = static_cast<std::size_t>(opened - begin) - first;
    if (mprotect(begin + first, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    opened = begin + first;
    std::memcpy(opened, poisoned[poison].data() + first, bytes);
    return true;
  }
};

lane_runner::lane_runner(std::shared_ptr<const subject_library> library,
                         const device_memory& memory, bool branch_stops)
    : lane_runner(std::move(library), memory, branch_stops, std::make_shared<stack_region>()) {}

lane_runner::lane_runner(std::shared_ptr<const subject_library> library,
                         const device_memory& memory, bool branch_stops,
                         std::shared_ptr<stack_region> stack)
    : library_(std::move(library)),
      memory_(memory),
      branch_stops_(branch_stops),
      stack_(std::move(stack)) {}

lane_image lane_runner::start_body(void (*body)(void*, std::uint32_t), std::uint32_t repeat) {
  lane_context& lane = current_lane();
  lane.body = body;
  lane.init = nullptr;
  lane.repeat = repeat;
  return start();
}

lane_image lane_runner::start_init(void (*init)(void*)) {
  lane_context& lane = current_lane();
  lane.body = nullptr;
  lane.init = init;
  return start();
}

lane_image lane_runner::start() {
  // A fresh context is an image, too: the record that make_fcontext writes below the top.
  std::ranges::fill(std::span(stack_->opened, stack_->end()), std::uint8_t{0});
  auto* sp =
      static_cast<std::uint8_t*>(context::make_fcontext(stack_->end(), stack_bytes, lane_entry));
  lane_image fresh;
  fresh.stack.assign(sp, stack_->end());
  fresh.dead.assign(fresh.stack.size(), 0);
  fresh.next.block = no_block;
  current_lane().object = memory_.object();
  return run_twice(fresh, 0);
}

lane_image lane_runner::resume(const lane_image& from, std::uint64_t answer) {
  return run_twice(from, answer);
}

void lane_runner::run_once(const lane_image& from, std::uint64_t answer, std::uint8_t poison,
                           attempt& out) {
  lane_context& lane = current_lane();
  std::uint8_t* const begin = stack_->begin;
  std::uint8_t* const top = stack_->end();
  std::uint8_t* const sp = top - from.stack.size();
  stack_->poison = poison == poisons[0] ? 0 : 1;
  stack_->open(reinterpret_cast<std::uint64_t>(sp));
  std::memcpy(stack_->opened, stack_->poisoned[stack_->poison].data() + (stack_->opened - begin),
              static_cast<std::size_t>(sp - stack_->opened));
  for (std::size_t i = 0; i < from.stack.size(); ++i) {
    sp[i] = from.dead[i] != 0 ? poison_at(poison, reinterpret_cast<std::uint64_t>(sp + i))
                              : from.stack[i];
  }
  memory_.fill(poison);

  lane.branch_stops = branch_stops_;
  lane.library = library_.get();
  lane.memory = &memory_;
  lane.stack_begin = reinterpret_cast<std::uint64_t>(begin);
  lane.stack_end = reinterpret_cast<std::uint64_t>(top);
  lane.stack_opened = reinterpret_cast<std::uint64_t>(stack_->opened);
  lane.answer = answer;
  std::memset(&lane.poison, poison, sizeof lane.poison);
  lane.block = from.next.block;
  lane.sequence = from.next.sequence;
  lane.blocks_run = 0;
  lane.rounds.begin();
  lane.way_length = 0;
  lane.way_is_full = false;
  lane.line = nullptr;
  lane.told_count = from.told.size();
  std::ranges::copy(from.told, lane.told.begin());
  if (asks_for_place(from.next) && lane.told_count < lane.told.size()) {
    lane.told[lane.told_count++] = {fact_question(from.next.kind, from.next.number), answer};
  }
  lane.wrong = lane_context::misuse::none;
  lane.wrong_detail = nullptr;
  lane.pending = {};
  lane.announced_count = 0;
  lane.next = {};
  lane.last_pc = from.next.pc;

  {
    sigjmp_buf back;
    const fault_guard guard(
        back,
        [](void* stack, std::uint64_t address) {
          return static_cast<stack_region*>(stack)->open(address);
        },
        stack_.get());
    // The lane's frames are abandoned: nothing on its stack has a destructor that matters here.
    if (sigsetjmp(back, 0) != 0) fail_by_fault();
    lane.lane = sp;
    do {
      lane.way_is_full = false;
      lane.line = nullptr;
      lane.active = true;
      lane.lane = context::jump_fcontext(lane.lane, nullptr).fctx;
      lane.active = false;
      take_way();
      if (lane.line != nullptr && prints_ != nullptr) {
        lines& to = (*prints_)[poison == poisons[0] ? 0 : 1];
        if (to.size() < most_lines) to.push_back(format_line(lane));
      }
    } while (lane.way_is_full || lane.line != nullptr);
  }

  if (lane.wrong == lane_context::misuse::runaway) {
    throw lane_runaway(lane_runaway::cause::silent_loop, describe(lane.wrong, nullptr),
                       lane.wrong_pc);
  }
  if (lane.wrong != lane_context::misuse::none) {
    throw lane_error(describe(lane.wrong, lane.wrong_detail), lane.wrong_pc);
  }
  if (lane.next.kind == operation_kind::memory && !library_->thread_variables.empty()) {
    const auto [begin, end] = memory_.arena();
    const bool is_elsewhere = lane.next.address < begin || lane.next.address >= end;
    const auto* own = is_elsewhere ? library_->thread_variable_at(lane.next.address) : nullptr;
    if (own != nullptr) {
      throw lane_error(
          fmt::format("device code uses the thread_local variable `{}`, which no GPU has: make it "
                      "a local variable, or give each lane an element of a device_array",
                      own->name),
          lane.last_pc);
    }
  }
  const std::span announced(lane.announced.data(), lane.announced_count);
  if (const std::uint64_t at = memory_.first_change(poison, announced)) {
    throw lane_error(fmt::format("device code writes to {:#x} behind the simulator's back (inline "
                                 "assembly or a function that is not instrumented)",
                                 at),
                     lane.last_pc);
  }
  out.next = lane.next;
  out.last_pc = lane.last_pc;
  if (lane.next.kind == operation_kind::exited || lane.next.kind == operation_kind::endless) {
    out.stack.clear();
  } else {
    out.stack.assign(static_cast<std::uint8_t*>(lane.lane), top);
  }
  if (asks_for_place(lane.next)) {
    out.told.assign(lane.told.begin(), lane.told.begin() + lane.told_count);
  }
}

// Runs twice. Where the two runs print different lines, these depend on what the lane was not
// given.
lane_runner::lines lane_runner::print_twice(const std::function<void()>& run) {
  std::array<lines, 2> both;
  prints_ = &both;
  try {
    run();
  } catch (const lane_error&) {
    // The lines before the error still count.
  } catch (...) {
    prints_ = nullptr;
    throw;
  }
  prints_ = nullptr;
  auto& [first, second] = both;
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i].given = i < second.size() && first[i].text == second[i].text &&
                     first[i].pointers == second[i].pointers;
  }
  return std::move(first);
}

lane_runner::lines lane_runner::printed_at_start(void (*body)(void*, std::uint32_t),
                                                 std::uint32_t repeat) {
  return print_twice([&] { start_body(body, repeat); });
}

lane_runner::lines lane_runner::printed(const lane_image& from, std::uint64_t answer) {
  return print_twice([&] { resume(from, answer); });
}

void lane_runner::take_way() {
  lane_context& lane = current_lane();
  way_.insert(way_.end(), lane.way.begin(), lane.way.begin() + lane.way_length);
  lane.way_length = 0;
}

void lane_runner::fail_by_fault() {
  lane_context& lane = current_lane();
  lane.active = false;
  take_way();
  // Converts the address to the form of return addresses, which lie behind the instruction.
  const std::uint64_t instruction = fault_guard::fault_instruction();
  const bool is_own = instruction >= library_->code_begin && instruction < library_->code_end;
  const std::uint64_t pc = is_own ? instruction + 1 : lane.last_pc;
  const std::uint64_t at = fault_guard::fault_address();
  if (fault_guard::was_unreachable_code()) {
    throw lane_error(
        "device code comes to a place that it says is never reached (__builtin_unreachable(), or "
        "the end of a function that returns a value): what happens then is undefined; handle the "
        "case, or let simt::check(false, \"why\") tell that it came up",
        pc);
  }
  if (fault_guard::was_division()) {
    throw lane_error("device code divides by zero, or its quotient does not fit", pc);
  }
  if (fault_guard::was_trap()) {
    throw lane_error(
        "device code runs into a trap; simt::check(false, \"why\") ends the run as a finding", pc);
  }
  const auto low = reinterpret_cast<std::uint64_t>(stack_->begin);
  if (at < low && at >= low - guard_bytes) {
    throw lane_error(fmt::format("the local variables of a lane need more than the {} KiB that the "
                                 "simulator gives it; put large arrays into the object or a "
                                 "device_array",
                                 stack_bytes / 1024),
                     pc);
  }
  throw lane_error(
      fmt::format("device code touches address {:#x}, which is not device memory, without "
                  "the simulator's knowledge",
                  at),
      pc);
}

lane_image lane_runner::run_twice(const lane_image& from, std::uint64_t answer) {
  ++runs_;
  attempt first, second;
  way_.clear();
  run_once(from, answer, poisons[0], first);
  std::vector<branch_stop> way = std::exchange(way_, {});
  run_once(from, answer, poisons[1], second);

  // Dead bytes are part of the comparison. They may let one of the two runs notice the loop
  // earlier.
  if (first.next.kind == operation_kind::endless && second.next.kind == operation_kind::endless) {
    if (way.size() > way_.size()) way.swap(way_);
    way_.resize(way.size());
  }

  // Padding inside a stored struct has no value.
  if (first.next.kind == operation_kind::memory && first.next.weak &&
      first.next.memory == detail::memory_kind::store) {
    for (unsigned i = 0; i < 64; i += 8) {
      const std::uint64_t byte = std::uint64_t{0xff} << i;
      if ((first.next.operand & byte) == (second.next.operand & byte)) continue;
      first.next.operand &= ~byte;
      second.next.operand &= ~byte;
    }
  }
  if (std::memcmp(&first.next, &second.next, sizeof(operation)) != 0 ||
      first.stack.size() != second.stack.size() || way != way_) {
    throw lane_error(
        "device code depends on something that it was not given: an uninitialized variable, or "
        "memory that it reads unannounced",
        first.last_pc);
  }
  lane_image result{first.next, std::move(first.stack), {}, std::move(first.told)};
  result.dead.assign(result.stack.size(), 0);
  for (std::size_t i = 0; i < result.stack.size(); ++i) {
    if (result.stack[i] == second.stack[i]) continue;
    result.dead[i] = 1;
    result.stack[i] = 0;
  }
  return result;
}

}  // namespace simt
