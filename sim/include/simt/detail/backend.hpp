// The backend that this compiler is for. Both define the same functions in simt::detail.
#pragma once

#if defined(__CUDACC__)
#include <simt/detail/cuda.hpp>
#else
#include <simt/detail/simulator.hpp>
#endif
