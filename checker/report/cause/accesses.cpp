// Writes sentences for violations by single accesses, and for assertions.
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "checker/report/cause/learning.hpp"
#include "checker/report/cause/parts.hpp"
#include "checker/report/describe.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/subject/elf_image.hpp"

namespace warpcheck {
namespace {

std::string access_text(names& named, const lane_action& a) {
  const std::string_view verb = a.op.memory == simt::detail::memory_kind::load    ? "read"
                                : a.op.memory == simt::detail::memory_kind::store ? "written"
                                                                                  : "changed";
  const std::string how =
      a.op.weak ? std::string("weak") : fmt::format("strong, scope {}", scope_name(a.op.scope));
  return fmt::format("{} by {} at {} ({})", verb, named.lane(a.lane), a.at.text_with_function(),
                     how);
}

/// Returns "w1.l0 reads `counter` as 0 in step 3 and writes 1 in step 5; what w0.l0 wrote in step 4
/// is lost."
std::string lost_update(names& named, const trace& t) {
  struct access {
    std::uint32_t step;
    const lane_action* what;
  };
  std::vector<access> accesses;
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) {
      if (a.is_access()) accesses.push_back({step.number, &a});
    }
  }
  using simt::detail::memory_kind;
  for (std::size_t w = 0; w < accesses.size(); ++w) {
    const access& write = accesses[w];
    if (write.what->op.memory != memory_kind::store) continue;
    const access* between = nullptr;
    for (std::size_t i = w; i-- > 0;) {
      const access& other = accesses[i];
      if (other.what->op.address != write.what->op.address) continue;
      if (other.what->lane != write.what->lane) {
        const bool writes =
            other.what->op.writes() && other.what->new_value != other.what->old_value;
        if (between == nullptr && writes) between = &other;
        continue;
      }
      if (between == nullptr || other.what->op.memory != memory_kind::load) break;
      const auto value = [&](std::uint64_t v) {
        return named.value_at(write.what->op.address, v, write.what->op.size);
      };
      return fmt::format(
          "{} reads `{}` as {} in step {} and writes {} in step {}: what {} wrote in step "
          "{} is lost.",
          named.lane(write.what->lane), write.what->variable, value(other.what->old_value),
          other.step, value(write.what->op.operand), write.step, named.lane(between->what->lane),
          between->step);
    }
  }
  return {};
}

}  // namespace

std::string_view scope_of_both(session& run, std::uint32_t a, std::uint32_t b) {
  const simt::grid_places& places = run.machine().places();
  const std::uint32_t one = places.lanes[a].block, other = places.lanes[b].block;
  return scope_name(one != other && places.shape.share_cluster(one, other)
                        ? simt::thread_scope_cluster
                        : simt::thread_scope_device);
}

bool leaves_out(session& run, const lane_action& access, std::uint32_t other) {
  const simt::grid_places& places = run.machine().places();
  const std::uint32_t own = places.lanes[access.lane].block, its = places.lanes[other].block;
  switch (access.op.scope) {
    case simt::thread_scope_thread: return true;
    case simt::thread_scope_block: return own != its;
    case simt::thread_scope_cluster: return !places.shape.share_cluster(own, its);
    default: return false;
  }
}

