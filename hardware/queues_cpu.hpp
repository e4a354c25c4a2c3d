// The queues of measured_queues.hpp on the CPU's cores, for queues.cu.
#pragma once

#include <memory>
#include <string>

#include "cpu_queue.hpp"

namespace measured {

/// "cpu_michael_scott", "cpu_vyukov" or "cpu_mutex" (a std::queue). Null: another name.
std::unique_ptr<cpu_queue> make_cpu_queue(const std::string& name);

}  // namespace measured
