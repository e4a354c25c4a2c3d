// Registers a type with the simulator, or with the GPU runner.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <typeinfo>

#include <simt/detail/agent.hpp>
#include <simt/detail/backend.hpp>
#include <simt/detail/members.hpp>
#include <simt/workloads.hpp>

/// SIMT_SUBJECT(type); at namespace scope makes `type` a subject: one entry for each workload that
/// it fits. It is constructed on the host without arguments and copied byte by byte, so it holds no
/// pointers into itself. `SIMT_FN void init()`, if it has one, runs once on the device first.
/// Where the header is compiled for its specifications (spec.hpp), it is nothing.
#if defined(SIMT_SPEC_BUILD)
#define SIMT_SUBJECT(...) static_assert(true)
#elif defined(__NVPTX__)
#define SIMT_SUBJECT(...) SIMT_DETAIL_KERNELS(__COUNTER__, __VA_ARGS__)
#else
#define SIMT_SUBJECT(...) SIMT_DETAIL_SUBJECT(__COUNTER__, __VA_ARGS__)
#endif

// A constructor function rather than an initialized variable: a subject's globals are device
// memory.
#define SIMT_DETAIL_SUBJECT(number, ...) SIMT_DETAIL_SUBJECT_AS(number, __VA_ARGS__)
#define SIMT_DETAIL_SUBJECT_AS(number, ...)                                         \
  struct simt_subject_name_##number {                                               \
    static constexpr const char* text = #__VA_ARGS__;                               \
  };                                                                                \
  [[gnu::constructor]] SIMT_UNTRACED static void simt_register_subject_##number() { \
    ::simt::detail::register_type<__VA_ARGS__, simt_subject_name_##number>();       \
  }                                                                                 \
  static_assert(true)

// Nothing is registered on a GPU: the kernels are there.
#define SIMT_DETAIL_KERNELS(number, ...) SIMT_DETAIL_KERNELS_AS(number, __VA_ARGS__)
#define SIMT_DETAIL_KERNELS_AS(number, ...)                      \
  [[maybe_unused]] static constexpr bool simt_kernels_##number = \
      ::simt::detail::register_type<__VA_ARGS__, void>()

namespace simt::detail {

SIMT_DETAIL_MEMBER(init);

template <class T>
concept has_init = requires(T subject) {
  { subject.init() } -> std::same_as<void>;
};

/// A variable or a type has the name of a member that the API calls. In a base class that name may
/// be a function's all the same.
template <class T>
inline constexpr bool hides_optional_members =
    (has_member_check<T> && !has_function_check<T>) ||
    (has_member_init<T> && !has_function_init<T>) ||
    (has_member_next_launch<T> && !has_function_next_launch<T>) || names_type_check<T> ||
    names_type_init<T> || names_type_next_launch<T>;

template <class T>
concept fits_counter = lockable<T> || runs_sections<T>;

/// The type's name as a compiler writes it, cut from this function's own signature.
template <class T>
struct type_name {
  static constexpr std::size_t capacity = 256;
  char text[capacity] = {};

  constexpr type_name() {
    const char* signature = __PRETTY_FUNCTION__;
    std::size_t begin = 0;
    while (
        !(signature[begin] == 'T' && signature[begin + 1] == ' ' && signature[begin + 2] == '=')) {
      ++begin;
    }
    begin += 4;
    std::size_t end = begin;
    while (signature[end] != 0) ++end;
    --end;  // the closing bracket
    for (std::size_t i = 0; begin + i < end && i + 1 < capacity; ++i)
      text[i] = signature[begin + i];
  }
};

template <class T>
inline constexpr type_name<T> type_name_of{};

template <class Workload>
struct host_functions {
  SIMT_UNTRACED static void construct(void* object) { ::new (object) Workload(); }

  SIMT_UNTRACED static const char* check(const void* object, const launch_shape& shape) {
    return static_cast<const Workload*>(object)->check(shape);
  }

