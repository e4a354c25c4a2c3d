// Loads a run's subject, refuses what device code must not do, and builds memory, machine and
// clients.
#include "checker/run/session.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/pilot/access_units.hpp"
#include "checker/run/place.hpp"
#include "checker/text/in_quotes.hpp"
#include "sim/compile/compile.hpp"
#include "sim/subject/cuda_names.hpp"
#include "sim/subject/elf_image.hpp"
#include "sim/subject/gates_copies.hpp"
#include "sim/subject/location.hpp"

namespace warpcheck {
namespace {

std::string_view last_part(std::string_view subject) {
  const auto slash = subject.rfind('/');
  return slash == std::string_view::npos ? subject : subject.substr(slash + 1);
}

/// Returns an operation that the subject has, with arguments, as an example.
std::string example_of(const simt::subject_library& library, std::string_view subject) {
  for (const auto* entry : library.entries) {
    if (entry->name != last_part(subject) || entry->operation_count == 0) continue;
    std::string text = entry->operations[0].name;
    for (std::uint32_t i = 0; i < entry->operations[0].arguments; ++i) text += " 1";
    return text;
  }
  return {};
}

/// The members that a type must have to fit the workload.
std::string_view members_of(std::string_view workload) {
  if (workload == "counter") return "lock() and unlock(), or locked(section)";
  if (workload == "kernel") return "operator()()";
  if (workload == "capacity") return "acquire(), release() and permits";
  if (workload == "phases") return "arrive_and_wait()";
  if (workload == "order") return "doorway(), wait_turn(int) and unlock()";
  if (workload == "operations") return "operations";
  return {};
}

const simt::detail::subject_entry& find_entry(const simt::subject_library& library,
                                              const scenario& what) {
  std::vector<const simt::detail::subject_entry*> fitting;
  std::vector<std::string> names;
  std::vector<std::string> workloads;
  for (const auto* entry : library.entries) {
    if (std::ranges::find(names, entry->name) == names.end()) names.emplace_back(entry->name);
    if (entry->name != last_part(what.subject)) continue;
    // Operations in the scenario decide which of several entries is meant.
    const bool has_operations = std::string_view(entry->workload) == "operations";
    workloads.emplace_back(entry->workload);
    if (has_operations != !what.threads.empty()) continue;
    if (what.workload.empty() || entry->workload == what.workload) fitting.push_back(entry);
  }
  if (workloads.empty()) {
    throw usage_error(fmt::format("{}: there is no subject \"{}\" here; there is {}",
                                  what.place_of("subject"), what.subject, fmt::join(names, ", ")));
  }
  const bool is_object = std::ranges::find(workloads, "operations") != workloads.end();
  if (fitting.empty() && what.generate && is_object) {
    throw usage_error(
        fmt::format("{}: \"generate\" stands for many clients, which only `warpcheck run` goes "
                    "through; write one of them, as in threads = [[\"{}\"]]",
                    what.place_of("generate"), example_of(library, what.subject)));
  }
  if (fitting.empty() && what.threads.empty() && is_object) {
    throw usage_error(
        fmt::format("{}: subject \"{}\" is an object with operations; say what its clients do, as "
                    "in threads = [[\"{}\"]]",
                    what.place_of("subject"), what.subject, example_of(library, what.subject)));
  }
  if (fitting.empty() && !what.threads.empty() && !is_object) {
    throw usage_error(fmt::format(
        "{}: subject \"{}\" has no operations for \"threads\"; it fits {}: use \"workload\"",
        what.place_of("threads"), what.subject, fmt::join(workloads, ", ")));
  }
  if (fitting.empty() && members_of(what.workload).empty()) {
    throw usage_error(fmt::format("{}: there is no workload \"{}\"; subject \"{}\" fits {}",
                                  what.place_of("workload"), what.workload, what.subject,
                                  fmt::join(workloads, ", ")));
  }
  if (fitting.empty()) {
    throw usage_error(fmt::format(
        "{}: subject \"{}\" does not fit workload \"{}\", for which a type has {}, all of "
        "them public; it fits {}",
        what.place_of("workload"), what.subject, what.workload, members_of(what.workload),
        fmt::join(workloads, ", ")));
  }
  if (fitting.size() > 1 && std::string_view(fitting[0]->workload) == fitting[1]->workload) {
    throw usage_error(fmt::format("{}: subject \"{}\" is registered twice: remove one SIMT_SUBJECT",
                                  what.place_of("subject"), what.subject));
  }
  if (fitting.size() > 1) {
    throw usage_error(fmt::format(
        "{}: subject \"{}\" fits several workloads; add one of them, for "
        "example workload = \"{}\" ({})",
        what.place_of("subject"), what.subject, workloads.front(), fmt::join(workloads, ", ")));
  }
  return *fitting.front();
}

/// Refuses a member that was written for the API to call, but is not called. Such a member would
/// make an `ok` say less than it seems to.
void refuse_uncalled(const simt::subject_library& library, const simt::detail::subject_entry& entry,
                     const scenario& what) {
  const std::string_view workload = entry.workload;
  // Operations of an object that is a kernel as well are judged by their history alone.
  if (entry.checks_itself && workload != "kernel" && workload != "operations") {
    const char* const key = what.workload.empty() ? "subject" : "workload";
    throw usage_error(fmt::format(
        "{}: subject \"{}\" has a check(), the final check of a kernel or of an object, which the "
        "workload \"{}\" would not call: use workload = \"kernel\" or \"operations\", or give "
        "check() another name or a type of its own",
        what.place_of(key), what.subject, workload));
  }
  if (!entry.hides_members) return;
  const simt::debug_info info(library.file);
  const auto functions = info.functions_of_first_member(simt::workload_type(entry));
  const auto is_compiled = [&](std::string_view name) {
    return std::ranges::any_of(functions, [&](const simt::member_function& each) {
      return each.name == name && each.is_used;
    });
  };
  const auto is_called = [&](std::string_view name) {
    if (name == "check") return entry.checks_itself;
    // Objects always have an initial content.
    if (name == "init") return workload == "operations" ? is_compiled(name) : entry.init != nullptr;
    if (name == "parties") return workload != "phases" || is_compiled(name);
    return name != "next_launch" || workload != "kernel" || entry.next_launch != nullptr;
  };
  for (const simt::member_function& each : functions) {
    if (is_called(each.name)) continue;
    throw usage_error(fmt::format(
        "{}:{}: error: {}() is not public{} and would not be called; write it in public{}, or give "
        "it another name",
        each.file, each.line, each.name,
        each.is_public ? ", or has a form that does not fit, or is hidden by another member of its "
                         "name,"
                       : "",
        each.is_public ? " and in the form that docs/api.md has (\"Subjects\")" : ""));
  }
}

bool is_simulators(std::string_view name) {
  for (const std::string_view prefix : {"simt_", "__tsan_", "__sanitizer_cov_", "__wrap_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

constexpr std::string_view first_comer = "__cxa_guard_acquire";

/// Whether the compiler adds this call to a static local variable, besides `first_comer`.
bool belongs_to_static_local(std::string_view call) {
  return call == "__cxa_guard_release" || call == "__cxa_guard_abort" || call == "__cxa_atexit";
}

/// Whether this is a function that the compiler makes for a thread_local variable with an
/// initializer.
bool sets_thread_variable(std::string_view call) {
  return call.starts_with("TLS wrapper function for ") ||
         call.starts_with("TLS init function for ");
}

/// The static local variable behind a call of `first_comer`.
std::string static_local(const simt::subject_library& library) {
  const auto all = simt::detail::guarded_variables(library.file);
  const std::string what = "the initializer of a static local variable";
  return all.size() == 1 ? fmt::format("{} ({})", what, all.front()) : what;
}

/// Returns the calls with their places: "abort (mine.hpp:7)".
std::vector<std::string> with_places(const simt::subject_library& library,
                                     const simt::detail::subject_entry& entry,
                                     const std::vector<std::string>& calls) {
  const simt::debug_info info(library.file);
  std::vector<simt::function_call> there;
  for (const auto function :
       {reinterpret_cast<std::uint64_t>(entry.body), reinterpret_cast<std::uint64_t>(entry.endless),
        reinterpret_cast<std::uint64_t>(entry.init)}) {
    if (function == 0) continue;
    for (simt::function_call& call : info.calls_in(function)) {
      if (!is_simulators(call.name)) there.push_back(std::move(call));
    }
  }
  std::vector<std::string> told;
  for (const std::string& name : calls) {
    if (name == first_comer) {
      told.push_back(static_local(library));
      continue;
    }
    if (sets_thread_variable(name)) {
      told.push_back(fmt::format("the initializer of the thread_local variable `{}`",
                                 name.substr(name.find(" for ") + 5)));
      continue;
    }
    // A function of a library may have several names. Then take any call that has none of the
    // names.
    const auto is_it = [&](const simt::function_call& call) {
      return call.name.empty() ? name == simt::through_a_pointer
                               : simt::detail::demangle(call.name.c_str()) == name;
    };
    const auto is_nobodys = [&](const simt::function_call& call) {
      return !call.name.empty() &&
             std::ranges::find(calls, simt::detail::demangle(call.name.c_str())) == calls.end();
    };
    auto found = std::ranges::find_if(there, is_it);
    if (found == there.end() && name != simt::through_a_pointer) {
      found = std::ranges::find_if(there, is_nobodys);
    }
    if (found == there.end()) {
      told.push_back(name);
      continue;
    }
    source_place place = place_of(info, found->return_address);
    // For a call inside the API, show where the called function itself is written.
    if (!is_of_user(info, found->return_address)) {
      for (const simt::member_function& own :
           info.functions_of_first_member(simt::workload_type(entry))) {
        if (name.find("::" + own.name + "(") == std::string::npos) continue;
        place = {std::filesystem::path(own.file).filename().string(), own.line, own.name, own.file};
      }
    }
    told.push_back(fmt::format("{} ({})", name, place.text()));
  }
  return told;
}

void refuse_calls(const simt::subject_library& library, const simt::detail::subject_entry& entry,
                  const scenario& what) {
  auto calls = simt::calls_not_inlined(library, entry);
  if (calls.empty()) return;
  std::string remedy;
  if (std::ranges::find(calls, first_comer) != calls.end()) {
    std::erase_if(calls, belongs_to_static_local);
    remedy =
        "; a static local variable whose initializer runs when a lane first comes to it has no "
        "place on a GPU: make it constexpr, or a member of the subject that the constructor sets";
  }
  std::set<std::string> said;
  if (std::ranges::any_of(calls, sets_thread_variable)) {
    remedy +=
        "; no GPU has thread_local variables: make it a local variable, or give each lane an "
        "element of a device_array";
  }
  for (const std::string& name : calls) {
    const auto other = simt::detail::in_place_of_called(name);
    if (!other.empty() && said.insert(other).second) {
      remedy += fmt::format("; in place of {}: {}", name, other);
    }
  }
  throw usage_error(fmt::format(
      "{}: device code of \"{}\" calls {}, which cannot be followed there; mark functions of your "
      "own SIMT_FN, and call no host functions (lambdas and constexpr functions are followed, but "
      "not into themselves){}",
      what.place_of("subject"), what.subject, fmt::join(with_places(library, entry, calls), ", "),
      remedy));
}

/// Refuses so many repetitions that a thread's byte in the workload "order" would overflow into the
/// next thread's.
void refuse_overflow(const scenario& what, const simt::detail::subject_entry& entry) {
  constexpr std::uint32_t most = 127;
  if (std::string_view(entry.workload) != "order" || what.repeat <= most) return;
  throw usage_error(
      fmt::format("{}: repeat = {}, but the workload \"order\" counts {} repetitions at most; give "
                  "repeat a smaller number",
                  what.place_of("repeat"), what.repeat, most));
}

void check_array_names(const scenario& what, const std::vector<std::string>& names) {
  for (const auto& [name, size] : what.arrays) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw usage_error(fmt::format("{}: [arrays] names \"{}\", but subject \"{}\" has {}",
                                  what.place_of("arrays." + name), name, what.subject,
                                  names.empty() ? std::string("no device arrays")
                                                : fmt::format("{}", fmt::join(names, ", "))));
  }
}

/// Whether device code may have accesses of more than one size, one of them plain.
bool may_have_sizes(const simt::subject_library& library,
                    const simt::detail::subject_entry& entry) {
  int sizes = 0;
  for (const char* size : {"1", "2", "4", "8"}) {
    sizes += static_cast<int>(simt::calls(library, entry, fmt::format("__tsan_read{}", size)) ||
                              simt::calls(library, entry, fmt::format("__tsan_write{}", size)));
  }
  return sizes > 1 || (sizes == 1 && simt::calls(library, entry, "simt_hook_memory"));
}

}  // namespace

std::filesystem::path subject_file(const scenario& what) {
  if (what.source) return simt::compile_subject(*what.source);
  const std::filesystem::path file = simt::shipped_subject(what.subject);
  if (file.empty()) {
    throw usage_error(
        fmt::format("{}: there is no shipped subject \"{}\"; `warpcheck list` shows them "
                    "(for a subject of your own, add source = \"FILE.hpp\")",
                    what.place_of("subject"), what.subject));
  }
  return file;
}

namespace {

std::shared_ptr<const simt::subject_library> load_subject(const scenario& what,
                                                          const simt::patience& waiting) {
  const std::filesystem::path file = subject_file(what);
  return what.source ? simt::subject_library::load(file, what.subject, waiting)
                     : simt::subject_library::load(file);
}

}  // namespace

const simt::detail::subject_entry& object_entry(const scenario& what,
                                                const simt::patience& waiting) {
  scenario somebody = what;
  somebody.threads.resize(1);
  return find_entry(*load_subject(what, waiting), somebody);
}

session::session(const scenario& given, const run_settings& how, const simt::patience& waiting)
    : scenario_(given.kernel ? with_subject(given) : given), settings_(how), waiting_(waiting) {
  const scenario& what = scenario_;
  setup_.library = load_subject(what, waiting);
  setup_.entry = &find_entry(*setup_.library, what);
  refuse_uncalled(*setup_.library, *setup_.entry, what);
  refuse_calls(*setup_.library, *setup_.entry, what);  // before init() runs
  if (what.repeat > 1 && !what.never_ends() &&
      std::string_view(setup_.entry->workload) == "kernel") {
    throw usage_error(
        fmt::format("{}: repeat = {}, but a kernel runs its body once; leave repeat out, or "
                    "write the loop into the kernel",
                    what.place_of("repeat"), what.repeat));
  }
  if (what.never_ends() && setup_.entry->endless == nullptr && what.threads.empty()) {
    throw usage_error(fmt::format(
        "{}: repeat = \"forever\" is for objects and for the workloads counter, capacity "
        "and kernel; \"{}\" has an end: give repeat a number",
        what.place_of("repeat"), setup_.entry->workload));
  }
  if (what.never_ends() && setup_.entry->next_launch != nullptr) {
    throw usage_error(fmt::format(
        "{}: repeat = \"forever\" makes clients that never end, but subject \"{}\" has a "
        "next_launch(), which runs when all have; leave repeat out",
        what.place_of("repeat"), what.subject));
  }
  refuse_overflow(what, *setup_.entry);
  if (simt::makes_copies(*setup_.library, *setup_.entry)) add_agents();
  setup_.grid = what.grid;
  simt::grid_shape threads = what.grid;
  if (threads.copies) threads.lanes.pop_back();
  setup_.model = how.machine;
  setup_.progress = how.progress;
  setup_.clients = what.clients;
  setup_.repeat = what.repeat;
  memory_ = std::make_unique<simt::device_memory>(setup_.library, *setup_.entry, what.arrays,
                                                  threads, waiting);
  check_array_names(what, memory_->array_names());
  setup_.memory = memory_.get();
  if (!what.threads.empty()) {
    const bool declares_points =
        simt::calls(*setup_.library, *setup_.entry, "simt_hook_linearization_point");
    object_ = set_up_object(what, how, *setup_.entry, declares_points, waiting);
    object_.assigned.for_ever = what.never_ends();
    setup_.assigned = &object_.assigned;
    setup_.monitor = object_.monitor.get();
    setup_.has_points = object_.has_points;
  }
  program_ =
      std::make_unique<simt::lane_program>(setup_.library, *setup_.entry, *memory_, what.repeat,
                                           how.machine.reconvergence == simt::reconvergence::stack,
                                           how.machine.fences == simt::sc_fences::acq_rel);
  if (what.kernel && may_have_sizes(*setup_.library, *setup_.entry)) {
    memory_->set_units(units_of_accesses(setup_, *program_->another()));
  }
  setup_.facts = facts_.get();
  setup_.leaves_masks_out = leaves_masks_out_.get();
  automaton_ = std::make_unique<simt::lane_automaton>(*program_, false);
  stores_ = std::make_unique<simt::machine_stores>(*automaton_);
  machine_ = simt::make_machine(setup_, *stores_);
  if (how.deterministic) outcome_.emplace(what, setup_, *program_, *how.deterministic);
}

// Gives each block a lane that carries out asynchronous copies.
void session::add_agents() {
  const scenario& what = scenario_;
  if (std::string_view(setup_.entry->workload) != "kernel") {
    throw usage_error(fmt::format(
        "{}: subject \"{}\" makes asynchronous copies (simt/async.hpp), which only kernels can; it "
        "is run by the workload \"{}\"",
        what.place_of("subject"), what.subject, setup_.entry->workload));
  }
  // Of kernels in PTX, `ptx` knows what each copy knows (simt/ptx/bulk_copy.hpp).
  const bool has_views = simt::gates_copies(*setup_.library);
  if (settings_.machine.memory == simt::memory_model::ptx && !has_views) {
    throw usage_error(fmt::format(
        "{}: subject \"{}\" makes asynchronous copies (simt/async.hpp), which memory = \"ptx\" "
        "does not have: use memory = \"sc\", or a litmus test (docs/async.md)",
        what.place_of("subject"), what.subject));
  }
  if (what.grid.copies) return;  // a counterexample file already has these lanes
  scenario_.grid.lanes.push_back(1);
  scenario_.grid.copies = true;
}

stop_cause session::left_out() const {
  const simt::memory_facts known = facts_->now();
  if (!traits_of_memory().learns_facts || !known.may_buffer) return {};
  if (!setup_.model.promises) return {stop_reason::no_early_stores, "without load buffering"};
  if (!known.gave_up_bursts) return {};
  return {
      stop_reason::rare_early_stores,
      "without some runs in which a load reads what is stored only later (load buffering), where "
      "several lanes do so at once"};
}

const char* session::final_check(std::span<const std::uint8_t> image) const {
  if (setup_.entry->check == nullptr && !outcome_) return nullptr;
  const std::lock_guard lock(checking_);
  const std::string_view bytes(reinterpret_cast<const char*>(image.data()), image.size());
  if (const auto known = checked_.find(bytes); known != checked_.end()) return known->second;
  const std::uint32_t threads = setup_.grid.own_threads();
  const std::uint32_t clients =
      setup_.clients == simt::clients::lane ? threads
      : setup_.clients == simt::clients::warp
          ? setup_.grid.blocks * (setup_.grid.warps() - setup_.grid.agents())
          : setup_.grid.blocks;
  auto said = memory_->check(image, {setup_.grid.blocks, threads, clients, setup_.repeat});
  if (said) said = visible(*said);
  if (!said && outcome_) said = outcome_->difference(image);
  const char* const message = said ? messages_.insert(*said).first->c_str() : nullptr;
  constexpr std::size_t most_bytes = std::size_t{32} << 20;
  checked_bytes_ += image.size();
  if (checked_bytes_ > most_bytes) {
    checked_.clear();
    checked_bytes_ = image.size();
  }
  checked_.emplace(bytes, message);
  return message;
}

}  // namespace warpcheck
