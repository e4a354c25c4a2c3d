// Sequentially consistent memory: one image, on which accesses act one after another. With
// asynchronous copies, their marks follow the image (copy_marks.hpp).
//
// Models: docs/model.md, "Memory". Does not model: weaker orders and scopes. Accesses for which
// they would matter are races, which machine::conflict finds.
#pragma once

#include "sim/machine/memory/machine_memory.hpp"

namespace simt {

class sc_memory final : public machine_memory {
 public:
  sc_memory(interned_bytes& images, std::size_t image_size, bool has_copies)
      : machine_memory({}, images, image_size), has_copies_(has_copies) {}

  void begin(std::vector<std::uint8_t>& image) override;
  void begin_launch(std::vector<std::uint8_t>& image) override { begin(image); }
  void list(const memory_request& asked, std::vector<memory_outcome>& out) override;
  std::uint32_t rename(std::uint32_t memory, const memory_names& names) override;
  [[nodiscard]] memory_reading reading(const memory_request& asked,
                                       std::uint32_t number) const override;
  [[nodiscard]] std::vector<stored_value> stored_at(std::uint32_t memory, std::uint32_t offset,
                                                    std::uint8_t size) const override;

 private:
  std::vector<std::uint8_t> bytes_;
  bool has_copies_;

  void list_with_copies(const memory_request& asked, std::vector<memory_outcome>& out);
};

}  // namespace simt
