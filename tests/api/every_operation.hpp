// Every operation of the API, each with the value that it must give to a grid of one thread. Runs
// in the simulator and on a GPU.
#pragma once

#include <simt/simt.hpp>

struct number_pair {
  unsigned first;
  unsigned second;
};
enum class color : int { red, green };

SIMT_GLOBAL int a_global;

#define EXPECT(condition) simt::check(condition, #condition)

struct every_operation {
  simt::atomic<int> i{3};
  simt::atomic<unsigned long long, simt::thread_scope_device> wide{1};
  simt::atomic<bool> flag{false};
  simt::atomic<unsigned char> byte{250};
  simt::atomic<short> half{-5};
  simt::atomic<number_pair> pair{number_pair{1, 2}};
  simt::atomic<color> paint{color::red};
  simt::atomic<int*> pointer{nullptr};
  int plain[4] = {1, 2, 3, 4};
  unsigned word = 5;
  unsigned long long long_word = 9;
  volatile int shaky[2] = {0, 1};
  simt::device_array<int> numbers{"numbers"};
  int after_init = 0;

  SIMT_FN void init() { after_init = 7; }

  SIMT_FN void operator()() {
    integers();
    other_types();
    references();
    legacy();
    warps();
    registers();
    blocks();
    memory();
  }

  bool check(const simt::launch_shape& shape) const {
    return shape.threads == 1 && i.host_value() == 100 && numbers[0] == 11;
  }

 private:
  SIMT_FN void integers() {
    EXPECT(i.load() == 3);
    i.store(-4, simt::memory_order_release);
    EXPECT(i.load(simt::memory_order_acquire) == -4);
    EXPECT((i = 4) == 4);
    EXPECT(i == 4);
    EXPECT(i++ == 4);
    EXPECT(++i == 6);
    EXPECT(i-- == 6);
    EXPECT(--i == 4);
    EXPECT((i += 3) == 7);
    EXPECT((i -= 9) == -2);
    EXPECT((i &= 0xff) == 0xfe);
    EXPECT((i |= 1) == 0xff);
    EXPECT((i ^= 0xf) == 0xf0);
    EXPECT(i.fetch_min(-3) == 0xf0);
    EXPECT(i.fetch_min(2) == -3);
    EXPECT(i.fetch_max(5, simt::memory_order_relaxed) == -3);
    EXPECT(i.fetch_max(-9) == 5);
    EXPECT(i.exchange(8) == 5);
    int expected = 7;
    EXPECT(!i.compare_exchange_strong(expected, 1));
    EXPECT(expected == 8);
    EXPECT(i.compare_exchange_weak(expected, 100, simt::memory_order_acq_rel,
                                   simt::memory_order_relaxed));
    EXPECT(i.load() == 100);
    EXPECT(wide.fetch_add(1ULL << 40) == 1);
    EXPECT(wide.fetch_sub(2) == (1ULL << 40) + 1);
    EXPECT(wide.fetch_max(5) == (1ULL << 40) - 1);
    EXPECT(wide.fetch_and(0xf) == (1ULL << 40) - 1);
    EXPECT(wide.fetch_or(1ULL << 63) == 0xf);
    EXPECT(wide.fetch_min(77) == ((1ULL << 63) | 0xf));
    EXPECT(wide.load() == 77);
  }

  SIMT_FN void other_types() {
    flag.store(true);
    EXPECT(flag.exchange(false));
    EXPECT(!flag.load());
    EXPECT(byte.fetch_add(10) == 250);
    EXPECT(byte.load() == 4);
    EXPECT(half.fetch_min(-6) == -5);
    EXPECT(half.fetch_max(-1) == -6);
    EXPECT(half.load() == -1);
    number_pair seen = pair.load();
    EXPECT(seen.first == 1 && seen.second == 2);
    EXPECT(pair.compare_exchange_strong(seen, number_pair{seen.second, 7}));
    EXPECT(pair.exchange(number_pair{0, 0}).second == 7);
    paint.store(color::green);
    EXPECT(paint.load() == color::green);
    pointer.store(&plain[0]);
    EXPECT(pointer.fetch_add(2) == &plain[0]);
    EXPECT(*pointer.load() == 3);
    EXPECT(--pointer == &plain[1]);
  }

  SIMT_FN void references() {
    simt::atomic_ref<int, simt::thread_scope_block> reference(plain[2]);
    EXPECT(reference.fetch_add(2) == 3);
    reference = 9;
    EXPECT((reference |= 4) == 13);
    EXPECT(plain[2] == 13);
  }

