// The model by mutation: for each of its clauses a litmus test whose answer changes when that
// clause is dropped.
#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;

namespace {

/// What is different without the clause.
enum class difference : std::uint8_t {
  allowed,     // the condition's outcome, and forbidden by the model
  forbidden,   // the outcome that the model allows
  never_ends,  // an execution, and none of the model's
  executions,  // only their number
  races        // there are some, and none in the model
};

struct mutation {
  bool clauses::*clause;
  const char* file;  // tests/litmus/clauses/FILE.litmus
  difference without;
  memory_model model = memory_model::ptx;
};

using enum difference;

constexpr auto mutations = std::to_array<mutation>({
    {&clauses::coherence_follows_causality, "coherence_follows_causality", allowed},
    {&clauses::morally_strong_stores_are_ordered, "morally_strong_stores_are_ordered", allowed},
    // docs/memory-model.md shows why no outcome can change.
    {&clauses::fence_sc_follows_causality, "fence_sc_follows_causality", executions},
    {&clauses::atomicity, "atomicity", allowed},
    {&clauses::no_thin_air, "no_thin_air_data", allowed},
    {&clauses::no_thin_air, "no_thin_air_control", allowed},
    {&clauses::no_thin_air_over_data, "no_thin_air_data", allowed},
    {&clauses::no_thin_air_over_control, "no_thin_air_control", allowed},
    {&clauses::sc_per_location, "sc_per_location", allowed},
    {&clauses::sc_per_location_reads_from_is_strong, "sc_per_location_reads_from_is_strong",
     forbidden},
    {&clauses::sc_per_location_coherence_is_strong, "sc_per_location_coherence_is_strong",
     forbidden},
    {&clauses::sc_per_location_from_reads_is_strong, "sc_per_location_from_reads_is_strong",
     forbidden},
    {&clauses::sc_per_location_is_of_one_location, "sc_per_location_is_of_one_location", forbidden},
    {&clauses::causality_and_reads_from, "causality_and_reads_from", allowed},
    {&clauses::causality_and_from_reads, "message_passing", allowed},
    {&clauses::atomicity_only_morally_strong, "atomicity_only_morally_strong", forbidden},
    {&clauses::coherence_is_partial, "coherence_is_partial", forbidden},
    {&clauses::coherence_is_transitive, "coherence_is_transitive", allowed},
    {&clauses::initial_stores_come_first, "initial_stores_come_first", allowed},
    {&clauses::weak_is_not_strong, "weak_is_not_strong", forbidden},
    {&clauses::scopes_matter, "scopes_matter", forbidden},
    {&clauses::both_scopes_matter, "both_scopes_matter", forbidden},
    {&clauses::program_order_is_strong, "program_order_is_strong", allowed},
    {&clauses::cta_is_told_by_gpu, "cta_is_told_by_gpu", forbidden},
    {&clauses::cta_is_told_by_gpu, "cta_is_told_by_gpu_at_barriers", forbidden},
    {&clauses::cluster_is_wider_than_cta, "cluster_is_wider_than_cta", allowed},
    {&clauses::cta_is_narrower_than_cluster, "cta_is_narrower_than_cluster", forbidden},
    {&clauses::cluster_is_narrower_than_gpu, "cluster_is_narrower_than_gpu", forbidden},
    {&clauses::gpu_is_wider_than_cluster, "gpu_is_wider_than_cluster", allowed},
    {&clauses::gpu_is_narrower_than_sys, "gpu_is_narrower_than_sys", forbidden},
    {&clauses::sys_is_wider_than_gpu, "sys_is_wider_than_gpu", allowed},
    {&clauses::release_store, "message_passing", allowed},
    {&clauses::release_store_then_strong_store, "release_store_then_strong_store", allowed},
    {&clauses::release_then_same_location, "release_then_same_location", forbidden},
    {&clauses::fence_then_strong_store, "fence_acq_rel_releases", allowed},
    {&clauses::fence_then_strong_store, "fence_sc_releases", allowed},
    {&clauses::fence_acq_rel_releases, "fence_acq_rel_releases", allowed},
    {&clauses::fence_sc_releases, "fence_sc_releases", allowed},
    {&clauses::acquire_load, "message_passing", allowed},
    {&clauses::strong_load_then_acquire_load, "strong_load_then_acquire_load", allowed},
    {&clauses::load_then_acquire_load_is_strong, "load_then_acquire_load_is_strong", forbidden},
    {&clauses::acquire_then_same_location, "acquire_then_same_location", forbidden},
    {&clauses::strong_load_then_fence, "fence_acq_rel_acquires", allowed},
    {&clauses::strong_load_then_fence, "fence_sc_acquires", allowed},
    {&clauses::load_then_fence_is_strong, "load_then_fence_is_strong", forbidden},
    {&clauses::fence_acq_rel_acquires, "fence_acq_rel_acquires", allowed},
    {&clauses::fence_sc_acquires, "fence_sc_acquires", allowed},
    {&clauses::red_never_acquires, "red_never_acquires", forbidden},
    {&clauses::red_never_acquires, "red_never_acquires_fence", forbidden},
    {&clauses::observation_is_morally_strong, "observation_is_morally_strong", forbidden},
    {&clauses::observation_is_morally_strong, "observation_of_the_first_link", forbidden},
    {&clauses::observation_through_rmw, "observation_through_rmw", allowed},
    {&clauses::observation_behind_rmw_is_morally_strong, "observation_behind_rmw_is_morally_strong",
     forbidden},
    {&clauses::observation_through_several_rmws, "observation_through_several_rmws", allowed},
    {&clauses::ends_are_morally_strong, "ends_are_morally_strong", forbidden},
    {&clauses::sync_is_causality, "message_passing", allowed},
    {&clauses::causality_is_transitive, "causality_is_transitive", allowed},
    {&clauses::fence_sc_order_is_causality, "fence_sc_order_is_causality", allowed},
    {&clauses::fence_sc_order_is_morally_strong, "fence_sc_order_is_morally_strong", forbidden},
    {&clauses::barriers_are_causality, "barriers_are_causality", allowed},
    {&clauses::program_order_before_causality, "message_passing", allowed},
    {&clauses::program_order_behind_causality, "message_passing", allowed},
    {&clauses::observation_begins_causality, "observation_begins_causality", allowed},
    {&clauses::observation_then_same_location, "observation_then_same_location", allowed},
    {&clauses::quorum_leaves_some_out, "quorum_leaves_some_out", forbidden},
    {&clauses::arrive_is_no_target, "arrive_is_no_target", forbidden},
    {&clauses::resources_matter, "resources_matter", forbidden},
    {&clauses::instances_matter, "instances_matter", forbidden},
    {&clauses::barriers_are_of_one_cta, "barriers_are_of_one_cta", forbidden},
    {&clauses::participants_are_waited_for, "participants_are_waited_for", allowed},
    {&clauses::quorum_is_waited_for, "quorum_is_waited_for", allowed},
    {&clauses::quorum_is_a_threshold, "quorum_is_a_threshold", forbidden},
    {&clauses::waits_are_not_circular, "waits_are_not_circular", allowed},
    {&clauses::proxies_are_told_apart, "proxies_are_told_apart", forbidden},
    {&clauses::addresses_are_told_apart, "addresses_are_told_apart", forbidden},
    {&clauses::morally_strong_is_of_one_proxy, "morally_strong_is_of_one_proxy", forbidden},
    {&clauses::morally_strong_is_of_one_address, "morally_strong_is_of_one_address", forbidden},
    {&clauses::patterns_are_of_one_address, "patterns_are_of_one_address", forbidden},
    {&clauses::same_proxy_needs_no_fence, "same_proxy_needs_no_fence", allowed},
    {&clauses::same_proxy_is_of_one_cta, "same_proxy_is_of_one_cta", forbidden},
    {&clauses::proxy_fence_behind_source, "proxy_fence_behind_source", allowed},
    {&clauses::proxy_fence_before_target, "proxy_fence_before_target", allowed},
    {&clauses::proxy_fence_is_of_its_proxy, "proxy_fence_is_of_its_proxy", forbidden},
    {&clauses::proxy_fence_is_of_its_cta, "proxy_fence_is_of_its_cta", forbidden},
    {&clauses::proxy_fences_are_in_order, "proxy_fences_are_in_order", forbidden},
    {&clauses::program_order_leads_to_proxy_fences, "program_order_leads_to_proxy_fences", allowed},
    {&clauses::alias_fence_orders_aliases, "alias_fence_orders_aliases", allowed},
    {&clauses::alias_fence_is_behind_proxy_fence, "alias_fence_is_behind_proxy_fence", forbidden},
    {&clauses::alias_fence_is_before_proxy_fence, "alias_fence_is_before_proxy_fence", forbidden},
    {&clauses::fence_release_releases, "fence_release_releases", allowed},
    {&clauses::fence_acquire_only_acquires, "fence_acquire_only_acquires", forbidden},
    {&clauses::fence_acquire_acquires, "fence_acquire_acquires", allowed},
    {&clauses::fence_release_only_releases, "fence_release_only_releases", forbidden},
    {&clauses::cluster_barriers_are_of_one_cluster, "cluster_barriers_are_of_one_cluster",
     forbidden},
    {&clauses::cluster_arrivals_are_no_targets, "cluster_arrivals_are_no_targets", forbidden},
    {&clauses::cluster_waits_are_no_sources, "cluster_waits_are_no_sources", forbidden},
    {&clauses::relaxed_arrivals_order_nothing, "relaxed_arrivals_order_nothing", forbidden},
    {&clauses::fence_then_relaxed_arrival, "fence_then_relaxed_arrival", allowed},
    {&clauses::fence_then_relaxed_arrival, "fence_then_relaxed_arrival_cumulates", allowed},
    {&clauses::fence_is_before_arrival, "fence_is_before_arrival", forbidden},
    {&clauses::fence_before_arrival_is_wide_enough, "fence_before_arrival_is_wide_enough",
     forbidden},
    {&clauses::barriers_are_causality, "cluster_barriers_are_causality", allowed},
    {&clauses::copies_are_behind_their_issue, "copies_are_behind_their_issue", allowed},
    {&clauses::issuing_leads_nowhere_else, "issuing_leads_nowhere_else", forbidden},
    {&clauses::failed_cas_stores, "failed_cas_stores", allowed},
    {&clauses::executions_are_complete, "executions_are_complete", allowed},
    {&clauses::executions_are_complete, "executions_are_complete_spinning", allowed},
    {&clauses::races_are_conflicts, "races_are_conflicts", races},
    {&clauses::races_are_not_morally_strong, "races_are_not_morally_strong", races},
    {&clauses::races_are_not_ordered, "races_are_not_ordered", races},
    {&clauses::races_are_of_instructions, "races_are_of_instructions", races},
    {&clauses::memory_is_fair, "memory_is_fair", never_ends},
    {&clauses::program_order_is_strong, "sc_per_location", allowed},
    {&clauses::one_after_the_other, "one_after_the_other", allowed, memory_model::sc},
    {&clauses::atomicity, "atomicity", allowed, memory_model::sc},
});

program read(const char* file) {
  return read_program("tests/litmus/clauses/" + std::string(file) + ".litmus");
}

answer answer_without(const program& p, memory_model model, bool clauses::*clause) {
  candidate_options options;
  options.model = model;
  if (clause != nullptr) options.rules.*clause = false;
  return evaluate(p, options);
}

}  // namespace

