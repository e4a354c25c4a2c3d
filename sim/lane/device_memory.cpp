// Lays out device memory, and runs host code of the subject in a worker process.
#include "sim/lane/device_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include <simt/detail/element.hpp>

#include "sim/worker/bytes.hpp"

namespace simt {
namespace {

// Gaps between allocations make an index that is slightly too large hit nothing.
constexpr std::uint64_t gap = 256;
constexpr std::uint64_t arena_bytes = std::uint64_t{1} << 28;  // reserved address space

// Requests to the worker.
enum class host_phase : std::uint8_t { construct, check, next_launch };
// What a constructor in the worker asks for.
enum class constructed : std::uint8_t { array, pool };

std::uint64_t round_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

}  // namespace

class arena_arrays : public array_allocator {
 public:
  /// `told`: records requests for tell_again in another process; may be null.
  arena_arrays(device_memory& memory, const array_setups& arrays, std::uint64_t threads,
               byte_writer* told)
      : memory_(memory), arrays_(arrays), threads_(threads), told_(told) {
    set_array_allocator(this);
  }
  ~arena_arrays() override { set_array_allocator(nullptr); }
  arena_arrays(const arena_arrays&) = delete;
  arena_arrays& operator=(const arena_arrays&) = delete;

  void* allocate(const char* name, std::size_t size, std::size_t align, detail::element_kind kind,
                 std::size_t* count) override {
    if (told_ != nullptr) {
      told_->put(constructed::array);
      told_->put_text(name);
      told_->put(std::uint64_t{size});
      told_->put(std::uint64_t{align});
      told_->put(kind);
    }
    const auto given = arrays_.find(name);
    *count = given == arrays_.end() ? threads_ : given->second.elements;
    memory_.array_names_.emplace_back(name);
    const std::uint64_t array = memory_.place(allocation::kind::array, size * *count, align, name);
    if (given != arrays_.end()) fill(array, size, kind, given->second.values, name);
    return reinterpret_cast<void*>(array);
  }

  void add_pool(const detail::pool_layout& layout) override {
    if (told_ != nullptr) {
      told_->put(constructed::pool);
      told_->put(layout);
    }
    const auto words = reinterpret_cast<std::uint64_t>(layout.words);
    const allocation* in = nullptr;  // the object; other allocations are not sorted by address yet
    for (const allocation& a : memory_.allocations_) {
      if (words >= a.address && words < a.address + a.size) in = &a;
    }
    if (in == nullptr) throw memory_error("a pool must be a member of the subject");
    memory_.pools_.push_back({words, reinterpret_cast<std::uint64_t>(layout.nodes), layout.stride,
                              in->offset + (words - in->address), layout.capacity,
                              memory_.pool_nodes_, layout.guarded});
    memory_.pool_nodes_ += layout.capacity + 1;
  }

  void tell_again(byte_reader told) {
    while (!told.rest().empty()) {
      if (told.get<constructed>() == constructed::pool) {
        add_pool(told.get<detail::pool_layout>());
        continue;
      }
      const std::string name(told.get_text());
      const auto size = told.get<std::uint64_t>();
      const auto align = told.get<std::uint64_t>();
      const auto kind = told.get<detail::element_kind>();
      std::size_t count = 0;
      allocate(name.c_str(), size, align, kind, &count);
    }
  }

 private:
  device_memory& memory_;
  const array_setups& arrays_;
  std::uint64_t threads_;
  byte_writer* told_;

  static void fill(std::uint64_t array, std::size_t size, detail::element_kind kind,
                   const std::vector<std::int64_t>& values, const char* name) {
    if (!values.empty() && kind == detail::element_kind::other) {
      throw memory_error(fmt::format(
          "array \"{}\" has no integers in it, so [arrays] cannot give its values; give "
          "its size, and let the subject's constructor fill it",
          name));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!detail::element_holds(kind, size, values[i])) {
        throw memory_error(fmt::format(
            "[arrays] gives {}[{}] the value {}, but its elements are {} integers of {} bits; "
            "choose a value that fits",
            name, i, values[i],
            kind == detail::element_kind::signed_integer ? "signed" : "unsigned", 8 * size));
      }
      detail::set_element(reinterpret_cast<void*>(array + i * size), size, values[i]);
    }
  }
};

