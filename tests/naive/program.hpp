// A small structured language for generated subjects, as a plain value. It has just what
// docs/model.md talks about; what C++ has beyond that is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace naive {

/// Locals that a program may name. One more register is kept for the value between the load and
/// the store of `bump`.
inline constexpr int local_count = 3;
inline constexpr int register_count = local_count + 1;

enum class expression_kind : std::uint8_t {
  constant,
  lane,
  warp,
  block,
  rank,  // in the grid
  local,
  add,
  subtract,
  modulo,  // only of what is not negative
  bit_and,
  shift_left,
  equal,
  not_equal,
  less,
};

struct expression {
  expression_kind kind = expression_kind::constant;
  int value = 0;                     // the constant, or which local
  std::vector<expression> operands;  // none or two
};

enum class operation_kind : std::uint8_t {
  load,
  store,
  exchange,
  compare_exchange,  // the result is the old value
  add,               // the result is the old value
  fence,
  nanosleep,
  choose,  // the result is 0 or 1
  syncwarp,
  ballot,
  any,
  all,
  shfl,  // by index, the whole warp is one segment
  match_any,
  match_all,
  reduce_add,
  reduce_max,
  activemask,
  syncthreads,
  barrier_sync,
  barrier_arrive,
  fail,  // of a `check`; no program contains it by itself
};

/// How memory is accessed: as plain C++, as volatile, or by an atomic with a scope.
enum class strength : std::uint8_t {
  weak,
  volatile_access,
  thread_scope,
  block_scope,
  device_scope,
  system_scope
};

/// One visible operation.
struct operation {
  operation_kind kind = operation_kind::fence;
  strength how = strength::weak;
  bool shared = false;  // a cell of the block-shared memory, not of the object
  bool byte = false;    // plain or volatile loads and stores: of the cell's lowest byte alone
  expression cell;      // memory: which cell
  expression value;     // stored, added, or given to the collective
  expression expected;  // compare_exchange
  expression mask;      // collectives
  expression source;    // shfl
  int target = -1;      // the local for the result; -1: dropped
  int barrier = 0;      // numbered barriers
  int warps = 0;        // numbered barriers
};

/// A condition: perhaps one operation, then a test of the locals.
struct condition {
  std::optional<operation> first;
  expression test;
};

enum class statement_kind : std::uint8_t {
  assign,   // target = value
  operate,  // op
  bump,     // the plain `cell++` of op.cell
  check,    // value
  if_else,  // test, body, otherwise
  while_loop,
  do_while,
  forever,
  switch_on,  // value; one body for each label, then the default's in `otherwise`
  break_loop,
  continue_loop,
  return_body,
  text,  // of the simt API, which the naive explorer does not know
};

struct statement {
  statement_kind kind = statement_kind::assign;
  int target = 0;
  expression value;
  operation op;
  condition test;
  std::vector<statement> body;
  std::vector<statement> otherwise;
  std::vector<std::pair<int, std::vector<statement>>> cases;
  std::string text;
};

using sequence = std::vector<statement>;

/// What the host does when all lanes of a launch have exited: it adds one to a cell, and launches
/// again, up to `most` launches, unless it sees something other than 0 in another cell.
struct host_step {
  int counts = 0;  // cell
  int stops = 0;   // cell
  int most = 2;
  bool numbers = false;  // lanes begin with the number of their launch in the last local
};

struct program {
  std::string name;
  std::vector<int> cells;  // of the object, with their initial values
  int shared_cells = 0;    // of each block, zeros at first
  sequence body;
  std::vector<std::pair<int, int>> final_values;  // cell, value: the final check
  std::vector<std::pair<int, int>> never_final;   // cell, value: what the final check forbids
  std::string members;                            // more of them, as text
  bool has_text = false;          // or statements that are text: only the engine knows what they do
  std::optional<host_step> host;  // none: there is one launch
};

enum class reconvergence : std::uint8_t { stack, its };

enum class progress : std::uint8_t { fair, unfair, obe, hsa, hsa_obe, lobe };

struct configuration {
  int blocks = 1;
  std::vector<int> lanes{1};  // of each warp of a block
  naive::reconvergence reconvergence = naive::reconvergence::its;
  naive::progress progress = naive::progress::fair;
  bool strong = false;  // fairness
  int resident = 0;     // blocks at a time; 0: all
  bool blocks_in_order = false;
  int cluster = 1;  // blocks of a cluster
};

}  // namespace naive
