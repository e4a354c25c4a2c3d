// Where an operation of an object takes effect.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// Declares that the operation takes effect with the access before this call, its linearization
/// point; if `here` is false, this one is not. The access may also be the call of the operation
/// itself. Nothing lies between the two, also where a branch does. It is checked
/// (docs/linearizability.md): each operation passes its point once before it returns. On a GPU it
/// is nothing.
SIMT_FN void linearization_point(bool here = true) { detail::linearization_point(here); }

}  // namespace simt
