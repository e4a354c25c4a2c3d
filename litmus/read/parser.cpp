// Reads the columns of a program, and checks what concerns several of its instructions.
#include "litmus/read/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

#include "litmus/read/reader.hpp"
#include "litmus/read/tokens.hpp"
#include "sim/files/standard_input.hpp"

namespace litmus {

namespace {

constexpr std::uintmax_t largest_file = 1U << 20;  // bytes

/// One column of the program: the labels of its thread, and the targets of its jumps.
struct column {
  std::map<std::string, std::uint32_t, std::less<>> labels;
  std::vector<token> targets;
};

/// "P0@cta 0,gpu 0"
void read_placement(reader& in, std::size_t number) {
  const token named = in.next();
  const std::string expected = "P" + std::to_string(number);
  if (!named.is(expected)) {
    in.fail(fmt::format("{} is not the name of thread {}; the columns are P0, P1, … in this order",
                        reader::shown(named), number));
  }
  in.take();
  in.expect(
      "@", fmt::format("the place of {0} is missing; write for example {0}@cta 0,gpu 0", expected));
  placement place;
  bool gpu = false, cta = false;
  do {
    const token level = in.take();
    const auto read = [&](bool given) {
      if (given) in.fail(level, fmt::format("{} is given twice; remove one", level.text));
      const value number_of = in.integer("a number is missing; write for example cta 0");
      return number_of;
    };
    if (level.is("cta")) {
      place.cta = read(cta);
      cta = true;
    } else if (level.is("gpu")) {
      place.gpu = read(gpu);
      gpu = true;
    } else if (level.is("cluster")) {
      place.cluster = read(place.cluster.has_value());
    } else {
      in.fail(level, fmt::format("{} is no level of the machine; it is cta, cluster or gpu",
                                 reader::shown(level)));
    }
  } while (in.take_if(","));
  if (!cta) in.fail("the thread's cta is missing; write for example cta 0,gpu 0");
  in.program.threads[number].place = place;
}

/// Threads must be known before registers are initialized, although P1:r0=0 comes first in the
/// file.
std::size_t count_threads(const reader& in) {
  std::size_t at = 0;
  while (in.ahead(at).what != token::kind::end && !in.ahead(at).is("}")) ++at;
  std::size_t threads = 1;
  while (in.ahead(at).what != token::kind::end && !in.ahead(at).is(";")) {
    if (in.ahead(at++).is("|")) ++threads;
  }
  return threads;
}

/// A cell: labels, and at most one instruction.
void read_cell(reader& in, std::size_t number, column& col) {
  thread& into = in.program.threads[number];
  while (in.next().what == token::kind::word && in.ahead(1).is(":")) {
    const token label = in.take();
    in.take();
    const auto here = static_cast<std::uint32_t>(into.instructions.size());
    if (!col.labels.emplace(label.text, here).second) {
      in.fail(label, fmt::format("P{} has the label {} twice; rename one", number, label.text));
    }
  }
  if (in.next().is("|") || in.next().is(";")) return;
  if (into.instructions.size() == most_instructions) {
    in.fail(fmt::format("P{} has more than {} instructions; use fewer", number, most_instructions));
  }
  const token first = in.next();
  const std::size_t begin = in.position();
  instruction one = read_instruction(in, number, col.targets);
  one.line = first.line;
  one.text = in.text(begin, in.position());
  into.instructions.push_back(std::move(one));
}

void read_rows(reader& in, std::vector<column>& columns) {
  while (!at_condition(in)) {
    if (in.next().what == token::kind::end) {
      in.fail("there is no condition; end with exists (…), ~exists (…) or forall (…)");
    }
    for (std::size_t number = 0;; ++number) {
      if (number == columns.size()) {
        in.fail(
            fmt::format("the row has more cells than there are threads, {}; remove one, or end "
                        "the row with ;",
                        columns.size()));
      }
      read_cell(in, number, columns[number]);
      if (in.take_if("|")) continue;
      in.expect(";", fmt::format("{} is too much here; end the instruction with | or ;",
                                 reader::shown(in.next())));
      break;
    }
  }
}

void resolve_labels(reader& in, std::vector<column>& columns) {
  for (std::size_t t = 0; t < columns.size(); ++t) {
    for (instruction& one : in.program.threads[t].instructions) {
      if (one.code != opcode::branch && one.code != opcode::jump) continue;
      const token& target = columns[t].targets[one.target];
      const auto found = columns[t].labels.find(target.text);
      if (found == columns[t].labels.end()) {
        std::vector<std::string_view> known;
        for (const auto& [label, at] : columns[t].labels) known.push_back(label);
        in.fail(target, fmt::format("P{} has no label {}; {}", t, target.text,
                                    reader::nearest(target.text, known,
                                                    "write it with a colon, in this column")));
      }
      one.target = found->second;
    }
  }
}

/// Makes each asynchronous copy a thread of its own, which its instruction starts. The thread loads
/// and stores by the async proxy, orders both with the generic proxy, and completes (PTX ISA,
/// cp.async.bulk).
void add_copies(reader& in) {
  constexpr value bytes = 8;
  for (const reader::copy& made : in.copies) {
    const auto thread = static_cast<std::uint32_t>(made.thread);
    instruction& issue = in.program.threads[thread].instructions[made.instruction];
    issue.target = static_cast<std::uint32_t>(in.program.threads.size());
    instruction part = issue;
    litmus::thread copy;
    copy.place = in.program.threads[thread].place;
    copy.issuer = thread;
    copy.registers = {"copied"};
    copy.initial = {0};
    const auto add = [&](opcode code, proxy through, const named_memory& where, const char* doing) {
      part.code = code;
      part.proxy = through;
      part.location = where.location;
      part.address = where.address;
      part.text = issue.text + doing;
      copy.instructions.push_back(part);
    };
    add(opcode::load, proxy::async, made.from, " (its load)");
    part.a = {true, 0, 0};
    add(opcode::store, proxy::async, made.to, " (its store)");
    add(opcode::fence, proxy::async, {}, " (its fence)");
    part.a = {};
    part.b.integer = in.program.mbarriers.at(made.mbarrier);
    part.bytes = -bytes;
    part.order = memory_order::release;
    part.scope = scope::cluster;
    part.operation = operation::arrive_at_mbarrier;
    add(opcode::red, proxy::generic, {made.mbarrier, 0}, " (its completion)");
    in.program.threads.push_back(std::move(copy));
  }
}

void check_copies(const reader& in) {
  for (const reader::copy& made : in.copies) {
    const auto& code = in.program.threads[made.thread].instructions;
    for (std::size_t at = made.instruction; at < code.size(); ++at) {
      const bool jumps = code[at].code == opcode::branch || code[at].code == opcode::jump;
      if (jumps && code[at].target <= made.instruction) {
        in.fail(made.at, "the copy is in a loop; write one instruction for each copy");
      }
    }
  }
}

/// Whether the program has an access or a name that needs a fence of this proxy.
bool is_used(const program& p, proxy fenced) {
  const auto names = [&](const alias& a) {
    return fenced == proxy::alias ? a.proxy == proxy::generic : a.proxy == fenced;
  };
  const auto goes_there = [&](const instruction& i) {
    if (i.code == opcode::copy && fenced == proxy::async) return true;
    return i.code != opcode::fence && i.proxy == fenced;
  };
  return std::ranges::any_of(p.aliases, names) ||
         std::ranges::any_of(p.threads, [&](const thread& t) {
           return std::ranges::any_of(t.instructions, goes_there);
         });
}

void check_proxy_fences(const reader& in) {
  for (const auto& [at, fenced] : in.proxy_fences) {
    if (is_used(in.program, fenced)) continue;
    if (fenced == proxy::alias) {
      in.fail(at, fmt::format("no memory has two addresses, so {} orders nothing; declare another "
                              "one, as in y @ generic aliases x, or remove it",
                              at.text));
    }
    if (fenced == proxy::async) {
      in.fail(at, fmt::format("no copy is asynchronous, so {} orders nothing; add a cp.async.bulk, "
                              "or remove it",
                              at.text));
    }
    in.fail(at, fmt::format("nothing goes through the {0} proxy, so {1} orders nothing; declare a "
                            "name for it, as in y @ {0} aliases x, or remove it",
                            name(fenced), at.text));
  }
}

/// Whether two barriers of one CTA might meet.
bool may_meet(const instruction& a, const instruction& b) {
  if (!a.is_barrier() || !b.is_barrier() || a.is_cluster_barrier() || b.is_cluster_barrier()) {
    return false;
  }
  if (a.instance != b.instance) return false;
  const bool open =
      (a.resource && a.resource->is_register) || (b.resource && b.resource->is_register);
  return open || a.resource == b.resource;
}

/// PTX ISA, bar.red: the result is undefined if another kind of barrier meets it.
void check_reductions(const reader& in) {
  const program& p = in.program;
  for (const auto& [at, thread, index] : in.reductions) {
    const instruction& one = p.threads[thread].instructions[index];
    for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
      if (common_scope(p, static_cast<std::uint32_t>(thread), t) != scope::cta) continue;
      for (const instruction& other : p.threads[t].instructions) {
        if (!may_meet(one, other)) continue;
        if (other.reduction == one.reduction) continue;
        in.fail(at, fmt::format("{} may meet {} in line {}, which is another kind of barrier; give "
                                "one of them another instance",
                                one.text, other.text, other.line));
      }
    }
  }
}

}  // namespace

