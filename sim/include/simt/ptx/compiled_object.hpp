// The object of a subject whose device code another compiler compiled.
#pragma once

#include <simt/simt.hpp>

namespace simt::ptx {

template <class Workload>
struct subject_in;
template <template <class> class Workload, class Subject>
struct subject_in<Workload<Subject> > {
  using type = Subject;
};

template <class Workload, std::uint32_t repeat, bool begins_on_device>
struct compiled_object_with_init {
  static_assert(!simt::launched_again<Workload>,
                "--compiled checks one launch, and this program has several (next_launch)");

  Workload object;

  /// The compiled code contains the repetitions, so their number is given here.
  SIMT_UNTRACED const char* check(const simt::launch_shape& shape) const {
    simt::launch_shape all = shape;
    all.repeat = repeat;
    return object.check(all);
  }
};
template <class Workload, std::uint32_t repeat>
struct compiled_object_with_init<Workload, repeat, true>
    : compiled_object_with_init<Workload, repeat, false> {
  SIMT_FN void init() { simt::detail::call_init(&this->object); }
};

/// The object of a workload. The code of its source constructs and judges it.
template <class Workload, std::uint32_t repeat>
using compiled_object =
    compiled_object_with_init<Workload, repeat,
                              simt::detail::has_init<typename subject_in<Workload>::type> >;

}  // namespace simt::ptx
