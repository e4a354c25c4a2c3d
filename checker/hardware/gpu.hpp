// Finds the GPU of this machine without linking CUDA.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace warpcheck {

struct gpu {
  std::string name;          // "NVIDIA H200"
  std::string architecture;  // "sm_90"
  std::string driver;        // "580.159.04"; empty: unknown
  std::string cuda;          // the newest version that the driver supports, "13.0"
  unsigned count = 1;        // number of GPUs
};

struct gpu_search {
  bool found = false;
  gpu device;           // CUDA's device 0, which the runner uses
  std::string why_not;  // one sentence
};

/// Asks the driver, in a process of its own. The driver's library maps memory as it likes, and the
/// simulator's lanes need their stacks at a fixed address.
gpu_search find_gpu();

/// Returns the beginning of JSON documents about a GPU: "version", "gpu", "architecture", "driver",
/// "cuda", "nvcc" (its version), "date".
nlohmann::ordered_json gpu_document(const gpu& device, const std::string& nvcc,
                                    const std::string& date);

}  // namespace warpcheck
