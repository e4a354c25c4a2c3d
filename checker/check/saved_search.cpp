// Writes and reads the file of a saved search: a JSON document, and the table of states after it.
#include "checker/check/saved_search.hpp"

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/check/saved_memories.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/packed_numbers.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;
using bytes = std::vector<std::uint8_t>;
using span = std::span<const std::uint8_t>;
using question = simt::lane_automaton::question;

constexpr std::array<char, 8> search_magic = {'w', 'a', 'r', 'p', 's', 'r', 'c', 'h'};
constexpr int file_version = 8;
constexpr std::uint64_t most_header = std::uint64_t{1} << 36;  // bytes

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
      all.insert(all.end(), {b.block, b.id, b.expected, b.arrived, b.reduces});
    }
    all.push_back(static_cast<std::uint32_t>(status.halves.size()));
    all.insert(all.end(), status.halves.begin(), status.halves.end());
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

/// Reads packed words, and checks that none is missing.
class unpacker {
 public:
  explicit unpacker(std::span<const std::uint32_t> words) : words_(words) {}
  [[nodiscard]] bool more() const { return at_ < words_.size(); }
  std::uint32_t word() {
    if (!more()) throw std::runtime_error("a list is cut off");
    return words_[at_++];
  }
  /// Reads the number of elements that follow.
  std::uint32_t count() {
    const std::uint32_t n = word();
    if (n > words_.size() - at_) throw std::runtime_error("a list is cut off");
    return n;
  }

 private:
  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0;
};

/// Interns the statuses in order. False: some number differs from the file's.
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
      b.reduces = in.word();
    }
    for (std::uint32_t n = in.count(); n > 0; --n) {
      status.halves.push_back(static_cast<std::uint8_t>(in.word()));
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

/// Moves addresses of the process that wrote the file to this process.
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

/// What must be equal to continue a search.
json identity_of(const session& run, const reductions& asked) {
  json what = run_document(run, "");
  what["scenario"].erase("file");
  what["scenario"].erase("title");
  what["scenario"].erase("source");
  what["check"] = run.settings().check;
  what["reduce"] = to_text(asked);
  // Without promises, fewer states are explored.
  what["promises"] = run.traits_of_memory().learns_facts && run.setup().model.promises;
  return what;
}

/// Renews the machine until its initial state brings no more news.
void renew(const session& run, reduced_machine& reduced, const knowledge& known) {
  do {
    reduced.renew(run, known);
    unless_void(*reduced.machine, [&] { reduced.machine->initial(); });
  } while (reduced.machine->has_news());
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
  knowledge known;
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
      {"rounds", stage.rounds},
      {"seconds", stage.seconds},
      {"knowledge", reduced.known_of_round(run).to_json()},
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
    stage_.rounds = d.at("rounds").get<std::uint64_t>();
    stage_.seconds = d.at("seconds").get<double>();
    findings_.found = d.at("found").get<verdict_set>();
    findings_.has_dead_states = d.at("has_dead_states").get<bool>();
    findings_.minds_names = d.at("minds_names").get<bool>();
    findings_.skipped_races = d.at("skipped_races").get<bool>();
    findings_.next_component = d.at("next_component").get<std::uint32_t>();
    findings_.transitions = d.at("transitions").get<std::uint64_t>();
    findings_.depth = d.at("depth").get<std::uint64_t>();
    read->known = knowledge::from_json(d.at("knowledge"));
    if (!read->known.lanes) damaged("it does not say what lanes were asked");
    contents_ = std::move(read);
  } catch (const json::exception& wrong) {
    damaged(wrong.what());
  } catch (const usage_error&) {
    throw;
  } catch (const std::runtime_error& wrong) {
    damaged(wrong.what());
  }
}

const knowledge& saved_search::known() const { return contents_->known; }

bool saved_search::restore(const session& run, reduced_machine& reduced) {
  const json& d = contents_->document;
  try {
    const moved_addresses move(d.at("addresses"), addresses_of(run));
    simt::machine_stores& stores = reduced.stores;

    // The machine is now as it was when the first rounds began.
    renew(run, reduced, {});
    std::vector<question> questions = known().lanes->questions;
    for (question& q : questions) q.answer = move(q.answer);
    if (!stores.program.ask_again(questions) || stores.program.digest() != known().lanes->digest) {
      damaged("the subject does other things now");
    }

    knowledge here = known();
    here.lanes->assumed.never.clear();
    for (const auto& [of, answer] : known().lanes->assumed.never) {
      here.lanes->assumed.never.insert({of, move(answer)});
    }
    renew(run, reduced, here);
    // News that came up only while the search was saved makes its states void.
    if (reduced.known_of_round(run).digest() != known().digest()) return false;

    const bool same_memories = unpack_memories(
        {numbers_in<std::uint32_t>(d.at("memory_sizes")), d.at("memories").get_binary()},
        {run.setup().grid, run.memory().image_size(), run.traits_of_memory().is_image}, move,
        stores.images);
    if (!same_memories) damaged("memories are in another order");
    if (const auto& monitor = run.object().monitor;
        monitor != nullptr && !monitor->unpack(numbers_in<std::uint64_t>(d.at("histories")))) {
      damaged("its histories are in another order");
    }
    if (!unpack_statuses(numbers_in<std::uint32_t>(d.at("statuses")), stores.statuses) ||
        !unpack_stacks(numbers_in<std::uint32_t>(d.at("stacks")), stores.stacks)) {
      damaged("its numbers are in another order");
    }
    return true;
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
