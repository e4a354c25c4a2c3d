// Lists all sequences of operations, combines them into clients, and gives new values to their
// arguments.
#include "checker/run/generate_clients.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "checker/run/object.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t most_combinations = 100'000;
constexpr std::int64_t fresh = -1;  // as an example: a value that occurs nowhere else

/// Lists the subject's operations, with all their arguments.
std::vector<written_operation> all_operations(const scenario& what,
                                              const simt::detail::subject_entry& entry,
                                              const simt::patience& waiting) {
  const auto spec = spec_of(what, entry, waiting);
  std::vector<written_operation> all;
  for (const auto& is : std::span(entry.operations, entry.operation_count)) {
    // A member that only has the name of some operation does not belong to this object.
    const simt::spec::operation* const meant = find_operation(*spec, is.name);
    if (meant == nullptr) continue;
    std::vector<written_operation> variants{{is.name, {}, {}}};
    for (std::uint32_t i = 0; i < is.arguments; ++i) {
      std::vector<std::int64_t> examples{fresh};
      if (i < meant->arguments.size()) {
        const simt::spec::argument& a = meant->arguments[i];
        if (a.what == simt::spec::type::boolean) examples = {0, 1};
        if (a.what == simt::spec::type::number) examples = {1, 2};
        if (!a.examples.empty()) examples.assign(a.examples.begin(), a.examples.end());
      }
      std::vector<written_operation> longer;
      for (const written_operation& v : variants) {
        for (const std::int64_t e : examples) {
          longer.push_back(v);
          longer.back().arguments.push_back(e);
        }
      }
      variants = std::move(longer);
    }
    all.insert(all.end(), variants.begin(), variants.end());
  }
  if (all.empty()) {
    throw usage_error(fmt::format(
        "{}: none of the operations of \"{}\" is one of the specification \"{}\"; choose another "
        "\"spec\"",
        what.place_of(what.spec.empty() ? "generate" : "spec"), what.subject, spec->name()));
  }
  return all;
}

/// Lists sequences of one to `most` operations, as numbers, shorter ones first.
std::vector<std::vector<std::size_t>> sequences_of(std::size_t operations, std::uint32_t most) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t o = 0; o < operations; ++o) all.push_back({o});
  std::size_t begin = 0;
  for (std::uint32_t length = 2; length <= most; ++length) {
    const std::size_t end = all.size();
    for (std::size_t i = begin; i < end && all.size() <= most_combinations; ++i) {
      for (std::size_t o = 0; o < operations; ++o) {
        auto longer = all[i];
        longer.push_back(o);
        all.push_back(std::move(longer));
      }
    }
    begin = end;
  }
  return all;
}

std::size_t size_of(const client_lists& clients) {
  std::size_t sum = 0;
  for (const auto& list : clients) sum += list.size();
  return sum;
}

void name_values(client_lists& clients) {
  std::int64_t next = 0;
  for (auto& list : clients) {
    for (written_operation& o : list) {
      for (std::int64_t& a : o.arguments) {
        if (a == fresh) a = ++next;
      }
    }
  }
}

}  // namespace

std::vector<client_lists> generate_clients(const scenario& what, const simt::patience& waiting) {
  const auto operations = all_operations(what, object_entry(what, waiting), waiting);
  const auto sequences = sequences_of(operations.size(), what.generate->operations);
  std::vector<client_lists> all;
  // Numbers of sequences that never fall, so each set of clients occurs in one order only.
  std::vector<std::size_t> chosen{0};
  while (!chosen.empty()) {
    if (chosen.back() >= sequences.size()) {
      chosen.pop_back();
      if (!chosen.empty()) ++chosen.back();
      continue;
    }
    client_lists& clients = all.emplace_back();
    for (const std::size_t s : chosen) {
      auto& list = clients.emplace_back();
      for (const std::size_t o : sequences[s]) list.push_back(operations[o]);
    }
    if (all.size() > most_combinations) {
      throw usage_error(
          fmt::format("{}: \"generate\" stands for more than {} combinations; give it fewer "
                      "threads, or fewer operations",
                      what.place_of("generate"), most_combinations));
    }
    if (chosen.size() < what.generate->threads) {
      chosen.push_back(chosen.back());
    } else {
      ++chosen.back();
    }
  }
  std::ranges::stable_sort(all, {}, [](const client_lists& clients) {
    return std::pair(size_of(clients), clients.size());
  });
  for (client_lists& clients : all) name_values(clients);
  return all;
}

}  // namespace warpcheck
