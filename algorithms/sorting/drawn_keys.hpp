// Keys to be sorted, in device memory: those that the scenario gives, or keys that the first launch
// draws, so that all inputs are explored; and whether they are sorted in the end.
#pragma once

#include <simt/simt.hpp>

struct drawn_keys {
  simt::device_array<int> d{"d"};            // the keys
  simt::device_array<int> hat{"hat"};        // the auxiliary buffer, as large
  simt::device_array<int> drawn{"drawn"};    // the keys as they were drawn, as large
  simt::device_array<int> values{"values"};  // the first: keys are drawn below it; 0: none is drawn

  drawn_keys() {
    for (std::size_t i = 0; i < d.size(); ++i) drawn[i] = d[i];
  }

  SIMT_FN int size() const { return static_cast<int>(d.size()); }

  SIMT_FN void draw() {
    if (simt::thread_rank() != 0) return;
    for (int i = 0; i < size() && values[0] > 0; ++i) {
      const int key = static_cast<int>(simt::choose(static_cast<unsigned>(values[0])));
      d[i] = key;
      drawn[i] = key;
    }
  }

  const char* check() const {
    for (std::size_t i = 0; i + 1 < d.size(); ++i) {
      if (d[i] > d[i + 1]) return "the keys are not in order";
    }
    for (std::size_t i = 0; i < d.size(); ++i) {
      int now = 0, before = 0;
      for (std::size_t k = 0; k < d.size(); ++k) {
        now += d[k] == drawn[i] ? 1 : 0;
        before += drawn[k] == drawn[i] ? 1 : 0;
      }
      if (now != before) return "the keys are not those that were drawn";
    }
    return nullptr;
  }
};