std::vector<std::string> why_accesses_race(session& run, names& named, const trace& t) {
  const lane_action& a = t.step_before_last().actions.front();
  const lane_action& b = t.steps.back().actions.front();
  std::vector<std::string> why{fmt::format("`{}` is {}, and {}, with nothing between them.",
                                           a.variable, access_text(named, a),
                                           access_text(named, b))};
  const auto weak = [&](const lane_action& x) {
    return fmt::format("the access of {} is weak (plain C++)", named.lane(x.lane));
  };
  const auto& places = run.machine().places();
  const bool same_block = places.lanes[a.lane].block == places.lanes[b.lane].block;
  if (a.op.weak && b.op.weak) {
    why.push_back(
        "Both are plain C++ accesses: the compiler and the hardware may merge, delay or repeat "
        "them.");
  } else if (a.op.weak || b.op.weak) {
    why.push_back(
        fmt::format("They conflict although one is atomic, because {}.", weak(a.op.weak ? a : b)));
  } else if (a.op.size != b.op.size || a.op.address != b.op.address) {
    why.push_back(
        fmt::format("Both are strong, but they cover different bytes ({} at `{}`, {} at `{}`).",
                    counted(a.op.size, "byte", "bytes"), a.variable,
                    counted(b.op.size, "byte", "bytes"), b.variable));
  } else if (!same_block) {
    const bool in_cluster =
        places.shape.share_cluster(places.lanes[a.lane].block, places.lanes[b.lane].block);
    const auto of_cluster = simt::thread_scope_cluster;
    const bool is_wider = a.op.scope == of_cluster || b.op.scope == of_cluster;
    why.push_back(
        fmt::format("Scope `{}` does not include the other lane: {} and {} are in different {}.",
                    !in_cluster && is_wider ? "cluster" : "block", named.lane(a.lane),
                    named.lane(b.lane), !in_cluster && is_wider ? "clusters" : "blocks"));
  } else {
    why.push_back("The scope of one of them does not include the other lane.");
  }
  return why;
}

namespace {

/// Returns "node 2 of `nodes`".
std::string node_text(names& named, const simt::device_memory& memory, simt::pool_node node) {
  const simt::device_pool& pool = memory.pool_of(node);
  std::string name = named.variable(pool.words);
  return fmt::format("node {} of `{}`", node - pool.first, name.substr(0, name.rfind('.')));
}

/// Says which lane gave the node back last, or that no lane has had it.
std::string last_owner(session& run, names& named, const trace& t, simt::pool_node node) {
  const simt::device_memory& memory = run.memory();
  if (node == memory.pool_of(node).first) return "Number 0 stands for no node.";
  using simt::detail::memory_kind;
  for (auto step = t.steps.rbegin() + 1; step != t.steps.rend(); ++step) {
    for (const lane_action& a : step->actions) {
      if (a.op.kind != simt::operation_kind::memory || !a.valid) continue;
      if (a.op.memory != memory_kind::pool_retire) continue;
      if (memory.node_of_word(a.op.address, a.op.operand) != node) continue;
      return fmt::format("{} retired it in step {}, at {}.", named.lane(a.lane), step->number,
                         a.at.text_with_function());
    }
  }
  // The trace does not have what happened before the grid started.
  const simt::device_pool& pool = memory.pool_of(node);
  const std::uint32_t number = node - pool.first;
  std::uint64_t word = 0;
  const simt::state_words first = run.machine().initial();
  std::memcpy(&word,
              run.machine().image(first).data() + pool.words_offset +
                  number / simt::detail::pool_word_nodes * 8,
              sizeof word);
  const bool was_used =
      number % simt::detail::pool_word_nodes < word >> simt::detail::pool_word_nodes;
  return was_used ? "It was retired before the grid started." : "It has never been handed out.";
}

std::vector<std::string> why_node_is_bad(session& run, names& named, const trace& t,
                                         simt::pool_node node) {
  const lane_action& a = t.steps.back().actions.front();
  const bool retires = a.op.memory == simt::detail::memory_kind::pool_retire;
  const std::string which = node_text(named, run.memory(), node);
  const std::string where = a.at.text_with_function();
  std::vector<std::string> why{
      retires ? fmt::format("{} retires {} at {}, which is not in use.", named.lane(a.lane), which,
                            where)
              : fmt::format("{} {} `{}` at {}, but {} is not in use.", named.lane(a.lane),
                            a.op.writes() ? "writes" : "reads", a.variable, where, which)};
  why.push_back(last_owner(run, named, t, node));
  return why;
}

}  // namespace

