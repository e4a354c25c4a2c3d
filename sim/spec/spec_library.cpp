// Lists the shipped specifications, and compiles those of a user's header.
#include "sim/spec/spec_library.hpp"

#include <algorithm>
#include <utility>

#include <simt/spec/all.hpp>

#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/compile/undefined_names.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/spec/worker_spec.hpp"

namespace simt {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& flags() {
  static const std::vector<std::string> all = {"-x",
                                               "c++",
                                               "-std=c++20",
                                               "-O2",
                                               "-fPIC",
                                               "-shared",
                                               "-fvisibility=hidden",
                                               "-fno-c++-static-destructors",
                                               "-DSIMT_SPEC_BUILD",
                                               "-Wall",
                                               "-Wno-pragma-once-outside-header",
                                               "-Werror=return-type"};
  return all;
}

fs::path compile(const fs::path& source) {
  const fs::path absolute = detail::existing_source(source);
  const fs::path folder = detail::cache_folder();
  const detail::words input = {"-I" + detail::api_include_folder().string(), absolute.string()};
  std::string identity = "specification\n" + absolute.string() + "\n" + detail::pipeline_identity();
  for (const std::string& flag : flags()) identity += flag + "\n";
  identity += detail::preprocess(detail::command(detail::subject_compiler(), {&flags(), &input}));
  const std::string name = absolute.stem().string() + "-" + detail::content_hash(identity) + ".so";
  if (auto found = detail::find_cached(folder, name)) return *found;

  const detail::scratch_folder scratch(folder);
  const fs::path made = scratch.path() / "spec.so";
  const detail::words output = {"-o", made.string()};
  const detail::words link =
      detail::command(detail::subject_compiler(), {&flags(), &input, &output});
  detail::run_compiler_step(link, scratch.path());
  detail::refuse_undefined_names(link, made, absolute);
  return detail::keep_cached(folder, name, made);
}

}  // namespace

const std::vector<spec::maker>& shipped_specs() {
  using namespace spec;
  static const std::vector<maker> all{&make<barrier>,
                                      &make<bounded_queue>,
                                      &make<consensus>,
                                      &make<containers>,
                                      &make<counter>,
                                      &make<dcas>,
                                      &make<deque>,
                                      &make<load_linked>,
                                      &make<spec::map>,
                                      &make<priority_queue>,
                                      &make<priority_set>,
                                      &make<queue>,
                                      &make<read_write_register>,
                                      &make<spec::semaphore>,
                                      &make<spec::set>,
                                      &make<stack>,
                                      &make<stm>,
                                      &make<three_stacks>,
                                      &make<work_deque>};
  return all;
}

found_spec shipped_spec(std::string_view name) {
  found_spec found{make_spec(shipped_specs(), name), {}};
  for (const spec::maker make : shipped_specs()) found.names.emplace_back(make()->name());
  return found;
}

found_spec load_spec(const fs::path& source, std::string_view name, const patience& waiting) {
  spec_worker worker(source.string(), compile(source), waiting);
  if (worker.names().empty()) {
    throw compile_error(source.string() +
                        " has no specification: add SIMT_SPEC(type); behind the type");
  }
  found_spec found{nullptr, worker.names()};
  if (std::ranges::find(found.names, name) != found.names.end()) {
    found.spec = std::move(worker).make(name);
  }
  return found;
}

std::unique_ptr<spec::specification> make_spec(const std::vector<spec::maker>& from,
                                               std::string_view name) {
  for (const spec::maker make : from) {
    auto made = make();
    if (made->name() == name) return made;
  }
  return nullptr;
}

}  // namespace simt
