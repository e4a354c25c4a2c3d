// Names for a run's memory, code and lanes, as a person wrote them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checker/run/place.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// Returns "phase 1: 2 of 3 arrived, 64 bytes outstanding" for the word of an mbarrier, or "not
/// initialized".
std::string mbarrier_text(std::uint64_t word);

class names {
 public:
  explicit names(const session& run);

  /// Returns "held", "nodes[2].next" or "b0 tile[3]". If nothing lies there, says what the address
  /// is near to.
  const std::string& variable(std::uint64_t address);
  /// Returns where the operation that stopped with this return address stands.
  const source_place& place(std::uint64_t return_address);
  /// Returns the function that the user has called for a barrier of the block; empty: unknown.
  const std::string& barrier_call(std::uint64_t return_address);
  /// Returns where a basic block begins.
  const source_place& block(std::uint32_t number);
  /// Returns a value of `size` bytes as a person would write it: a signed number, or "&held" for an
  /// address.
  std::string value(std::uint64_t value, std::uint32_t size);
  /// Returns a value of the object at `address` as its type has it: an unsigned number,
  /// "0x80000000", "true", an enumerator.
  std::string value_at(std::uint64_t address, std::uint64_t value, std::uint32_t size);
  /// Returns the type of the object at `address`, as far as is known.
  const simt::value_type& type(std::uint64_t address);
  /// Returns an operation of the subject by its number.
  [[nodiscard]] simt::detail::operation_entry object_operation(std::uint32_t number) const {
    const simt::detail::subject_entry& entry = *run_.setup().entry;
    // If the subject is no object, clients that never end do the workload again and again.
    if (entry.operations == nullptr) {
      return {entry.workload, 0, simt::detail::operation_entry::result::nothing};
    }
    return entry.operations[number];
  }
  /// Returns the word for a result that is missing: "empty".
  [[nodiscard]] std::string no_result(std::uint32_t number) const;
  /// Returns "w0.l2".
  [[nodiscard]] std::string lane(std::uint32_t lane) const;
  /// Returns "w0.l1", "w0.l1 and w0.l2", or "w0.l1 to w0.l3", in rising order.
  [[nodiscard]] std::string lanes(const std::vector<std::uint32_t>& lanes) const;
  /// Returns a short form for a column's head: "w0.l1–l3".
  [[nodiscard]] std::string lane_range(const std::vector<std::uint32_t>& lanes) const;

 private:
  const session& run_;
  std::shared_ptr<const simt::debug_info> info_;
  simt::class_name type_;  // of the object
  std::map<std::uint64_t, simt::named_data> variables_;
  std::map<std::uint64_t, source_place> places_;
  std::map<std::uint64_t, std::string> barrier_calls_;
  std::map<std::uint32_t, source_place> blocks_;

  const simt::named_data& data_at(std::uint64_t address);
  simt::named_data find_data(std::uint64_t address);
  std::string near_to(std::uint64_t address) const;
  std::string in_object(const std::string& path) const;
  simt::named_data in_shared(const simt::allocation& a, std::uint64_t offset) const;
  [[nodiscard]] bool is_used_as_mbarrier(std::uint64_t address) const;
  [[nodiscard]] bool is_address(std::uint64_t value, std::uint32_t size) const;
};

}  // namespace warpcheck
