// Says where variables and buffers of a launch lie, and what C++ calls them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/ptx/emit/names.hpp"
#include "sim/ptx/launch.hpp"
#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// Shared-space addresses begin here, as on GPUs of sm_90. So 0 is no address.
inline constexpr std::uint32_t shared_window = 1024;
/// What cooperative groups may use of the reserved shared memory.
inline constexpr std::uint32_t reserved_bytes = 288;

class layout {
 public:
  /// `l`: the launch. Null, if the question is only what can be translated.
  layout(const module& m, const kernel& k, const launch* l);

  [[nodiscard]] const module& of() const { return module_; }
  [[nodiscard]] const kernel& of_kernel() const { return kernel_; }
  [[nodiscard]] const launch& at() const { return launch_; }
  [[nodiscard]] bool is_real() const { return is_real_; }
  [[nodiscard]] std::uint32_t threads() const {
    return launch_.block[0] * launch_.block[1] * launch_.block[2];
  }

  /// Blocks of a cluster, which lie along x.
  [[nodiscard]] std::uint32_t cluster() const { return cluster_of(kernel_, launch_); }

  /// The functions that the kernel calls, callees first, without the kernel.
  [[nodiscard]] const std::vector<const function*>& functions() const { return functions_; }
  [[nodiscard]] bool recurses() const { return recurses_; }
  [[nodiscard]] const std::string& function_name(const function& f) const;

  struct placed_variable {
    const variable* what = nullptr;
    std::string name;          // in C++
    std::uint64_t offset = 0;  // shared: in the block's memory
    std::uint64_t size = 0;
    bool is_read_only = false;
  };
  /// A variable of the module or of a function. Null: there is none of that name. `within`: the
  /// function whose names are looked at first.
  [[nodiscard]] const placed_variable* find(const std::string& name, const function& within) const;

  [[nodiscard]] const std::vector<std::string>& buffer_names() const { return buffer_names_; }
  /// Bytes [offset, offset + size) of a kernel's parameter, as an expression of the unsigned type
  /// of that size.
  [[nodiscard]] std::string argument_bits(std::size_t number, std::uint64_t offset,
                                          std::uint32_t size) const;
  [[nodiscard]] bool uses_workspace() const { return uses_workspace_; }
  /// How many copies by cp.async a lane may have pending. 0: the kernel has none.
  [[nodiscard]] std::size_t most_async_copies() const;
  /// Whether the kernel has bulk copies.
  [[nodiscard]] bool has_bulk_copies() const { return has_bulk_copies_; }
  /// Whether lanes tell at relaxed barriers of mbarriers that they have initialized.
  [[nodiscard]] bool tells_inits() const { return fences_inits_ && arrives_relaxed_; }
  /// Whether an instruction reads more of an mbarrier's state than its phase.
  [[nodiscard]] bool counts_pending() const { return counts_pending_; }
  /// Declarations of all variables and buffers, in front of the subject.
  [[nodiscard]] std::string declarations() const;
  [[nodiscard]] std::uint64_t shared_size() const { return shared_size_; }
  [[nodiscard]] bool has_shared() const { return shared_size_ > 0 || uses_reserved_; }
  /// Whether the kernel uses the shared memory that CUDA's libraries have for themselves.
  [[nodiscard]] bool uses_reserved() const { return uses_reserved_; }
  /// The bytes of a variable as a string up to its 0. Nothing: it is no string.
  [[nodiscard]] static std::optional<std::string> text_in(const variable& v);

  /// The subject's function that says whether all bytes of an access are of one constant.
  [[nodiscard]] std::string constant_check() const;

 private:
  void collect_functions(const function& f, std::vector<const function*>& way);
  void collect_variables(const function& f);
  void place_shared();
  void name_buffers();
  void check_launch() const;
  [[nodiscard]] std::vector<std::uint8_t> initial_bytes(const variable& v) const;
  [[nodiscard]] std::string declare_global(const placed_variable& v, std::size_t number) const;
  [[nodiscard]] std::string declare_buffer(std::size_t number, std::size_t gap) const;
  [[nodiscard]] std::string declare_buffer_of_pointers(std::size_t number, std::size_t gap) const;
  [[nodiscard]] std::string declare_shared() const;

  const module& module_;
  const kernel& kernel_;
  launch launch_;
  bool is_real_;
  bool recurses_ = false;
  bool uses_workspace_ = false;
  bool uses_reserved_ = false;
  std::size_t async_copies_ = 0;  // instructions
  bool has_bulk_copies_ = false;
  bool has_wmma_ = false;
  bool fences_inits_ = false, arrives_relaxed_ = false;
  bool counts_pending_ = false;
  std::vector<const function*> functions_;
  std::map<const function*, std::string> function_names_;
  std::map<const variable*, placed_variable> placed_;
  std::vector<const variable*> order_;  // of the variables in placed_
  std::vector<std::string> buffer_names_;
  name_pool names_;
  std::uint64_t shared_size_ = 0;  // static and dynamic
  std::uint64_t static_size_ = 0;
  std::uint64_t dynamic_at_ = 0;
  bool has_dynamic_ = false;
};

}  // namespace simt::ptx
