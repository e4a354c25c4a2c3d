// Reads recorded histories from JSON Lines, one event a line.
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "checker/history/history.hpp"
#include "checker/text/closest_name.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {
namespace {

using simt::spec::type;
using simt::spec::value;

/// A JSON value of the kinds that events have.
struct scalar {
  enum class kind : std::uint8_t { missing, null, boolean, integer, text, other };
  kind what = kind::missing;
  std::int64_t number = 0;
  std::string text;
  const char* other = "";  // "a fraction", ...
};

struct event_line {
  scalar event, client, op, result, time;
  std::vector<scalar> args;
  bool has_args = false;

  void clear() {
    for (scalar* s : {&event, &client, &op, &result, &time}) s->what = scalar::kind::missing;
    args.clear();
    has_args = false;
  }
};

constexpr std::array<std::string_view, 6> keys{"event", "client", "op", "args", "result", "time"};

/// Fills in an event_line. Stops at the first thing that does not belong to an event.
class line_handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  event_line line;
  std::string wrong;

  void start() {
    line.clear();
    wrong.clear();
    depth_ = 0;
    in_args_ = false;
    target_ = nullptr;
  }

  bool null() override { return put(scalar::kind::null, 0); }
  bool boolean(bool v) override { return put(scalar::kind::boolean, v ? 1 : 0); }
  bool number_integer(number_integer_t v) override { return put(scalar::kind::integer, v); }
  bool number_unsigned(number_unsigned_t v) override {
    if (v > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return other("a number that does not fit into 64 bits with a sign");
    }
    return put(scalar::kind::integer, static_cast<std::int64_t>(v));
  }
  bool number_float(number_float_t, const string_t&) override {
    return other("a number that is no integer of 64 bits");
  }
  bool string(string_t& v) override {
    if (!put(scalar::kind::text, 0)) return false;
    last_->text = v;
    return true;
  }
  bool binary(binary_t&) override { return other("binary data"); }

  bool start_object(std::size_t) override {
    if (depth_ == 0) {
      depth_ = 1;
      return true;
    }
    return other("an object");
  }
  bool end_object() override { return true; }

  bool key(string_t& name) override {
    target_ = nullptr;
    args_next_ = false;
    scalar* const targets[] = {&line.event, &line.client, &line.op,
                               nullptr,     &line.result, &line.time};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (name != keys[i]) continue;
      target_ = targets[i];
      args_next_ = i == 3;
      const bool again = args_next_ ? line.has_args : target_->what != scalar::kind::missing;
      if (!again) return true;
      wrong = fmt::format("\"{}\" stands here twice; leave one out", name);
      return false;
    }
    const auto near = closest_name(name, keys);
    wrong = fmt::format("unknown key \"{}\"; {}", name,
                        near ? fmt::format("did you mean \"{}\"?", *near)
                             : fmt::format("the keys are {}", fmt::join(keys, ", ")));
    return false;
  }

  bool start_array(std::size_t) override {
    if (depth_ == 0 || !args_next_ || in_args_) return other("an array");
    in_args_ = line.has_args = true;
    return true;
  }
  bool end_array() override {
    in_args_ = false;
    args_next_ = false;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    wrong = fmt::format(
        "column {}: this is no JSON object; write one object a line, for example "
        "{}",
        position, R"({"event": "call", "client": 0, "op": "enqueue", "args": [1]})");
    return false;
  }

 private:
  int depth_ = 0;
  bool in_args_ = false;
  bool args_next_ = false;
  scalar* target_ = nullptr;
  scalar* last_ = nullptr;

  bool put(scalar::kind what, std::int64_t number) {
    if (depth_ == 0) return other("a single value");
    if (args_next_) {
      line.has_args = true;
      line.args.emplace_back();
      last_ = &line.args.back();
    } else {
      last_ = target_;
    }
    last_->what = what;
    last_->number = number;
    return true;
  }

  bool other(const char* what) {
    wrong = fmt::format(
        "{} cannot stand here; an event is one object whose members are numbers, "
        "strings, booleans or null, and \"args\" an array of them",
        what);
    return false;
  }
};

