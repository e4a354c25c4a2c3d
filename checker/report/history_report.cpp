// Writes a recorded history and its evidence as text with bars, and as JSON.
#include "checker/report/history_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/history/transactions.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

const recorded_operation& operation(const history_report& r, std::uint32_t index) {
  return r.of.operations[index];
}

std::string step_text(const history_report& r, const ordered_step& one) {
  const recorded_operation& o = operation(r, one.operation);
  const std::uint32_t steps = r.spec.operations()[o.what.operation].steps;
  std::string text = operation_text(r.of, r.spec, o);
  if (steps > 1) text += fmt::format(" (step {} of {})", one.step + 1, steps);
  return text;
}

/// Breaks text into lines of at most `width` columns, each after two spaces.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && width_of(line) + 1 + width_of(word) + 2 > width) {
      lines += "  " + line + "\n";
      line = "  ";
    }
    line += (line.empty() || line == "  " ? "" : " ") + word;
    at = end + 1;
  }
  return lines + "  " + line + "\n";
}

/// A row of the picture, shown as one bar: an operation or a transaction.
struct bar_row {
  std::string client, text;
  event_time called, returns;  // `never`: the row has not ended
  std::uint32_t call_line, return_line;
};

std::vector<bar_row> operation_rows(const history& of, const simt::spec::specification& spec,
                                    const std::vector<std::uint32_t>& shown) {
  std::vector<bar_row> rows;
  for (const std::uint32_t i : shown) {
    const recorded_operation& o = of.operations[i];
    rows.push_back({of.clients[o.what.client], operation_text(of, spec, o), o.called, o.returns,
                    o.call_line, o.return_line});
  }
  return rows;
}

/// Lists the transactions that have some of the operations `shown`, and the operations outside of
/// any.
std::vector<bar_row> transaction_rows(const history& of, const simt::spec::specification& spec,
                                      std::vector<std::uint32_t> shown) {
  std::vector<bar_row> rows;
  for (const recorded_transaction& t : transactions_of(of, spec)) {
    const std::size_t before = shown.size();
    std::erase_if(shown, [&](std::uint32_t i) {
      return std::ranges::find(t.operations, i) != t.operations.end();
    });
    if (shown.size() == before) continue;
    const recorded_operation& first = of.operations[t.operations.front()];
    const recorded_operation& last = of.operations[t.operations.back()];
    const bool is_over = t.stage == simt::transaction_stage::committed ||
                         t.stage == simt::transaction_stage::aborted;
    rows.push_back({of.clients[t.client], transaction_text(of, spec, t), first.called,
                    is_over ? last.returns : never, first.call_line, last.return_line});
  }
  for (bar_row& row : operation_rows(of, spec, shown)) rows.push_back(std::move(row));
  return rows;
}

/// Places the events of the rows in columns.
class time_axis {
 public:
  explicit time_axis(const std::vector<bar_row>& rows) {
    for (const bar_row& row : rows) {
      times_.push_back(row.called);
      if (row.returns != never) times_.push_back(row.returns);
    }
    std::ranges::sort(times_);
  }

  void fit(std::size_t width) {
    scale_ = times_.empty() ? 1 : std::clamp<std::size_t>(width / times_.size(), 1, 3);
    most_ = std::max<std::size_t>(width, 8);
  }

  [[nodiscard]] std::string bar(const bar_row& o) const {
    const std::size_t begin = column(o.called);
    if (begin + 3 > most_) return std::string(most_ - 1, ' ') + "›";
    std::string text = std::string(begin, ' ') + "├";
    const std::size_t last = o.returns != never ? column(o.returns) : times_.size() * scale_;
    for (std::size_t c = begin + 1; c < std::min(last, most_ - 1); ++c) text += "─";
    return text + (o.returns == never || last > most_ - 1 ? "›" : "┤");
  }

 private:
  std::vector<event_time> times_;
  std::size_t scale_ = 1;
  std::size_t most_ = 0;

  [[nodiscard]] std::size_t column(event_time t) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(times_, t) - times_.begin()) * scale_;
  }
};