std::vector<std::string> why_access_is_bad(session& run, names& named, const trace& t) {
  const lane_action& a = t.steps.back().actions.front();
  const simt::operation_traits traits = run.machine().lanes().traits(a.from);
  if (traits.node != simt::no_node) return why_node_is_bad(run, named, t, traits.node);
  const simt::allocation* in = run.memory().find(a.op.address, 1);
  const bool is_unwritten = t.steps.back().ends == simt::ending::unwritten_read;
  const std::string what = fmt::format(
      "{} {} {} at {}", named.lane(a.lane), a.op.writes() && !is_unwritten ? "writes" : "reads",
      counted(a.op.size, "byte", "bytes"), a.at.text_with_function());
  const bool is_misaligned = a.op.address % a.op.size != 0;
  if (in == nullptr && is_misaligned && a.variable != "null") {
    return {what + fmt::format(", but the address is not a multiple of {}.", a.op.size),
            "Only the lane's local variables, constants, or no memory at all can be there."};
  }
  const std::string constant = in == nullptr ? simt::detail::object_at(a.op.address) : "";
  const bool is_gap = constant.starts_with("__simt_gap_");  // behind a buffer of a kernel
  if (!constant.empty() && !is_gap) {
    // Only the check of ld.const is for the lane alone (simt::ptx::load_const).
    if (a.op.scope == simt::thread_scope_thread) {
      return {what + ", where no constant is.",
              fmt::format("The address is behind the end of the constant `{}`.", constant)};
    }
    return {what + ", in read-only memory.",
            fmt::format("The address is that of the constant `{}`.", constant)};
  }
  if (in == nullptr) {
    return {what + ", where no memory of the device is.",
            fmt::format("The address is {}.",
                        a.variable == "null" ? "null, or close to it" : a.variable)};
  }
  const simt::grid_places& places = run.machine().places();
  const std::uint32_t own = places.lanes[a.lane].block;
  if (in->block != simt::no_block && in->block != own &&
      places.shape.share_cluster(in->block, own)) {
    return {
        what + fmt::format(", in shared memory of block {} of its cluster, which has ended.",
                           in->block),
        fmt::format("The address is that of `{}`.", a.variable),
        "A cluster_sync() in front of the end lets all blocks of the cluster stay until the last "
        "access."};
  }
  if (in->block != simt::no_block && in->block != own) {
    return {what + fmt::format(", in block-shared memory of block {}.", in->block),
            fmt::format("The address is that of `{}`; a lane may only access its own block's.",
                        a.variable)};
  }
  if (is_misaligned) {
    return {what + fmt::format(", but the address is not a multiple of {}.", a.op.size),
            fmt::format("The address is that of `{}`.", a.variable)};
  }
  if (is_unwritten) {
    return {what + ", which nobody has written.",
            fmt::format(
                "The address is that of `{}`. Shared memory has no value when a block begins. If "
                "this one is not used, --zero-shared (in a scenario: zero_shared) allows the "
                "read.",
                a.variable)};
  }
  return {what + ", beyond the end of an allocation.",
          fmt::format("The access begins at `{}`.", a.variable)};
}

namespace {

/// A lane reads a value although there is a newer one; and what is known of the newer one.
struct old_value {
  std::size_t read = 0, store = 0;  // indices of the steps in the trace
  const lane_action* reader = nullptr;
  const lane_action* writer = nullptr;
};

/// Returns the last old value that was read. If the lane whose assertion fails has read one, takes
/// that lane's.
std::optional<old_value> old_value_read(const trace& t) {
  const bool fails = !t.steps.empty() && t.steps.back().ends == simt::ending::assertion;
  const auto find = [&](std::optional<std::uint32_t> lane) -> std::optional<old_value> {
    for (std::size_t i = t.steps.size(); i-- > 0;) {
      for (const lane_action& a : t.steps[i].actions) {
        if (a.reads() && a.newer > 0 && (!lane || a.lane == *lane))
          return old_value{i, 0, &a, nullptr};
      }
    }
    return std::nullopt;
  };
  auto found = fails ? find(t.steps.back().actions.front().lane) : std::nullopt;
  if (!found) found = find(std::nullopt);
  for (std::size_t i = found ? found->read : 0; found && found->writer == nullptr && i-- > 0;) {
    for (const lane_action& a : t.steps[i].actions) {
      const bool writes = a.op.writes() && a.valid && a.op.address == found->reader->op.address;
      if (!writes || a.lane == found->reader->lane) continue;
      found->store = i;
      found->writer = &a;
    }
  }
  return found;
}

std::vector<learning_link> way_to_newer(session& run, const trace& t, const old_value& old) {
  if (old.writer == nullptr) return {};
  return way_of_learning(run, t, old.store, old.writer->lane, old.read, old.reader->lane);
}

/// Adds "It rests on step 6: b1.w1.l0 reads `x` as 0, although b0.w0.l0 has stored 1 in step 1."
void add_old_value(session& run, names& named, const trace& t, std::vector<std::string>& why) {
  const auto old = old_value_read(t);
  if (!old) return;
  const lane_action& reader = *old->reader;
  std::string text =
      fmt::format("It rests on step {}: {} reads `{}` as {} at {}", t.steps[old->read].number,
                  named.lane(reader.lane), reader.variable,
                  named.value_at(reader.op.address, reader.old_value, reader.op.size),
                  reader.at.text_with_function());
  if (old->writer == nullptr) {
    why.push_back(text + ", although a newer value is there.");
    return;
  }
  const lane_action& writer = *old->writer;
  why.push_back(fmt::format("{}, although {} has stored {} there in step {}.", text,
                            named.lane(writer.lane),
                            named.value_at(writer.op.address, writer.new_value, writer.op.size),
                            t.steps[old->store].number));
  const auto way = way_to_newer(run, t, *old);
  if (way.empty()) {
    why.push_back(fmt::format("{} has read nothing that {} stored after that.",
                              named.lane(reader.lane), named.lane(writer.lane)));
    return;
  }
  for (std::string& line : text_of_way(named, t, way)) why.push_back(std::move(line));
}

}  // namespace

