// The types and functions that subjects made of PTX consist of (sim/ptx makes such subjects): types
// of registers, and instructions as functions. For the simulator only.
#pragma once

#include <simt/check.hpp>
#include <simt/fence.hpp>
#include <simt/memory.hpp>
#include <simt/ptx/access.hpp>
#include <simt/ptx/async_copy.hpp>
#include <simt/ptx/cluster.hpp>
#include <simt/ptx/compiled_object.hpp>
#include <simt/ptx/convert.hpp>
#include <simt/ptx/integer.hpp>
#include <simt/ptx/matrix.hpp>
#include <simt/ptx/mbarrier.hpp>
#include <simt/ptx/one_run.hpp>
#include <simt/ptx/warp.hpp>
#include <simt/simt.hpp>
