// Writes operations and states as people read them.
#include <fmt/format.h>

#include "checker/history/history.hpp"

namespace warpcheck {

using simt::spec::value;

value value_names::of(std::string_view text) {
  const auto [at, is_new] = numbers_.try_emplace(
      std::string(text), std::numeric_limits<value>::min() + static_cast<value>(names_.size()));
  if (is_new) names_.emplace_back(text);
  return at->second;
}

std::string value_names::text(value v) const {
  if (!is_name(v)) return std::to_string(v);
  const auto index = static_cast<std::size_t>(v - std::numeric_limits<value>::min());
  return index < names_.size() ? '"' + names_[index] + '"' : std::to_string(v);
}

std::string call_text(const history& of, const simt::spec::specification& spec,
                      const simt::spec::call& what) {
  const simt::spec::operation& operation = spec.operations()[what.operation];
  std::string text = operation.name;
  for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
    text += ' ' + of.names.text(what.arguments[i]);
  }
  return text;
}

std::string result_text(const history& of, const simt::spec::operation& what,
                        const simt::spec::result& returned) {
  if (!returned.is_some) return what.none;
  if (what.returns == simt::spec::type::boolean) return returned.what != 0 ? "true" : "false";
  return of.names.text(returned.what);
}

std::string operation_text(const history& of, const simt::spec::specification& spec,
                           const recorded_operation& what) {
  const simt::spec::operation& operation = spec.operations()[what.what.operation];
  std::string text = call_text(of, spec, what.what);
  if (!what.completed) return text + " …";
  if (operation.returns != simt::spec::type::nothing) {
    text += " → " + result_text(of, operation, what.returned);
  }
  return text;
}

std::string state_text(const history& of, const simt::spec::state& what) {
  constexpr std::size_t most = 12;
  std::string text = "[";
  for (std::size_t i = 0; i < what.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + of.names.text(what[i]);
  }
  if (what.size() > most) text += fmt::format(", … {} more", what.size() - most);
  return text + "]";
}

}  // namespace warpcheck
