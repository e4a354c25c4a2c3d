// Finds components of the gathered graph (Tarjan 1972), and livelocks in them.
#include "checker/distributed/graph_judgement.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "checker/liveness/livelock_question.hpp"
#include "checker/states/machine_shape.hpp"

namespace warpcheck {
namespace {

// Bytes that one rank sends at once. MPI counts bytes of all ranks' messages together in an int.
constexpr std::size_t bytes_of_a_message = std::size_t{1} << 20;
constexpr std::size_t marks_of_a_message = std::size_t{1} << 18;
// Bytes that the first rank needs for a state, besides its edges: where these begin, flags, marks,
// and its positions among open states and on the path.
constexpr std::uint64_t bytes_of_a_state = 64;

bool is_candidate(std::uint32_t mark) {
  return (mark & state_mark::reaches_end) != 0 &&
         (mark & state_mark::component_bits) >= state_mark::first_component;
}

}  // namespace

void graph_judgement::judge() {
  if (!fits()) return;
  gather();
  if (all_.is_first()) find_components();
  const verdict_set check = part_.shared().options.check;
  const bool wants_livelock = (check & bit(verdict::livelock)) != 0;
  std::array<std::uint64_t, 4> said{has_dead_, stays_alone_, has_candidates_, next_component_};
  all_.take_largest(said);
  if (said[0] != 0) part_.shared().has_dead_states = true;
  part_.shared().next_component = static_cast<std::uint32_t>(said[3]);
  if (wants_livelock && said[1] != 0) part_.shared().report(verdict::livelock);
  scatter_marks();
  if (wants_livelock && said[1] == 0 && said[2] != 0) look_at_components();
}

bool graph_judgement::fits() {
  std::array<std::uint64_t, 2> sizes{part_.shared().states.size(), 0};
  for (state_id s = 0; s < part_.shared().states.size(); ++s)
    sizes[1] += part_.successors(s).size();
  all_.add_up(sizes);
  const std::uint64_t needed =
      sizes[0] * bytes_of_a_state + sizes[1] * sizeof(exploration_part::global_id);
  std::uint64_t too_large =
      all_.is_first() && bounds_.max_memory && part_.bytes() + needed > *bounds_.max_memory ? 1 : 0;
  all_.take_largest({&too_large, 1});
  if (too_large == 0) return true;
  part_.shared().stop(
      {stop_reason::memory,
       fmt::format("deadlocks and livelocks are not judged: the graph of {} states and {} edges "
                   "needs {} MiB more on the first rank",
                   sizes[0], sizes[1], needed >> 20)});
  return false;
}

void graph_judgement::gather() {
  if (all_.is_first()) graph_.resize(all_.count());
  for (edges_of_rank& r : graph_) r.first.push_back(0);
  const state_id states = part_.shared().states.size();
  for (state_id s = 0;;) {
    message_writer out;
    for (; s < states && out.size() < bytes_of_a_message; ++s) {
      const auto targets = part_.successors(s);
      out.number(part_.flags(s));
      out.number(targets.size());
      for (const exploration_part::global_id t : targets) out.number(t);
    }
    const std::vector<byte_list> parts = all_.gather_at_first(out.take());
    for (std::uint32_t r = 0; r < graph_.size(); ++r) {
      edges_of_rank& edges = graph_[r];
      message_reader in(parts[r]);
      while (in.more()) {
        edges.flags.push_back(static_cast<std::uint8_t>(in.number()));
        for (std::uint64_t n = in.number(); n > 0; --n)
          edges.targets.push_back(static_cast<exploration_part::global_id>(in.number()));
        edges.first.push_back(edges.targets.size());
      }
    }
    std::uint64_t left = states - s;
    all_.take_largest({&left, 1});
    if (left == 0) return;
  }
}

void graph_judgement::find_components() {
  struct frame {
    exploration_part::global_id at;
    std::uint32_t index, low;
    bool reaches_end, leaves;
    std::uint64_t next;
  };
  const std::uint32_t ranks = all_.count();
  std::vector<std::vector<std::uint32_t>> index(ranks);  // among open states, from 1 on
  for (std::uint32_t r = 0; r < ranks; ++r) {
    graph_[r].marks.assign(graph_[r].flags.size(), 0);
    index[r].assign(graph_[r].flags.size(), 0);
  }
  std::vector<frame> path;
  std::vector<exploration_part::global_id> open;
  const auto enter = [&](exploration_part::global_id at) {
    edges_of_rank& edges = graph_[at % ranks];
    const std::size_t number = at / ranks;
    open.push_back(at);
    const auto place = static_cast<std::uint32_t>(open.size());
    index[at % ranks][number] = place;
    const bool ends = (edges.flags[number] & exploration_part::ends) != 0;
    path.push_back({at, place, place, ends, false, edges.first[number]});
  };
  const auto close = [&](const frame& done) {
    const bool is_alone = open.size() == done.index;
    const std::uint32_t component = is_alone ? state_mark::alone : next_component_++;
    if (component >= state_mark::component_bits)
      throw std::length_error("more components than can be numbered");
    const std::uint32_t mark = state_mark::closed | component |
                               (done.reaches_end ? state_mark::reaches_end : 0) |
                               (done.leaves ? state_mark::leaves : 0);
    for (std::size_t i = done.index - 1; i < open.size(); ++i)
      graph_[open[i] % ranks].marks[open[i] / ranks] = mark;
    const std::uint8_t flags = graph_[done.at % ranks].flags[done.at / ranks];
    if (!done.reaches_end) has_dead_ = true;
    if (is_alone && done.reaches_end && (flags & exploration_part::stays) != 0) stays_alone_ = true;
    if (is_candidate(mark)) has_candidates_ = true;
    open.resize(done.index - 1);
  };
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (std::size_t number = 0; number < graph_[r].flags.size(); ++number) {
      if (graph_[r].marks[number] != 0) continue;
      enter(static_cast<exploration_part::global_id>(number * ranks + r));
      while (!path.empty()) {
        frame& top = path.back();
        const edges_of_rank& edges = graph_[top.at % ranks];
        if (top.next < edges.first[top.at / ranks + 1]) {
          const exploration_part::global_id to = edges.targets[top.next++];
          const std::uint32_t mark = graph_[to % ranks].marks[to / ranks];
          const std::uint32_t place = index[to % ranks][to / ranks];
          if (mark != 0) {
            top.reaches_end = top.reaches_end || (mark & state_mark::reaches_end) != 0;
            top.leaves = true;
          } else if (place != 0) {
            top.low = std::min(top.low, place);
          } else {
            enter(to);
          }
          continue;
        }
        const frame done = top;
        path.pop_back();
        const bool is_root = done.low == done.index;
        if (is_root) close(done);
        if (path.empty()) continue;
        frame& parent = path.back();
        parent.reaches_end = parent.reaches_end || done.reaches_end;
        parent.leaves = parent.leaves || is_root || done.leaves;
        if (!is_root) parent.low = std::min(parent.low, done.low);
      }
    }
  }
  for (edges_of_rank& edges : graph_) {  // no longer needed
    edges.targets = {};
    edges.first = {};
  }
}

