// Matches the scenario's operations with those of the subject and its specification, and sets up
// the monitor of histories.
#include "checker/run/object.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/history/open_spec.hpp"
#include "checker/text/closest_name.hpp"
#include "sim/machine/places.hpp"
#include "sim/spec/spec_library.hpp"

namespace warpcheck {
namespace {

using simt::detail::operation_entry;

constexpr std::uint32_t no_meaning = 0xffffffff;

/// Finds the operation of the specification that an operation of the subject stands for.
std::uint32_t find_meaning(std::string_view name, const simt::spec::specification& spec) {
  const auto& all = spec.operations();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const bool alias = std::ranges::any_of(
        all[i].aliases, [&](const char* other) { return std::string_view(other) == name; });
    if (name == all[i].name || alias) return i;
  }
  return no_meaning;
}

std::string_view name_of(operation_entry::result kind) {
  switch (kind) {
    case operation_entry::result::nothing: return "nothing";
    case operation_entry::result::boolean: return "bool";
    case operation_entry::result::number: return "an integer";
    case operation_entry::result::maybe: return "simt::maybe";
  }
  return "?";
}

/// What the subject's operation must return to be `meant`; empty if it does.
std::string_view wanted_result(const simt::spec::operation& meant, operation_entry::result is) {
  using result = operation_entry::result;
  switch (meant.returns) {
    case simt::spec::type::nothing: return is == result::nothing ? "" : "nothing";
    case simt::spec::type::boolean: return is == result::boolean ? "" : "bool";
    case simt::spec::type::number:
    case simt::spec::type::value:
      return is == result::number || is == result::boolean ? "" : "an integer";
    case simt::spec::type::maybe_value:
      return is == result::maybe || is == result::number ? "" : "simt::maybe of an integer";
  }
  return "";
}

class builder {
 public:
  builder(const scenario& what, const simt::detail::subject_entry& entry,
          const simt::spec::specification* spec)
      : what_(what),
        operations_(entry.operations, entry.operation_count),
        spec_(spec),
        meanings_(entry.operation_count, no_meaning) {}

  std::vector<simt::assigned_operation> list(const std::vector<written_operation>& written) {
    std::vector<simt::assigned_operation> all;
    for (const written_operation& one : written) all.push_back(assign(one));
    return all;
  }
  [[nodiscard]] std::vector<std::uint32_t> meanings() const { return meanings_; }

 private:
  const scenario& what_;
  std::span<const operation_entry> operations_;
  const simt::spec::specification* spec_;
  std::vector<std::uint32_t> meanings_;

  simt::assigned_operation assign(const written_operation& one) {
    std::vector<std::string_view> names;
    for (const operation_entry& o : operations_) names.emplace_back(o.name);
    const auto at = std::ranges::find(names, one.name);
    if (at == names.end()) {
      const auto near = closest_name(one.name, names);
      throw usage_error(fmt::format("{}: subject \"{}\" has no operation \"{}\"; {}", one.where,
                                    what_.subject, one.name,
                                    near ? fmt::format("did you mean \"{}\"?", *near)
                                         : fmt::format("it has {}", fmt::join(names, ", "))));
    }
    const auto number = static_cast<std::uint32_t>(at - names.begin());
    const operation_entry& is = operations_[number];
    if (one.arguments.size() != is.arguments) {
      throw usage_error(
          fmt::format("{}: {} takes {} argument{}, not {}; {}", one.where, is.name, is.arguments,
                      is.arguments == 1 ? "" : "s", one.arguments.size(),
                      is.arguments == 0 ? fmt::format("write \"{}\"", is.name)
                                        : fmt::format("write for example \"{} 1\"", is.name)));
    }
    if (spec_ != nullptr) settle_meaning(one, number);
    simt::assigned_operation assigned{number, {}};
    std::ranges::copy(one.arguments, assigned.arguments);
    return assigned;
  }

  void settle_meaning(const written_operation& one, std::uint32_t number) {
    if (meanings_[number] != no_meaning) return;
    const operation_entry& is = operations_[number];
    const std::uint32_t found = find_meaning(is.name, *spec_);
    if (found == no_meaning) {
      std::vector<std::string_view> names;
      for (const auto& o : spec_->operations()) names.emplace_back(o.name);
      throw usage_error(
          fmt::format("{}: the specification \"{}\" has no operation \"{}\"; it has {}: choose "
                      "another \"spec\"",
                      one.where, spec_->name(), is.name, fmt::join(names, ", ")));
    }
    const simt::spec::operation& meant = spec_->operations()[found];
    if (meant.arguments.size() != is.arguments) {
      throw usage_error(
          fmt::format("{}: {} takes {} arguments, but {} in the specification \"{}\"; choose "
                      "another \"spec\"",
                      one.where, is.name, is.arguments, meant.arguments.size(), spec_->name()));
    }
    if (const auto wanted = wanted_result(meant, is.returns); !wanted.empty()) {
      throw usage_error(
          fmt::format("{}: {} returns {}, but {} in the specification \"{}\"; choose another "
                      "\"spec\", or change the subject",
                      one.where, is.name, name_of(is.returns), wanted, spec_->name()));
    }
    meanings_[number] = found;
  }
};

}  // namespace

