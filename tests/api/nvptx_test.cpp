// The API's side for PTX of sm_60: which instructions each operation becomes, and that shipped
// subjects can be compiled. Needs clang, no GPU and no CUDA.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/compile/process.hpp"
#include "sim/compile/ptx.hpp"
#include "sim/files/scratch_folder.hpp"
#include "tests/tier.hpp"

#include <warpcheck_paths.hpp>

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

std::string content(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A folder for one test.
class folder {
 public:
  folder() : scratch_(fs::temp_directory_path()) {}

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(scratch_.path() / name) << text;
    return scratch_.path() / name;
  }
  [[nodiscard]] simt::ptx_files files() const {
    return {scratch_.path() / "made/a.ptx", scratch_.path() / "made/a.swapped.ptx"};
  }

 private:
  simt::detail::scratch_folder scratch_;
};

/// By the name of the kernel: its lines, without comments.
std::map<std::string, words> kernels_of(const std::string& ptx) {
  std::istringstream lines(ptx);
  std::map<std::string, words> kernels;
  words* body = nullptr;
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    const std::string mark = ".entry ";
    const std::size_t at = line.find(mark);
    if (at != std::string::npos) {
      const std::size_t begin = at + mark.size();
      body = &kernels[line.substr(begin, line.find_first_of("( ", begin) - begin)];
    }
    if (line == "}") body = nullptr;
    if (body != nullptr && line.find_first_not_of(" \t{}();") != std::string::npos)
      body->push_back(line.substr(line.find_first_not_of(" \t")));
  }
  return kernels;
}

/// The instructions that others can see, or that concern other lanes, one behind the other.
std::string visible(const words& body) {
  std::string seen;
  for (const std::string& line : body) {
    std::string instruction = line.substr(0, line.find_first_of(" \t;"));
    const std::string space = ".global";  // found out on the way, and of no concern
    if (const auto at = instruction.find(space); at != std::string::npos)
      instruction.erase(at, space.size());
    for (const char* kind : {"membar", "fence", "atom", "red", "ld.volatile", "st.volatile", "bar",
                             "vote", "shfl", "match", "activemask", "exit"}) {
      if (instruction.starts_with(kind)) seen += instruction + "; ";
    }
  }
  return seen;
}

std::size_t count_of(const words& body, const std::string& front) {
  return static_cast<std::size_t>(std::ranges::count_if(
      body, [&](const std::string& line) { return line.find(front) != std::string::npos; }));
}

struct pair {
  std::string operation;     // C++, of the members below
  std::string instructions;  // as visible() gives them
};

const std::string members = R"(
  simt::atomic<int, simt::thread_scope_block> block{0};
  simt::atomic<int, simt::thread_scope_device> device{0};
  simt::atomic<unsigned long long, simt::thread_scope_system> system{0};
  simt::atomic<unsigned char, simt::thread_scope_device> narrow{0};
  simt::atomic<int*, simt::thread_scope_device> pointer{nullptr};
  int plain = 0;
  unsigned bits = 0;
  long long wide = 0;
  int out = 0;
)";

