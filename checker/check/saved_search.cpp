#include "checker/check/saved_search.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/check/saved_memories.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/facts_json.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;
using bytes = std::vector<std::uint8_t>;
using span = std::span<const std::uint8_t>;
using question = simt::lane_automaton::question;

constexpr std::array<char, 8> search_magic = {'w', 'a', 'r', 'p', 's', 'r', 'c', 'h'};
constexpr int file_version = 5;
constexpr std::uint64_t most_header = std::uint64_t{1} << 36;  // bytes

// Numbers of one width, one behind the other.
template <class Number>
bytes packed(std::span<const Number> numbers) {
  bytes all(numbers.size_bytes());
  if (!all.empty()) std::memcpy(all.data(), numbers.data(), all.size());
  return all;
}

template <class Number>
std::vector<Number> unpacked(span all) {
  if (all.size() % sizeof(Number) != 0) throw std::runtime_error("a list of numbers is cut off");
  std::vector<Number> numbers(all.size() / sizeof(Number));
  if (!all.empty()) std::memcpy(numbers.data(), all.data(), all.size());
  return numbers;
}

json binary(bytes all) { return json::binary(std::move(all)); }

template <class Number>
std::vector<Number> numbers_in(const json& value) {
  return unpacked<Number>(value.get_binary());
}

// --- what a state's words stand for ---

std::vector<std::uint32_t> pack_statuses(const simt::grid_statuses& statuses) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < statuses.size(); ++i) {
    const simt::grid_status& status = statuses[i];
    all.push_back(static_cast<std::uint32_t>(status.started.size()));
    all.insert(all.end(), status.started.begin(), status.started.end());
    all.push_back(static_cast<std::uint32_t>(status.barriers.size()));
    for (const auto& b : status.barriers) {
      all.insert(all.end(), {b.block, b.id, b.expected, b.arrived});
    }
    all.push_back(status.history);
    all.push_back(static_cast<std::uint32_t>(status.stepped.size()));
    all.insert(all.end(), status.stepped.begin(), status.stepped.end());
  }
  return all;
}

std::vector<std::uint32_t> pack_stacks(const simt::warp_stacks& stacks) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < stacks.size(); ++i) {
    all.insert(all.end(), {stacks[i].active, static_cast<std::uint32_t>(stacks[i].frames.size())});
    for (const simt::warp_frame& f : stacks[i].frames) {
      all.insert(all.end(), {f.block, f.arrived, static_cast<std::uint32_t>(f.pending.size())});
      all.insert(all.end(), f.pending.begin(), f.pending.end());
    }
  }
  return all;
}

/// Reads what was packed.
class unpacker {
 public:
  explicit unpacker(std::span<const std::uint32_t> words) : words_(words) {}
  [[nodiscard]] bool more() const { return at_ < words_.size(); }
  std::uint32_t word() {
    if (!more()) throw std::runtime_error("a list is cut off");
    return words_[at_++];
  }
  /// How many elements follow.
  std::uint32_t count() {
    const std::uint32_t n = word();
    if (n > words_.size() - at_) throw std::runtime_error("a list is cut off");
    return n;
  }

 private:
  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0;
};

/// Interns them in order; false: some number is not that of the file.
bool unpack_statuses(std::span<const std::uint32_t> words, simt::grid_statuses& statuses) {
  unpacker in(words);
  for (std::uint32_t number = 0; in.more(); ++number) {
    simt::grid_status status;
    for (std::uint32_t n = in.count(); n > 0; --n) {
      status.started.push_back(static_cast<std::uint8_t>(in.word()));
    }
    for (std::uint32_t n = in.count(); n > 0; --n) {
      auto& b = status.barriers.emplace_back();
      b.block = in.word();
      b.id = in.word();
      b.expected = in.word();
      b.arrived = in.word();
    }
    status.history = in.word();
    for (std::uint32_t n = in.count(); n > 0; --n) {
      status.stepped.push_back(static_cast<std::uint8_t>(in.word()));
    }
    if (statuses.intern(status) != number) return false;
  }
  return true;
}

bool unpack_stacks(std::span<const std::uint32_t> words, simt::warp_stacks& stacks) {
  unpacker in(words);
  for (std::uint32_t number = 0; in.more(); ++number) {
    simt::warp_stack stack;
    stack.active = in.word();
    for (std::uint32_t n = in.count(); n > 0; --n) {
      simt::warp_frame& f = stack.frames.emplace_back();
      f.block = in.word();
      f.arrived = in.word();
      for (std::uint32_t sides = in.count(); sides > 0; --sides) f.pending.push_back(in.word());
    }
    if (stacks.intern(stack) != number) return false;
  }
  return true;
}