std::string possible_states(const history_report& r) {
  std::string text;
  for (const simt::spec::state& s : r.result.evidence.from) {
    text += (text.empty() ? "" : " or ") + state_text(r.of, s);
  }
  return text;
}

}  // namespace

std::string history_bars(const history& of, const simt::spec::specification& spec,
                         std::vector<std::uint32_t> shown, const std::string& where,
                         std::size_t width) {
  constexpr std::size_t most_rows = 40;
  const bool transactions = is_of_transactions(spec);
  std::vector<bar_row> bars =
      transactions ? transaction_rows(of, spec, shown) : operation_rows(of, spec, shown);
  const std::size_t all = bars.size();
  // Keep the last rows, since the order fails at the end.
  if (all > most_rows) bars.erase(bars.begin(), bars.end() - most_rows);
  std::vector<std::array<std::string, 3>> rows{
      {"client", transactions ? "transaction" : "operation", where}};
  for (const bar_row& o : bars) {
    rows.push_back({o.client, o.text,
                    o.returns != never ? fmt::format("{}, {}", o.call_line, o.return_line)
                                       : fmt::format("{}", o.call_line)});
  }
  std::array<std::size_t, 3> widths{};
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < 3; ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  time_axis axis(bars);
  const std::size_t used = 2 + widths[0] + 2 + widths[1] + 2 + widths[2] + 2;
  axis.fit(width > used + 10 ? width - used : 10);
  std::string text;
  if (all > most_rows) {
    text += fmt::format("  the last {} of {} {}:\n", most_rows, grouped(all),
                        transactions ? "transactions" : "operations");
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line = "  ";
    for (std::size_t c = 0; c < 3; ++c) line += padded(rows[i][c], widths[c]) + "  ";
    line += i == 0 ? "time →" : axis.bar(bars[i - 1]);
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    if (i > 0) continue;
    std::string rule;
    for (const std::size_t w : {widths[0], widths[1], widths[2], std::size_t{6}}) {
      rule += "  ";
      for (std::size_t c = 0; c < w; ++c) rule += "─";
    }
    text += rule + "\n";
  }
  return text;
}

json transactions_json(const history& of, const simt::spec::specification& spec) {
  constexpr std::array<std::string_view, 4> stages{"open", "committing", "committed", "aborted"};
  json all = json::array();
  for (const recorded_transaction& t : transactions_of(of, spec)) {
    all.push_back({{"client", of.clients[t.client]},
                   {"operations", t.operations},
                   {"stage", stages[static_cast<std::size_t>(t.stage)]}});
  }
  return all;
}

json operation_json(const history& of, const simt::spec::specification& spec,
                    const recorded_operation& o) {
  const simt::spec::operation& what = spec.operations()[o.what.operation];
  const auto value = [&](simt::spec::value v) -> json {
    if (!of.names.is_name(v)) return v;
    const std::string quoted = of.names.text(v);
    return quoted.substr(1, quoted.size() - 2);
  };
  json args = json::array();
  for (std::size_t i = 0; i < what.arguments.size(); ++i)
    args.push_back(value(o.what.arguments[i]));
  json one{{"client", of.clients[o.what.client]}, {"op", what.name}, {"args", args}};
  if (o.completed) {
    one["result"] = !o.returned.is_some                         ? json()
                    : what.returns == simt::spec::type::boolean ? json(o.returned.what != 0)
                                                                : value(o.returned.what);
  }
  one["pending"] = !o.completed;
  return one;
}

std::string verdict_name(consistency wanted, answer decided) {
  constexpr std::array<std::string_view, 5> words{"linearizable", "sequentially-consistent",
                                                  "quiescently-consistent", "strictly-serializable",
                                                  "opaque"};
  const std::string word(words[static_cast<std::size_t>(wanted)]);
  switch (decided) {
    case answer::explained: return word;
    case answer::impossible: return "not-" + word;
    case answer::stopped: break;
  }
  return "inconclusive";
}

std::string_view mark_of(answer decided) {
  return decided == answer::explained ? "✓" : decided == answer::impossible ? "✗" : "?";
}

