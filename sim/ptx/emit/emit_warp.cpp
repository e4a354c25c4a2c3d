// Writes instructions of warps and blocks: shuffles, votes, matches, reductions, barriers.
#include <bit>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

using enum type;

}  // namespace

std::optional<std::string> emitter::warp(const instruction& i) {
  const std::string& op = i.opcode;
  // Without .sync, before sm_70, the active lanes take part.
  const auto mask_of = [&](std::size_t k) {
    return i.has("sync") ? in(i, k, u32) : std::string("simt::activemask()");
  };
  if (op == "activemask") {
    want(i, 1, 1);
    return set(i.operands[0], u32, "simt::activemask()");
  }
  if (op == "shfl") {
    only(i, {"sync", "up", "down", "bfly", "idx"});
    want(i, i.has("sync") ? 5 : 4, i.has("sync") ? 5 : 4);
    const std::string mode = i.has("up")     ? "up"
                             : i.has("down") ? "down"
                             : i.has("bfly") ? "exclusive_or"
                                             : "index";
    const std::string kind = "simt::detail::shfl_mode::" + mode;
    const operand& to = i.operands[0];
    const operand& c = i.operands[3];
    const std::string value = in(i, 1, u32), b = in(i, 2, u32), mask = mask_of(4);
    const bool pair = to.what == operand::kind::pair;
    const operand& d = pair ? to.parts[0] : to;
    // CUDA's functions for segments of `width` lanes give such a c.
    std::optional<std::uint32_t> width;
    if (c.what == operand::kind::immediate) {
      const auto bits = static_cast<std::uint32_t>(c.bits);
      const std::uint32_t w = 32 - (bits >> 8 & 31);
      const std::uint32_t clamp = mode == "up" ? 0 : 31;
      if (std::has_single_bit(w) && (bits & 31) == clamp && bits >> 13 == 0) width = w;
    }
    const std::string lane =
        fmt::format("ptx::shuffle_from<{}>(simt::lane_index(), {}, {})", kind, b, in(c, u32));
    const bool wants_range = pair && to.parts[1].what != operand::kind::sink;
    if (follows_undefined_) {
      std::string shuffle = "const auto from = " + lane + "; ";
      const std::string moved = "const ptx::u64 moved = ptx::shuffle_if_there";
      if (width) {
        if (!wants_range) shuffle.clear();
        shuffle += fmt::format("{}<{}>({}, {}, {}, {}, {});", moved, kind, mask, value,
                               origin(i.operands[1]), b, *width);
      } else {
        shuffle += fmt::format("{}<simt::detail::shfl_mode::index>({}, {}, {}, from.lane, 32);",
                               moved, mask, value, origin(i.operands[1]));
      }
      shuffle += set_shuffled(i, d);
      if (wants_range) shuffle += " " + set_predicate(to.parts[1], "from.in_range");
      return "{ " + shuffle + " }";
    }
    std::string text;
    if (width) {
      text = fmt::format("const ptx::u32 shuffled = ptx::shuffle_in<{}>({}, {}, {}, {});", kind,
                         mask, value, b, *width);
      if (wants_range) {
        text = fmt::format("const bool in_range = {}.in_range; ", lane) + text;
      }
    } else {
      text = fmt::format(
          "bool in_range = false; const ptx::u32 shuffled = ptx::shuffle<{}>({}, {}, {}, {}, "
          "in_range);",
          kind, mask, value, b, in(c, u32));
    }
    text = "{ " + text + " " + set(d, u32, "shuffled");
    if (pair) text += " " + set_predicate(to.parts[1], "in_range");
    return text + " }";
  }
  if (op == "vote") {
    only(i, {"sync", "all", "any", "uni", "ballot"});
    want(i, i.has("sync") ? 3 : 2, i.has("sync") ? 3 : 2);
    const std::string p = predicate(i.operands[1]), mask = mask_of(2);
    if (i.has("ballot"))
      return set(i.operands[0], u32, fmt::format("simt::ballot({}, {})", mask, p));
    if (i.has("all"))
      return set_predicate(i.operands[0], fmt::format("simt::all({}, {}) != 0", mask, p));
    if (i.has("any"))
      return set_predicate(i.operands[0], fmt::format("simt::any({}, {}) != 0", mask, p));
    return "{ int same = 0; simt::match_all(" + mask + ", static_cast<unsigned>(" + p +
           "), &same); " + set_predicate(i.operands[0], "same != 0") + " }";
  }
  if (op == "match") {
    only(i, {"sync", "any", "all"});
    want(i, 3, 3);
    const type t = i.type_from_end();
    if (size_of(t) != 4 && size_of(t) != 8) throw not_translated{"values of that type"};
    const operand& to = i.operands[0];
    const std::string value = in(i, 1, t), mask = in(i, 2, u32);
    if (i.has("any")) return set(to, u32, fmt::format("simt::match_any({}, {})", mask, value));
    const bool pair = to.what == operand::kind::pair;
    std::string text =
        fmt::format("{{ int same = 0; const ptx::u32 lanes = simt::match_all({}, {}, &same); {}",
                    mask, value, set(pair ? to.parts[0] : to, u32, "lanes"));
    if (pair) text += " " + set_predicate(to.parts[1], "same != 0");
    return text + " }";
  }
  if (op == "redux") {
    only(i, {"sync", "add", "min", "max", "and", "or", "xor"});
    want(i, 3, 3);
    const type t = typed(i, {u32, s32, b32});
    const std::string value = in(i, 1, u32), mask = in(i, 2, u32);
    for (const char* how : {"add", "min", "max", "and", "or", "xor"}) {
      if (!i.has(how)) continue;
      const std::string v = has_sign(t) ? fmt::format("static_cast<int>({})", value) : value;
      return set(i.operands[0], u32,
                 fmt::format("static_cast<ptx::u32>(simt::reduce_{}({}, {}))", how, mask, v));
    }
    throw not_translated{"this reduction"};
  }
  if (op == "elect") {
    want(i, 2, 2);
    const operand& to = i.operands[0];
    if (to.what != operand::kind::pair) throw not_translated{"an operand of that form"};
    return fmt::format("{{ const ptx::u32 chosen = ptx::leader({}); {} {} }}", in(i, 1, u32),
                       set(to.parts[0], u32, "chosen"),
                       set_predicate(to.parts[1], "chosen == simt::lane_index()"));
  }
  return std::nullopt;
}