/// Addresses of the process that wrote the file, in this one.
class moved_addresses {
 public:
  moved_addresses(const json& then, const json& now) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      range& r = ranges_[i];
      r.begin = then.at(i).at(0).get<std::uint64_t>();
      r.size = then.at(i).at(1).get<std::uint64_t>();
      r.now = now.at(i).at(0).get<std::uint64_t>();
      if (r.size != now.at(i).at(1).get<std::uint64_t>()) {
        throw std::runtime_error("the device's memory was of another size");
      }
    }
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t value) const {
    for (const range& r : ranges_) {
      if (value - r.begin < r.size) return value - r.begin + r.now;
    }
    return value;
  }

 private:
  struct range {
    std::uint64_t begin = 0, size = 0, now = 0;
  };
  std::array<range, 2> ranges_{};
};

json addresses_of(const session& run) {
  const simt::own_addresses own(run.memory(), *run.setup().library);
  json all = json::array();
  for (const auto& r : own.ranges()) all.push_back({r.begin, r.end - r.begin});
  return all;
}

/// What must be the same to go on.
json identity_of(const session& run, const reductions& asked) {
  json what = run_document(run, "");
  what["scenario"].erase("file");
  what["scenario"].erase("title");
  what["scenario"].erase("source");
  what["check"] = run.settings().check;
  what["reduce"] = to_text(asked);
  // (Without promises, what is closed is less.)
  what["promises"] = run.has_weak_memory() && run.setup().model.promises;
  return what;
}

json pack_symmetry(const simt::symmetry& moves) {
  return {{"keeps_warps", moves.keeps_warps()},
          {"fixes_lanes", moves.fixes_lanes()},
          {"fixes_blocks", moves.fixes_blocks()},
          {"roles", binary(packed(moves.roles()))}};
}

void unpack_symmetry(const json& from, simt::symmetry& moves) {
  if (from.at("keeps_warps").get<bool>()) moves.keep_warps();
  if (from.at("fixes_lanes").get<bool>()) moves.fix_lanes();
  if (from.at("fixes_blocks").get<bool>()) moves.fix_blocks();
  const auto roles = numbers_in<std::uint32_t>(from.at("roles"));
  if (roles.size() != moves.roles().size()) throw std::runtime_error("there were other lanes");
  moves.tell_apart(roles);
}

json pack_uses(const simt::shared_facts::location_uses& uses) {
  json all = json::array();
  for (const auto& [key, use] : uses)
    all.push_back({key, use.lane, use.stores, use.suspicious, use.ordinary});
  return all;
}

simt::shared_facts::location_uses unpack_uses(const json& from) {
  simt::shared_facts::location_uses uses;
  for (const json& one : from) {
    uses[one.at(0).get<std::uint32_t>()] = {one.at(1).get<std::uint32_t>(), one.at(2).get<bool>(),
                                            one.at(3).get<bool>(), one.at(4).get<bool>()};
  }
  return uses;
}

json pack_footprints(const simt::footprints& reaches) {
  const simt::footprints::knowledge all = reaches.known();
  std::vector<std::uint32_t> cells;
  for (const simt::footprints::cell& one : all.cells) {
    cells.push_back(one.begin);
    cells.push_back(one.end);
  }
  return {{"cells", binary(packed(std::span<const std::uint32_t>(cells)))},
          {"sets", binary(packed(std::span<const std::uint64_t>(all.sets)))},
          {"races", binary(packed(std::span<const std::uint64_t>(all.races)))},
          {"continuations", all.continuations},
          {"meets_divergence", all.meets_divergence}};
}

/// False: more is known now.
bool unpack_footprints(const json& from, simt::footprints& reaches) {
  simt::footprints::knowledge all;
  const auto cells = numbers_in<std::uint32_t>(from.at("cells"));
  for (std::size_t i = 0; i + 1 < cells.size(); i += 2) {
    all.cells.push_back({cells[i], cells[i + 1]});
  }
  all.sets = numbers_in<std::uint64_t>(from.at("sets"));
  all.races = numbers_in<std::uint64_t>(from.at("races"));
  all.continuations = from.at("continuations").get<std::size_t>();
  all.meets_divergence = from.at("meets_divergence").get<bool>();
  const simt::footprints::knowledge now = reaches.known();
  if (now.meets_divergence && !all.meets_divergence) return false;
  if (!reaches.adopt(std::move(all))) throw std::runtime_error("footprints do not fit");
  return true;
}

/// Until nothing more comes up at the beginning.
void renew(const session& run, reduced_machine& reduced) {
  do {
    reduced.renew(run);
    unless_void(*reduced.machine, [&] { reduced.machine->initial(); });
  } while (reduced.machine->has_news());
}