program parse(std::string_view text, std::string_view file) {
  const source from{text, file};
  const std::size_t offset = end_of_title(from);
  reader in(from, tokens(from, offset));
  const std::size_t threads = count_threads(in);
  if (threads > most_threads) {
    in.fail(fmt::format("there are {} threads; give it {} at most", threads, most_threads));
  }
  in.program.threads.resize(threads);
  read_initial(in);
  for (std::size_t t = 0; t < threads; ++t) {
    if (t > 0) in.expect("|", "the next thread is missing; separate threads with |");
    read_placement(in, t);
  }
  in.expect(";", "the row of the threads does not end; write ; behind the last one's place");
  std::vector<column> columns(threads);
  read_rows(in, columns);
  resolve_labels(in, columns);
  check_proxy_fences(in);
  check_reductions(in);
  check_copies(in);
  read_condition(in);
  add_copies(in);
  return std::move(in.program);
}

program read_program(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw syntax_error(name + ": is a folder; name a file");
  }
  std::ifstream stream(simt::file_to_open(file), std::ios::binary);
  if (!stream) {
    throw syntax_error(name + ": cannot be read; check that it exists and who may read it");
  }
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size > largest_file) {
    throw syntax_error(name + ": is larger than 1 MiB; a litmus test is a small program");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse(text, name);
}

}  // namespace litmus
