// The API in which synchronization is written once, for the simulator and for CUDA.
//
// Names follow CUDA C++ and libcu++. Shared data that is not atomic is plain C++; `volatile` is
// CUDA's: relaxed, system scope. Device functions are marked SIMT_FN.
#pragma once

#include <simt/arithmetic.hpp>
#include <simt/atomic.hpp>
#include <simt/barrier.hpp>
#include <simt/check.hpp>
#include <simt/choose.hpp>
#include <simt/fence.hpp>
#include <simt/grid.hpp>
#include <simt/legacy.hpp>
#include <simt/maybe.hpp>
#include <simt/mbarrier.hpp>
#include <simt/memory.hpp>
#include <simt/point.hpp>
#include <simt/pool.hpp>
#include <simt/print.hpp>
#include <simt/subject.hpp>
#include <simt/warp.hpp>