json pack_questions(const simt::lane_automaton& lanes) {
  std::vector<std::uint32_t> of;
  std::vector<std::uint64_t> answers;
  for (const question& q : lanes.questions()) {
    of.push_back(q.of);
    answers.push_back(q.answer);
  }
  return {{"of", binary(packed(std::span<const std::uint32_t>(of)))},
          {"answers", binary(packed(std::span<const std::uint64_t>(answers)))},
          {"digest", lanes.digest()}};
}

template <class Number>
void write_number(std::ostream& out, Number value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Number>
Number read_number(std::istream& in) {
  Number value{};
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

}  // namespace

struct saved_search::contents {
  json document;
};

bool save_search(const std::filesystem::path& file, const session& run,
                 const reduced_machine& reduced, const search_stage& stage, explorer& search) {
  const search_findings findings = search.findings();
  if (search.machine().has_news()) return false;
  const simt::machine_stores& stores = reduced.stores;
  saved_memories memories = pack_memories(stores.images);
  json document{
      {"version", file_version},
      {"warpcheck", warpcheck_paths::version},
      {"run", identity_of(run, stage.asked)},
      {"addresses", addresses_of(run)},
      {"proves_dead", stage.proves_dead},
      {"rounds", stage.rounds},
      {"seconds", stage.seconds},
      {"trust_lockstep", reduced.trust_lockstep},
      {"may_rename", reduced.may_rename},
      {"symmetry", pack_symmetry(reduced.moves)},
      {"renames", reduced.renames.digest()},
      {"questions", pack_questions(stores.program)},
      {"memories", binary(std::move(memories.bytes))},
      {"memory_sizes", binary(packed(std::span<const std::uint32_t>(memories.sizes)))},
      {"statuses", binary(packed(std::span<const std::uint32_t>(pack_statuses(stores.statuses))))},
      {"stacks", binary(packed(std::span<const std::uint32_t>(pack_stacks(stores.stacks))))},
      {"found", findings.found},
      {"has_dead_states", findings.has_dead_states},
      {"minds_names", findings.minds_names},
      {"skipped_races", findings.skipped_races},
      {"next_component", findings.next_component},
      {"transitions", findings.transitions},
      {"depth", findings.depth}};
  if (const auto& monitor = run.object().monitor) {
    document["histories"] = binary(packed(std::span<const std::uint64_t>(monitor->pack())));
  }
  if (reduced.reaches) document["footprints"] = pack_footprints(*reduced.reaches);
  if (run.has_weak_memory()) {
    document["memory_facts"] = to_json(run.facts().now());
    // (Only reductions rest on it, so counterexamples have no need of it.)
    document["wavering"] = run.facts().now().wavering;
    document["memory_uses"] = pack_uses(run.facts().uses());
  }
  const bytes header = json::to_cbor(document);

  simt::whole_file whole(file);
  std::ostream& out = whole.content();
  out.write(search_magic.data(), search_magic.size());
  write_number(out, std::uint64_t{header.size()});
  write_number(out, std::uint64_t{XXH3_64bits(header.data(), header.size())});
  out.write(reinterpret_cast<const char*>(header.data()),
            static_cast<std::streamsize>(header.size()));
  search.states().save(out);
  whole.finish();
  return true;
}

void saved_search::damaged(const std::string& why) const {
  throw usage_error(
      fmt::format("{}: this is no saved search to go on with: {}; leave --resume "
                  "out to begin anew",
                  file_.string(), why));
}

saved_search::saved_search(const std::filesystem::path& file, const session& run,
                           const reductions& asked)
    : file_(file), in_(file, std::ios::binary) {
  if (!in_) throw usage_error(file.string() + ": cannot be read");
  std::array<char, search_magic.size()> first{};
  in_.read(first.data(), first.size());
  const auto size = read_number<std::uint64_t>(in_);
  const auto hash = read_number<std::uint64_t>(in_);
  if (!in_ || first != search_magic) damaged("something else wrote it");
  std::error_code error;
  if (size > most_header || size > std::filesystem::file_size(file, error)) {
    damaged("it is cut off");
  }
  bytes header(size);
  in_.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(size));
  if (!in_) damaged("it is cut off");
  if (XXH3_64bits(header.data(), header.size()) != hash) damaged("its checksum differs");
  try {
    auto read = std::make_shared<contents>();
    read->document = json::from_cbor(header);
    const json& d = read->document;
    if (d.at("version") != file_version || d.at("warpcheck") != warpcheck_paths::version) {
      damaged("another version of warpcheck wrote it");
    }
    const json mine = identity_of(run, asked);
    for (const auto& [key, value] : mine.items()) {
      if (d.at("run").at(key) != value) {
        damaged(fmt::format("it is of another {}", key == "fingerprint" ? "source"
                                                   : key == "reduce"    ? "list of reductions"
                                                   : key == "check"     ? "list of checks"
                                                   : key == "promises"
                                                       ? "choice about load buffering"
                                                       : key));
      }
    }
    stage_.asked = asked;
    stage_.proves_dead = d.at("proves_dead").get<bool>();
    stage_.rounds = d.at("rounds").get<std::uint64_t>();
    stage_.seconds = d.at("seconds").get<double>();
    findings_.found = d.at("found").get<verdict_set>();
    findings_.has_dead_states = d.at("has_dead_states").get<bool>();
    findings_.minds_names = d.at("minds_names").get<bool>();
    findings_.skipped_races = d.at("skipped_races").get<bool>();
    findings_.next_component = d.at("next_component").get<std::uint32_t>();
    findings_.transitions = d.at("transitions").get<std::uint64_t>();
    findings_.depth = d.at("depth").get<std::uint64_t>();
    contents_ = std::move(read);
  } catch (const json::exception& wrong) {
    damaged(wrong.what());
  }
}

