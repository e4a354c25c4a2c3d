// The kernels that sets.cu and whole_queues.cuh share. They call `measured::begin` and
// `measured::carry_out` of their objects.
#pragma once

#include "mixes.hpp"

template <class Object>
__global__ void begin(Object* object) {
  if (simt::thread_rank() == 0) measured::begin(*object);
}

/// Thread i carries out operation i.
template <class Object, class Answer>
__global__ void carry_out_all(Object* object, const operation* all, unsigned count,
                              Answer* answers) {
  const unsigned me = simt::thread_rank();
  if (me < count) answers[me] = measured::carry_out(*object, all[me].kind, all[me].argument);
}
