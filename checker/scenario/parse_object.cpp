// Reads operations and their clients, and makes a grid with a place for each client.
#include "checker/scenario/parse_object.hpp"

#include <array>

#include <fmt/format.h>

#include "checker/scenario/scenario_limits.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t most_generated = 8;  // most threads, and most operations of each

written_operation parse_operation(const toml_reader& reader, const toml::node& node) {
  if (!node.is_string()) {
    reader.fail(node, fmt::format("an operation is {}, not a string; write it as in \"enqueue 1\"",
                                  type_name(node)));
  }
  const std::string text = node.as_string()->get();
  auto operation = operation_from(text);
  if (!operation) {
    reader.fail(node,
                fmt::format("{} is no operation; write a name and integers, as in \"enqueue 1\"",
                            in_quotes(text)));
  }
  operation->where = reader.text_of(node.source().begin);
  return std::move(*operation);
}

std::vector<written_operation> parse_list(const toml_reader& reader, const toml::node& node,
                                          std::string_view what) {
  if (!node.is_array()) {
    reader.fail(node, fmt::format("{} is {}, not an array; write [\"enqueue 1\", \"dequeue\"]",
                                  what, type_name(node)));
  }
  if (node.as_array()->size() > max_operations) {
    reader.fail(node, fmt::format("{} has {} operations; give it {} at most", what,
                                  node.as_array()->size(), max_operations));
  }
  std::vector<written_operation> list;
  for (const toml::node& one : *node.as_array()) list.push_back(parse_operation(reader, one));
  return list;
}

void refuse(const toml_reader& reader, const toml::table& root, std::string_view key,
            std::string_view why) {
  if (const toml::node* node = root.get(key)) {
    reader.fail(*node, fmt::format("{} cannot stand here: {}", in_quotes(key), why));
  }
}

simt::clients parse_placement(const toml_reader& reader, const toml::table& root) {
  constexpr std::array<std::string_view, 3> names{"lane", "warp", "block"};
  const auto text = reader.string(root, "placement");
  if (!text) return simt::clients::lane;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text->text) return static_cast<simt::clients>(i);
  }
  reader.not_one_of(*text, "placement", names);
}

/// Returns a grid with as many clients as there are threads, and no other lanes.
simt::grid_shape grid_for(std::size_t threads, simt::clients placement, const toml_reader& reader,
                          const toml::node& node) {
  simt::grid_shape grid;
  const auto count = static_cast<std::uint32_t>(threads);
  if (placement == simt::clients::block) {
    grid.blocks = count;
  } else if (count > 32) {
    reader.fail(node, fmt::format("{} threads are more than a {} holds; add a [grid]", count,
                                  placement == simt::clients::lane ? "warp" : "block"));
  } else if (placement == simt::clients::warp) {
    grid.lanes.assign(count, 1);
  } else {
    grid.lanes = {count};
  }
  return grid;
}

std::size_t places_in(const simt::grid_shape& grid, simt::clients placement) {
  switch (placement) {
    case simt::clients::lane: return grid.threads();
    case simt::clients::warp: return std::size_t{grid.blocks} * grid.warps();
    case simt::clients::block: break;
  }
  return grid.blocks;
}

generated_clients parse_generated(const toml_reader& reader, const toml::table& root) {
  constexpr std::array<std::string_view, 2> keys{"threads", "operations"};
  const toml::table& table = *reader.table(root, "generate");
  reader.known_keys(table, keys, [](std::string_view) { return std::optional<std::string>(); });
  generated_clients all;
  const auto number = [&](std::string_view key) {
    const auto given = reader.integer(table, key, 1, most_generated);
    if (!given) {
      reader.fail(table, fmt::format("{} is missing; write for example generate = {{ threads = 3, "
                                     "operations = 2 }}",
                                     in_quotes(key)));
    }
    return static_cast<std::uint32_t>(*given);
  };
  all.threads = number("threads");
  all.operations = number("operations");
  return all;
}

void parse_threads(const toml_reader& reader, const toml::node& threads, scenario& into) {
  if (!threads.is_array() || threads.as_array()->empty()) {
    reader.fail(threads,
                "\"threads\" is not a list of lists; write threads = [[\"enqueue 1\"], "
                "[\"dequeue\"]]");
  }
  if (threads.as_array()->size() > max_threads) {
    reader.fail(threads, fmt::format("\"threads\" has {} of them; give it {} at most",
                                     threads.as_array()->size(), max_threads));
  }
  for (const toml::node& one : *threads.as_array()) {
    into.threads.push_back(parse_list(reader, one, "a thread"));
  }
}

}  // namespace

void parse_object(const toml_reader& reader, const toml::table& root, scenario& into) {
  const toml::node* const threads = root.get("threads");
  const toml::node* const generate = root.get("generate");
  if (threads == nullptr && generate == nullptr) {
    for (const std::string_view key : {"initial", "placement", "spec"}) {
      refuse(reader, root, key,
             "it goes with \"threads\", the operations of each client; add these");
    }
    return;
  }
  refuse(reader, root, "clients", "who the clients are is told by \"placement\"; use that");
  if (!into.never_ends()) {
    refuse(reader, root, "repeat",
           "each thread does its operations once; list them as often, or write \"forever\"");
  } else if (generate != nullptr) {
    refuse(reader, root, "repeat",
           "clients that never end must leave the object as it was, and \"generate\" makes others; "
           "list their operations in \"threads\"");
  }
  const toml::node* const who = generate != nullptr ? generate : threads;
  std::size_t clients = 0;
  if (generate != nullptr) {
    refuse(reader, root, "threads", "\"generate\" makes all of them up to a size; keep one");
    into.generate = parse_generated(reader, root);
    clients = into.generate->threads;
  } else {
    parse_threads(reader, *threads, into);
    clients = into.threads.size();
  }
  if (const toml::node* initial = root.get("initial")) {
    into.initial = parse_list(reader, *initial, "\"initial\"");
  }
  if (const auto spec = reader.string(root, "spec")) into.spec = spec->text;
  into.clients = parse_placement(reader, root);
  if (root.get("grid") == nullptr) {
    into.grid = grid_for(clients, into.clients, reader, *who);
  } else if (places_in(into.grid, into.clients) < clients) {
    reader.fail(*who,
                fmt::format("there are {} threads, but the grid has places for {}; enlarge it",
                            clients, places_in(into.grid, into.clients)));
  }
}

}  // namespace warpcheck