bool saved_search::restore(const session& run, reduced_machine& reduced) {
  const json& d = contents_->document;
  try {
    const moved_addresses move(d.at("addresses"), addresses_of(run));
    simt::machine_stores& stores = reduced.stores;

    // As the first rounds began.
    renew(run, reduced);
    const auto of = numbers_in<std::uint32_t>(d.at("questions").at("of"));
    const auto answers = numbers_in<std::uint64_t>(d.at("questions").at("answers"));
    if (of.size() != answers.size()) damaged("questions without answers");
    std::vector<question> questions(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) questions[i] = {of[i], move(answers[i])};
    if (!stores.program.ask_again(questions) ||
        stores.program.digest() != d.at("questions").at("digest").get<std::uint64_t>()) {
      damaged("the subject does other things now");
    }

    unpack_symmetry(d.at("symmetry"), reduced.moves);
    reduced.trust_lockstep = d.at("trust_lockstep").get<bool>();
    reduced.may_rename = d.at("may_rename").get<bool>();
    if (run.has_weak_memory()) {
      simt::memory_facts facts = memory_facts_in(d.at("memory_facts"));
      facts.wavering = d.at("wavering").get<std::set<std::uint32_t>>();
      run.facts().learn(facts);
      for (const auto& [key, use] : unpack_uses(d.at("memory_uses"))) run.facts().use(key, use);
    }
    renew(run, reduced);
    // What turned out only when the search was saved makes its states void.
    if (pack_symmetry(reduced.moves) != d.at("symmetry")) return false;
    if (run.has_weak_memory() && to_json(run.facts().now()) != d.at("memory_facts")) return false;
    if (reduced.reaches && !unpack_footprints(d.at("footprints"), *reduced.reaches)) return false;

    const bool same_memories = unpack_memories(
        {numbers_in<std::uint32_t>(d.at("memory_sizes")), d.at("memories").get_binary()},
        run.memory().image_size(), run.setup().grid.threads(), move, stores.images);
    if (!same_memories) damaged("memories are in another order");
    if (const auto& monitor = run.object().monitor;
        monitor != nullptr && !monitor->unpack(numbers_in<std::uint64_t>(d.at("histories")))) {
      damaged("its histories are in another order");
    }
    if (!unpack_statuses(numbers_in<std::uint32_t>(d.at("statuses")), stores.statuses) ||
        !unpack_stacks(numbers_in<std::uint32_t>(d.at("stacks")), stores.stacks)) {
      damaged("its numbers are in another order");
    }
    return reduced.renames.digest() == d.at("renames").get<std::uint64_t>();
  } catch (const json::exception& wrong) {
    damaged(wrong.what());
  } catch (const std::runtime_error& wrong) {
    if (dynamic_cast<const usage_error*>(&wrong) != nullptr) throw;
    damaged(wrong.what());
  }
}

void saved_search::check_states(const reduced_machine& reduced, const explorer& search) const {
  const simt::machine& m = *reduced.machine;
  const simt::machine_stores& stores = reduced.stores;
  std::vector<std::size_t> bounds(m.words(), stores.program.size());
  bounds[m.memory_word()] = stores.images.size();
  bounds[m.status_word()] = stores.statuses.size();
  for (std::size_t w = m.status_word() + 1; w < bounds.size(); ++w) {
    bounds[w] = stores.stacks.size();
  }
  std::vector<std::uint32_t> state(m.words());
  for (state_id s = 0; s < search.states().size(); ++s) {
    search.states().read(s, state);
    for (std::size_t w = 0; w < state.size(); ++w) {
      if (state[w] >= bounds[w]) damaged("a state has parts that nobody knows");
    }
  }
}

}  // namespace warpcheck