std::optional<std::string> emitter::block(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "nanosleep") {
    want(i, 1, 1);
    return fmt::format("simt::nanosleep({});", in(i, 0, u32));
  }
  if (op != "bar" && op != "barrier") return std::nullopt;
  if (i.has("cluster")) {
    only(i, {"cluster", "arrive", "wait", "acquire", "release", "relaxed", "aligned"});
    want(i, 0, 0);
    if (!i.has("wait") && !i.has("arrive")) throw not_translated{"this barrier"};
    const std::string how = i.has("aligned") ? "0u" : "simt::detail::barrier_unaligned";
    // The lanes of a warp come to an aligned half together, though a branch may have parted them. A
    // vote brings them there, and orders nothing.
    const std::string meet = i.has("aligned") ? "(void)simt::all(0xffffffffu, 1); " : "";
    if (i.has("arrive") && i.has("relaxed")) {
      return fmt::format("{}ptx::cluster_arrive_relaxed<{}>({});", meet, how,
                         memory_.tells_inits() ? "tells_inits" : "false");
    }
    return fmt::format("{}simt::detail::cluster_{}<{}>();", meet, i.has("wait") ? "wait" : "arrive",
                       how);
  }
  if (i.has("warp")) {
    only(i, {"warp", "sync"});
    want(i, 1, 1);
    return fmt::format("simt::syncwarp({});", in(i, 0, u32));
  }
  only(i, {"sync", "arrive", "red", "cta", "aligned", "popc", "and", "or"});
  const bool reduces = i.has("red");
  const bool arrives = i.has("arrive");
  // Operands of a reduction: what it sets, the barrier {, threads}, the thread's part.
  const std::size_t first = reduces ? 1 : 0;
  want(i, reduces ? 3 : arrives ? 2 : 1, reduces ? 4 : 2);
  const bool has_count = i.operands.size() == (reduces ? 4 : 2);
  if (has_count && i.operands[first + 1].what == operand::kind::immediate &&
      i.operands[first + 1].bits % 32 != 0)
    throw not_translated{"a number of threads that is no multiple of 32"};
  const auto is_told = [&](std::size_t k) {
    return i.operands[k].what == operand::kind::immediate && i.operands[k].bits != 0;
  };
  std::string number = in(i, first, u32);
  const bool is_one = i.operands[first].what == operand::kind::immediate;
  if (!is_one || i.operands[first].bits > 15) number = fmt::format("ptx::barrier_of({})", number);
  std::string threads = has_count ? in(i, first + 1, u32) : "0u";
  if (arrives && !is_told(first + 1)) threads = fmt::format("ptx::arriving_with({})", threads);
  const bool is_aligned = op == "bar" || i.has("aligned");
  const std::string how = is_aligned ? "" : "<simt::detail::barrier_unaligned>";
  if (reduces) {
    const auto result_of = [&](std::string_view reduction) {
      return fmt::format("simt::detail::bar_red_{}{}({}, {}, {})", reduction, how, number, threads,
                         predicate(i.operands.back()));
    };
    if (i.has("popc")) return set(i.operands[0], u32, result_of("popc"));
    return set_predicate(i.operands[0], result_of(i.has("or") ? "or" : "and"));
  }
  return fmt::format("simt::detail::bar_{}{}({}, {});", arrives ? "arrive" : "sync", how, number,
                     threads);
}

}  // namespace simt::ptx
