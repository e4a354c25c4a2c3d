// Gives the verdict on a run that ends other than by completion.
#pragma once

#include <stdexcept>

#include "checker/verdicts/verdict.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// Throws logic_error for an ending that is no violation.
constexpr verdict verdict_of(simt::ending how) {
  switch (how) {
    case simt::ending::assertion:
    case simt::ending::mbarrier_misuse: return verdict::assertion;
    case simt::ending::bad_access: return verdict::bad_access;
    case simt::ending::unwritten_read: return verdict::unwritten_read;
    case simt::ending::barrier_divergence: return verdict::barrier_divergence;
    case simt::ending::race: return verdict::race;
    case simt::ending::none: break;
  }
  throw std::logic_error("not an ending");
}

}  // namespace warpcheck
