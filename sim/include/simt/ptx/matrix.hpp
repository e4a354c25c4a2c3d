// PTX's movement of matrices between memory and the registers of a warp (ldmatrix, stmatrix,
// movmatrix, wmma.load, wmma.store).
//
// Models: which lane's address is which row of 8x8 matrices of 16 bits, and which lane has which
// elements. All 32 lanes come together, which orders no memory. PTX does not say which lane
// accesses what. So here a row is read by the lane that gives its address, and by each lane that
// gets a part of it. It is written by the lanes that have its parts. Does not model: which lane has
// which elements of a matrix of wmma. Their values are opaque, but each cell is accessed.
#pragma once

#include <simt/check.hpp>
#include <simt/ptx/access.hpp>
#include <simt/warp.hpp>

namespace simt::ptx {

/// Brings all 32 lanes of the warp together: each reads the value of the next one. A lane that has
/// exited, or was never there, is missing. (Unlike votes of many lanes, shuffles do not make the
/// search for load buffering give up.)
SIMT_FN u64 of_next_lane(u64 value) {
  return simt::shfl(simt::full_mask, value, static_cast<int>((simt::lane_index() + 1) % 32));
}
SIMT_FN void whole_warp() { (void)of_next_lane(0); }

/// A read whose value nobody needs.
template <class B>
SIMT_FN void touch(u64 at) {
  const B value = load<B>(at);
  asm volatile("" : : "r"(static_cast<u64>(value)));  // no dead code
}

// --- 8x8 matrices: lane l has elements 2 (l mod 4) and the one behind it, of row l / 4 ---

/// Whether the lane's address is one of the rows of `count` matrices.
template <u32 count>
SIMT_FN bool gives_row() {
  return simt::lane_index() < 8 * count;
}
/// The place of a row in shared memory, which may become an address of another lane.
template <u32 count>
SIMT_FN u64 own_row(u64 shared, u64 address) {
  return (address - shared) & (u64{0} - static_cast<u64>(gives_row<count>()));
}
/// Reads a row before the warp comes together: what another lane still writes to it is a race.
SIMT_FN void touch_row(u64 row) {
  for (u32 at = 0; at < 16; at += 4) touch<u32>(row + at);
}

/// What a lane needs of matrix k: the word of its row that has its two elements. Transposed, its
/// elements lie below each other: in the words of two rows, in the same half of each.
SIMT_FN u32 lane_of_row(u32 k) { return 8 * k + simt::lane_index() / 4; }
SIMT_FN u32 lane_of_upper(u32 k) { return 8 * k + simt::lane_index() % 4 * 2; }
SIMT_FN u64 word_at(u64 shared, u64 row) { return shared + row + 4 * (simt::lane_index() % 4); }
SIMT_FN u64 word_of_column(u64 shared, u64 row) {
  return shared + row + 4 * (simt::lane_index() / 8);
}
SIMT_FN u32 column_of(u32 upper, u32 lower) {
  const u32 shift = simt::lane_index() / 4 % 2 * 16;
  return (upper >> shift & 0xffff) | (lower >> shift & 0xffff) << 16;
}
SIMT_FN u64 row_from(u64 row, u32 lane) {
  return simt::shfl(simt::full_mask, row, static_cast<int>(lane));
}

/// Two elements next to each other of the transposed matrix, where the lane has two of the matrix.
/// They lie in row 2 (l mod 4) or the one behind it, whichever has l / 4's last bit, in word l / 8.
SIMT_FN u32 transposed(u32 mine) {
  const u32 other = simt::shfl_xor(simt::full_mask, mine, 4);
  const bool is_odd = (simt::lane_index() / 4 & 1) != 0;
  return select<u32>(is_odd, other >> 16 | (mine & 0xffff0000u), (mine & 0xffff) | other << 16);
}
SIMT_FN u32 lane_of_transposed(u32 k) { return lane_of_upper(k) + (simt::lane_index() / 4 & 1); }

/// movmatrix: the lane's two elements of the transposed matrix.
SIMT_FN u32 moved(u32 mine) {
  const u32 from = simt::lane_index() % 4 * 8 + simt::lane_index() / 8;
  const u32 upper = simt::shfl(simt::full_mask, mine, static_cast<int>(from));
  const u32 lower = simt::shfl(simt::full_mask, mine, static_cast<int>(from + 4));
  return column_of(upper, lower);
}

// --- matrices of wmma: lines of `line` bytes, whose begins lie `stride` bytes apart ---

/// All lanes come together, and give the same address and the same stride.
SIMT_FN void same_matrix(u64 address, u64 stride) {
  const bool is_same_address = of_next_lane(address) == address;
  const bool is_same_stride = of_next_lane(stride) == stride;
  simt::check(is_same_address && is_same_stride,
              "the lanes of a warp give different addresses or strides to one wmma");
}
SIMT_FN void aligned_lines(u64 stride, u32 size) {
  simt::check(stride % size == 0,
              "the lines of a matrix of wmma do not begin at multiples of 16 bytes, or of its "
              "fragment's size");
}

/// The place of cell n of those that the lane reads before the warp comes together, and behind it.
/// The lanes of a cell differ, so that nobody's writes are all in its own cells.
template <class B, u32 line>
SIMT_FN u64 cell_at(u64 address, u64 stride, u32 cell) {
  constexpr u32 cells = line / sizeof(B);
  return address + cell / cells * stride + cell % cells * sizeof(B);
}
SIMT_FN u32 cell_before(u32 n) { return 32 * n + 31 - simt::lane_index(); }
SIMT_FN u32 cell_behind(u32 n) { return 32 * n + (simt::lane_index() + 30) % 32; }
/// The place of cell n of those that the lane writes: `each` cells next to each other.
SIMT_FN u32 cell_written(u32 n, u32 each) { return (simt::lane_index() + 30) % 32 * each + n; }

}  // namespace simt::ptx
