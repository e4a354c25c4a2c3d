// Writes an answer to a litmus test as text, JSON and a graph.
#include "litmus/report/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "litmus/report/explain.hpp"

namespace litmus {

namespace {

using json = nlohmann::ordered_json;

std::string_view verdict(const std::optional<bool>& holds) {
  return !holds ? "inconclusive" : *holds ? "holds" : "does not hold";
}

/// The formula's value in executions that decide the test. Such an execution is the answer to
/// exists, and refutes ~exists and forall.
bool deciding(const program& p) { return p.final.quantifier != quantifier::forall; }

const std::optional<witness>& deciding_execution(const answered& one) {
  return deciding(one.program) ? one.answer.satisfying : one.answer.contradicting;
}

std::string table(const answered& one) {
  const answer& a = one.answer;
  std::vector<std::vector<std::string>> rows(1);
  for (const variable& v : a.observed) rows[0].push_back(name(one.program, v));
  rows[0].emplace_back("executions");
  for (const outcome& o : a.outcomes) {
    rows.emplace_back();
    for (const value v : o.values) rows.back().push_back(std::to_string(v));
    rows.back().push_back(std::to_string(o.executions));
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = r > 0 && a.outcomes[r - 1].satisfies ? "  *" : "   ";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      std::size_t width = 0;
      for (const auto& row : rows) width = std::max(width, row[c].size());
      line += fmt::format("  {:>{}}", rows[r][c], width);
    }
    text += line + "\n";
  }
  return text;
}

std::string out_of_time(const answered& one) {
  return one.stopped.empty() ? "time is up; --time TIME gives it more" : one.stopped;
}

/// What the search did not cover, and the remedy.
std::string gap(const answered& one) {
  const answer& a = one.answer;
  if (a.undefined) {
    return "an execution divides by zero, leaves 64 bits, or arrives at an mbarrier more often "
           "than "
           "is pending";
  }
  if (a.covered.out_of_time && !a.covered.all) return out_of_time(one);
  if (a.covered.loops_cut) {
    return "a loop that changes something in each round was cut off, or there were more than 64 "
           "events; --rounds N follows more rounds";
  }
  if (!a.covered.all) return "too many executions; --max-steps N follows more choices";
  return {};
}

sentences reasons(const answered& one) {
  const answer& a = one.answer;
  if (const auto& w = deciding_execution(one)) {
    sentences lines = describe(*w);
    if (one.options.model == memory_model::ptx) {
      for (std::string& line : what_proxies_lack(*w)) lines.push_back(std::move(line));
    }
    return lines;
  }
  if (!a.covered.all) return {};
  if (a.executions == 0) return {"no execution is complete"};
  return why_forbidden(one.program, one.options, deciding(one.program));
}

std::string_view heading(const answered& one) {
  if (deciding_execution(one)) {
    return deciding(one.program) ? "an execution with *:" : "an execution without *:";
  }
  return deciding(one.program) ? "why none has *:" : "why none is without *:";
}

void append(std::string& text, const sentences& lines, std::string_view indent) {
  for (const std::string& line : lines) text += fmt::format("{}{}\n", indent, line);
}

json values(const answered& one, const outcome& o) {
  json all = json::object();
  for (std::size_t i = 0; i < o.values.size(); ++i) {
    all[name(one.program, one.answer.observed[i])] = o.values[i];
  }
  return all;
}

json or_null(const std::optional<bool>& b) { return b ? json(*b) : json(); }

std::string dot_quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text)
    all += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return all + '"';
}

void add_edges(std::string& text, const relation& edges, std::string_view label,
               std::string_view colour) {
  for (event_id a = 0; a < edges.size(); ++a) {
    for_each(edges.of(a), [&](event_id b) {
      text += fmt::format("  e{} -> e{} [label=\"{}\", color={}];\n", a, b, label, colour);
    });
  }
}

/// The relation without edges that follow from others by transitivity.
relation reduced(const relation& order) {
  relation result(order.size());
  const relation longer = order * order;
  for (event_id a = 0; a < order.size(); ++a) result.insert(a, order.of(a) & ~longer.of(a));
  return result;
}

}  // namespace

std::optional<bool> answered::as_expected() const {
  const auto agrees = [](const std::optional<bool>& found, const std::optional<bool>& wanted) {
    return !wanted ? std::optional(true) : found ? std::optional(*found == *wanted) : std::nullopt;
  };
  if (!expected) return answer.holds;
  const auto holds = agrees(answer.holds, expected->holds);
  const auto terminates = agrees(answer.terminates, expected->terminates);
  if (!holds.value_or(true) || !terminates.value_or(true)) return false;
  if (!holds || !terminates) return std::nullopt;
  return true;
}

std::string headline(const answered& one) {
  std::string text = fmt::format("{}  [{}]  {}  {}", one.file, name(one.options.model),
                                 one.program.final.text, verdict(one.answer.holds));
  if (one.expected) {
    const auto as_expected = one.as_expected();
    text += !as_expected ? "  ?" : *as_expected ? "  ✓" : "  ✗";
    if (as_expected == false) {
      if (one.expected->holds && one.answer.holds != one.expected->holds) {
        text += fmt::format("  expected: {}", verdict(one.expected->holds));
      }
      if (one.expected->terminates && one.answer.terminates != one.expected->terminates) {
        text += fmt::format("  expected: {}",
                            *one.expected->terminates ? "every execution ends" : "one never ends");
      }
    }
  }
  return text + "\n";
}

