// Runs the threads of a launch: the resident blocks in turn, further ones as blocks end.
#include "exec/carry/grid.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "exec/wire/wire.hpp"

namespace warpcheck::carry {
namespace {

constexpr std::size_t stack_size = 256 << 10;
constexpr std::uint64_t most_resident = 1 << 16;  // threads
constexpr int rounds_alone = 64;                  // until one more block becomes resident
constexpr int rounds_to_wait = 20000;             // in which nothing changes: nobody can go on

}  // namespace

grid*& the_grid() {
  static grid* one = nullptr;
  return one;
}

boost::context::stack_context grid::stacks::allocate() {
  if (!free.empty()) {
    const auto one = free.back();
    free.pop_back();
    return one;
  }
  void* const begin = ::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) the_grid()->end(ended::unknown, "there is no memory for its threads");
  boost::context::stack_context made;
  made.size = stack_size;
  made.sp = static_cast<char*>(begin) + stack_size;
  return made;
}

void grid::stacks::deallocate(boost::context::stack_context& stack) { free.push_back(stack); }

grid::grid(const plan& what, const simt::detail::subject_entry& subject,
           std::vector<shared_slot> shared)
    : what_(what), subject_(subject), shared_(std::move(shared)), object_(subject.size + 1) {
  std::ranges::sort(what_.memory, {}, &allocation::begin);
}

void grid::admit_block() {
  block& made = resident_.emplace_back();
  made.number = next_block_++;
  made.left = what_.threads;
  for (const shared_slot& slot : shared_) {
    auto bytes = std::make_unique<std::uint8_t[]>(slot.size + slot.align);
    made.shared.push_back(std::move(bytes));
  }
  made.lanes.resize(what_.threads);
  for (std::uint32_t i = 0; i < what_.threads; ++i) {
    made.lanes[i].of = &made;
    made.lanes[i].thread = i;
  }
}

void grid::start(lane& one) {
  one.fiber = boost::context::fiber(std::allocator_arg, stack_allocator{&stacks_},
                                    [this, &one](boost::context::fiber&& scheduler) {
                                      scheduler_ = std::move(scheduler);
                                      subject_.body(object_.data(), 1);
                                      one.now = lane::state::done;
                                      --one.of->left;
                                      changed_ = true;
                                      return std::move(scheduler_);
                                    });
}

void grid::resume(lane& one) {
  if (!one.fiber) start(one);
  current_ = &one;
  one.fiber = std::move(one.fiber).resume();
  current_ = nullptr;
}

void grid::yield(const void* at) {
  current_->at = at;
  scheduler_ = std::move(scheduler_).resume();
}

std::uint64_t grid::wait_at_collective(const void* at) {
  lane& one = *current_;
  one.now = lane::state::at_collective;
  while (one.now == lane::state::at_collective) yield(at);
  return one.value;
}

std::uint64_t grid::wait_at_barrier(const void* at) {
  lane& one = *current_;
  one.now = lane::state::at_barrier;
  while (one.now == lane::state::at_barrier) yield(at);
  return one.value;
}

ended grid::run() {
  int quiet = 0;  // rounds
  for (int round = 0; next_block_ < what_.blocks || !resident_.empty(); ++round) {
    const bool is_crowded = resident_threads() + what_.threads > most_resident;
    const bool wants_more =
        resident_.empty() || what_.all_at_once || round % rounds_alone == rounds_alone - 1;
    if (next_block_ < what_.blocks && wants_more && (!is_crowded || resident_.empty())) {
      do {
        admit_block();
      } while (what_.all_at_once && next_block_ < what_.blocks);
      quiet = 0;
    }
    changed_ = false;
    bool any_ran = false;
    for (block& one : resident_) {
      for (lane& each : one.lanes) {
        if (each.now != lane::state::ready) continue;
        resume(each);
        any_ran = true;
      }
      while (release_collectives(one)) any_ran = true;
      if (release_barriers(one)) changed_ = true;
    }
    std::erase_if(resident_, [](const block& one) { return one.left == 0; });
    quiet = changed_ ? 0 : quiet + 1;
    const bool none_comes =
        next_block_ == what_.blocks || resident_threads() + what_.threads > most_resident;
    if (!resident_.empty() && none_comes && ((!any_ran && !changed_) || quiet > rounds_to_wait))
      return ended::stuck;
  }
  return ended::well;
}

