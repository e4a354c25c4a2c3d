// Translates events of a subject into calls of its specification, and asks one observer for each
// kind of consistency.
#include "sim/monitor/history_monitor.hpp"

#include <set>

namespace simt {

history_monitor::history_monitor(std::shared_ptr<const spec::specification> spec,
                                 std::vector<std::uint32_t> meanings, consistency_set wanted)
    : spec_(std::move(spec)), meanings_(std::move(meanings)) {
  for (const consistency c : all_consistencies) {
    if ((wanted & bit(c)) == 0) continue;
    wanted_.push_back(c);
    observers_.push_back(make_observer(c, *spec_));
  }
}

spec::call history_monitor::call_of(const operation& op, std::uint32_t client) const {
  return {meanings_[op.number],
          0,
          client,
          {static_cast<spec::value>(op.address), static_cast<spec::value>(op.operand),
           static_cast<spec::value>(op.compare)}};
}

spec::result history_monitor::result_of(const operation& op) const {
  if (op.count == 0) return spec::none;
  return spec::some(static_cast<spec::value>(op.operand));
}

history_monitor::word history_monitor::initial(std::span<const operation> events) {
  if (spec_->known_as() == spec::family::transactions) return initial_of_transactions(events);
  std::set<spec::state> states{spec_->initial()};
  spec::call what;
  spec::outcomes out;
  for (const operation& op : events) {
    if (op.kind == operation_kind::called) {
      what = call_of(op, 0);
      continue;
    }
    const std::uint32_t steps = spec_->operations()[what.operation].steps;
    for (what.step = 0; what.step < steps; ++what.step) {
      std::set<spec::state> next;
      for (const spec::state& s : states) {
        out.clear();
        spec_->apply(s, what, out);
        for (const auto& o : out.all()) {
          if (what.step + 1 < steps || o.returned == result_of(op)) next.insert(o.after);
        }
      }
      states = std::move(next);
    }
  }
  const std::vector<spec::state> first(states.begin(), states.end());
  const std::lock_guard lock(changing_);
  std::vector<observer::word> all;
  for (const auto& o : observers_) all.push_back(o->initial(first));
  return words_.intern(std::move(all));
}

history_monitor::word history_monitor::initial_of_transactions(std::span<const operation> events) {
  constexpr std::uint32_t nobody = 0xffffffff;
  const spec::state first = spec_->initial();
  const std::lock_guard lock(changing_);
  std::vector<observer::word> all;
  for (const auto& o : observers_) {
    observer::word now = o->initial({&first, 1});
    for (const operation& op : events) {
      now = op.kind == operation_kind::called ? o->called(now, call_of(op, nobody))
                                              : o->returned(now, nobody, result_of(op));
    }
    all.push_back(now);
  }
  return words_.intern(std::move(all));
}

history_monitor::word history_monitor::after(word before, std::uint32_t client,
                                             const operation& op) {
  const std::lock_guard lock(changing_);
  std::vector<observer::word> all = words_[before];
  for (std::size_t i = 0; i < all.size(); ++i) {
    observer& o = *observers_[i];
    switch (op.kind) {
      case operation_kind::called: all[i] = o.called(all[i], call_of(op, client)); break;
      case operation_kind::point: all[i] = o.passed_point(all[i], client); break;
      default: all[i] = o.returned(all[i], client, result_of(op)); break;
    }
  }
  const std::size_t known = words_.size();
  const word made = words_.intern(std::move(all));
  if (words_.size() > known) origins_.push_back({before, made, client, op});
  return made;
}

std::vector<std::uint64_t> history_monitor::pack() const {
  const std::lock_guard lock(changing_);
  std::vector<std::uint64_t> all;
  for (const origin& o : origins_) {
    all.insert(all.end(),
               {o.before, o.made, o.client, static_cast<std::uint64_t>(o.event.kind),
                o.event.number, o.event.count, o.event.address, o.event.operand, o.event.compare});
  }
  return all;
}

bool history_monitor::unpack(std::span<const std::uint64_t> origins) {
  constexpr std::size_t numbers = 9;  // of each
  for (; origins.size() >= numbers; origins = origins.subspan(numbers)) {
    operation op;
    op.kind = static_cast<operation_kind>(origins[3]);
    op.number = static_cast<std::uint32_t>(origins[4]);
    op.count = static_cast<std::uint32_t>(origins[5]);
    op.address = origins[6];
    op.operand = origins[7];
    op.compare = origins[8];
    const bool is_event = op.kind == operation_kind::called ||
                          op.kind == operation_kind::returned || op.kind == operation_kind::point;
    if (!is_event || op.number >= meanings_.size() || origins[0] >= words_.size()) return false;
    const auto before = static_cast<word>(origins[0]);
    if (after(before, static_cast<std::uint32_t>(origins[2]), op) != origins[1]) return false;
  }
  return origins.empty();
}

consistency_set history_monitor::broken(word now) const {
  const std::lock_guard lock(changing_);
  consistency_set all = 0;
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    if (observers_[i]->is_broken(words_[now][i])) all |= bit(wanted_[i]);
  }
  return all;
}

consistency_set history_monitor::broken_at_end(word now) {
  const std::lock_guard lock(changing_);
  consistency_set all = 0;
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    if (observers_[i]->is_broken_at_end(words_[now][i])) all |= bit(wanted_[i]);
  }
  return all;
}

std::size_t history_monitor::memory() const {
  const std::lock_guard lock(changing_);
  std::size_t bytes = words_.size() * 96;
  for (const auto& o : observers_) bytes += o->memory();
  return bytes;
}

}  // namespace simt
