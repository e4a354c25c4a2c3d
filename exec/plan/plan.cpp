// Writes plans to files, and reads them.
#include "exec/plan/plan.hpp"

#include <fstream>
#include <iterator>

#include "exec/wire/wire.hpp"

namespace warpcheck::carry {

std::filesystem::path waits_beside(const std::filesystem::path& plan) {
  return plan.string() + ".waits";
}

void write_waits(const std::filesystem::path& file, const std::vector<waiting_threads>& all) {
  std::ofstream stream(file);
  for (const waiting_threads& one : all) {
    stream << static_cast<int>(one.waits_for) << ' ' << one.at << ' ' << one.threads << ' '
           << one.block << ' ' << one.thread << '\n';
  }
}

std::vector<waiting_threads> read_waits(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<waiting_threads> all;
  int what = 0;
  for (waiting_threads one; stream >> what >> one.at >> one.threads >> one.block >> one.thread;) {
    one.waits_for = static_cast<waiting_threads::what>(what);
    all.push_back(one);
  }
  return all;
}

void write_plan(const std::filesystem::path& file, const plan& what) {
  wire::writer all;
  all.put(what.blocks).put(what.threads).put(what.all_at_once);
  all.put(static_cast<std::uint64_t>(what.memory.size()));
  for (const allocation& one : what.memory) all.put(one.begin).put(one.size);
  all.blob(what.arguments);
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(all.bytes().data()),
               static_cast<std::streamsize>(all.bytes().size()));
  if (!stream.flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

plan read_plan(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  wire::reader all(bytes);
  plan what;
  what.blocks = all.take<std::uint32_t>();
  what.threads = all.take<std::uint32_t>();
  what.all_at_once = all.take<bool>();
  for (auto left = all.take<std::uint64_t>(); left > 0; --left) {
    const auto begin = all.take<std::uint64_t>();
    what.memory.push_back({begin, all.take<std::uint64_t>()});
  }
  const auto arguments = all.blob();
  what.arguments.assign(arguments.begin(), arguments.end());
  return what;
}

}  // namespace warpcheck::carry
