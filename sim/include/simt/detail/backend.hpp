// The backend that this compiler is for. All define the same functions in simt::detail.
#pragma once

#if defined(__CUDACC__)
#include <simt/detail/cuda.hpp>
#elif defined(__NVPTX__)
#include <simt/detail/nvptx.hpp>
#else
#include <simt/detail/simulator.hpp>
#endif
