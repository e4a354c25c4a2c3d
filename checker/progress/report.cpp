#include "checker/progress/report.hpp"

#include <fmt/format.h>

#include "checker/progress/evidence.hpp"
#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t cell_width = 7;

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

json to_json(const std::vector<progress_step>& steps, const progress_program& program) {
  json list = json::array();
  for (const progress_step& s : steps) {
    const auto& thread = program.threads[s.thread];
    json owed = json::array();
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
      if ((s.owed & only(t)) != 0) owed.push_back(t);
    }
    list.push_back({{"thread", s.thread},
                    {"at", s.at},
                    {"instruction", text_of(thread[s.at], thread.size())},
                    {"before", s.before},
                    {"after", s.after},
                    {"next", s.to == thread.size() ? json("end") : json(s.to)},
                    {"owed", owed}});
  }
  return list;
}

json to_json(const progress_evidence& why, progress_column column,
             const progress_program& program) {
  json document{{"prefix", to_json(why.prefix, program)}};
  if (column.notion == fairness_notion::strong) {
    document["walk"] = to_json(why.walk, program);
    document["states"] = why.states;
  }
  document["cycle"] = to_json(why.cycle, program);
  return document;
}

}  // namespace

std::string progress_head(const std::vector<progress_column>& columns, std::size_t id_width) {
  std::string notions(id_width + 2, ' ');
  std::string models = padded("test", id_width + 2);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool first = c == 0 || columns[c - 1].notion != columns[c].notion;
    notions += padded(first ? name(columns[c].notion) : "", cell_width + 2);
    models += padded(name(columns[c].model), cell_width + 2);
  }
  return without_trailing_spaces(notions) + without_trailing_spaces(models + "states");
}

std::string progress_row(const progress_answer& answer, const std::vector<progress_column>& columns,
                         std::size_t id_width) {
  std::string text = padded(answer.test().id, id_width + 2);
  for (const progress_column column : columns) {
    const auto holds = answer.holds(column);
    const std::string_view word = !holds ? "?" : *holds ? "yes" : "no";
    text += padded(fmt::format("{}{}", word, answer.disagrees(column) ? " ✗" : ""), cell_width + 2);
  }
  text += grouped(answer.graph().states());
  if (!answer.graph().complete()) text += ", and more";
  return without_trailing_spaces(text);
}

std::string progress_disagreements(const progress_answer& answer,
                                   const std::vector<progress_column>& columns,
                                   const std::string& file) {
  std::string text;
  for (const progress_column column : columns) {
    if (!answer.disagrees(column)) continue;
    const bool holds = *answer.holds(column);
    text += fmt::format("{}:{}: {}, {} {}: termination is {}guaranteed, but the label says {}\n",
                        file, answer.test().line, answer.test().id, name(column.notion),
                        name(column.model), holds ? "" : "not ", !holds);
  }
  return text;
}

std::string progress_summary(const std::vector<progress_answer>& answers,
                             const std::vector<progress_column>& columns) {
  constexpr std::size_t width = 20;
  std::string guaranteed = padded("guaranteed", width);
  std::string labels = padded("agree with labels", width);
  bool any = false;
  for (const progress_column column : columns) {
    const progress_agreement found = agreement(answers, column);
    guaranteed += padded(fmt::format("{}", found.guaranteed), cell_width + 2);
    const std::string share =
        found.labels == 0 ? "" : fmt::format("{}/{}", found.agree, found.labels);
    labels += padded(share, cell_width + 2);
    any = any || found.labels != 0;
  }
  std::string head = progress_head(columns, width - 2);
  head.replace(head.find("test  "), 4, "    ");
  head.erase(head.rfind("states"));
  return without_trailing_spaces(head) + without_trailing_spaces(guaranteed) +
         (any ? without_trailing_spaces(labels) : "");
}

json to_json(const progress_answer& answer, const std::vector<progress_column>& columns,
             bool with_evidence) {
  const progress_test& test = answer.test();
  json document{{"id", test.id},
                {"line", test.line},
                {"states", answer.graph().states()},
                {"complete", answer.graph().complete()}};
  bool disagrees = false;
  for (const progress_column column : columns) {
    const std::string notion(name(column.notion));
    const std::string model(name(column.model));
    const auto holds = answer.holds(column);
    document[notion][model] = holds ? json(*holds) : json();
    if (const auto label = test.label(column.notion, column.model)) {
      document["labels"][notion][model] = *label;
    }
    disagrees = disagrees || answer.disagrees(column);
  }
  document["as_expected"] = !disagrees;
  if (!with_evidence) return document;
  document["evidence"] = json::object();
  for (const progress_column column : columns) {
    if (answer.holds(column).value_or(true)) continue;
    document["evidence"][std::string(name(column.notion))][std::string(name(column.model))] =
        to_json(evidence(answer, column), column, test.program);
  }
  return document;
}

json agreement_json(const std::vector<progress_answer>& answers,
                    const std::vector<progress_column>& columns) {
  json document = json::object();
  for (const progress_column column : columns) {
    const progress_agreement found = agreement(answers, column);
    document[std::string(name(column.notion))][std::string(name(column.model))] = {
        {"guaranteed", found.guaranteed}, {"labels", found.labels}, {"agree", found.agree}};
  }
  return document;
}

}  // namespace warpcheck