/// An event as read, before the order of events is known.
struct placed_event {
  std::int64_t time = 0;
  bool is_return = false;
  std::uint32_t operation = 0;
};

class reader {
 public:
  reader(const std::string& file, const simt::spec::specification& spec)
      : file_(file), spec_(spec) {
    const auto& operations = spec.operations();
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      by_name_.emplace(operations[i].name, i);
      known_names_.emplace_back(operations[i].name);
      for (const char* alias : operations[i].aliases) by_name_.emplace(alias, i);
    }
  }

  history read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      read_line(line);
    }
    order_events();
    return std::move(read_);
  }

 private:
  const std::string& file_;
  const simt::spec::specification& spec_;
  history read_;
  line_handler handler_;
  std::uint32_t line_ = 0;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::vector<std::string_view> known_names_;
  std::unordered_map<std::string, std::uint32_t> named_clients_;
  std::unordered_map<std::int64_t, std::uint32_t> numbered_clients_;
  std::vector<std::uint32_t> open_;  // by client: its open operation, plus one; 0: none
  std::vector<placed_event> events_;
  std::uint32_t timed_ = 0;  // events with "time"
  std::uint32_t first_timed_ = 0, first_untimed_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw usage_error(fmt::format("{}:{}: {}", file_, line_, what));
  }

  void read_line(std::string_view line) {
    handler_.start();
    if (!nlohmann::json::sax_parse(line.begin(), line.end(), &handler_)) {
      fail(handler_.wrong.empty() ? "this is no JSON object" : handler_.wrong);
    }
    const event_line& e = handler_.line;
    if (e.event.what != scalar::kind::text ||
        (e.event.text != "call" && e.event.text != "return")) {
      fail("an event is a call or a return; add \"event\": \"call\" or \"event\": \"return\"");
    }
    if (read_.operations.size() >= never / 2 - 1) fail("too many operations; split the history");
    const std::uint32_t client = client_of(e.client);
    const bool is_return = e.event.text == "return";
    const std::uint32_t operation = is_return ? take_return(e, client) : take_call(e, client);
    events_.push_back({time_of(e.time), is_return, operation});
  }

  std::uint32_t client_of(const scalar& given) {
    const auto next = static_cast<std::uint32_t>(read_.clients.size());
    std::uint32_t number = next;
    if (given.what == scalar::kind::integer) {
      number = numbered_clients_.try_emplace(given.number, next).first->second;
      if (number == next) read_.clients.push_back(std::to_string(given.number));
    } else if (given.what == scalar::kind::text) {
      number = named_clients_.try_emplace(given.text, next).first->second;
      if (number == next) read_.clients.push_back(given.text);
    } else {
      fail("an event needs its client, a number or a string; add for example \"client\": 0");
    }
    if (number == next) open_.push_back(0);
    return number;
  }

  std::int64_t time_of(const scalar& given) {
    if (given.what == scalar::kind::missing) {
      if (first_untimed_ == 0) first_untimed_ = line_;
    } else if (given.what == scalar::kind::integer) {
      if (timed_++ == 0) first_timed_ = line_;
    } else {
      fail("\"time\" is not an integer; write for example nanoseconds");
    }
    if (first_untimed_ != 0 && first_timed_ != 0) {
      fail(
          fmt::format("line {} has a \"time\" and line {} has none; give it to all events or to "
                      "none (then their order in the file counts)",
                      first_timed_, first_untimed_));
    }
    return given.what == scalar::kind::integer ? given.number : 0;
  }

  std::uint32_t operation_named(std::string_view name) const {
    const auto found = by_name_.find(std::string(name));
    if (found != by_name_.end()) return found->second;
    const auto near = closest_name(name, known_names_);
    fail(fmt::format("{} has no operation \"{}\"; {}", spec_.name(), name,
                     near ? fmt::format("did you mean \"{}\"?", *near)
                          : fmt::format("it has {}", fmt::join(known_names_, ", "))));
  }

  std::uint32_t take_call(const event_line& e, std::uint32_t client) {
    if (e.op.what != scalar::kind::text) {
      fail("a call needs its operation; add for example \"op\": \"" +
           std::string(known_names_.front()) + "\"");
    }
    if (e.result.what != scalar::kind::missing) {
      fail("a call has no \"result\"; write it into the event of the return");
    }
    if (open_[client] != 0) {
      fail(
          fmt::format("client {} calls again, but its call of line {} has not returned; a client "
                      "has one call at a time: give the other one a client of its own",
                      read_.clients[client], read_.operations[open_[client] - 1].call_line));
    }
    recorded_operation made;
    std::string_view text = e.op.text;
    const std::size_t name_end = std::min(text.find(' '), text.size());
    made.what.operation = operation_named(text.substr(0, name_end));
    made.what.client = client;
    made.call_line = line_;
    const simt::spec::operation& operation = spec_.operations()[made.what.operation];
    text.remove_prefix(name_end);
    std::vector<scalar> words;
    if (text.find_first_not_of(' ') != std::string_view::npos) {
      if (e.has_args) fail("the arguments stand in \"op\" and in \"args\"; leave one out");
      words = split(text);
    }
    const std::vector<scalar>& args = e.has_args ? e.args : words;
    if (args.size() != operation.arguments.size()) {
      fail(fmt::format("{} takes {} argument{}, but here {} {}; write for example \"args\": {}",
                       operation.name, operation.arguments.size(),
                       operation.arguments.size() == 1 ? "" : "s", args.size() == 1 ? "is" : "are",
                       args.size(),
                       operation.arguments.size() == 2 ? "[1, 2]"
                       : operation.arguments.empty()   ? "[]"
                                                       : "[1]"));
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      const simt::spec::argument& wanted = operation.arguments[i];
      made.what.arguments[i] =
          value_of(args[i], wanted.what, fmt::format("{}'s {}", operation.name, wanted.name));
    }
    read_.operations.push_back(made);
    const auto number = static_cast<std::uint32_t>(read_.operations.size());
    open_[client] = number;
    return number - 1;
  }

  std::uint32_t take_return(const event_line& e, std::uint32_t client) {
    if (open_[client] == 0) {
      fail(fmt::format("client {} returns, but has called nothing; its call must stand before it",
                       read_.clients[client]));
    }
    const std::uint32_t number = open_[client] - 1;
    recorded_operation& of = read_.operations[number];
    const simt::spec::operation& operation = spec_.operations()[of.what.operation];
    if (e.op.what != scalar::kind::missing &&
        (e.op.what != scalar::kind::text || operation_named(e.op.text) != of.what.operation)) {
      fail(fmt::format("client {} returns from another operation than it called in line {}, {}",
                       read_.clients[client], of.call_line, operation.name));
    }
    if (e.has_args) fail("a return has no \"args\"; they stand in the event of the call");
    of.completed = true;
    of.return_line = line_;
    of.returned = result_of(e.result, operation);
    open_[client] = 0;
    return number;
  }

  static std::vector<scalar> split(std::string_view text) {
    std::vector<scalar> words;
    while (!text.empty()) {
      const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
      text.remove_prefix(begin);
      if (text.empty()) break;
      const std::string_view word = text.substr(0, text.find(' '));
      text.remove_prefix(word.size());
      scalar one;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), one.number);
      const bool is_number = error == std::errc() && end == word.data() + word.size();
      one.what = is_number ? scalar::kind::integer : scalar::kind::text;
      one.text = word;
      words.push_back(one);
    }
    return words;
  }

  value value_of(const scalar& given, type wanted, const std::string& whose) {
    if (given.what == scalar::kind::integer && wanted != type::boolean) {
      if (given.number < value_names::first_number) fail(whose + " is too small a number");
      return given.number;
    }
    if (wanted == type::boolean &&
        (given.what == scalar::kind::boolean ||
         (given.what == scalar::kind::integer && (given.number == 0 || given.number == 1)))) {
      return given.number;
    }
    if (given.what == scalar::kind::text && wanted == type::value) {
      return read_.names.of(given.text);
    }
    fail(fmt::format("{} must be {}", whose,
                     wanted == type::boolean  ? "true or false"
                     : wanted == type::number ? "an integer"
                                              : "an integer or a string"));
  }

  simt::spec::result result_of(const scalar& given, const simt::spec::operation& of) {
    const bool is_none = given.what == scalar::kind::missing || given.what == scalar::kind::null;
    if (of.returns == type::nothing) {
      if (is_none) return simt::spec::none;
      fail(
          fmt::format("{} of {} returns nothing; leave \"result\" out, or choose a specification "
                      "whose {} returns something",
                      of.name, spec_.name(), of.name));
    }
    const std::string whose = fmt::format("the result of {}", of.name);
    if (given.what == scalar::kind::missing) {
      fail(fmt::format("{} is missing; add \"result\": {}", whose,
                       of.returns == type::boolean ? "true or false"
                       : of.returns == type::maybe_value
                           ? "and the value, or null for " + std::string(of.none)
                           : "and the value"));
    }
    if (of.returns == type::maybe_value) {
      if (is_none || (given.what == scalar::kind::text && given.text == of.none)) {
        return simt::spec::none;
      }
      return simt::spec::some(value_of(given, type::value, whose));
    }
    return simt::spec::some(value_of(given, of.returns, whose));
  }

  // Sort by time. At the same time, calls come before returns, so that the two overlap. Otherwise
  // the order of the file stays.
  void order_events() {
    if (timed_ != 0) {
      std::ranges::stable_sort(events_, [](const placed_event& a, const placed_event& b) {
        return a.time != b.time ? a.time < b.time : a.is_return < b.is_return;
      });
    }
    std::vector<event_time> call(read_.operations.size(), never);
    event_time now = 0;
    for (const placed_event& e : events_) {
      recorded_operation& of = read_.operations[e.operation];
      if (!e.is_return) {
        of.called = call[e.operation] = now;
      } else {
        if (call[e.operation] == never) {
          line_ = of.return_line;
          fail(fmt::format("returns at a time before its call, line {}", of.call_line));
        }
        of.returns = now;
      }
      ++now;
    }
    std::ranges::sort(read_.operations, {}, &recorded_operation::called);
    if (timed_ != 0) check_clients();
  }

  // Even when sorted by time, the calls of one client must come one after another.
  void check_clients() {
    std::vector<const recorded_operation*> last(read_.clients.size(), nullptr);
    for (const recorded_operation& o : read_.operations) {
      const recorded_operation*& before = last[o.what.client];
      if (before != nullptr && before->returns > o.called) {
        line_ = o.call_line;
        fail(
            fmt::format("by their times, client {} calls again before its call of line {} "
                        "returned; a client has one call at a time",
                        read_.clients[o.what.client], before->call_line));
      }
      before = &o;
    }
  }
};

}  // namespace

history parse_history(std::string_view text, const std::string& file,
                      const simt::spec::specification& spec) {
  return reader(file, spec).read(text);
}

history read_history(const std::filesystem::path& file, const simt::spec::specification& spec) {
  std::ifstream stream(simt::file_to_open(file), std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    throw usage_error(fmt::format("{}: cannot be read; give a file of JSON Lines", file.string()));
  }
  std::string text;
  stream.seekg(0, std::ios::end);
  const auto size = stream.tellg();
  stream.seekg(0);
  if (size > 0) {
    text.resize(static_cast<std::size_t>(size));
    stream.read(text.data(), size);
  } else {  // a pipe
    stream.clear();
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  return parse_history(text, file.string(), spec);
}

}  // namespace warpcheck
