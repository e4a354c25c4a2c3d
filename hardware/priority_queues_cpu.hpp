// Priority queues on the CPU's cores, for priority_queues.cu.
#pragma once

#include <memory>
#include <string>

#include "cpu_queue.hpp"

namespace measured {

/// "cpu_skip_queue" or "cpu_mutex". Null: another name.
std::unique_ptr<cpu_queue> make_cpu_priority_queue(const std::string& name);

}  // namespace measured
