// PTX texts that tests share: written by hand, after what compilers make.
#pragma once

#include <string>

namespace test {

inline const char* const ptx_head =
    ".version 8.0\n"
    ".target sm_80\n"
    ".address_size 64\n";

/// A kernel of that body, with one pointer and one number as parameters.
inline std::string ptx_kernel(const std::string& body, const std::string& before = "") {
  return std::string(ptx_head) + before +
         ".visible .entry k(\n"
         "  .param .u64 k_param_0,\n"
         "  .param .u32 k_param_1\n"
         ")\n{\n"
         "  .reg .pred %p<9>;\n"
         "  .reg .b16 %rs<9>;\n"
         "  .reg .b32 %r<40>;\n"
         "  .reg .f32 %f<9>;\n"
         "  .reg .b64 %rd<20>;\n"
         "  ld.param.u64 %rd1, [k_param_0];\n"
         "  ld.param.u32 %r1, [k_param_1];\n"
         "  cvta.to.global.u64 %rd2, %rd1;\n" +
         body + "\n  ret;\n}\n";
}

/// Each thread locks, adds one to data[1], unlocks; data[0] is the lock. `fences`: as it must be.
inline std::string ptx_lock(bool fences) {
  const std::string fence = fences ? "  fence.acq_rel.gpu;\n" : "";
  return ptx_kernel(
      "$L_spin:\n"
      "  atom.global.cas.b32 %r2, [%rd2], 0, 1;\n"
      "  setp.ne.s32 %p1, %r2, 0;\n"
      "  @%p1 bra $L_spin;\n" +
      fence +
      "  ld.global.u32 %r3, [%rd2+4];\n"
      "  add.s32 %r4, %r3, 1;\n"
      "  st.global.u32 [%rd2+4], %r4;\n" +
      fence + "  atom.global.exch.b32 %r5, [%rd2], 0;\n");
}

}  // namespace test
