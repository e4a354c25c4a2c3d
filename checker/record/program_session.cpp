// Answers the requests of the stand-in for CUDA's driver.
#include "checker/record/program_session.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/record/cuda_errors.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/whole_file.hpp"
#include "sim/ptx/parse.hpp"

namespace warpcheck {
namespace {

// Whether a variable gets a place in device memory. Constants of the text stay in the code, as host
// code never asks for them. So do variables whose initial values are addresses, which are not known
// here.
bool is_placed(const simt::ptx::variable& variable) {
  return (variable.where == simt::ptx::space::global ||
          variable.where == simt::ptx::space::constant) &&
         variable.size && variable.addresses.empty() &&
         variable.name.find("$str") == std::string::npos;
}

std::uint64_t static_shared(const simt::ptx::module& module, const simt::ptx::kernel& kernel) {
  std::uint64_t bytes = 0;
  for (const auto* variables : {&module.variables, &kernel.variables}) {
    for (const simt::ptx::variable& one : *variables) {
      if (one.where == simt::ptx::space::shared && !one.is_extern) bytes += one.size.value_or(0);
    }
  }
  return bytes;
}

std::uint32_t most_threads(const simt::ptx::kernel& kernel) {
  constexpr std::uint32_t most = 1024;
  const auto* const given = kernel.required_threads[0] ? kernel.required_threads
                            : kernel.max_threads[0]    ? kernel.max_threads
                                                       : nullptr;
  if (given == nullptr) return most;
  std::uint32_t threads = 1;
  for (int i = 0; i < 3; ++i) threads *= given[i].value_or(1);
  return std::min(threads, most);
}

}  // namespace

seen_memory::seen_memory(int file) : file_(file), begin_(nullptr) {
  void* const got =
      ::mmap(nullptr, wire::memory_size, PROT_READ, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (got == MAP_FAILED) {
    ::close(file);
    throw std::runtime_error("the memory of the program cannot be mapped");
  }
  begin_ = static_cast<const std::uint8_t*>(got);
}

seen_memory::~seen_memory() {
  ::munmap(const_cast<std::uint8_t*>(begin_), wire::memory_size);
  ::close(file_);
}

program_session::~program_session() { ::close(socket_); }

bool program_session::serve() {
  const auto message = wire::receive(socket_);
  if (!message) return false;
  try {
    return answer(wire::reader(message->bytes), message->file);
  } catch (const wire::wire_error&) {
    return false;
  }
}

bool program_session::reply(int code, const wire::writer& rest) {
  wire::writer whole;
  whole.put(code);
  for (const std::uint8_t byte : rest.bytes()) whole.put(byte);
  return wire::send(socket_, whole.bytes());
}

bool program_session::answer(wire::reader request, int file) {
  switch (request.take<wire::request>()) {
    case wire::request::hello:
      if (file < 0) return false;
      memory_ = std::make_unique<seen_memory>(file);
      return true;
    case wire::request::module: return load_module(request.text());
    case wire::request::launch: return memory_ && launch(request);
    case wire::request::refused:
      all_.result.refused_calls.push_back(request.text());
      return reply(cuda_error::success);
  }
  return false;
}

bool program_session::load_module(const std::string& text) {
  auto& known = all_.modules[text];
  if (known == nullptr) {
    const auto file = all_.options.folder / fmt::format("module-{}.ptx", all_.modules.size());
    simt::write_whole(file, text);
    try {
      auto made = std::make_unique<loaded_module>(file, simt::ptx::parse(text));
      made->content.file = file.string();
      known = std::move(made);
    } catch (const simt::ptx::ptx_error& error) {
      fmt::print(stderr, "{}:{}:{}: {}\n", file.string(), error.line, error.column, error.what());
      all_.modules.erase(text);
      return reply(cuda_error::invalid_ptx);
    }
  }
  const simt::ptx::module& content = known->content;
  modules_.push_back(known.get());
  wire::writer told;
  told.put(static_cast<std::uint32_t>(modules_.size() - 1));
  told.put(static_cast<std::uint32_t>(content.kernels.size()));
  for (const simt::ptx::kernel& kernel : content.kernels) {
    told.text(kernel.name).put(static_shared(content, kernel)).put(most_threads(kernel));
    told.put(static_cast<std::uint32_t>(kernel.parameters.size()));
    const auto offsets = parameter_offsets(kernel);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      told.put(offsets[i]).put(std::uint64_t{kernel.parameters[i].size});
  }
  told.put(static_cast<std::uint32_t>(std::ranges::count_if(content.variables, is_placed)));
  for (const simt::ptx::variable& variable : content.variables) {
    if (is_placed(variable)) told.text(variable.name).put(*variable.size).blob(variable.bytes);
  }
  return reply(cuda_error::success, told);
}

bool program_session::launch(wire::reader& request) {
  launch_request what;
  const auto module = request.take<std::uint32_t>();
  if (module >= modules_.size()) return false;
  what.module = modules_[module];
  what.kernel = what.module->content.find_kernel(request.text());
  if (what.kernel == nullptr) return reply(cuda_error::invalid_value);
  for (std::uint32_t& extent : what.grid) extent = request.take<std::uint32_t>();
  for (std::uint32_t& extent : what.block) extent = request.take<std::uint32_t>();
  what.shared = request.take<std::uint32_t>();
  what.cooperative = request.take<bool>();
  const auto arguments = request.blob();
  what.arguments.assign(arguments.begin(), arguments.end());
  for (auto left = request.take<std::uint64_t>(); left > 0; --left) {
    const auto begin = request.take<std::uint64_t>();
    what.allocated[begin] = request.take<std::uint64_t>();
  }
  for (auto left = request.take<std::uint32_t>(); left > 0; --left) {
    const std::string name = request.text();
    what.variables[name] = request.take<std::uint64_t>();
  }

  program_run& result = all_.result;
  const std::uint64_t number = ++result.launches;
  const std::string kernel = cuda_name(*what.kernel);
  if (all_.options.wanted(kernel, number)) {
    try {
      if (!all_.seen.insert(launch_hash(what, *memory_)).second) {
        ++result.repeated;
      } else {
        result.recorded.push_back(
            {number, kernel, write_launch(what, *memory_, all_.options, number)});
      }
    } catch (const usage_error& error) {
      result.unchecked.push_back({number, error.what()});
    }
  }
  std::string why;
  const int code = carry_out(what, *memory_, all_.options, why);
  if (code != cuda_error::success)
    result.failed.push_back({number, fmt::format("launch {} ({}): {}", number, kernel, why)});
  return reply(code);
}

}  // namespace warpcheck
