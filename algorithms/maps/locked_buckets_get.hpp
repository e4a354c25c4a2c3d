// The broken twin of `locked_buckets`: `get` takes no lock. It may find a place that an erase has
// emptied and a put has filled again for another key, and what it reads is plain: a race.
#pragma once

#include <simt/simt.hpp>

struct locked_buckets_get {
  static constexpr const char* spec = "map";
  static constexpr int buckets = 2;
  static constexpr int room = 2;  // keys of a bucket
  static constexpr int none = -1;

  struct bucket {
    simt::atomic<int, simt::thread_scope_device> held{0};
    int keys[room]{};  // 0: a free place
    int values[room]{};

    SIMT_FN bool acquire() { return held.exchange(1, simt::memory_order_acquire) == 0; }
    SIMT_FN void release() { held.store(0, simt::memory_order_release); }
    SIMT_FN int find(int key) {
      for (int i = 0; i < room; ++i) {
        if (keys[i] == key) return i;
      }
      return none;
    }
  };

  bucket table[buckets];

  SIMT_FN void put(int key, int value) {
    bucket& home = bucket_of(key);
    bool done = false;
    while (!done) {
      if (home.acquire()) {
        int at = home.find(key);
        if (at == none) at = home.find(0);
        simt::check(at != none, "the bucket is full");
        home.keys[at] = key;
        home.values[at] = value;
        done = true;
        home.release();
      }
    }
  }

  SIMT_FN simt::maybe<int> get(int key) {
    bucket& home = bucket_of(key);
    const int at = home.find(key);
    if (at == none) return {};
    return home.values[at];
  }

  SIMT_FN bool erase(int key) {
    bucket& home = bucket_of(key);
    int at = none;
    bool done = false;
    while (!done) {
      if (home.acquire()) {
        at = home.find(key);
        if (at != none) home.keys[at] = 0;
        done = true;
        home.release();
      }
    }
    return at != none;
  }

 private:
  SIMT_FN bucket& bucket_of(int key) { return table[key % buckets]; }
};
SIMT_SUBJECT(locked_buckets_get);