std::shared_ptr<const simt::spec::specification> spec_of(const scenario& what,
                                                         const simt::detail::subject_entry& entry,
                                                         const simt::patience& waiting) {
  const std::string text = !what.spec.empty()      ? what.spec
                           : entry.spec != nullptr ? std::string(entry.spec)
                                                   : std::string();
  if (text.empty()) {
    throw usage_error(
        fmt::format("{}: it is not said what the operations of \"{}\" should do; add spec = "
                    "\"queue\" or another specification, or a \"check\" without histories, as in "
                    "check = [\"deadlock\"]",
                    what.place_of("subject"), what.subject));
  }
  const std::string_view name = std::string_view(text).substr(0, text.find(':'));
  const bool shipped = simt::shipped_spec(name).spec != nullptr;
  return open_spec(text, shipped ? std::nullopt : what.source, what.place_of("spec") + ": spec",
                   waiting);
}

const simt::spec::operation* find_operation(const simt::spec::specification& spec,
                                            std::string_view name) {
  const std::uint32_t found = find_meaning(name, spec);
  return found == no_meaning ? nullptr : &spec.operations()[found];
}

verdict verdict_of(simt::consistency kind) {
  switch (kind) {
    case simt::consistency::linearizable: return verdict::not_linearizable;
    case simt::consistency::sequential: return verdict::not_sequentially_consistent;
    case simt::consistency::points: return verdict::wrong_linearization_point;
    case simt::consistency::strictly_serializable: return verdict::not_strictly_serializable;
    case simt::consistency::opaque: return verdict::not_opaque;
    case simt::consistency::quiescent: break;
  }
  return verdict::not_quiescently_consistent;
}

verdict_set verdicts_of(simt::consistency_set kinds) {
  verdict_set all = 0;
  for (const simt::consistency c : simt::all_consistencies) {
    if ((kinds & simt::bit(c)) != 0) all = static_cast<verdict_set>(all | bit(verdict_of(c)));
  }
  return all;
}

std::vector<std::uint32_t> client_lanes(const scenario& what) {
  const simt::grid_places places(what.grid);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < places.lanes.size(); ++lane) {
    const simt::place& at = places.lanes[lane];
    const bool first_of_warp = at.index == 0;
    const bool first_of_block = first_of_warp && at.warp % what.grid.warps() == 0;
    if (what.clients == simt::clients::lane ||
        (what.clients == simt::clients::warp ? first_of_warp : first_of_block)) {
      lanes.push_back(lane);
    }
  }
  return lanes;
}

namespace {

/// Returns the kinds of consistency that can be asked of the specification.
simt::consistency_set fitting(simt::consistency_set wanted, const scenario& what,
                              const simt::spec::specification& spec) {
  const bool transactions = spec.known_as() == simt::spec::family::transactions;
  simt::consistency_set fit = 0;
  for (const simt::consistency c : simt::all_consistencies) {
    if (simt::is_of_transactions(c) == transactions) {
      fit = static_cast<simt::consistency_set>(fit | (wanted & simt::bit(c)));
    }
  }
  const bool is_asked = (verdicts_of(wanted) & inconsistencies) != 0;
  if (is_asked && (verdicts_of(fit) & inconsistencies) == 0) {
    throw usage_error(fmt::format(
        "{}: the specification \"{}\" is {}; write check = [{}], or choose another \"spec\"",
        what.place_of(what.spec.empty() ? "subject" : "spec"), spec.name(),
        transactions ? "of transactions" : "not of transactions",
        transactions ? "\"strictly-serializable\", \"opaque\"" : "\"linearizable\""));
  }
  if (transactions && fit != 0 && what.never_ends()) {
    throw usage_error(fmt::format(
        "{}: transactions of clients that never end cannot be judged, as their histories grow "
        "without a bound; leave \"repeat\" out, or write a \"check\" without "
        "\"strictly-serializable\" and \"opaque\"",
        what.place_of("repeat")));
  }
  return fit;
}

}  // namespace

object_setup set_up_object(const scenario& what, const run_settings& how,
                           const simt::detail::subject_entry& entry, bool declares_points,
                           const simt::patience& waiting) {
  object_setup made;
  simt::consistency_set wanted = 0;
  for (const simt::consistency c : simt::all_consistencies) {
    if (c == simt::consistency::points && !declares_points) continue;
    if ((how.check & bit(verdict_of(c))) != 0) {
      wanted = static_cast<simt::consistency_set>(wanted | simt::bit(c));
    }
  }
  if (wanted != 0) {
    made.spec = spec_of(what, entry, waiting);
    wanted = fitting(wanted, what, *made.spec);
  }
  builder build(what, entry, made.spec.get());
  made.assigned.before = build.list(what.initial);
  made.assigned.of_lane.resize(what.grid.threads());
  const std::vector<std::uint32_t> lanes = client_lanes(what);
  if (what.threads.size() > lanes.size()) {
    throw usage_error(fmt::format("{}: there are {} threads, but the grid has places for {}",
                                  what.place_of("threads"), what.threads.size(), lanes.size()));
  }
  for (std::size_t i = 0; i < what.threads.size(); ++i) {
    made.assigned.of_lane[lanes[i]] = build.list(what.threads[i]);
  }
  if (wanted != 0) {
    made.has_points = (wanted & simt::bit(simt::consistency::points)) != 0;
    made.monitor = std::make_unique<simt::history_monitor>(made.spec, build.meanings(), wanted);
  }
  return made;
}

}  // namespace warpcheck