TEST_CASE("each clause decides a test") {
  for (const mutation& one : mutations) {
    CAPTURE(std::string(one.file));
    const program p = read(one.file);
    const answer model = answer_without(p, one.model, nullptr),
                 without = answer_without(p, one.model, one.clause);
    REQUIRE(model.holds.has_value());
    REQUIRE(without.holds.has_value());
    switch (one.without) {
      case allowed:
        CHECK(!*model.holds);
        CHECK(*without.holds);
        break;
      case forbidden:
        CHECK(*model.holds);
        CHECK(!*without.holds);
        break;
      case never_ends:
        CHECK(model.terminates == true);
        CHECK(without.terminates == false);
        break;
      case executions:
        CHECK(model.executions != without.executions);
        CHECK(model.outcomes.size() == without.outcomes.size());
        break;
      case races:
        CHECK(model.races.empty());
        CHECK(!without.races.empty());
        break;
    }
  }
}

TEST_CASE("data and branches are dependencies, each without the other") {
  const auto holds = [](const char* file, bool clauses::*clause) {
    return answer_without(read(file), memory_model::ptx, clause).holds;
  };
  CHECK(holds("no_thin_air_data", &clauses::no_thin_air_over_control) == false);
  CHECK(holds("no_thin_air_control", &clauses::no_thin_air_over_data) == false);
}

TEST_CASE("each clause is in the table") {
  std::set<const bool*> dropped;
  const clauses rules;
  for (const mutation& one : mutations) dropped.insert(&(rules.*one.clause));
  CHECK(dropped.size() == sizeof(clauses) / sizeof(bool));
}

TEST_CASE("every execution of these tests passes the axioms that are not built in") {
  for (const mutation& one : mutations) {
    CAPTURE(std::string(one.file));
    const program p = read(one.file);
    const answer model = answer_without(p, memory_model::ptx, nullptr);
    for (const auto& shown : {model.satisfying, model.contradicting, model.endless}) {
      if (shown) CHECK(!violated(shown->x, shown->with).has_value());
    }
  }
}