device_memory::device_memory(std::shared_ptr<const subject_library> library,
                             const detail::subject_entry& entry, const array_setups& arrays,
                             const grid_shape& grid, patience waiting)
    : library_(std::move(library)),
      entry_(entry),
      waiting_(std::move(waiting)),
      arena_size_(arena_bytes) {
  void* mapping = mmap(nullptr, arena_size_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  arena_ = static_cast<std::uint8_t*>(mapping);
  used_ = gap;

  // An earlier run of this process may have written to globals.
  for (const device_global& global : library_->globals) {
    std::memcpy(reinterpret_cast<void*>(global.address), global.image.data(), global.size);
  }
  object_ = reinterpret_cast<void*>(
      place(allocation::kind::object, std::max<std::uint64_t>(entry.size, 1), entry.align, ""));
  host_ = std::make_unique<host_worker>(
      may::compute, [&](std::string_view request) { return serve(request, arrays, grid); });
  construct(arrays, grid);
  lay_out_rest(grid);
}

// Answers a request, in the worker.
std::string device_memory::serve(std::string_view request, const array_setups& arrays,
                                 const grid_shape& grid) {
  byte_reader in(request);
  byte_writer out;
  const auto restore_rest = [&] {
    const std::string_view image = in.rest();
    restore({reinterpret_cast<const std::uint8_t*>(image.data()), image.size()});
  };
  const auto phase = in.get<host_phase>();
  if (phase == host_phase::next_launch) {
    const auto launch = in.get<std::uint32_t>();
    restore_rest();
    out.put(entry_.next_launch(object_, launch));
    out.put_bytes(image_between_launches());
    return out.take();
  }
  if (phase == host_phase::check) {
    const auto shape = in.get<detail::launch_shape>();
    restore_rest();
    const char* const message = entry_.check(object_, shape);
    out.put(message != nullptr);
    if (message != nullptr) out.put_text(message);
    return out.take();
  }
  byte_writer told;
  try {
    const arena_arrays scope(*this, arrays, grid.threads(), &told);
    entry_.construct(object_);
  } catch (const memory_error& error) {
    out.put_text(error.what());
    return out.take();
  }
  out.put_text("");  // no error
  out.put_text(told.take());
  out.put_text({reinterpret_cast<const char*>(arena_), used_});
  for (const device_global& global : library_->globals) {
    out.put_text({reinterpret_cast<const char*>(global.address), global.size});
  }
  lay_out_rest(grid);
  return out.take();
}

void device_memory::construct(const array_setups& arrays, const grid_shape& grid) {
  byte_writer request;
  request.put(host_phase::construct);
  const std::string answer = host_->ask(
      fmt::format("the constructor of subject \"{}\"", entry_.name), request.take(), waiting_);
  byte_reader in(answer);
  if (const std::string_view error = in.get_text(); !error.empty()) {
    throw memory_error(std::string(error));
  }
  arena_arrays(*this, arrays, grid.threads(), nullptr).tell_again(byte_reader(in.get_text()));
  const auto take = [&](std::uint64_t address, std::uint64_t size) {
    const std::string_view bytes = in.get_text();
    if (bytes.size() != size) throw std::runtime_error("a worker's memory has another size");
    std::memcpy(reinterpret_cast<void*>(address), bytes.data(), size);
  };
  take(reinterpret_cast<std::uint64_t>(arena_), used_);
  for (const device_global& global : library_->globals) take(global.address, global.size);
}

std::optional<std::string> device_memory::check(std::span<const std::uint8_t> image,
                                                const detail::launch_shape& shape) const {
  if (entry_.check == nullptr) return std::nullopt;
  byte_writer request;
  request.put(host_phase::check);
  request.put(shape);
  request.put_bytes(image);
  const std::string answer =
      host_->ask(fmt::format("check() of subject \"{}\"", entry_.name), request.take(), waiting_);
  byte_reader in(answer);
  if (!in.get<bool>()) return std::nullopt;
  return std::string(in.get_text());
}

device_memory::host_step device_memory::next_launch(std::span<const std::uint8_t> image,
                                                    std::uint32_t launch) const {
  byte_writer request;
  request.put(host_phase::next_launch);
  request.put(launch);
  request.put_bytes(image);
  const std::string answer =
      host_->ask(fmt::format("next_launch({}) of subject \"{}\"", launch, entry_.name),
                 request.take(), waiting_);
  byte_reader in(answer);
  host_step step;
  step.launches = in.get<bool>();
  const std::string_view bytes = in.rest();
  if (bytes.size() != image_size_) {
    throw std::runtime_error("a worker answers with a memory of another size");
  }
  step.image.assign(bytes.begin(), bytes.end());
  return step;
}

// Lays out what comes behind the constructor's allocations.
void device_memory::lay_out_rest(const grid_shape& grid) {
  shared_slots_ = static_cast<std::uint32_t>(library_->shared.size());
  cluster_ = grid.cluster;
  first_shared_ = allocations_.size();
  shared_begin_ = image_size_;
  for (std::uint32_t block = 0; block < grid.blocks; ++block) {
    for (std::uint32_t slot = 0; slot < shared_slots_; ++slot) {
      const shared_variable& variable = library_->shared[slot];
      place(allocation::kind::shared, variable.size, variable.align, fmt::format("shared {}", slot),
            block);
      if (variable.has_no_value) unwritten_.push_back({allocations_.back().offset, image_size_, 0});
    }
  }
  shared_end_ = image_size_;
  for (const device_global& global : library_->globals) {
    allocations_.push_back({allocation::kind::global, global.address, global.size, image_size_,
                            no_block, global.name});
    image_size_ += round_up(global.size, 8);
  }
  for (unwritten& variable : unwritten_) {
    variable.marks = image_size_;
    image_size_ += round_up((variable.end - variable.begin) / 8, 8);
  }
  mbarriers_ = image_size_;
  image_size_ += round_up((shared_end_ - shared_begin_ + 63) / 64, 8);
  initial_.assign(image_size_, 0);
  for (const allocation& a : allocations_) {
    std::memcpy(initial_.data() + a.offset, reinterpret_cast<const void*>(a.address), a.size);
  }
  by_address_.resize(allocations_.size());
  for (std::uint32_t i = 0; i < by_address_.size(); ++i) by_address_[i] = i;
  std::ranges::sort(by_address_, {}, [this](std::uint32_t i) { return allocations_[i].address; });
}

device_memory::~device_memory() { munmap(arena_, arena_size_); }

std::uint64_t device_memory::place(allocation::kind what, std::uint64_t size, std::uint64_t align,
                                   std::string name, std::uint32_t block) {
  used_ = round_up(used_, std::max<std::uint64_t>(align, 16));
  if (size > arena_size_ || used_ + size + gap > arena_size_) {
    throw memory_error(
        fmt::format("the device's memory is full: {} bytes are asked for \"{}\", {} in all are "
                    "simulated; make the array smaller",
                    size, name, arena_size_));
  }
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(arena_) + used_;
  allocations_.push_back({what, address, size, image_size_, block, std::move(name)});
  used_ += size + gap;
  image_size_ += round_up(size, 8);
  return address;
}

const allocation* device_memory::find(std::uint64_t address, std::uint64_t size) const {
  auto after = std::ranges::upper_bound(
      by_address_, address, {}, [this](std::uint32_t i) { return allocations_[i].address; });
  if (after == by_address_.begin()) return nullptr;
  const allocation& a = allocations_[*(after - 1)];
  return address - a.address <= a.size && size <= a.size - (address - a.address) ? &a : nullptr;
}

std::uint32_t device_memory::unit_at(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(units_, address, {}, &unit_range::begin);
  if (behind == units_.begin() || address >= (behind - 1)->end) return 0;
  return (behind - 1)->unit;
}

written_marks device_memory::marks_at(std::uint64_t offset, std::uint8_t size) const {
  const auto behind = std::ranges::upper_bound(unwritten_, offset, {}, &unwritten::begin);
  if (behind == unwritten_.begin() || offset >= (behind - 1)->end) return {};
  const unwritten& in = *(behind - 1);
  const std::uint64_t place = offset - in.begin;
  return {static_cast<std::uint32_t>(in.marks + place / 8),
          static_cast<std::uint8_t>(((1U << size) - 1) << place % 8)};
}

mbarrier_mark device_memory::mbarrier_mark_at(std::uint64_t offset) const {
  if (offset < shared_begin_ || offset >= shared_end_) return {};
  const std::uint64_t place = (offset - shared_begin_) / 8;
  return {static_cast<std::uint32_t>(mbarriers_ + place / 8),
          static_cast<std::uint8_t>(1U << place % 8)};
}

std::uint64_t device_memory::shared_address(std::uint32_t packed, std::uint32_t own) const {
  const std::uint32_t slot = packed & 0xffff, rank = packed >> 16;
  if (rank != detail::own_block && rank >= cluster_) return 0;
  const std::uint32_t block = rank == detail::own_block ? own : own / cluster_ * cluster_ + rank;
  return allocations_[first_shared_ + std::size_t{block} * shared_slots_ + slot].address;
}

pool_node device_memory::node_at(std::uint64_t address) const {
  for (const device_pool& p : pools_) {
    if (address < p.nodes || address >= p.nodes + p.stride * (p.capacity + 1ULL)) continue;
    return p.first + static_cast<pool_node>((address - p.nodes) / p.stride);
  }
  return no_node;
}

pool_node device_memory::node_of_word(std::uint64_t address, std::uint64_t place) const {
  for (const device_pool& p : pools_) {
    if (address < p.words || (address - p.words) % 8 != 0) continue;
    const std::uint64_t number = (address - p.words) / 8 * detail::pool_word_nodes + place;
    if (number <= p.capacity && place < detail::pool_word_nodes) {
      return p.first + static_cast<pool_node>(number);
    }
  }
  return no_node;
}

const device_pool& device_memory::pool_of(pool_node node) const {
  auto at = pools_.begin();
  while (at + 1 != pools_.end() && (at + 1)->first <= node) ++at;
  return *at;
}

bool device_memory::is_in_use(pool_node node, std::span<const std::uint8_t> image) const {
  const device_pool& p = pool_of(node);
  const std::uint32_t number = node - p.first;
  std::uint64_t word = 0;
  std::memcpy(&word, image.data() + p.words_offset + number / detail::pool_word_nodes * 8, 8);
  const std::uint32_t place = number % detail::pool_word_nodes;
  return number != 0 && place < word >> detail::pool_word_nodes && (word >> place & 1U) == 0;
}

void device_memory::restore(std::span<const std::uint8_t> image) const {
  for (const allocation& a : allocations_) {
    std::memcpy(reinterpret_cast<void*>(a.address), image.data() + a.offset, a.size);
  }
}

std::vector<std::uint8_t> device_memory::image_between_launches() const {
  std::vector<std::uint8_t> image(image_size_, 0);
  for (const allocation& a : allocations_) {
    if (a.what == allocation::kind::shared) continue;
    std::memcpy(image.data() + a.offset, reinterpret_cast<const void*>(a.address), a.size);
  }
  return image;
}

const std::vector<std::uint8_t>& device_memory::poisoned(std::uint8_t poison) const {
  std::vector<std::uint8_t>& bytes = poisoned_[poison == 0 ? 0 : 1];
  const auto begin = reinterpret_cast<std::uint64_t>(arena_);
  while (bytes.size() < used_) bytes.push_back(poison_at(poison, begin + bytes.size()));
  return bytes;
}

void device_memory::fill(std::uint8_t poison) const {
  std::memcpy(arena_, poisoned(poison).data(), used_);
  for (const device_global& global : library_->globals) {
    for (std::uint64_t at = global.address; at < global.address + global.size; ++at) {
      *reinterpret_cast<std::uint8_t*>(at) = poison_at(poison, at);
    }
  }
}

std::uint64_t device_memory::first_change(std::uint8_t poison,
                                          std::span<const range> except) const {
  const auto scan = [&](std::uint64_t begin, std::uint64_t size) -> std::uint64_t {
    for (std::uint64_t at = begin; at < begin + size; ++at) {
      if (*reinterpret_cast<const std::uint8_t*>(at) == poison_at(poison, at)) continue;
      const bool announced =
          std::ranges::any_of(except, [at](const range& r) { return at >= r.begin && at < r.end; });
      if (!announced) return at;
    }
    return 0;
  };
  constexpr std::uint64_t part = 256;  // bytes, most of which have not changed
  const std::uint8_t* const expected = poisoned(poison).data();
  for (std::uint64_t i = 0; i < used_; i += part) {
    const std::uint64_t size = std::min(part, used_ - i);
    if (std::memcmp(arena_ + i, expected + i, size) == 0) continue;
    if (const auto at = scan(reinterpret_cast<std::uint64_t>(arena_ + i), size)) return at;
  }
  for (const device_global& global : library_->globals) {
    if (const auto at = scan(global.address, global.size)) return at;
  }
  return 0;
}

}  // namespace simt
