// Refines a partition by a worklist of classes. Only states that lead into a changed class are
// looked at again (Hopcroft 1971).
#include "sim/automaton/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace simt {
namespace {

constexpr std::size_t edges_between_looks = 4'096;  // between two calls of `look`
constexpr std::uint32_t no_class = 0xffffffff;

class refinement {
 public:
  refinement(std::span<const std::uint32_t> colours, const labelled_edges& edges,
             const std::function<void(std::size_t)>& look)
      : look_(look), class_of_(colours.size()), place_of_(colours.size()) {
    begin_with(colours);
    turn_around(edges);
  }

  std::vector<std::uint32_t> run() {
    while (!open_.empty()) {
      const std::uint32_t splitter = open_.back();
      open_.pop_back();
      split_by(splitter);
    }
    return numbered();
  }

 private:
  struct part {
    std::uint32_t begin, end;  // in members_
    std::uint32_t marked = 0;  // the number of marked members, which come first
  };
  struct way_in {
    std::uint32_t from, label;
  };

  const std::function<void(std::size_t)>& look_;
  std::size_t since_look_ = 0;
  std::vector<part> classes_;
  std::vector<std::uint32_t> open_;  // classes that may split others
  std::vector<std::uint32_t> class_of_;
  std::vector<std::uint32_t> members_;   // class by class
  std::vector<std::uint32_t> place_of_;  // in members_
  std::vector<std::size_t> first_way_;   // by state: its first edge in ways_in_
  std::vector<way_in> ways_in_;
  std::vector<std::vector<std::uint32_t>> by_label_;  // states that lead into the splitter
  std::vector<std::uint32_t> labels_;                 // the labels of their edges
  std::vector<std::uint32_t> touched_;                // classes with marked members

  void count(std::size_t edges) {
    since_look_ += edges;
    if (since_look_ < edges_between_looks) return;
    look_(std::exchange(since_look_, 0));
  }

  void begin_with(std::span<const std::uint32_t> colours) {
    members_.resize(colours.size());
    std::iota(members_.begin(), members_.end(), 0U);
    std::ranges::stable_sort(members_, {}, [&](std::uint32_t s) { return colours[s]; });
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      const std::uint32_t s = members_[i];
      if (i == 0 || colours[members_[i - 1]] != colours[s]) {
        open_.push_back(static_cast<std::uint32_t>(classes_.size()));
        classes_.push_back({i, i});
      }
      ++classes_.back().end;
      class_of_[s] = static_cast<std::uint32_t>(classes_.size() - 1);
      place_of_[s] = i;
    }
  }

  void turn_around(const labelled_edges& edges) {
    const std::size_t states = class_of_.size();
    first_way_.assign(states + 1, 0);
    for (const std::uint32_t to : edges.targets) ++first_way_[to + 1];
    std::partial_sum(first_way_.begin(), first_way_.end(), first_way_.begin());
    ways_in_.resize(edges.targets.size());
    std::vector<std::size_t> next(first_way_.begin(), first_way_.end() - 1);
    std::size_t labels = 0;
    for (std::uint32_t s = 0; s < states; ++s) {
      const std::size_t first = edges.first[s], own = edges.first[s + 1] - first;
      for (std::uint32_t label = 0; label < own; ++label) {
        ways_in_[next[edges.targets[first + label]]++] = {s, label};
      }
      labels = std::max(labels, own);
      count(own);
    }
    by_label_.resize(labels);
  }

  void split_by(std::uint32_t splitter) {
    // The splitter itself may be split.
    for (std::uint32_t i = classes_[splitter].begin; i < classes_[splitter].end; ++i) {
      const std::uint32_t to = members_[i];
      for (std::size_t w = first_way_[to]; w < first_way_[to + 1]; ++w) {
        const auto [from, label] = ways_in_[w];
        const part& its = classes_[class_of_[from]];
        if (its.end - its.begin == 1) continue;
        if (by_label_[label].empty()) labels_.push_back(label);
        by_label_[label].push_back(from);
      }
      count(first_way_[to + 1] - first_way_[to]);
    }
    for (const std::uint32_t label : labels_) {
      for (const std::uint32_t from : by_label_[label]) mark(from);
      by_label_[label].clear();
      for (const std::uint32_t c : touched_) part_from_others(c);
      touched_.clear();
    }
    labels_.clear();
  }

  // Moves `s` to the marked members of its class. Each label leads from `s` to exactly one state.
  void mark(std::uint32_t s) {
    part& its = classes_[class_of_[s]];
    if (its.marked == 0) touched_.push_back(class_of_[s]);
    const std::uint32_t to = its.begin + its.marked++;
    const std::uint32_t other = members_[to];
    std::swap(members_[to], members_[place_of_[s]]);
    place_of_[other] = place_of_[s];
    place_of_[s] = to;
  }

  // The smaller part becomes a new class that may split other classes. The larger part has to split
  // others only if the old class was still on the worklist, where it then stays. Otherwise states
  // that lead into the old class are told apart already, and states that lead into the smaller part
  // will be.
  void part_from_others(std::uint32_t c) {
    part& all = classes_[c];
    const std::uint32_t marked = std::exchange(all.marked, 0U), size = all.end - all.begin;
    if (marked == size) return;
    part smaller{all.begin, all.begin + marked};
    if (2 * marked <= size) {
      all.begin = smaller.end;
    } else {
      smaller = {smaller.end, all.end};
      all.end = smaller.begin;
    }
    const auto number = static_cast<std::uint32_t>(classes_.size());
    for (std::uint32_t i = smaller.begin; i < smaller.end; ++i) class_of_[members_[i]] = number;
    classes_.push_back(smaller);
    open_.push_back(number);
  }

  std::vector<std::uint32_t> numbered() {
    std::vector<std::uint32_t> number(classes_.size(), no_class);
    std::uint32_t used = 0;
    for (std::uint32_t& c : class_of_) {
      if (number[c] == no_class) number[c] = used++;
      c = number[c];
    }
    if (since_look_ > 0) look_(std::exchange(since_look_, 0));
    return std::move(class_of_);
  }
};

}  // namespace

std::vector<std::uint32_t> coarsest_partition(std::span<const std::uint32_t> colours,
                                              const labelled_edges& edges,
                                              const std::function<void(std::size_t)>& look) {
  return refinement(colours, edges, look).run();
}

}  // namespace simt
