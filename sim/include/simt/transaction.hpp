// The operations of an object that carries out transactions (docs/transactions.md):
//   struct my_memory {
//     static constexpr const char* spec = "stm";
//     using operations = simt::transactions;
//     SIMT_FN void begin();
//     SIMT_FN simt::maybe<int> read(int word);    // none: the transaction has been aborted
//     SIMT_FN bool write(int word, int value);    // false: likewise
//     SIMT_FN bool commit();                      // false: likewise
//     SIMT_FN void abort();
//   };
// Each client has one transaction at a time. Where it has been aborted, the client's operations
// return none or false until its next `begin`.
#pragma once

#include <simt/simt.hpp>

namespace simt {
namespace detail {

SIMT_OPERATION(begin);
SIMT_OPERATION(commit);
SIMT_OPERATION(abort);

}  // namespace detail

using transactions = operation_list<detail::simt_operation_begin, detail::simt_operation_commit,
                                    detail::simt_operation_abort, detail::simt_operation_read,
                                    detail::simt_operation_write>;

}  // namespace simt
