// A counting semaphore: `acquire` waits until there is a permit, `try_acquire` does not.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct semaphore {
  static constexpr const char* name = "semaphore";
  enum : std::uint32_t { acquire, release, try_acquire };

  value permits = 1;

  static std::vector<parameter_of<semaphore>> parameters() {
    return {{"permits", &semaphore::permits, 0}};
  }
  static std::vector<operation> operations() {
    return {{"acquire", {}, type::nothing, "none", {"wait", "lock", "P"}},
            {"release", {}, type::nothing, "none", {"post", "unlock", "V"}},
            {"try_acquire", {}, type::boolean, "none", {"try_wait", "try_lock"}}};
  }
  [[nodiscard]] state initial() const { return {permits}; }

  // The state is the number of permits.
  void apply(const state& before, const call& what, outcomes& out) const {
    const value now = before[0];
    if (what.operation == release) return out.add(none, {now + 1});
    if (what.operation == try_acquire) {
      return out.add(some(now > 0 ? 1 : 0), {now > 0 ? now - 1 : now});
    }
    if (now > 0) out.add(none, {now - 1});
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    return what.operation == try_acquire && returned == some(0) ? role{.observer = true} : role{};
  }
};

}  // namespace simt::spec