  SIMT_UNTRACED static bool next_launch(void* object, std::uint32_t launch) {
    return static_cast<Workload*>(object)->next_launch(launch);
  }
};

template <class T>
SIMT_FN void call_init(counter_workload<T>* workload) {
  workload->lock.init();
}
template <class T>
SIMT_FN void call_init(kernel_workload<T>* workload) {
  workload->kernel.init();
}
template <class T>
SIMT_FN void call_init(capacity_workload<T>* workload) {
  workload->semaphore.init();
}
template <class T>
SIMT_FN void call_init(phases_workload<T>* workload) {
  workload->barrier.init();
}
#if defined(SIMT_MEASURED)
template <class T>
SIMT_FN void call_init(sampled_capacity<T>* workload) {
  workload->semaphore.init();
}
template <class T>
SIMT_FN void call_init(sampled_phases<T>* workload) {
  workload->barrier.init();
}
#endif
template <class T>
SIMT_FN void call_init(order_workload<T>* workload) {
  workload->lock.init();
}
template <class T>
SIMT_FN void call_init(operations_workload<T>* workload) {
  if constexpr (has_init<T>) workload->object.init();
  workload->run(1);  // the initial content
}

/// Whether the workload has something to do on the device before the grid starts.
template <class T, class Workload>
inline constexpr bool begins_on_device =
    has_init<T> || std::is_same_v<Workload, operations_workload<T>>;

template <class Workload>
concept lists_operations = requires {
  Workload::operations;
};

template <class Workload>
constexpr void add_optional(subject_entry& entry) {
  if constexpr (lists_operations<Workload>) {
    entry.operations = Workload::operations;
    entry.operation_count = Workload::operation_count;
    entry.spec = Workload::spec;
  }
  if constexpr (launched_again<Workload>) {
    entry.next_launch = host_functions<Workload>::next_launch;
  }
}

#if defined(__CUDACC__)

template <class Workload>
__global__ void run_workload(Workload* object, unsigned repeat) {
  if (is_client()) object->run(repeat);
}

template <class Workload>
__global__ void run_init(Workload* object) {
  call_init(object);
  history_turn = 1;
}

/// What is wrong with the launch, the caller asks CUDA.
template <class Workload>
inline void launch_workload(Workload* object, unsigned repeat, const gpu_grid& grid) {
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(grid.blocks);
  how.blockDim = dim3(grid.warps * 32);
  how.attrs = attributes;
  if (grid.cluster > 1) {
    cudaLaunchAttribute& clusters = attributes[how.numAttrs++];
    clusters.id = cudaLaunchAttributeClusterDimension;
    clusters.val.clusterDim = {grid.cluster, 1, 1};
  }
  if (grid.cooperative) {
    cudaLaunchAttribute& cooperative = attributes[how.numAttrs++];
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
  }
  cudaLaunchKernelEx(&how, run_workload<Workload>, object, repeat);
}

template <class T, class Workload, class Name>
inline void register_workload() {
  using host = host_functions<Workload>;
  static const gpu_entry entry{
      [] {
        subject_entry made{Name::text,       Workload::name,    type_name_of<Workload>.text,
                           sizeof(Workload), alignof(Workload), host::construct,
                           nullptr,          nullptr,           host::check};
        add_optional<Workload>(made);
        return made;
      }(),
      [] {
        if constexpr (begins_on_device<T, Workload>) {
          return +[](void* object) { run_init<<<1, 1>>>(static_cast<Workload*>(object)); };
        } else {
          return static_cast<void (*)(void*)>(nullptr);
        }
      }(),
      [](void* object, unsigned repeat, const gpu_grid& grid) {
        launch_workload(static_cast<Workload*>(object), repeat, grid);
      },
      typeid(Workload).name()};
  register_gpu_entry(&entry);
}

#elif defined(__NVPTX__)

/// The runner finds a kernel by its name, and the type of the workload in it.
template <class Workload>
[[clang::nvptx_kernel, gnu::used]] void run_workload(void* object, unsigned repeat) {
  if (is_client()) static_cast<Workload*>(object)->run(repeat);
}

template <class Workload>
[[clang::nvptx_kernel, gnu::used]] void run_init(void* object) {
  call_init(static_cast<Workload*>(object));
  history_turn = 1;
}

template <class T, class Workload, class Name>
constexpr bool register_workload() {
  bool instantiated = &run_workload<Workload> != nullptr;
  if constexpr (begins_on_device<T, Workload>)
    instantiated = instantiated && &run_init<Workload> != nullptr;
  return instantiated;
}

#else

/// simt/async.hpp has a better one, whose value is true: then each block has an agent that carries
/// out copies, and is told of threads that end.
template <class T>
std::false_type makes_copies(in_a_subject<T>, long);

/// The last call of each tells the machine that the lane has exited; the only return follows it.
template <class Workload>
struct device_functions {
  [[gnu::noinline]] static void body(void* object, std::uint32_t repeat) {
    constexpr in_a_subject<Workload> here;
    if constexpr (decltype(makes_copies(here, 0))::value) {
      const std::uint32_t part = index<index_kind::copies>();
      if (part == is_the_agent) {
        carry_out_copies(here);
      } else {
        static_cast<Workload*>(object)->run(repeat);
        if (part == has_an_agent) leave_copies(here);
      }
    } else {
      static_cast<Workload*>(object)->run(repeat);
    }
    simt_hook_exit();
  }

