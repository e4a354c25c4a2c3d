// A program for tests of `warpcheck exec`: calls CUDA's driver with PTX written by hand. Its first
// argument says what it does; it ends with status 0 where the results are right.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
int cuInit(unsigned);
int cuDeviceGetCount(int*);
int cuDevicePrimaryCtxRetain(void**, int);
int cuCtxSetCurrent(void*);
int cuCtxSynchronize();
int cuModuleLoadData(void**, const void*);
int cuModuleGetFunction(void**, void*, const char*);
int cuModuleGetGlobal_v2(std::uint64_t*, std::size_t*, void*, const char*);
int cuMemAlloc_v2(std::uint64_t*, std::size_t);
int cuMemFree_v2(std::uint64_t);
int cuMemcpyHtoD_v2(std::uint64_t, const void*, std::size_t);
int cuMemcpyDtoH_v2(void*, std::uint64_t, std::size_t);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void*, void**, void**);
int cuGraphCreate(void**, unsigned);
int cuGetErrorName(int, const char**);
}

namespace {

const char module_text[] = R"(
.version 7.0
.target sm_70
.address_size 64

.global .align 4 .u32 factor = 1;

.visible .entry add(.param .u64 to, .param .u64 from, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %a<6>;
  ld.param.u64 %a0, [to];
  ld.param.u64 %a1, [from];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  mul.wide.u32 %a2, %r4, 4;
  add.s64 %a3, %a0, %a2;
  add.s64 %a4, %a1, %a2;
  ld.global.u32 %r5, [%a4];
  ld.global.u32 %r6, [factor];
  ld.global.u32 %r7, [%a3];
  mad.lo.s32 %r7, %r5, %r6, %r7;
  st.global.u32 [%a3], %r7;
done:
  ret;
}

// The number that the pointer in its argument's buffer leads to goes behind that pointer.
.visible .entry follow(.param .u64 list)
{
  .reg .b32 %r<2>;
  .reg .b64 %a<3>;
  ld.param.u64 %a0, [list];
  ld.global.u64 %a1, [%a0];
  ld.global.u32 %r0, [%a1];
  st.global.u32 [%a0+8], %r0;
  ret;
}

.visible .entry racy(.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %a;
  ld.param.u64 %a, [to];
  ld.global.u32 %r0, [%a];
  add.u32 %r0, %r0, 1;
  st.global.u32 [%a], %r0;
  ret;
}

// Waits for a word that nobody sets.
.visible .entry waits(.param .u64 at)
{
  .reg .pred %p;
  .reg .b32 %r;
  .reg .b64 %a;
  ld.param.u64 %a, [at];
again:
  ld.relaxed.gpu.global.u32 %r, [%a];
  setp.eq.u32 %p, %r, 0;
  @%p bra again;
  ret;
}

// An approximation is part of an address: it can be carried out, but not checked.
.visible .entry guesses(.param .u64 at)
{
  .reg .f32 %f<2>;
  .reg .b64 %a, %b;
  ld.param.u64 %a, [at];
  mov.f32 %f0, 0f40000000;
  ex2.approx.f32 %f1, %f0;
  cvt.rzi.u64.f32 %b, %f1;
  and.b64 %b, %b, 3;
  add.u64 %a, %a, %b;
  st.global.f32 [%a], %f1;
  ret;
}

.visible .entry textured(.param .u64 at)
{
  .reg .b32 %r<4>;
  .reg .b64 %a;
  ld.param.u64 %a, [at];
  tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%a, {%r0}];
  ret;
}
)";

void need(int code, const char* what) {
  if (code == 0) return;
  const char* name = nullptr;
  cuGetErrorName(code, &name);
  std::printf("%s: %s\n", what, name == nullptr ? "?" : name);
  std::exit(3);
}

void* loaded = nullptr;

void* kernel(const char* name) {
  void* found = nullptr;
  need(cuModuleGetFunction(&found, loaded, name), "cuModuleGetFunction");
  return found;
}