  SIMT_FN void legacy() {
    EXPECT(simt::atomicCAS(&plain[0], 1, 5) == 1);
    EXPECT(simt::atomicCAS_block(&plain[0], 1, 6) == 5);
    EXPECT(simt::atomicExch_system(&plain[0], -2) == 5);
    EXPECT(simt::atomicAdd(&plain[0], 3) == -2);
    EXPECT(simt::atomicSub(&plain[0], 4) == 1);
    EXPECT(simt::atomicMin(&plain[0], 2) == -3);
    EXPECT(simt::atomicMax(&plain[0], 2) == -3);
    EXPECT(simt::atomicAnd(&plain[0], 6) == 2);
    EXPECT(simt::atomicOr(&plain[0], 9) == 2);
    EXPECT(simt::atomicXor(&plain[0], 1) == 11);
    EXPECT(plain[0] == 10);
    EXPECT(simt::atomicInc(&word, 5U) == 5);
    EXPECT(simt::atomicInc(&word, 5U) == 0);
    EXPECT(simt::atomicDec(&word, 5U) == 1);
    EXPECT(simt::atomicDec(&word, 5U) == 0);
    EXPECT(word == 5);
    EXPECT(simt::atomicAdd(&long_word, 1ULL << 33) == 9);
    simt::__threadfence();
    simt::__threadfence_block();
    simt::__threadfence_system();
    simt::atomic_thread_fence(simt::memory_order_acq_rel);
    simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
  }

  SIMT_FN void warps() {
    // One lane: it is alone in every mask.
    simt::syncwarp();
    EXPECT(simt::shfl(1, 21, 0) == 21);
    EXPECT(simt::shfl_up(1, 22L, 1) == 22L);
    EXPECT(simt::shfl_xor(1, 2.5, 0) == 2.5);
    EXPECT(simt::shfl(1, number_pair{3, 4}, 0).second == 4);
    EXPECT(simt::ballot(1, 5) == 1);
    EXPECT(simt::any(1, 1) != 0);
    EXPECT(simt::all(1, 0) == 0);
    EXPECT(simt::match_any(1, 99) == 1);
    int same = 0;
    EXPECT(simt::match_all(1, 99ULL, &same) == 1);
    EXPECT(same != 0);
    EXPECT(simt::activemask() == 1);
    EXPECT(simt::elect(1));
    EXPECT(simt::reduce_add(1, 3) == 3 && simt::reduce_add(1, 3U) == 3);
    EXPECT(simt::reduce_min(1, -3) == -3 && simt::reduce_min(1, 3U) == 3);
    EXPECT(simt::reduce_max(1, -3) == -3 && simt::reduce_max(1, 3U) == 3);
    EXPECT(simt::reduce_and(1, 6U) == 6 && simt::reduce_or(1, 6U) == 6);
    EXPECT(simt::reduce_xor(1, 6U) == 6);
  }

  SIMT_FN void registers() {
    EXPECT(simt::popc(word) == 2 && simt::popc(~0ULL) == 64);
    EXPECT(simt::ffs(word) == 1 && simt::ffs(word - 5) == 0 && simt::ffs(long_word << 40) == 41);
    EXPECT(simt::clz(word) == 29 && simt::clz(word - 5) == 32 && simt::clz(long_word) == 30);
    EXPECT(simt::brev(word) == 0xa0000000U && simt::brev(1ULL) == 1ULL << 63);
    EXPECT(simt::min(plain[0], 2) == 2 && simt::max(plain[0], 2) == 10);
    EXPECT(simt::min(2.5, -0.5) == -0.5 && simt::max(-1L, 1L) == 1L);
    simt::swap(plain[1], plain[2]);
    EXPECT(plain[1] == 13 && plain[2] == 2);
  }

  SIMT_FN void blocks() {
    simt::syncthreads();
    simt::bar_sync(0);
    simt::bar_sync(1, 32);
    EXPECT(simt::bar_red_popc(1, 32, true) == 1 && simt::bar_red_and(1, 32, true));
    EXPECT(!simt::bar_red_or(1, 32, false));
    simt::bar_arrive(1, 64);
    simt::bar_sync(1, 64);
    simt::named_barrier_arrive(1, 2);
    simt::named_barrier_sync(1, 2);
    simt::nanosleep(10);
    EXPECT(simt::choose(1) == 0);
    simt::printf("%d %s %5.1f %c %p\n", plain[0], "two", 2.5F, 'c', static_cast<void*>(&i));
    simt::printf("no values\n");
    EXPECT(simt::lane_index() + simt::warp_index() + simt::block_index() + simt::thread_rank() ==
           0);
    EXPECT(simt::warp_size() == 1 && simt::warp_count() == 1);
    EXPECT(simt::block_size() == 1 && simt::block_count() == 1 && simt::grid_size() == 1);
  }

  SIMT_FN void memory() {
    struct first_tag;
    struct second_tag;
    int& first = simt::block_shared<int, first_tag>();
    long& second = simt::block_shared<long, second_tag>();
    auto& third = simt::block_shared<simt::atomic<int>>();
    first = 1;
    second = 2;
    third.store(3);
    EXPECT(first == 1 && second == 2 && third.load() == 3);
    shaky[0] = shaky[1] + 1;
    EXPECT(shaky[0] == 2);
    a_global = 5;
    EXPECT(a_global == 5);
    EXPECT(after_init == 7);
    EXPECT(numbers.size() == 1);
    EXPECT(numbers[0] == 0);
    numbers[0] = 11;
  }
};
SIMT_SUBJECT(every_operation);

namespace nested {
// Found by its qualified place, with a comma in its name.
template <class Mutex, int>
struct wrapped {
  Mutex mutex;
  SIMT_FN void lock() {
    while (mutex.exchange(1) != 0) {
    }
  }
  SIMT_FN void unlock() { mutex.store(0); }
};
SIMT_SUBJECT(wrapped<simt::atomic<int>, 4>);
}  // namespace nested