std::string size_of(const history_report& r) {
  return fmt::format("{} of {}  {:.3f} s",
                     counted(r.of.operations.size(), "operation", "operations"),
                     counted(r.of.clients.size(), "client", "clients"), r.seconds);
}

std::vector<std::string> sentences_about(const history_report& r) {
  const history_result& found = r.result;
  if (found.decided == answer::stopped) {
    return {fmt::format("{}; {} seen, no order found, and none excluded", found.stopped_by,
                        counted(found.configurations, "configuration", "configurations"))};
  }
  if (found.decided != answer::impossible) return {};
  std::vector<std::string> all{found.evidence.why + "."};
  for (const std::string& more : found.evidence.more) all.push_back(more);
  if (!found.evidence.from.empty()) {
    all.push_back("When this part begins, the state is " + possible_states(r) +
                  "; what is pending then may have taken effect.");
  }
  return all;
}

std::vector<std::string> order_of(const history_report& r) {
  std::vector<std::string> lines;
  if (r.result.decided != answer::explained || !r.with_order) return lines;
  const std::size_t digits = std::to_string(r.result.order.size()).size();
  std::size_t client = 0;
  for (const std::string& c : r.of.clients) client = std::max(client, width_of(c));
  for (const ordered_step& one : r.result.order) {
    const recorded_operation& o = operation(r, one.operation);
    lines.push_back(fmt::format("{:>{}}  {}  {}", lines.size() + 1, digits,
                                padded(r.of.clients[o.what.client], client), step_text(r, one)));
  }
  return lines;
}

std::string to_text(const history_report& r, std::size_t width) {
  const history_result& found = r.result;
  std::string text =
      fmt::format("{}  [{}]  {}  {}  {}\n", r.file, r.spec.name(),
                  verdict_name(r.wanted, found.decided), mark_of(found.decided), size_of(r));
  if (found.decided == answer::impossible) text += "\n";
  for (const std::string& sentence : sentences_about(r)) text += wrapped(sentence, width);
  if (const auto lines = order_of(r); !lines.empty()) {
    text += "\n  This order explains it:\n";
    for (const std::string& line : lines) text += "  " + line + "\n";
  }
  if (found.decided == answer::impossible) {
    text += "\n" + history_bars(r.of, r.spec, found.evidence.operations, "lines", width);
  }
  return text;
}

json to_json(const history_report& r) {
  const history_result& found = r.result;
  const auto describe = [&](std::uint32_t index) {
    const recorded_operation& o = operation(r, index);
    json one = operation_json(r.of, r.spec, o);
    one["call_line"] = o.call_line;
    one["return_line"] = o.completed ? json(o.return_line) : json();
    return one;
  };
  json document{{"version", json_version},
                {"file", r.file},
                {"spec", r.spec.name()},
                {"consistency", name(r.wanted)},
                {"verdict", verdict_name(r.wanted, found.decided)},
                {"operations", r.of.operations.size()},
                {"clients", r.of.clients.size()},
                {"algorithm", found.algorithm},
                {"parts", found.parts},
                {"configurations", found.configurations},
                {"seconds", r.seconds}};
  if (found.decided == answer::stopped) document["stopped"] = found.stopped_by;
  if (found.decided == answer::explained && r.with_order) {
    document["order"] = json::array();
    for (const ordered_step& s : found.order) {
      json one = describe(s.operation);
      if (r.spec.operations()[operation(r, s.operation).what.operation].steps > 1) {
        one["step"] = s.step;
      }
      document["order"].push_back(std::move(one));
    }
  }
  if (found.decided == answer::impossible) {
    json operations = json::array();
    for (const std::uint32_t i : found.evidence.operations) operations.push_back(describe(i));
    json from = json::array();
    for (const simt::spec::state& s : found.evidence.from) from.push_back(state_text(r.of, s));
    document["evidence"] = {
        {"why", found.evidence.why}, {"from", from}, {"operations", operations}};
    if (!found.evidence.more.empty()) document["evidence"]["more"] = found.evidence.more;
  }
  return document;
}

}  // namespace warpcheck