std::string render(const answered& one, bool why) {
  const answer& a = one.answer;
  std::string text = headline(one);
  if (!a.outcomes.empty()) text += table(one);
  if (a.outcomes.empty()) text += "    no execution is complete\n";
  if (const std::string missing = gap(one); !missing.empty()) {
    text += fmt::format("    not all executions: {}\n", missing);
  }
  if (a.terminates == false) {
    text += "    not every execution ends:\n";
    append(text, why_endless(*a.endless), "      ");
  } else if (!a.terminates) {
    text += "    whether every execution ends is not known\n";
  }
  for (const race& r : a.races) {
    text += fmt::format("    race on {}: {}\n", one.program.locations[r.location],
                        describe(one.program, r));
  }
  if (!a.races_covered && a.covered.all) {
    text += fmt::format("    there may be more races: {}\n",
                        a.covered.out_of_time
                            ? out_of_time(one)
                            : std::string("--rounds N and --max-steps N follow more executions"));
  }
  if (!why) return text;
  if (const sentences lines = reasons(one); !lines.empty()) {
    text += fmt::format("    {}\n", heading(one));
    append(text, lines, "      ");
  }
  return text;
}

json to_json(const answered& one, bool why) {
  constexpr std::array<std::string_view, 3> quantifiers{"exists", "~exists", "forall"};
  const answer& a = one.answer;
  json outcomes = json::array(), races = json::array();
  for (const outcome& o : a.outcomes) {
    outcomes.push_back(
        {{"values", values(one, o)}, {"executions", o.executions}, {"satisfies", o.satisfies}});
  }
  for (const race& r : a.races) {
    const auto place = [&](std::uint32_t thread, std::uint32_t at) {
      const litmus::thread& of = one.program.threads[thread];
      const instruction& i = of.instructions[at];
      return json{
          {"thread", of.issuer.value_or(thread)}, {"line", i.line}, {"instruction", i.text}};
    };
    races.push_back({{"location", one.program.locations[r.location]},
                     {"accesses", json::array({place(r.thread, r.instruction),
                                               place(r.other_thread, r.other_instruction)})},
                     {"remedy", remedy(one.program, r)}});
  }
  const auto quantifier = static_cast<std::size_t>(one.program.final.quantifier);
  json document{{"file", one.file},
                {"model", name(one.options.model)},
                {"quantifier", quantifiers[quantifier]},
                {"condition", one.program.final.text},
                {"holds", or_null(a.holds)},
                {"terminates", or_null(a.terminates)}};
  if (one.expected) {
    document["expected"] = {{"holds", or_null(one.expected->holds)},
                            {"terminates", or_null(one.expected->terminates)}};
  }
  document["as_expected"] = or_null(one.as_expected());
  document["complete"] = a.covered.all && !a.undefined;
  document["executions"] = a.executions;
  document["outcomes"] = outcomes;
  document["races"] = races;
  document["races_complete"] = a.races_covered;
  if (a.endless) document["endless"] = why_endless(*a.endless);
  if (why) document[deciding_execution(one) ? "witness" : "forbidden"] = reasons(one);
  return document;
}

std::string dot(const answered& one) {
  const answer& a = one.answer;
  const std::optional<witness>& first = deciding_execution(one);
  const std::optional<witness>& second = deciding(one.program) ? a.contradicting : a.satisfying;
  const std::optional<witness>& shown = first ? first : second ? second : a.endless;
  if (!shown) return {};
  const execution& x = shown->x;
  std::string text = fmt::format("digraph {} {{\n  label={};\n  node [shape=box];\n",
                                 dot_quoted(one.file), dot_quoted(one.program.final.text));
  for_each(x.present, [&](event_id e) {
    if (x.events[e].kind != event_kind::initial) return;
    text += fmt::format("  e{} [label={}];\n", e, dot_quoted(described(x, e)));
  });
  for (std::uint32_t t = 0; t < x.program->threads.size(); ++t) {
    text += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", t,
                        name_of_thread(*x.program, t));
    for_each(x.present, [&](event_id e) {
      const event& node = x.events[e];
      if (node.thread != t) return;
      std::string label = x.instruction_of(e).text;
      if (node.kind == event_kind::load) label += fmt::format(" → {}", node.value.value_or(0));
      if (node.partner != no_event && node.kind == event_kind::store) {
        label += fmt::format(": stores {}", node.value.value_or(0));
      }
      text += fmt::format("    e{} [label={}];\n", e, dot_quoted(label));
    });
    text += "  }\n";
  }
  const relations r = derive(x, {});
  add_edges(text, reduced(r.program_order), "po", "black");
  add_edges(text, r.reads_from, "rf", "darkgreen");
  add_edges(text, reduced(shown->with.coherence), "co", "blue");
  add_edges(text, from_reads(r, reduced(shown->with.coherence)), "fr", "orange");
  add_edges(text, r.sync, "sync", "red");
  add_edges(text, reduced(shown->with.sc), "sc", "purple");
  add_edges(text, shown->with.barriers, "bar", "brown");
  return text + "}\n";
}

}  // namespace litmus
