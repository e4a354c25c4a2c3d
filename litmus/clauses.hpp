// The clauses of the memory model. The model is all of them. Only tests, and explanations of why an
// outcome is forbidden, drop one.
#pragma once

namespace litmus {

struct clauses {
  // Axioms (PTX ISA, "Axioms").
  bool coherence_follows_causality = true;
  bool morally_strong_stores_are_ordered = true;
  bool fence_sc_follows_causality = true;
  bool atomicity = true;
  bool no_thin_air = true;
  bool no_thin_air_over_data = true;     // dropped: dependencies on data do not count
  bool no_thin_air_over_control = true;  // dropped: those on branches do not
  bool sc_per_location = true;
  bool causality_and_reads_from = true;  // rf;causality is irreflexive
  bool causality_and_from_reads = true;  // fr;causality is irreflexive

  // SC-per-location. Dropped: it also holds over reads-from, coherence and from-reads that are not
  // morally strong; the last one: over all of program order.
  bool sc_per_location_reads_from_is_strong = true;
  bool sc_per_location_coherence_is_strong = true;
  bool sc_per_location_from_reads_is_strong = true;
  bool sc_per_location_is_of_one_location = true;

  // Only morally strong stores can break atomicity. Dropped: all stores can, and are then ordered.
  bool atomicity_only_morally_strong = true;
  // Coherence is a partial order. Dropped: it is total at each location.
  bool coherence_is_partial = true;
  bool coherence_is_transitive = true;
  bool initial_stores_come_first = true;

  // Moral strength.
  bool weak_is_not_strong = true;         // dropped: weak accesses count as strong, at system scope
  bool scopes_matter = true;              // dropped: every scope contains everyone
  bool both_scopes_matter = true;         // dropped: one of the two is enough
  bool program_order_is_strong = true;    // dropped: po alone makes nothing morally strong
  bool cta_is_told_by_gpu = true;         // dropped: CTAs of one number are the same on all GPUs
  bool cluster_is_wider_than_cta = true;  // dropped: a cluster is a CTA
  bool cta_is_narrower_than_cluster = true;  // dropped: a CTA is a cluster
  bool cluster_is_narrower_than_gpu = true;  // dropped: a cluster is a GPU
  bool gpu_is_wider_than_cluster = true;     // dropped: a GPU is a cluster
  bool gpu_is_narrower_than_sys = true;      // dropped: a GPU is the system
  bool sys_is_wider_than_gpu = true;         // dropped: the system is a GPU

  // Release patterns.
  bool release_store = true;                    // the store itself
  bool release_store_then_strong_store = true;  // of the same location
  bool release_then_same_location = true;       // dropped: of any location
  bool fence_then_strong_store = true;
  bool fence_sc_releases = true;
  bool fence_acq_rel_releases = true;
  bool fence_release_releases = true;
  bool fence_acquire_only_acquires = true;  // dropped: it releases, too

  // Acquire patterns.
  bool acquire_load = true;
  bool strong_load_then_acquire_load = true;
  bool load_then_acquire_load_is_strong = true;  // dropped: a weak first load will do
  bool acquire_then_same_location = true;        // dropped: of any location
  bool strong_load_then_fence = true;
  bool load_then_fence_is_strong = true;  // dropped: a weak load will do
  bool fence_sc_acquires = true;
  bool fence_acq_rel_acquires = true;
  bool fence_acquire_acquires = true;
  bool fence_release_only_releases = true;  // dropped: it acquires, too
  bool red_never_acquires = true;

  // Observation and synchronization.
  bool observation_is_morally_strong = true;  // dropped: any store that is read is observed
  bool observation_through_rmw = true;
  bool observation_behind_rmw_is_morally_strong = true;  // dropped: any of a read-modify-write
  bool observation_through_several_rmws = true;          // dropped: one at most
  bool ends_are_morally_strong = true;                   // of a synchronization

  // Causality.
  bool causality_is_transitive = true;  // dropped: base causality has one step
  bool sync_is_causality = true;
  bool fence_sc_order_is_causality = true;
  bool fence_sc_order_is_morally_strong = true;  // dropped: of any two fence.sc
  bool barriers_are_causality = true;
  bool program_order_before_causality = true;  // po;base
  bool program_order_behind_causality = true;  // base;po
  bool observation_begins_causality = true;    // obs;base
  bool observation_then_same_location = true;  // obs;po to the same location

  // Proxies (litmus/proxies.hpp).
  bool proxies_are_told_apart = true;    // dropped: every access is generic
  bool addresses_are_told_apart = true;  // dropped: a location has one address
  bool morally_strong_is_of_one_proxy = true;
  bool morally_strong_is_of_one_address = true;
  bool patterns_are_of_one_address = true;  // dropped: a later access by an alias will do
  bool same_proxy_needs_no_fence = true;    // dropped: not even at one address in one CTA
  bool same_proxy_is_of_one_cta = true;     // dropped: between CTAs, too, it needs no fence
  bool proxy_fence_behind_source = true;
  bool proxy_fence_before_target = true;
  bool proxy_fence_is_of_its_proxy = true;          // dropped: a fence of any other proxy will do
  bool proxy_fence_is_of_its_cta = true;            // dropped: a fence in any CTA will do
  bool proxy_fences_are_in_order = true;            // dropped: that of the target may come first
  bool program_order_leads_to_proxy_fences = true;  // dropped: only synchronization does
  bool alias_fence_orders_aliases = true;
  bool alias_fence_is_behind_proxy_fence = true;  // dropped: it may come before the source's
  bool alias_fence_is_before_proxy_fence = true;  // dropped: it may come behind the target's

  // Asynchronous copies.
  bool copies_are_behind_their_issue = true;
  bool issuing_leads_nowhere_else = true;  // dropped: it is part of base causality

  // Barriers.
  bool cluster_barriers_are_of_one_cluster = true;
  bool cluster_arrivals_are_no_targets = true;      // dropped: arrivals synchronize with each other
  bool cluster_waits_are_no_sources = true;         // dropped: waits synchronize with each other
  bool relaxed_arrivals_order_nothing = true;       // of themselves
  bool fence_then_relaxed_arrival = true;           // is a release pattern
  bool fence_is_before_arrival = true;              // dropped: a fence behind it will do
  bool fence_before_arrival_is_wide_enough = true;  // dropped: a fence of any scope will do
  bool quorum_leaves_some_out = true;               // dropped: every arrival is a source
  bool arrive_is_no_target = true;
  bool resources_matter = true;
  bool instances_matter = true;
  bool barriers_are_of_one_cta = true;
  bool participants_are_waited_for = true;  // dropped: without a quorum, whoever arrives passes
  bool quorum_is_waited_for = true;         // dropped: with a quorum, whoever arrives passes
  bool quorum_is_a_threshold = true;        // dropped: more than a quorum are not let go
  bool waits_are_not_circular = true;

  // Instructions.
  bool failed_cas_stores = true;

  // Outcomes. Dropped: executions that never end have outcomes, too.
  bool executions_are_complete = true;

  // Races.
  bool races_are_conflicts = true;           // dropped: two loads may race
  bool races_are_not_morally_strong = true;  // dropped: morally strong accesses may race
  bool races_are_not_ordered = true;         // dropped: whatever causality says
  bool races_are_of_instructions = true;     // dropped: of halves of read-modify-writes

  // Liveness: a load that spins for ever reads a store that no other store follows.
  bool memory_is_fair = true;

  // Sequential consistency: one order of all instructions, together with `atomicity`.
  bool one_after_the_other = true;
};

}  // namespace litmus
