#include "checker/report/cause.hpp"

#include <fmt/format.h>

#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

std::string access_text(names& named, const lane_action& a) {
  const bool writes = a.op.writes();
  const std::string_view verb = a.op.memory == simt::detail::memory_kind::load    ? "read"
                                : a.op.memory == simt::detail::memory_kind::store ? "written"
                                                                                  : "changed";
  const std::string how =
      a.op.weak ? std::string("weak") : fmt::format("strong, scope {}", scope_name(a.op.scope));
  (void)writes;
  return fmt::format("{} by {} at {} ({})", verb, named.lane(a.lane), a.at.text_with_function(),
                     how);
}

std::vector<std::string> race(session& run, names& named, const trace& t) {
  const lane_action& a = t.steps[t.steps.size() - 2].actions.front();
  const lane_action& b = t.steps.back().actions.front();
  std::vector<std::string> why{fmt::format("`{}` is {}, and {}, with nothing between them.",
                                           a.variable, access_text(named, a),
                                           access_text(named, b))};
  const auto weak = [&](const lane_action& x) {
    return fmt::format("the access of {} is weak (plain C++)", named.lane(x.lane));
  };
  const auto& places = run.machine().places();
  const bool same_block = places.lanes[a.lane].block == places.lanes[b.lane].block;
  if (a.op.weak && b.op.weak) {
    why.push_back(
        "Both are plain C++ accesses: the compiler and the hardware may merge, delay or repeat "
        "them.");
  } else if (a.op.weak || b.op.weak) {
    why.push_back(
        fmt::format("They conflict although one is atomic, because {}.", weak(a.op.weak ? a : b)));
  } else if (a.op.size != b.op.size || a.op.address != b.op.address) {
    why.push_back(
        fmt::format("Both are strong, but they cover different bytes ({} at `{}`, {} at `{}`).",
                    counted(a.op.size, "byte", "bytes"), a.variable,
                    counted(b.op.size, "byte", "bytes"), b.variable));
  } else if (!same_block) {
    why.push_back(
        fmt::format("Scope `block` does not include the other lane: {} and {} are in different "
                    "blocks.",
                    named.lane(a.lane), named.lane(b.lane)));
  } else {
    why.push_back("The scope of one of them does not include the other lane.");
  }
  return why;
}

std::vector<std::string> bad_access(session& run, names& named, const trace& t) {
  const lane_action& a = t.steps.back().actions.front();
  const simt::allocation* in = run.memory().find(a.op.address, 1);
  const std::string what =
      fmt::format("{} {} {} at {}", named.lane(a.lane), a.op.writes() ? "writes" : "reads",
                  counted(a.op.size, "byte", "bytes"), a.at.text_with_function());
  if (in == nullptr) {
    return {what + ", where no memory of the device is.",
            fmt::format("The address is {}.",
                        a.variable == "null" ? "null, or close to it" : a.variable)};
  }
  if (in->block != simt::no_block && in->block != run.machine().places().lanes[a.lane].block) {
    return {what + fmt::format(", in block-shared memory of block {}.", in->block),
            fmt::format("The address is that of `{}`; a lane may only access its own block's.",
                        a.variable)};
  }
  if (a.op.address % a.op.size != 0) {
    return {what + fmt::format(", but the address is not a multiple of {}.", a.op.size),
            fmt::format("The address is that of `{}`.", a.variable)};
  }
  return {what + ", beyond the end of an allocation.",
          fmt::format("The access begins at `{}`.", a.variable)};
}

std::vector<std::string> assertion(session& run, names& named, const violation& v, const trace& t) {
  if (t.steps.empty() || t.steps.back().ends != simt::ending::assertion) {
    return {fmt::format("All lanes finish, and the final check fails: {}.", v.detail)};
  }
  const lane_action& a = t.steps.back().actions.front();
  const char* message = reinterpret_cast<const char*>(a.op.address);
  (void)run;
  std::vector<std::string> why{fmt::format("The assertion at {} fails for {}.",
                                           a.at.text_with_function(), named.lane(a.lane))};
  if (message != nullptr && *message != 0) why.push_back(fmt::format("It says: {}", message));
  return why;
}

}  // namespace

std::vector<std::string> cause(session& run, names& named, const violation& v, const trace& t) {
  switch (v.kind) {
    case verdict::bad_access: return bad_access(run, named, t);
    case verdict::race: return race(run, named, t);
    case verdict::assertion: return assertion(run, named, v, t);
    default: return {v.detail};
  }
}

std::string ending(const session& run, const violation& v, const trace& t) {
  (void)run;
  if (t.has_cycle()) return "repeats for ever";
  if (v.kind == verdict::race)
    return fmt::format("steps {} and {} race", t.step_count() - 1, t.step_count());
  return std::string(name(v.kind));
}

std::string remedy(const session&, const violation&, const trace&) { return {}; }

}  // namespace warpcheck
