// What the lanes of a grid do with a subject. A workload is an object that holds the subject and
// what is needed beside it, with `run` for the device and `check` for the host.
#pragma once

#include <simt/workloads/capacity.hpp>
#include <simt/workloads/counter.hpp>
#include <simt/workloads/kernel.hpp>
#include <simt/workloads/operations.hpp>
#include <simt/workloads/order.hpp>
#include <simt/workloads/phases.hpp>
#if defined(SIMT_MEASURED)
#include <simt/workloads/sampled.hpp>
#endif