  [[gnu::noinline]] static void endless(void* object, std::uint32_t repeat) {
    static_cast<Workload*>(object)->run_for_ever(repeat);
    simt_hook_exit();
  }

  [[gnu::noinline]] static void init(void* object) {
    call_init(static_cast<Workload*>(object));
    simt_hook_exit();
  }
};

template <class T, class Workload>
constexpr auto init_of() -> void (*)(void*) {
  if constexpr (begins_on_device<T, Workload>) {
    return device_functions<Workload>::init;
  } else {
    return nullptr;
  }
}

template <class Workload>
concept has_endless_run = requires(Workload workload) {
  workload.run_for_ever(for_ever);
};

template <class Workload>
constexpr auto endless_of() -> void (*)(void*, std::uint32_t) {
  if constexpr (has_endless_run<Workload>) {
    return device_functions<Workload>::endless;
  } else {
    return nullptr;
  }
}

template <class T, class Workload, class Name>
SIMT_UNTRACED inline void register_workload() {
  using host = host_functions<Workload>;
  static constexpr subject_entry entry = [] {
    subject_entry made{Name::text,
                       Workload::name,
                       type_name_of<Workload>.text,
                       sizeof(Workload),
                       alignof(Workload),
                       host::construct,
                       init_of<T, Workload>(),
                       device_functions<Workload>::body,
                       host::check};
    add_optional<Workload>(made);
    made.endless = endless_of<Workload>();
    made.checks_itself = ::simt::checks_itself<T> || checks_itself_by_shape<T>;
    made.hides_members = !std::is_class_v<T> || std::is_final_v<T> || hides_optional_members<T>;
    return made;
  }();
  simt_register_subject(&entry);
}

#endif

/// Each member that is called only where there is one is there in the form that is called, or not
/// at all.
template <class T>
constexpr void refuse_misfits() {
  static_assert(!has_function_init<T> || has_init<T>,
                "init() does not fit and would not be called; write it in public as "
                "SIMT_FN void init()");
  static_assert(!has_function_check<T> || checks_itself<T> || checks_itself_by_shape<T>,
                "check() does not fit and would not be called; write it in public as "
                "bool check() const or bool check(const simt::launch_shape&) const (or with a "
                "message, const char*, in place of bool)");
  static_assert(!has_several_checks<T> || !(checks_itself<T> || checks_itself_by_shape<T>),
                "check() is there more than once, and only one of them would be called; write "
                "one, in public, as bool check() const or bool check(const simt::launch_shape&) "
                "const, and give others another name");
  static_assert(
      !(checks_itself<T> || checks_itself_by_shape<T>) || callable_kernel<T> || has_operations<T>,
      "check() would not be called: bool check() const is the final check of a kernel, "
      "which has SIMT_FN void operator()(), or of an object, which has operations; locks "
      "are checked by their workload");
  static_assert(!has_function_next_launch<T> || launched_again<T>,
                "next_launch() does not fit and would not be called; write it in public as "
                "bool next_launch(std::uint32_t launch), without SIMT_FN");
  static_assert(!callable_with_launch<T> || launched_again<T>,
                "operator()(std::uint32_t launch) is for a program of several launches: it also "
                "has bool next_launch(std::uint32_t launch), which says whether there is one more");
  static_assert(!launched_again<T> || callable_kernel<T>,
                "next_launch() would not be called: it is for kernels, which have "
                "SIMT_FN void operator()() or SIMT_FN void operator()(std::uint32_t launch)");
  static_assert(!reusable_barrier<T> || !has_member_parties<T> || counts_parties<T>,
                "parties() does not fit and would not be called; write it in public as "
                "SIMT_FN unsigned parties()");
  static_assert(!acquirable<T> || !has_member_permits<T> || counting_semaphore<T>,
                "permits does not fit and would not be used; write it in public as "
                "static constexpr int permits = 2, or as a member that is a number");
  static_assert(offers_what_it_lists<T>(),
                "something among the `operations` is no operation: operations is a "
                "simt::operation_list<...>, and each in it a public member function, not "
                "overloaded, with at most three integers");
  static_assert(!has_operations<T> || !has_function_operations<T> || lists_own_operations<T>,
                "operations does not fit and would not be used; write it in public as "
                "using operations = simt::operation_list<...>");
  static_assert(!has_operations<T> || !has_member_spec<T> || names_spec<T>,
                "spec does not fit and would not be used; write it in public as "
                "static constexpr const char* spec = \"queue\"");
}

template <class T, class Name>
SIMT_UNTRACED constexpr void register_workloads() {
  static_assert(fits_counter<T> || callable_kernel<T> || ordered_lock<T> || has_operations<T>,
                "a subject has lock() and unlock(), or locked(section), or operator()(), or "
                "operations of an object (docs/api.md, \"Objects\"); all of them are public");
  if constexpr (fits_counter<T>) register_workload<T, counter_workload<T>, Name>();
  if constexpr (callable_kernel<T>) register_workload<T, kernel_workload<T>, Name>();
#if defined(SIMT_MEASURED)
  if constexpr (counting_semaphore<T>) register_workload<T, sampled_capacity<T>, Name>();
  if constexpr (reusable_barrier<T>) register_workload<T, sampled_phases<T>, Name>();
#else
  if constexpr (counting_semaphore<T>) register_workload<T, capacity_workload<T>, Name>();
  if constexpr (reusable_barrier<T>) register_workload<T, phases_workload<T>, Name>();
#endif
  if constexpr (ordered_lock<T>) register_workload<T, order_workload<T>, Name>();
  if constexpr (has_operations<T>) register_workload<T, operations_workload<T>, Name>();
}

template <class T>
concept is_complete = requires {
  sizeof(T);
};

// One message is enough.
template <class T, class Name>
SIMT_UNTRACED constexpr bool register_type() {
  static_assert(is_complete<T>, "SIMT_SUBJECT stands behind the definition of the type");
  if constexpr (is_complete<T>) {
    refuse_misfits<T>();
    static_assert(std::is_default_constructible_v<T>,
                  "a subject is constructed without arguments: give it a constructor for that, and "
                  "a destructor, both in public (an array has its size from device_array, a number "
                  "that varies is a template argument)");
    if constexpr (std::is_default_constructible_v<T>) register_workloads<T, Name>();
  }
  return true;
}

}  // namespace simt::detail
