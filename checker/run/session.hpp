// Makes one run ready: loads the subject, lays out its memory, builds the machine.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "checker/pilot/one_outcome.hpp"
#include "checker/run/object.hpp"
#include "checker/run/stop_cause.hpp"
#include "checker/scenario/scenario.hpp"
#include "sim/automaton/lane_program.hpp"
#include "sim/lane/device_memory.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class session {
 public:
  /// Compiles the subject (if the scenario names a source) and loads it. `waiting` limits the
  /// subject's host code, now and later. Throws usage_error, simt::compile_error,
  /// simt::host_code_error, simt::host_code_stopped.
  session(const scenario& what, const run_settings& how, const simt::patience& waiting = {});

  /// The machine without reductions.
  [[nodiscard]] simt::machine& machine() { return *machine_; }
  [[nodiscard]] const simt::machine_setup& setup() const { return setup_; }
  [[nodiscard]] const simt::device_memory& memory() const { return *memory_; }
  [[nodiscard]] simt::machine_stores& stores() { return *stores_; }
  [[nodiscard]] simt::lane_program& lanes() { return *program_; }
  [[nodiscard]] const simt::lane_program& lanes() const { return *program_; }
  /// The traits of the run's memory model, which hold in every state.
  [[nodiscard]] const simt::memory_traits& traits_of_memory() const {
    return machine_->traits_of_memory();
  }
  /// Names executions that the memory model allows but that are not explored, even though all
  /// states are. Empty: there are none.
  [[nodiscard]] stop_cause left_out() const;
  /// Whether steps of an activemask were met that are left out (see machine_setup).
  [[nodiscard]] bool leaves_masks_out() const { return *leaves_masks_out_; }
  /// What is known of the program, under weak memory.
  [[nodiscard]] simt::shared_facts& facts() const { return *facts_; }
  [[nodiscard]] const scenario& subject() const { return scenario_; }
  [[nodiscard]] const run_settings& settings() const { return settings_; }
  /// Limits host code, for another session of the same run.
  [[nodiscard]] const simt::patience& waiting() const { return waiting_; }
  /// What the clients do, if they call operations of an object.
  [[nodiscard]] const object_setup& object() const { return object_; }

  /// Checks the memory that a complete run leaves: by the subject's own check, and, if asked,
  /// whether it is the same for every schedule. Null: all is well. Any thread may call it. Throws
  /// simt::host_code_error, simt::host_code_stopped.
  [[nodiscard]] const char* final_check(std::span<const std::uint8_t> image) const;

 private:
  void add_agents();

  scenario scenario_;
  run_settings settings_;
  simt::patience waiting_;
  simt::machine_setup setup_;
  object_setup object_;
  std::unique_ptr<simt::device_memory> memory_;
  std::unique_ptr<simt::lane_program> program_;
  std::unique_ptr<std::atomic<bool>> leaves_masks_out_ = std::make_unique<std::atomic<bool>>(false);
  std::unique_ptr<simt::shared_facts> facts_ = std::make_unique<simt::shared_facts>();
  std::unique_ptr<simt::lane_automaton> automaton_;
  std::unique_ptr<simt::machine_stores> stores_;
  std::unique_ptr<simt::machine> machine_;
  std::optional<one_outcome> outcome_;
  // A check asks another process, so its message for each image is remembered.
  mutable std::mutex checking_;
  mutable std::map<std::string, const char*, std::less<>> checked_;
  mutable std::size_t checked_bytes_ = 0;
  mutable std::set<std::string> messages_;
};

/// Returns the object that a scenario's clients use, whatever the clients do. Throws usage_error,
/// simt::compile_error, simt::host_code_error, simt::host_code_stopped.
const simt::detail::subject_entry& object_entry(const scenario& what,
                                                const simt::patience& waiting = {});

/// Returns the shared object of a scenario's subject: shipped, or compiled from its source.
std::filesystem::path subject_file(const scenario& what);

}  // namespace warpcheck