void graph_judgement::scatter_marks() {
  marks_.clear();
  for (std::size_t begin = 0;; begin += marks_of_a_message) {
    std::vector<byte_list> out(all_.count());
    for (std::size_t r = 0; r < graph_.size(); ++r) {
      const std::vector<std::uint32_t>& marks = graph_[r].marks;
      if (begin >= marks.size()) continue;
      const auto some = std::span(marks).subspan(begin);
      const auto sent = std::as_bytes(some.first(std::min(some.size(), marks_of_a_message)));
      const auto* const first = reinterpret_cast<const std::uint8_t*>(sent.data());
      out[r].assign(first, first + sent.size());
    }
    const byte_list mine = all_.exchange(out).front();
    const std::size_t had = marks_.size();
    marks_.resize(had + mine.size() / sizeof(std::uint32_t));
    std::copy(mine.begin(), mine.end(), reinterpret_cast<std::uint8_t*>(marks_.data() + had));
    std::uint64_t left = part_.shared().states.size() - marks_.size();
    all_.take_largest({&left, 1});
    if (left == 0) return;
  }
}

// Rank r of n looks at components r, r + n and so on.
void graph_judgement::look_at_components() {
  const std::uint32_t ranks = all_.count();
  const state_id states = part_.shared().states.size();
  compressed_table members(shape_of(machine_));
  std::vector<std::pair<std::uint32_t, state_id>> of;  // component and member
  simt::state_words words(machine_.words());
  const auto take = [&](std::uint32_t mark) {
    const state_id id = members.intern(words).id;
    members.mark(id) = mark;
    of.emplace_back(mark & state_mark::component_bits, id);
  };
  for (state_id s = 0;;) {
    std::vector<message_writer> out(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) codec_.begin_writing(r);
    std::size_t bytes = 0;
    for (; s < states && bytes < bytes_of_a_message; ++s) {
      if (!is_candidate(marks_[s])) continue;
      const std::uint32_t to = (marks_[s] & state_mark::component_bits) % ranks;
      part_.shared().states.read(s, words);
      if (to == all_.own()) {
        take(marks_[s]);
        continue;
      }
      const std::size_t before = out[to].size();
      out[to].number(marks_[s]);
      codec_.write(words, to, out[to]);
      bytes += out[to].size() - before;
    }
    std::vector<byte_list> sent;
    for (message_writer& message : out) sent.push_back(message.take());
    const std::vector<byte_list> received = all_.exchange(sent);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (r == all_.own()) continue;
      message_reader in(received[r]);
      codec_.begin_reading(r);
      while (in.more()) {
        const auto mark = static_cast<std::uint32_t>(in.number());
        codec_.read(in, r, words);
        take(mark);
      }
    }
    std::uint64_t left = states - s;
    all_.take_largest({&left, 1});
    if (left == 0) break;
  }
  std::ranges::sort(of);
  livelock_question question(machine_, part_.shared().options.fairness, members);
  std::vector<state_id> component;
  std::array<std::uint64_t, 2> said{0, 0};  // whether there is a livelock, whether time is over
  wanted_questions wanted;
  do {
    lanes_.hold_back(&wanted);
    try {
      for (std::size_t i = 0; i < of.size() && said[0] == 0 && said[1] == 0;) {
        component.clear();
        const std::uint32_t number = of[i].first;
        for (; i < of.size() && of[i].first == number; ++i) component.push_back(of[i].second);
        said[0] = question.can_stay_in(component) ? 1 : 0;
        said[1] = bounds_.is_over() ? 1 : 0;
      }
    } catch (const simt::lane_automaton::given_up&) {  // all ranks ask what no rank has asked yet
    }
    lanes_.hold_back(nullptr);
  } while (ask_together(all_, lanes_, wanted, addresses_));
  all_.take_largest(said);
  if (said[0] != 0) part_.shared().report(verdict::livelock);
  if (said[0] == 0 && said[1] != 0) {
    part_.shared().stop(
        {stop_reason::livelock,
         "time is over, before it was decided whether a fair run can go on for ever"});
  }
}