const std::vector<pair> pairs{
    {"out = device.load(simt::memory_order_relaxed)", "ld.volatile.u32; "},
    {"out = device.load(simt::memory_order_acquire)", "ld.volatile.u32; membar.gl; "},
    {"out = block.load(simt::memory_order_acquire)", "ld.volatile.u32; membar.cta; "},
    {"out = system.load()", "membar.sys; ld.volatile.u64; membar.sys; "},
    {"device.store(1, simt::memory_order_relaxed)", "st.volatile.u32; "},
    {"block.store(1, simt::memory_order_release)", "membar.cta; st.volatile.u32; "},
    {"system.store(1)", "membar.sys; st.volatile.u64; "},
    {"out = device.exchange(1, simt::memory_order_relaxed)", "atom.gpu.exch.b32; "},
    {"out = device.exchange(1, simt::memory_order_acquire)", "atom.gpu.exch.b32; membar.gl; "},
    {"out = device.exchange(1, simt::memory_order_release)", "membar.gl; atom.gpu.exch.b32; "},
    {"out = device.exchange(1, simt::memory_order_acq_rel)",
     "membar.gl; atom.gpu.exch.b32; membar.gl; "},
    {"out = block.fetch_add(1)", "membar.cta; atom.cta.add.u32; membar.cta; "},
    {"out = system.fetch_sub(1)", "membar.sys; atom.sys.add.u64; membar.sys; "},
    {"out = device.fetch_and(1, simt::memory_order_relaxed)", "atom.gpu.and.b32; "},
    {"out = device.fetch_min(1, simt::memory_order_relaxed)", "atom.gpu.min.s32; "},
    {"out = system.fetch_max(1, simt::memory_order_relaxed)", "atom.sys.max.u64; "},
    {"out = *pointer.fetch_add(2, simt::memory_order_relaxed)", "atom.gpu.add.u64; "},
    {"out = device.compare_exchange_strong(plain, 1, simt::memory_order_acquire)",
     "atom.gpu.cas.b32; membar.gl; "},
    {"out = device.compare_exchange_weak(plain, 1, simt::memory_order_release, "
     "simt::memory_order_acquire)",
     "membar.gl; atom.gpu.cas.b32; membar.gl; "},
    {"out = narrow.load(simt::memory_order_relaxed)", "ld.volatile.u8; "},
    {"out = narrow.exchange(1, simt::memory_order_acquire)",
     "ld.volatile.u32; atom.gpu.cas.b32; membar.gl; "},
    {"out = simt::atomicCAS(&plain, 0, 1)", "atom.gpu.cas.b32; "},
    {"out = simt::atomicExch_block(&plain, 1)", "atom.cta.exch.b32; "},
    {"out = simt::atomicAdd_system(&plain, 1)", "atom.sys.add.u32; "},
    {"out = simt::atomicMax(&wide, 1LL)", "atom.gpu.max.s64; "},
    {"out = simt::atomicInc(&bits, 7)", "atom.gpu.inc.u32; "},
    {"simt::__threadfence()", "membar.gl; "},
    {"simt::__threadfence_block()", "membar.cta; "},
    {"simt::atomic_thread_fence(simt::memory_order_acquire, simt::thread_scope_block)",
     "membar.cta; "},
    {"simt::atomic_thread_fence(simt::memory_order_seq_cst)", "membar.sys; "},
    {"simt::atomic_thread_fence(simt::memory_order_relaxed)", ""},
    {"out = *static_cast<volatile int*>(&plain)", "ld.volatile.u32; "},
    {"plain = out + 1", ""},
    {"simt::syncthreads()", "bar.sync; "},
    {"simt::bar_sync(1)", "bar.sync; "},
    {"simt::bar_sync(1, 64)", "bar.sync; "},
    {"simt::bar_arrive(1, 64)", "bar.arrive; "},
    {"simt::named_barrier_sync(1, 2)", "bar.sync; "},
    {"simt::named_barrier_arrive(1, 2)", "bar.arrive; "},
    {"simt::syncwarp()", "membar.cta; "},
    {"out = simt::shfl(simt::full_mask, plain, 3)", "shfl.sync.idx.b32; "},
    {"wide = simt::shfl_up(simt::full_mask, wide, 1)", "shfl.sync.up.b32; shfl.sync.up.b32; "},
    {"out = simt::shfl_down(simt::full_mask, plain, 1)", "shfl.sync.down.b32; "},
    {"out = simt::shfl_xor(simt::full_mask, plain, 1)", "shfl.sync.bfly.b32; "},
    {"bits = simt::ballot(simt::full_mask, plain)", "vote.sync.ballot.b32; "},
    {"out = simt::any(simt::full_mask, plain)", "vote.sync.any.pred; "},
    {"out = simt::all(simt::full_mask, plain)", "vote.sync.all.pred; "},
    {"bits = simt::reduce_add(simt::full_mask, bits)", "vote.sync.ballot.b32; shfl.sync.idx.b32; "},
    {"out = simt::reduce_min(simt::full_mask, out)", "vote.sync.ballot.b32; shfl.sync.idx.b32; "},
    {"bits = simt::activemask()", "activemask.b32; "},
    {"bits = simt::match_all(simt::full_mask, plain, &out)",
     "vote.sync.ballot.b32; shfl.sync.idx.b32; vote.sync.all.pred; "},
    {"bits = simt::match_any(simt::full_mask, plain)", "vote.sync.ballot.b32; shfl.sync.idx.b32; "},
};

const words& kernel_with(const std::map<std::string, words>& kernels, const std::string& text) {
  for (const auto& [name, body] : kernels) {
    if (name.find(text) != std::string::npos) return body;
  }
  FAIL("no kernel with ", text);
  return kernels.begin()->second;
}

/// Headers of the shipped subjects that are due.
std::vector<fs::path> due_subjects() {
  std::vector<fs::path> all;
  const fs::path folder = warpcheck_paths::algorithms_dir();
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (each.path().extension() != ".hpp") continue;
    if (content(each.path()).find("\nSIMT_SUBJECT(") == std::string::npos) continue;
    if (test::is_due(each.path().lexically_relative(folder).string())) all.push_back(each.path());
  }
  return all;
}

}  // namespace

TEST_CASE("operations and their instructions") {
  const folder here;
  std::string text = "#include <simt/simt.hpp>\n";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string name = "operation_" + std::to_string(i) + "_";
    text += "struct " + name + " {" + members + "SIMT_FN void operator()() { " +
            pairs[i].operation + "; } };\nSIMT_SUBJECT(" + name + ");\n";
  }
  simt::compile_ptx_to(here.write("operations.hpp", text), here.files());
  for (const fs::path& file : {here.files().as_written, here.files().arms_swapped}) {
    const auto kernels = kernels_of(content(file));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      INFO(pairs[i].operation);
      const std::string name = "operation_" + std::to_string(i) + "_";
      CHECK(visible(kernel_with(kernels, name)) == pairs[i].instructions);
    }
  }
}