std::string remedy_of_old_value(session& run, const trace& t) {
  const auto old = old_value_read(t);
  return old ? remedy_of_way(way_to_newer(run, t, *old)) : std::string();
}

namespace {

/// Says which access to an mbarrier is none of its operations, or which mbarrier begins twice.
std::vector<std::string> why_mbarrier_is_misused(session& run, names& named, const trace& t) {
  const lane_action& a = t.steps.back().actions.front();
  const simt::state_view before = t.steps.back().before;
  const simt::operation_traits traits = run.machine().lanes().traits(a.from);
  std::uint64_t word = 0;
  std::memcpy(&word, run.machine().image(before).data() + traits.offset / 8 * 8, sizeof word);
  const std::uint64_t address = a.op.address / 8 * 8;
  const std::string who = named.lane(a.lane), where = a.at.text_with_function();
  switch (traits.use_of_mbarrier) {
    case simt::mbarrier_use::begins:
      return {
          fmt::format("{} initializes the mbarrier `{}` at {}, which is initialized already "
                      "({}).",
                      who, a.variable, where, mbarrier_text(word)),
          "PTX leaves undefined what follows. An mbarrier that begins again must be invalidated "
          "before (mbarrier_inval)."};
    case simt::mbarrier_use::ends:
      return {fmt::format("{} invalidates the mbarrier `{}` at {}, but none is there.", who,
                          a.variable, where)};
    default:
      return {
          fmt::format("{} {} {} at {}, where the mbarrier `{}` is ({}).", who,
                      a.op.writes() ? "writes" : "reads", counted(a.op.size, "byte", "bytes"),
                      where, named.variable(address), mbarrier_text(word)),
          "PTX leaves undefined what follows: until mbarrier_inval, only operations of mbarriers "
          "may access these bytes."};
  }
}

}  // namespace

std::vector<std::string> why_assertion_fails(session& run, names& named, const violation& v,
                                             const trace& t) {
  if (!t.steps.empty() && t.steps.back().ends == simt::ending::mbarrier_misuse) {
    return why_mbarrier_is_misused(run, named, t);
  }
  if (t.steps.empty() || t.steps.back().ends != simt::ending::assertion) {
    std::vector<std::string> why{
        fmt::format("All lanes finish, but the final check fails: {}.", v.detail)};
    if (std::string lost = lost_update(named, t); !lost.empty()) why.push_back(std::move(lost));
    add_old_value(run, named, t, why);
    return why;
  }
  const lane_action& a = t.steps.back().actions.front();
  const char* message = reinterpret_cast<const char*>(a.op.address);
  std::vector<std::string> why{fmt::format("The assertion at {} fails for {}.",
                                           a.at.text_with_function(), named.lane(a.lane))};
  if (message != nullptr && *message != 0) {
    why.push_back(fmt::format("It says: \"{}\".", visible(message)));
  }
  add_old_value(run, named, t, why);
  return why;
}

}  // namespace warpcheck
