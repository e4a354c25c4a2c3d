// Writes tables, disagreements and sums of progress tests.
#include "checker/progress/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "checker/progress/evidence.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

/// Returns the width of "yes ✗" and a gap, or of the model's name.
std::size_t width_of_cell(progress_column column) {
  return std::max<std::size_t>(name(column.model).size(), 5) + 2;
}

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
    const std::size_t width = width_of_cell(columns[c]);
    notions += padded(first ? name(columns[c].notion) : "", width);
    models += padded(name(columns[c].model), width);
  }
  return without_trailing_spaces(notions) + without_trailing_spaces(models + "states");
}

std::string progress_row(const progress_answer& answer, const std::vector<progress_column>& columns,
                         std::size_t id_width) {
  std::string text = padded(answer.test().id, id_width + 2);
  for (const progress_column column : columns) {
    const auto holds = answer.holds(column);
    const std::string_view word = !holds ? "?" : *holds ? "yes" : "no";
    text += padded(fmt::format("{}{}", word, answer.disagrees(column) ? " ✗" : ""),
                   width_of_cell(column));
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
  constexpr std::size_t width = 14;
  std::string notions(width, ' ');
  std::string heads = padded(counted(answers.size(), "test", "tests"), width);
  std::map<progress_model, std::string> rows;
  const auto any_labels = std::ranges::any_of(columns, [&](const progress_column column) {
    return agreement(answers, column).labels != 0;
  });
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [notion, model] = columns[c];
    if (c == 0 || columns[c - 1].notion != notion) {
      notions += padded(name(notion), any_labels ? 2 * width : width);
      heads += padded("guaranteed", width);
      if (any_labels) heads += padded("as labelled", width);
    }
    const progress_agreement found = agreement(answers, columns[c]);
    std::string& row = rows.try_emplace(model, padded(name(model), width)).first->second;
    row += padded(fmt::format("{}", found.guaranteed), width);
    const std::string share = fmt::format("{} of {}", found.agree, found.labels);
    if (any_labels) row += padded(found.labels == 0 ? "" : share, width);
  }
  std::string text = without_trailing_spaces(notions) + without_trailing_spaces(heads);
  for (const auto& [model, row] : rows) text += without_trailing_spaces(row);
  return text;
}

json to_json(const progress_answer& answer, const std::vector<progress_column>& columns,
             bool with_evidence) {
  const progress_test& test = answer.test();
  json document{{"id", test.id},
                {"line", test.line},
                {"states", answer.graph().states()},
                {"complete", answer.graph().complete()}};
  const auto member = [&](json& target, progress_column column) -> json& {
    return target[std::string(name(column.notion))][std::string(name(column.model))];
  };
  for (const progress_column column : columns) {
    const auto holds = answer.holds(column);
    member(document, column) = holds ? json(*holds) : json();
  }
  json labels = json::object();
  bool disagrees = false;
  for (const progress_column column : columns) {
    if (const auto label = test.label(column.notion, column.model)) {
      member(labels, column) = *label;
    }
    disagrees = disagrees || answer.disagrees(column);
  }
  if (!labels.empty()) document["labels"] = labels;
  document["as_expected"] = !disagrees;
  if (!with_evidence) return document;
  document["evidence"] = json::object();
  for (const progress_column column : columns) {
    if (answer.holds(column).value_or(true)) continue;
    member(document["evidence"], column) = to_json(evidence(answer, column), column, test.program);
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
