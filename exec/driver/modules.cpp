// Sends modules and launches to warpcheck, and keeps what it replies about kernels and variables.
#include <algorithm>
#include <cstring>

#include "exec/driver/fat_binary.hpp"
#include "exec/driver/state.hpp"

namespace warpcheck::driver {
namespace {

// checker/record/program_session.cpp writes the reply in this layout.
error read_module(wire::reader reply, module& made) {
  made.number = reply.take<std::uint32_t>();
  for (auto left = reply.take<std::uint32_t>(); left > 0; --left) {
    auto one = std::make_unique<kernel>();
    one->of = &made;
    one->name = reply.text();
    one->shared_size = reply.take<std::uint64_t>();
    one->most_threads = static_cast<int>(reply.take<std::uint32_t>());
    for (auto more = reply.take<std::uint32_t>(); more > 0; --more) {
      const auto offset = reply.take<std::uint64_t>();
      one->parameters.push_back({offset, reply.take<std::uint64_t>()});
    }
    made.kernels.push_back(std::move(one));
  }
  for (auto left = reply.take<std::uint32_t>(); left > 0; --left) {
    variable one;
    one.name = reply.text();
    one.size = reply.take<std::uint64_t>();
    const auto bytes = reply.blob();
    one.at = the().memory.allocate(std::max<std::uint64_t>(one.size, 1));
    if (one.at == 0) return out_of_memory;
    std::memcpy(reinterpret_cast<void*>(one.at), bytes.data(),
                std::min<std::uint64_t>(bytes.size(), one.size));
    made.variables.push_back(std::move(one));
  }
  return success;
}

// The launch's arguments in one array, at the offsets of their parameters.
std::vector<std::uint8_t> argument_bytes(const kernel& what, void** parameters, void** extra) {
  const parameter last = what.parameters.empty() ? parameter{} : what.parameters.back();
  std::vector<std::uint8_t> bytes(last.offset + last.size);
  if (parameters != nullptr) {
    for (std::size_t i = 0; i < what.parameters.size(); ++i) {
      const parameter& one = what.parameters[i];
      std::memcpy(bytes.data() + one.offset, parameters[i], one.size);
    }
    return bytes;
  }
  // Pairs of a key and a value. Key 1: where the bytes are. Key 2: how many. Key 0: the end.
  const void* from = nullptr;
  std::size_t size = 0;
  for (void** at = extra; at != nullptr && *at != nullptr; at += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(at[0]);
    if (key == 1) from = at[1];
    if (key == 2) size = *static_cast<std::size_t*>(at[1]);
  }
  if (from != nullptr) std::memcpy(bytes.data(), from, std::min(size, bytes.size()));
  return bytes;
}

}  // namespace

error load_module(const void* image, module** loaded) {
  state& all = the();
  if (const error code = all.open(); code != success) return code;
  const std::lock_guard guard(all.lock);
  const found_ptx ptx = ptx_in(image);
  if (ptx.code != success) {
    if (!ptx.message.empty()) tell(ptx.message);
    return ptx.code;
  }
  wire::writer request;
  request.put(wire::request::module).text(ptx.text);
  error code = success;
  const auto reply = all.ask(request, code);
  if (!reply) return deinitialized;
  if (code != success) return code;
  auto made = std::make_unique<module>();
  if (code = read_module(wire::reader(*reply), *made); code != success) return code;
  *loaded = made.get();
  all.modules.push_back(std::move(made));
  return success;
}

error launch(kernel& what, const unsigned grid[3], const unsigned block[3], unsigned shared,
             bool cooperative, void** parameters, void** extra) {
  state& all = the();
  const std::lock_guard guard(all.lock);
  if (all.failed != success) return all.failed;
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (threads == 0 || std::uint64_t{grid[0]} * grid[1] * grid[2] == 0) return invalid_value;
  if (threads > static_cast<std::uint64_t>(what.most_threads)) return invalid_value;
  if (shared > static_cast<unsigned>(what.dynamic_shared)) return invalid_value;
  if (!what.parameters.empty() && parameters == nullptr && extra == nullptr) return invalid_value;
  wire::writer request;
  request.put(wire::request::launch).put(what.of->number).text(what.name);
  for (int i = 0; i < 3; ++i) request.put(std::uint32_t{grid[i]});
  for (int i = 0; i < 3; ++i) request.put(std::uint32_t{block[i]});
  request.put(std::uint32_t{shared}).put(cooperative);
  request.blob(argument_bytes(what, parameters, extra));
  request.put(static_cast<std::uint64_t>(all.memory.live().size()));
  for (const auto& [begin, size] : all.memory.live()) request.put(begin).put(size);
  request.put(static_cast<std::uint32_t>(what.of->variables.size()));
  for (const variable& one : what.of->variables) request.text(one.name).put(one.at);
  error code = success;
  const auto reply = all.ask(request, code);
  if (!reply) return deinitialized;
  // As on a GPU, later calls report an error of a kernel.
  if (code == success || code == not_supported) return code;
  all.failed = code;
  return success;
}

}  // namespace warpcheck::driver
