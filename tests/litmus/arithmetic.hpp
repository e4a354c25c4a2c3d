// What an instruction computes of two values, for the oracles that interpret litmus programs.
#pragma once

#include <stdexcept>

#include "litmus/program.hpp"

namespace litmus {

/// Throws std::logic_error for an operation of three operands.
inline value computed(operation how, value a, value b) {
  switch (how) {
    case operation::add: return a + b;
    case operation::sub: return a - b;
    case operation::mul: return a * b;
    case operation::div: return a / b;
    case operation::bit_and: return a & b;
    case operation::bit_or: return a | b;
    case operation::bit_xor: return a ^ b;
    case operation::increment: return a >= b ? 0 : a + 1;
    case operation::decrement: return a == 0 || a > b ? b : a - 1;
    case operation::minimum: return a < b ? a : b;
    case operation::maximum: return a > b ? a : b;
    case operation::exchange: return b;
    case operation::compare_and_swap: break;
  }
  throw std::logic_error("compare_and_swap has three operands");
}

}  // namespace litmus
