// Which elements of 8x8 matrices the lanes of a warp have, as PTX says it (PTX ISA, "ldmatrix",
// "stmatrix", "movmatrix"): for the tests, and for tools/compare_arithmetic on a GPU.
#pragma once

namespace matrix_table {

#if defined(__CUDACC__)
#define MATRIX_TABLE_FN __host__ __device__
#else
#define MATRIX_TABLE_FN
#endif

/// The lanes whose addresses are rows 0 to 7 of matrix k: 8k to 8k + 7.
MATRIX_TABLE_FN constexpr unsigned lane_of_row(unsigned matrix, unsigned row) {
  return 8 * matrix + row;
}

/// The element in the lower (0) or the upper (1) half of a lane's register. Rows of four lanes
/// each: lanes 0 to 3 have row 0, two elements each. With .trans, so it is in the transposed
/// matrix.
struct element {
  unsigned row, column;
};
MATRIX_TABLE_FN constexpr element element_of(unsigned lane, unsigned half, bool transposed) {
  unsigned in_order = 0;  // of the matrix, row by row
  for (unsigned l = 0; l < lane; ++l) in_order += 2;
  in_order += half;
  const unsigned row = in_order / 8, column = in_order % 8;
  if (transposed) return {column, row};
  return {row, column};
}

}  // namespace matrix_table
