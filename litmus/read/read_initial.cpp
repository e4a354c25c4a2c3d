// Reads the part of a litmus test in braces: initial values of memory and registers, and other
// names of memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "litmus/read/reader.hpp"

namespace litmus {

namespace {

constexpr std::string_view example = "write for example x=0; or P1:r0=0;";

constexpr std::array<proxy, 4> proxies_of_names{proxy::generic, proxy::constant, proxy::texture,
                                                proxy::surface};

/// "m @ mbarrier expects 2", from expects on
void read_mbarrier(reader& in, const token& named) {
  const std::string example_of_it =
      fmt::format("write for example {} @ mbarrier expects 2", named.text);
  in.expect("expects", fmt::format("expects is missing before {}; {}", reader::shown(in.next()),
                                   example_of_it));
  const token number = in.next();
  const value expected =
      in.integer(fmt::format("{} is no integer; {}", reader::shown(number), example_of_it));
  constexpr value most_arrivals = (value{1} << 20) - 1;  // PTX ISA, mbarrier
  if (expected < 1 || expected > most_arrivals) {
    in.fail(number,
            fmt::format("an mbarrier expects 1 to {} arrivals; {}", most_arrivals, example_of_it));
  }
  in.program.mbarriers.emplace(in.memory(named).location, expected);
}

/// "y @ generic aliases x", "m @ mbarrier expects 2"
void read_alias(reader& in) {
  const token named = in.take();
  if (!reader::is_location(named)) {
    in.fail(named, fmt::format("{} is no name of memory; write for example y @ generic aliases x",
                               reader::shown(named)));
  }
  const auto& known = in.program;
  if (std::ranges::find(known.aliases, named.text, &alias::name) != known.aliases.end() ||
      std::ranges::find(known.locations, named.text) != known.locations.end()) {
    in.fail(named, fmt::format("{} is the name of memory already; alias it once, before anything "
                               "else names it",
                               named.text));
  }
  in.take();  // the @
  const token kind = in.take();
  if (kind.is("mbarrier")) return read_mbarrier(in, named);
  std::vector<std::string_view> names;
  for (const proxy p : proxies_of_names) names.push_back(name(p));
  const auto found = std::ranges::find(names, kind.text);
  if (found == names.end()) {
    in.fail(kind,
            fmt::format("there is no proxy {}; {}", reader::shown(kind),
                        reader::nearest(kind.text, names,
                                        fmt::format("it is one of {}", fmt::join(names, ", ")))));
  }
  in.expect("aliases", fmt::format("aliases is missing before {}; write for example {} @ {} "
                                   "aliases x",
                                   reader::shown(in.next()), named.text, kind.text));
  if (in.next().is(named.text)) {
    in.fail(fmt::format("{} cannot alias itself; name other memory", named.text));
  }
  const named_memory target = in.memory_in_brackets("name the memory that it aliases");
  alias made{std::string(named.text),
             proxies_of_names[static_cast<std::size_t>(found - names.begin())], target.location,
             target.address};
  if (made.proxy == proxy::generic) {
    made.address = 1;
    for (const alias& other : known.aliases) {
      if (other.proxy == proxy::generic) ++made.address;
    }
  }
  in.program.aliases.push_back(std::move(made));
}

/// The number of "P1" or "1", if it is one.
std::optional<std::size_t> thread_number(const token& t) {
  std::string_view digits = t.text;
  if (t.what == token::kind::word && digits.starts_with("P")) digits.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

void check_end_of_value(const reader& in) {
  if (in.next().is(";") || in.next().is("}")) return;
  in.fail(fmt::format("{} is too much here; end each value with ; and the last one with }}",
                      reader::shown(in.next())));
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
    if (in.ahead(1).is("@")) {
      read_alias(in);
      check_end_of_value(in);
      continue;
    }
    variable what;
    if (in.ahead(1).is(":")) {
      what = read_register_of_thread(in);
    } else {
      const token named = place.is("[") ? in.ahead(1) : place;
      what.index = in.memory_in_brackets(example).location;
      const auto& of = in.program;
      if (std::ranges::find(of.aliases, named.text, &alias::name) != of.aliases.end()) {
        in.fail(named, fmt::format("{} is another name of {}; give that the value", named.text,
                                   of.locations[what.index]));
      }
      if (of.mbarriers.contains(what.index)) {
        in.fail(named,
                fmt::format("{} is an mbarrier, which begins without arrivals; remove the value",
                            named.text));
      }
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
    check_end_of_value(in);
  }
}

}  // namespace litmus
