// Chooses the source lines that reports of kernels show.
#include "sim/ptx/emit/source_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/names.hpp"

namespace simt::ptx {
namespace {

// Whether the file is a header of CUDA (cooperative_groups.h, CUB, libcu++, intrinsics), or of our
// API in a subject that nvcc has compiled.
bool is_of_library(const std::string& file) {
  const std::size_t include = file.rfind("/include/");
  if (file.find("/include/simt/") != std::string::npos) return true;
  return include != std::string::npos &&
         (file.find("/cuda") < include || file.find("/targets/") < include);
}

std::string file_name(const module& m, std::uint32_t number) {
  const auto found = std::ranges::find(m.files, number, &source_file::number);
  return found == m.files.end() ? std::string{} : found->name;
}

}  // namespace

user_place place_of(const module& m, const instruction& i) {
  if (!i.place || *i.place >= m.places.size()) return {m.file, i.line};
  const source_place* at = &m.places[*i.place];
  const user_place innermost{file_name(m, at->file), at->line};
  if (innermost.file.empty()) return {m.file, i.line};
  // A compiler's places refer to earlier ones. Other texts may have circles, so the steps are
  // counted.
  for (std::size_t steps = 0; steps < 64; ++steps) {
    std::string file = file_name(m, at->file);
    if (!file.empty() && !is_of_library(file)) return {std::move(file), at->line};
    if (!at->inlined_at || *at->inlined_at >= m.places.size()) break;
    at = &m.places[*at->inlined_at];
  }
  return innermost;
}

std::string source_line::in_front_of(const instruction& i) {
  const user_place place = place_of(module_, i);
  return fmt::format("#line {} {}\n", std::max<std::uint32_t>(place.line, 1),
                     quoted_text(place.file));
}

}  // namespace simt::ptx
