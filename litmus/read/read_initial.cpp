// The part of a litmus test in braces: values that memory and registers have at the start.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "litmus/read/reader.hpp"

namespace litmus {

namespace {

constexpr std::string_view example = "write for example x=0; or P1:r0=0;";

/// The number of "P1" or "1", if it is one.
std::optional<std::size_t> thread_number(const token& t) {
  std::string_view digits = t.text;
  if (t.what == token::kind::word && digits.starts_with("P")) digits.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

/// "P1:r0" or "1:r0": the thread is taken, and the register.
variable read_register_of_thread(reader& in) {
  const token named = in.take();
  const auto number = thread_number(named);
  if (!number || *number >= in.program.threads.size()) {
    in.fail(named, fmt::format("there is no thread {}; there are P0 to P{}", reader::shown(named),
                               in.program.threads.size() - 1));
  }
  in.take();  // the colon
  if (!reader::is_register(in.next())) {
    in.fail(fmt::format("{} is no register; they are r0, r1, …", reader::shown(in.next())));
  }
  const token which = in.take();
  return {true, static_cast<std::uint32_t>(*number), in.register_index(*number, which.text)};
}

void read_initial(reader& in) {
  in.take();  // the brace
  std::set<variable> given;
  while (!in.take_if("}")) {
    if (in.take_if(";")) continue;
    const token place = in.next();
    variable what;
    if (in.ahead(1).is(":")) {
      what = read_register_of_thread(in);
    } else {
      what.index = in.location_in_brackets(example);
    }
    if (!given.insert(what).second) {
      in.fail(place, fmt::format("{} is given twice; remove one", name(in.program, what)));
    }
    if (!in.take_if("=") && !in.take_if("==")) {
      in.fail(fmt::format("= is missing before {}; {}", reader::shown(in.next()), example));
    }
    const value number =
        in.integer(fmt::format("{} is no integer; {}", reader::shown(in.next()), example));
    if (what.is_register) {
      in.program.threads[what.thread].initial[what.index] = number;
    } else {
      in.program.initial[what.index] = number;
    }
    if (!in.next().is(";") && !in.next().is("}")) {
      in.fail(fmt::format("{} is too much here; end each value with ; and the last one with }}",
                          reader::shown(in.next())));
    }
  }
}

}  // namespace litmus