std::uint64_t memory_of(const std::uint32_t* words, std::size_t count) {
  std::uint64_t at = 0;
  need(cuMemAlloc_v2(&at, count * 4), "cuMemAlloc");
  need(cuMemcpyHtoD_v2(at, words, count * 4), "cuMemcpyHtoD");
  return at;
}

template <class... T>
void launch(const char* name, unsigned blocks, unsigned threads, T... arguments) {
  void* parameters[]{&arguments...};
  need(cuLaunchKernel(kernel(name), blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr),
       "cuLaunchKernel");
  need(cuCtxSynchronize(), "cuCtxSynchronize");
}

std::uint32_t word_at(std::uint64_t at) {
  std::uint32_t word = 0;
  need(cuMemcpyDtoH_v2(&word, at, 4), "cuMemcpyDtoH");
  return word;
}

// Sums in 4 blocks of 32 threads; `times`, each on the result of the one before.
int add(unsigned times, unsigned blocks, unsigned threads, std::uint32_t factor) {
  const std::uint32_t count = blocks * threads - 5;
  auto* const words = static_cast<std::uint32_t*>(std::malloc(count * 4));
  for (std::uint32_t i = 0; i < count; ++i) words[i] = i;
  const std::uint64_t to = memory_of(words, count);
  const std::uint64_t from = memory_of(words, count);
  if (factor != 1) {
    std::uint64_t at = 0;
    need(cuModuleGetGlobal_v2(&at, nullptr, loaded, "factor"), "cuModuleGetGlobal");
    need(cuMemcpyHtoD_v2(at, &factor, 4), "cuMemcpyHtoD");
  }
  for (unsigned i = 0; i < times; ++i) launch("add", blocks, threads, to, from, count);
  need(cuMemcpyDtoH_v2(words, to, count * 4), "cuMemcpyDtoH");
  for (std::uint32_t i = 0; i < count; ++i) {
    if (words[i] != i * (1 + times * factor)) return 1;
  }
  std::free(words);
  need(cuMemFree_v2(to), "cuMemFree");
  std::printf("right\n");
  return 0;
}

int follow() {
  const std::uint32_t number = 17;
  const std::uint32_t zeros[4]{};
  const std::uint64_t target = memory_of(&number, 1);
  const std::uint64_t list = memory_of(zeros, 4);
  need(cuMemcpyHtoD_v2(list, &target, 8), "cuMemcpyHtoD");
  launch("follow", 1, 1, list);
  return word_at(list + 8) == number ? 0 : 1;
}

int on_one_word(const char* name, unsigned threads) {
  const std::uint32_t zero = 0;
  const std::uint64_t at = memory_of(&zero, 1);
  launch(name, 1, threads, at);
  std::printf("%u\n", word_at(at));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  void* context = nullptr;
  need(cuInit(0), "cuInit");
  need(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  need(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  need(cuModuleLoadData(&loaded, module_text), "cuModuleLoadData");
  if (std::strcmp(what, "sum") == 0) return add(1, 4, 32, 1);
  if (std::strcmp(what, "twice") == 0) return add(2, 2, 32, 1);
  if (std::strcmp(what, "factor") == 0) return add(1, 1, 32, 3);
  if (std::strcmp(what, "large") == 0) return add(1, 400, 256, 1);
  if (std::strcmp(what, "follow") == 0) return follow();
  if (std::strcmp(what, "graph") == 0) {
    void* graph = nullptr;
    return cuGraphCreate(&graph, 0) == 801 ? add(1, 1, 32, 1) : 1;
  }
  if (std::strcmp(what, "same") == 0) return on_one_word("guesses", 1) + on_one_word("guesses", 1);
  if (std::strcmp(what, "fails") == 0) return add(1, 1, 32, 1) + 9;
  if (std::strcmp(what, "crashes") == 0) std::abort();
  if (std::strcmp(what, "nothing") == 0) return 0;
  return on_one_word(what, std::strcmp(what, "racy") == 0 ? 2 : 1);
}
