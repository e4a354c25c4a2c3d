// Finds a specification by name, sets its parameters, and suggests the closest name for a wrong
// one.
#include "checker/history/open_spec.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/text/closest_name.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/spec/spec_library.hpp"

namespace warpcheck {
namespace {

std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names) {
  const auto near = closest_name(wrong, names);
  return near ? fmt::format("did you mean \"{}\"?", *near)
              : fmt::format("there is {}", fmt::join(names, ", "));
}

void set_parameters(simt::spec::specification& spec, std::string_view text,
                    std::string_view where) {
  std::vector<std::string_view> names;
  const auto parameters = spec.parameters();
  for (const auto& p : parameters) names.emplace_back(p.name);
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::string_view name = one.substr(0, one.find('='));
    const std::string_view number = one.substr(std::min(name.size() + 1, one.size()));
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      throw usage_error(names.empty() ? fmt::format("{}: {} has no parameters; leave \":{}\" out",
                                                    where, spec.name(), one)
                                      : fmt::format("{}: {} has no parameter \"{}\"; {}", where,
                                                    spec.name(), name, did_you_mean(name, names)));
    }
    simt::spec::value value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || error != std::errc() || end != number.data() + number.size() ||
        !spec.set(name, value)) {
      const auto& p = parameters[static_cast<std::size_t>(known - names.begin())];
      throw usage_error(fmt::format(
          "{}: {} of {} is an integer{}; write for example {}:{}={}", where, name, spec.name(),
          p.least == INT64_MIN ? "" : fmt::format(" of at least {}", p.least), spec.name(), name,
          std::max<simt::spec::value>(p.preset, p.least)));
    }
  }
}

}  // namespace

std::unique_ptr<simt::spec::specification> open_spec(
    std::string_view text, const std::optional<std::filesystem::path>& source,
    std::string_view where, const simt::patience& waiting) {
  const std::string_view name = text.substr(0, text.find(':'));
  simt::found_spec found =
      source ? simt::load_spec(*source, name, waiting) : simt::shipped_spec(name);
  auto spec = std::move(found.spec);
  if (spec == nullptr) {
    const std::vector<std::string_view> names(found.names.begin(), found.names.end());
    throw usage_error(fmt::format("{}: there is no specification \"{}\"{}; {}", where, name,
                                  source ? " in " + source->string() : "",
                                  did_you_mean(name, names)));
  }
  set_parameters(*spec, text.substr(std::min(name.size() + 1, text.size())), where);
  return spec;
}

}  // namespace warpcheck
