// Finds PTX in fat binaries, and unpacks it.
#include "exec/driver/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>
#include <cctype>
#include <cstring>
#include <vector>

namespace warpcheck::driver {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t binary_magic = 0xba55ed50;
constexpr std::uint32_t elf_magic = 0x464c457f;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint64_t packed_by_lz4 = 0x2000;
constexpr std::uint64_t packed_by_zstd = 0x8000;
constexpr std::uint64_t largest_text = std::uint64_t{256} << 20;
constexpr std::uint32_t preferred_sm = 90;

struct wrapper {
  std::uint32_t magic, version;
  const void* binary;
  const void* others;
};

struct binary_header {
  std::uint32_t magic;
  std::uint16_t version, header_size;
  std::uint64_t size;  // without the header
};

// The header in front of each code of a fat binary.
struct code_header {
  std::uint16_t kind, version;
  std::uint32_t header_size;
  std::uint64_t size;         // to the next header
  std::uint32_t packed_size;  // 0: as it is
  std::uint32_t options_at;
  std::uint16_t minor, major;
  std::uint32_t sm;
  std::uint32_t name_at, name_size;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t text_size;  // unpacked
};

template <class T>
T at(const void* where) {
  T value;
  std::memcpy(&value, where, sizeof value);
  return value;
}

const char no_ptx[] =
    "the program has machine code for GPUs, but no PTX: compile it with -arch=compute_80 or "
    "another compute_ architecture";

found_ptx unpacked(const code_header& header, const char* payload) {
  found_ptx found;
  const auto damaged = [&](const char* how) {
    found.code = invalid_image;
    found.message = std::string("the PTX of the program cannot be unpacked (") + how +
                    "): compile it with --no-compress";
    return found;
  };
  if (header.packed_size == 0) {
    found.text.assign(payload, header.size);
  } else {
    if (header.packed_size > header.size || header.text_size > largest_text)
      return damaged("its sizes are wrong");
    found.text.resize(header.text_size);
    if ((header.flags & packed_by_zstd) != 0) {
      const std::size_t got =
          ZSTD_decompress(found.text.data(), found.text.size(), payload, header.packed_size);
      if (ZSTD_isError(got) != 0) return damaged(ZSTD_getErrorName(got));
      found.text.resize(got);
    } else if ((header.flags & packed_by_lz4) != 0) {
      const int got =
          LZ4_decompress_safe(payload, found.text.data(), static_cast<int>(header.packed_size),
                              static_cast<int>(found.text.size()));
      if (got < 0) return damaged("by LZ4");
      found.text.resize(static_cast<std::size_t>(got));
    } else {
      return damaged("by a method that is not known");
    }
  }
  // Zeros fill the space behind the text.
  if (const auto end = found.text.find('\0'); end != std::string::npos) found.text.resize(end);
  return found;
}

found_ptx in_binary(const char* image) {
  const auto header = at<binary_header>(image);
  const char* place = image + header.header_size;
  const char* const end = place + header.size;
  const char* best = nullptr;
  std::uint32_t best_sm = 0;
  while (end - place >= static_cast<std::ptrdiff_t>(sizeof(code_header))) {
    const auto code = at<code_header>(place);
    if (code.header_size < sizeof code || code.size > header.size) break;
    if (code.kind == kind_ptx) {
      const bool fits = code.sm <= preferred_sm;
      const bool best_fits = best_sm <= preferred_sm;
      const bool is_better =
          fits ? !best_fits || code.sm > best_sm : !best_fits && code.sm < best_sm;
      if (best == nullptr || is_better) {
        best = place;
        best_sm = code.sm;
      }
    }
    place += code.header_size + code.size;
  }
  if (best == nullptr) return {no_binary_for_gpu, {}, no_ptx};
  const auto code = at<code_header>(best);
  return unpacked(code, best + code.header_size);
}

}  // namespace

found_ptx ptx_in(const void* image) {
  if (image == nullptr) return {invalid_value, {}, {}};
  const auto magic = at<std::uint32_t>(image);
  if (magic == wrapper_magic) return ptx_in(at<wrapper>(image).binary);
  if (magic == binary_magic) return in_binary(static_cast<const char*>(image));
  if (magic == elf_magic) return {no_binary_for_gpu, {}, no_ptx};
  const char* const text = static_cast<const char*>(image);
  if (std::isprint(static_cast<unsigned char>(*text)) == 0 &&
      std::isspace(static_cast<unsigned char>(*text)) == 0) {
    return {invalid_image, {}, "a module of a format that is not known; give PTX"};
  }
  return {success, text, {}};
}

}  // namespace warpcheck::driver