TEST_CASE("a lock has the branches of its source and no others") {
  const folder here;
  simt::compile_ptx_to(warpcheck_paths::algorithms_dir() / "locks/tas.hpp", here.files());
  const std::string ptx = content(here.files().as_written);
  CHECK(ptx.find(".target sm_60\n") != std::string::npos);
  CHECK(ptx.find(".version 6.2\n") != std::string::npos);
  const auto kernels = kernels_of(ptx);
  REQUIRE(kernels.size() == 1);
  const words& body = kernels.begin()->second;
  CHECK(visible(body) ==
        "ld.volatile.u32; atom.gpu.cas.b32; membar.gl; membar.gl; atom.gpu.exch.b32; ");
  CHECK(count_of(body, ".uni") > 0);
}

TEST_CASE("shipped subjects") {
  const folder here;
  std::string includes;
  for (const fs::path& each : due_subjects()) includes += "#include \"" + each.string() + "\"\n";
  simt::compile_ptx_to(here.write("all.hpp", includes), here.files());
  const std::string ptx = content(here.files().as_written);
  const auto kernels = kernels_of(ptx);
  const auto swapped = kernels_of(content(here.files().arms_swapped));
  CHECK(kernels.size() == swapped.size());
  for (const fs::path& each : due_subjects()) {
    const std::string name = each.stem().string();
    const std::string mangled = std::to_string(name.size()) + name;
    INFO(name);
    CHECK(std::ranges::any_of(kernels, [&](const auto& kernel) {
      return kernel.first.find(mangled) != std::string::npos;
    }));
  }
  // All is inlined but what is no part of an algorithm.
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("\t_ZN"))
      continue;  // in a call, the function stands in a line of its own
    INFO(line);
    CHECK((line.find("delay") != std::string::npos || line.find("4fail") != std::string::npos ||
           line.find("shake") != std::string::npos || line.find("nanosleep") != std::string::npos));
  }

  // CUDA's own assembler, where it is there, takes it. It no longer has sm_60.
  const fs::path assembler = "/usr/local/cuda/bin/ptxas";
  if (!fs::exists(assembler)) return;
  std::string newer = ptx;
  newer.replace(newer.find(".version 6.2"), 12, ".version 6.4");
  newer.replace(newer.find(".target sm_60"), 13, ".target sm_75");
  const fs::path file = here.write("newer.ptx", newer);
  const auto result = simt::detail::run_process(
      {assembler.string(), "-O0", "-arch=sm_75", file.string(), "-o", file.string() + ".cubin"});
  CHECK_MESSAGE(result.status == 0, result.output);
}

TEST_CASE("what PTX was made of") {
  const folder here;
  here.write("part.hpp", "#include <simt/simt.hpp>\nstruct part { int x = 0; };\n");
  const fs::path header = here.write(
      "mine.hpp",
      "#include \"part.hpp\"\nstruct mine : part { SIMT_FN void operator()() { ++x; } };\n"
      "SIMT_SUBJECT(mine);\n");
  simt::compile_ptx_to(header, here.files());
  CHECK(simt::why_outdated(here.files().as_written, header).empty());
  CHECK(simt::why_outdated(here.files().arms_swapped, header).empty());
  here.write("part.hpp", "#include <simt/simt.hpp>\nstruct part { long x = 0; };\n");
  CHECK(simt::why_outdated(here.files().as_written, header) == "it was made of another part.hpp");
  CHECK(simt::why_outdated(header, header) == "it is not such a file");
  CHECK(simt::why_outdated(here.files().as_written / "gone", header) == "it cannot be read");
}

TEST_CASE("a subject with a mistake") {
  const folder here;
  const fs::path header = here.write("wrong.hpp", "#include <simt/simt.hpp>\nint x = missing;\n");
  CHECK_THROWS_WITH_AS(simt::compile_ptx_to(header, here.files()),
                       doctest::Contains("wrong.hpp:2:9: error: use of undeclared identifier"),
                       simt::compile_error);
  CHECK_THROWS_AS(simt::compile_ptx("gone.hpp"), simt::compile_error);
}

TEST_CASE("compiled once") {
  const folder here;
  const fs::path header = here.write("once.hpp",
                                     "#include <simt/simt.hpp>\nstruct once { SIMT_FN void "
                                     "operator()() {} };\nSIMT_SUBJECT(once);\n");
  const simt::ptx_files first = simt::compile_ptx(header);
  const auto time = fs::last_write_time(first.as_written);
  const simt::ptx_files second = simt::compile_ptx(header);
  CHECK(second.as_written == first.as_written);
  CHECK(second.arms_swapped == first.arms_swapped);
  CHECK(fs::last_write_time(second.as_written) == time);
}
