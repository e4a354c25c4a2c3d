// The sleeping ring-buffer mutex that Stuart and Owens describe (2011, section 5, "Mutex"; it has
// no listing): who arrives puts itself at the end of a ring and looks until the item at the front
// is itself; `unlock` increments the head. To the letter: an item is the thread, and stays where it
// is. The ring has a place for each thread, so no two threads have the same place.
#pragma once

#include <simt/simt.hpp>

/// Two threads, where states are explored.
inline constexpr unsigned ring_places = simt::sized(2, simt::measured_threads);

template <unsigned places>
struct ring_of {
  volatile unsigned items[places]{};  // thread i is i + 1; 0: nobody yet
  unsigned tail = 0;
  volatile unsigned head = 0;

  SIMT_FN static unsigned me() { return simt::thread_rank() + 1; }

  SIMT_FN void lock() { wait_turn(doorway()); }

  SIMT_FN unsigned doorway() {
    const unsigned place = simt::atomicAdd(&tail, 1U) % places;
    items[place] = me();
    return place;
  }
  SIMT_FN void wait_turn(unsigned) {
    while (items[head % places] != me()) {
    }
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    head = head + 1;
  }
};
