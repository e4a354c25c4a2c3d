// Words that transactions read and write, as an object: each client has one transaction at a time.
#pragma once

#include <simt/transaction.hpp>

namespace stm {

using shared_word = simt::atomic<int, simt::thread_scope_device>;

/// Where a memory or a structure has room for each client.
inline constexpr int most_clients = simt::sized(3, 512);

/// `Memory` has `transaction`, the private part of one, and the functions that are called here.
template <template <int objects> class Memory>
struct words {
  static constexpr const char* spec = "stm";
  using operations = simt::transactions;
  static constexpr int count = 2;
  static constexpr int clients = 3;
  using memory_type = Memory<count>;

  memory_type memory;
  typename memory_type::transaction log[clients]{};  // by client
  int is_open[clients]{};                            // by client; a flag

  SIMT_FN void begin() {
    is_open[me()] = 1;
    memory.begin(mine());
  }
  SIMT_FN simt::maybe<int> read(int word) {
    if (is_open[me()] == 0) return {};
    int value = 0;
    if (memory.read(mine(), word, value)) return value;
    is_open[me()] = 0;
    return {};
  }
  SIMT_FN bool write(int word, int value) {
    if (is_open[me()] == 0) return false;
    const bool done = memory.write(mine(), word, value);
    if (!done) is_open[me()] = 0;
    return done;
  }
  SIMT_FN bool commit() {
    if (is_open[me()] == 0) return false;
    is_open[me()] = 0;
    return memory.commit(mine());
  }
  SIMT_FN void abort() { is_open[me()] = 0; }

 private:
  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank()); }
  SIMT_FN typename memory_type::transaction& mine() { return log[me()]; }
};

}  // namespace stm
