// Defines the functions that a subject's constructors call. Their names are those of LLVM's
// instrumentation (SanitizerCoverage, "Control flow" and "PC table") and of hooks.hpp.
#include "sim/subject/registration.hpp"

#include <cstdio>
#include <cstdlib>

namespace simt {
namespace detail {
namespace {

registration*& current() {
  static thread_local registration* loading = nullptr;
  return loading;
}

registration& loading(const char* caller) {
  registration* target = current();
  if (target == nullptr) {
    // The caller is compiled without exceptions, so nothing could catch one.
    std::fprintf(stderr, "internal defect: %s called while no subject is being loaded\n", caller);
    std::abort();
  }
  return *target;
}

}  // namespace

registration_scope::registration_scope(registration& target) { current() = &target; }
registration_scope::~registration_scope() { current() = nullptr; }

}  // namespace detail

namespace {

array_allocator*& allocator() {
  static thread_local array_allocator* in_use = nullptr;
  return in_use;
}

}  // namespace

void set_array_allocator(array_allocator* in_use) { allocator() = in_use; }

}  // namespace simt

using simt::detail::loading;

extern "C" {

void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* begin, std::uint32_t* end);
void __sanitizer_cov_pcs_init(const std::uintptr_t* begin, const std::uintptr_t* end);
void __sanitizer_cov_cfs_init(const std::uintptr_t* begin, const std::uintptr_t* end);
void __tsan_init();

void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* begin, std::uint32_t* end) {
  auto& target = loading("__sanitizer_cov_trace_pc_guard_init");
  target.guards_begin = begin;
  target.guards_end = end;
  // Zero would mean "switched off" by the instrumentation's convention.
  std::uint32_t number = 0;
  for (std::uint32_t* guard = begin; guard != end; ++guard) *guard = ++number;
}

void __sanitizer_cov_pcs_init(const std::uintptr_t* begin, const std::uintptr_t* end) {
  auto& target = loading("__sanitizer_cov_pcs_init");
  target.blocks_begin = begin;
  target.blocks_end = end;
}

void __sanitizer_cov_cfs_init(const std::uintptr_t* begin, const std::uintptr_t* end) {
  auto& target = loading("__sanitizer_cov_cfs_init");
  target.flow_begin = begin;
  target.flow_end = end;
}

void __tsan_init() {}

void simt_register_subject(const simt::detail::subject_entry* entry) {
  loading("simt_register_subject").entries.push_back(entry);
}

std::uint32_t simt_register_shared(std::size_t size, std::size_t align, bool has_no_value) {
  auto& shared = loading("simt_register_shared").shared;
  shared.push_back({size, align, has_no_value});
  return static_cast<std::uint32_t>(shared.size() - 1);
}

void simt_register_copies() { loading("simt_register_copies").makes_copies = true; }

void* simt_device_array(const char* name, std::size_t size, std::size_t align,
                        simt::detail::element_kind kind, std::size_t* count) {
  simt::array_allocator* in_use = simt::allocator();
  if (in_use == nullptr) {
    std::fprintf(stderr,
                 "device array \"%s\" is constructed outside of an object: make it a member of the "
                 "subject, not a global\n",
                 name);
    std::abort();
  }
  return in_use->allocate(name, size, align, kind, count);
}

void simt_device_pool(const simt::detail::pool_layout* layout) {
  simt::array_allocator* in_use = simt::allocator();
  if (in_use == nullptr) {
    std::fprintf(stderr,
                 "a pool is constructed outside of an object: make it a member of the subject, not "
                 "a global\n");
    std::abort();
  }
  in_use->add_pool(*layout);
}
}
