// A subject's object whose code is what another compiler made of it.
#pragma once

#include <simt/simt.hpp>

namespace simt::ptx {

template <class Workload>
struct subject_in;
template <template <class> class Workload, class Subject>
struct subject_in<Workload<Subject> > {
  using type = Subject;
};

template <class Workload, bool begins_on_device>
struct compiled_object_with_init {
  Workload object;

  SIMT_UNTRACED const char* check(const simt::launch_shape& shape) const {
    return object.check(shape);
  }
};
template <class Workload>
struct compiled_object_with_init<Workload, true> : compiled_object_with_init<Workload, false> {
  SIMT_FN void init() { simt::detail::call_init(&this->object); }
};

/// The object of a workload: it begins and is judged by the code of its source.
template <class Workload>
using compiled_object =
    compiled_object_with_init<Workload,
                              simt::detail::has_init<typename subject_in<Workload>::type> >;

}  // namespace simt::ptx
