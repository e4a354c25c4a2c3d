// What keep_accesses makes of LLVM's text.
#include <doctest/doctest.h>

#include "sim/compile/llvm/kept_accesses.hpp"

namespace {

std::string kept(const std::string& body) {
  return simt::detail::keep_accesses("define void @f(ptr %p) {\n" + body + "}\n");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a load is used") {
  CHECK(contains(kept("  %1 = load i32, ptr %p, align 4, !dbg !7\n"),
                 "  call void asm sideeffect \"# kept\", \"X\"(i32 %1), !dbg !7\n"));
}

TEST_CASE("a load of a type that no general register holds is used") {
  CHECK(contains(kept("  %1 = load half, ptr %p, align 2, !dbg !7\n"),
                 "  %kept.bits.0 = bitcast half %1 to i16, !dbg !7\n"
                 "  call void asm sideeffect \"# kept\", \"X\"(i16 %kept.bits.0), !dbg !7\n"));
  CHECK(contains(kept("  %1 = load <2 x float>, ptr %p, align 8\n"), "\"X\"(i64 %kept.bits.0)"));
  CHECK(contains(kept("  %1 = load <4 x i32>, ptr %p, align 16\n"),
                 "  %kept.half.0 = trunc i128 %kept.bits.0 to i64\n"));
  CHECK(contains(kept("  %1 = load i128, ptr %p, align 16\n"), "trunc i128 %1 to i64\n"));
}

TEST_CASE("loads of a local variable, atomic and volatile ones are left alone") {
  for (const std::string body : {"  %x = alloca i32, align 4\n  %1 = load i32, ptr %x, align 4\n",
                                 "  %1 = load volatile i32, ptr %p, align 4\n",
                                 "  %1 = load atomic i32, ptr %p monotonic, align 4\n"}) {
    CHECK(kept(body) == "define void @f(ptr %p) {\n" + body + "}\n");
  }
}

TEST_CASE("nobody sees that a local variable is set to null") {
  CHECK(contains(kept("  %x = alloca ptr, align 8\n  store ptr null, ptr %x, align 8, !dbg !7\n"),
                 "  %kept.null.0 = call ptr asm \"# kept\", \"=r,0\"(ptr null), !dbg !7\n"
                 "  store ptr %kept.null.0, ptr %x, align 8, !dbg !7\n"));
  const std::string shared = "  store ptr null, ptr %p, align 8\n";
  CHECK(kept(shared) == "define void @f(ptr %p) {\n" + shared + "}\n");
}

TEST_CASE("a copy into a local variable is used, field by field") {
  const std::string copy =
      "  %x = alloca %pair, align 8\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %x, ptr align 8 %p, i64 12, i1 false)";
  const std::string by_alignment = kept(copy + "\n");
  CHECK(contains(by_alignment, "%kept.0 = load i64, ptr %kept.at.0"));
  CHECK(contains(by_alignment, "ptr %x, i64 8\n  %kept.1 = load i32, ptr %kept.at.1"));
  CHECK_FALSE(contains(by_alignment, "%kept.2"));
  const std::string by_field = simt::detail::keep_accesses(
      "define void @f(ptr %p) {\n" + copy +
      ", !tbaa.struct !3\n}\n!3 = !{i64 0, i64 2, !4, i64 4, i64 8, !5}\n");
  CHECK(contains(by_field, "ptr %x, i64 0\n  %kept.0 = load i16, ptr %kept.at.0"));
  CHECK(contains(by_field, "ptr %x, i64 4\n  %kept.1 = load i64, ptr %kept.at.1"));
  CHECK_FALSE(contains(by_field, "%kept.2"));
}

TEST_CASE("a large copy keeps its variable") {
  CHECK(contains(kept("  %x = alloca [999 x i8], align 1\n"
                      "  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %x, ptr align 1 %p, i64 999, "
                      "i1 false), !dbg !2\n"),
                 "  call void asm sideeffect \"# kept\", \"X\"(ptr %x), !dbg !2\n"));
}