std::vector<waiting_threads> grid::waits() const {
  std::map<std::pair<const void*, lane::state>, waiting_threads> by_place;
  for (const block& one : resident_) {
    for (const lane& each : one.lanes) {
      if (each.now == lane::state::done) continue;
      waiting_threads& here = by_place[{each.at, each.now}];
      if (here.threads++ != 0) continue;
      using what = waiting_threads::what;
      here.waits_for = each.now == lane::state::at_collective ? what::collective
                       : each.now == lane::state::at_barrier  ? what::barrier
                                                              : what::memory;
      here.block = one.number;
      here.thread = each.thread;
      Dl_info object{};
      if (each.at != nullptr && ::dladdr(each.at, &object) != 0) {
        here.at = reinterpret_cast<std::uint64_t>(each.at) -
                  reinterpret_cast<std::uint64_t>(object.dli_fbase);
      }
    }
  }
  std::vector<waiting_threads> all;
  for (const auto& [place, here] : by_place) all.push_back(here);
  std::ranges::sort(all, std::ranges::greater(), &waiting_threads::threads);
  return all;
}

// Releases the lanes that wait at one collective with one mask, once no lane of the mask is
// missing.
bool grid::release_collectives(block& of) {
  bool any = false;
  for (std::uint32_t first = 0; first < what_.threads; first += 32) {
    std::array<lane*, 32> warp{};
    std::uint32_t alive = 0, waiting = 0;
    for (std::uint32_t i = 0; i < 32 && first + i < what_.threads; ++i) {
      warp[i] = &of.lanes[first + i];
      if (warp[i]->now != lane::state::done) alive |= 1U << i;
      if (warp[i]->now == lane::state::at_collective) waiting |= 1U << i;
    }
    while (waiting != 0) {
      const lane& one = *warp[static_cast<std::size_t>(__builtin_ctz(waiting))];
      std::uint32_t group = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        if ((waiting >> i & 1) != 0 && warp[i]->collective == one.collective &&
            warp[i]->mask == one.mask) {
          group |= 1U << i;
        }
      }
      waiting &= ~group;
      if ((one.mask & alive & ~group) != 0) continue;
      answer_collective(warp, group);
      for (std::uint32_t i = 0; i < 32; ++i) {
        if ((group >> i & 1) != 0) warp[i]->now = lane::state::ready;
      }
      any = true;
    }
  }
  return any;
}

bool grid::release_barriers(block& of) {
  using simt::detail::barrier_kind;
  std::array<std::uint32_t, 16> waiting{};
  std::array<std::uint32_t, 16> wanted{};
  std::uint32_t at_all = 0;  // syncthreads
  for (lane& one : of.lanes) {
    if (one.now != lane::state::at_barrier) continue;
    if (one.barrier == barrier_kind::syncthreads) {
      ++at_all;
    } else {
      ++waiting[one.number];
      wanted[one.number] = one.count;
    }
  }
  const auto release = [&](auto&& which) {
    std::uint32_t yes = 0, all = 0;
    for (const lane& one : of.lanes) {
      if (one.now != lane::state::at_barrier || !which(one)) continue;
      ++all;
      if (one.value != 0) ++yes;
    }
    for (lane& one : of.lanes) {
      if (one.now != lane::state::at_barrier || !which(one)) continue;
      one.value = simt::detail::barrier_result(one.called, yes, all);
      one.now = lane::state::ready;
    }
    return true;
  };
  bool any = false;
  if (at_all != 0 && at_all == of.left) {
    any = release([](const lane& one) { return one.barrier == barrier_kind::syncthreads; });
  }
  for (std::uint32_t id = 0; id < wanted.size(); ++id) {
    const std::uint32_t threads = wanted[id] == 0 ? of.left : std::min(wanted[id], what_.threads);
    if (waiting[id] == 0 || waiting[id] + of.named[id].arrived < threads) continue;
    of.named[id].arrived = 0;
    any = release([&](const lane& one) {
      return one.barrier != barrier_kind::syncthreads && one.number == id;
    });
  }
  return any;
}

std::string grid::name_of(const lane& who) const {
  return "block " + std::to_string(who.of->number) + ", thread " + std::to_string(who.thread);
}

void grid::end(ended how, const std::string& message) {
  std::fflush(stdout);
  const std::string where = current_ == nullptr ? std::string() : name_of(*current_) + ": ";
  std::fprintf(stderr, "warpcheck exec: %s%s\n", where.c_str(), message.c_str());
  std::fflush(stderr);
  ::_exit(static_cast<int>(how));
}

void grid::check_access(std::uint64_t at, std::uint64_t size) {
  if (at - wire::memory_begin >= wire::memory_size) return;  // the lane's own, shared, constants
  if (last_ != nullptr && at >= last_->begin && at + size <= last_->begin + last_->size) return;
  auto next = std::ranges::upper_bound(what_.memory, at, {}, &allocation::begin);
  if (next != what_.memory.begin()) {
    --next;
    if (at + size <= next->begin + next->size) {
      last_ = &*next;
      return;
    }
  }
  char text[128];
  std::snprintf(text, sizeof text, "an access of %u bytes at %#llx, where no memory is allocated",
                static_cast<unsigned>(size), static_cast<unsigned long long>(at));
  end(ended::illegal_address, text);
}

}  // namespace warpcheck::carry