void graph_judgement::hand_over(explorer* target) {
  const state_id states = part_.shared().states.size();
  std::vector<std::size_t> taken(all_.count(), 0);
  simt::state_words words(machine_.words());
  const auto take = [&](std::uint32_t r, std::uint64_t flags) {
    const state_id id = target->shared().states.intern(words).id;
    const std::size_t number = taken[r]++;
    const bool is_closed = !graph_.empty() && number < graph_[r].marks.size();
    target->shared().states.mark(id) = is_closed ? graph_[r].marks[number]
                                       : (flags & exploration_part::was_expanded) != 0
                                           ? state_mark::open
                                           : 0;
  };
  for (state_id s = 0;;) {
    message_writer out;
    codec_.begin_writing(0);
    for (; s < states && out.size() < bytes_of_a_message; ++s) {
      part_.shared().states.read(s, words);
      if (target != nullptr) {
        take(all_.own(), part_.flags(s));
      } else {
        out.number(part_.flags(s));
        codec_.write(words, 0, out);
      }
    }
    const std::vector<byte_list> parts = all_.gather_at_first(out.take());
    for (std::uint32_t r = 1; target != nullptr && r < parts.size(); ++r) {
      message_reader in(parts[r]);
      codec_.begin_reading(r);
      while (in.more()) {
        const std::uint64_t flags = in.number();
        codec_.read(in, r, words);
        take(r, flags);
      }
    }
    std::uint64_t left = states - s;
    all_.take_largest({&left, 1});
    if (left == 0) return;
  }
}

}  // namespace warpcheck
