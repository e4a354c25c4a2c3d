// Reads segments, symbols and notes of shared objects by libelf.
#include "sim/subject/elf_image.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

namespace simt::detail {
namespace {

class elf_file {
 public:
  explicit elf_file(const std::filesystem::path& file) {
    elf_version(EV_CURRENT);
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
    if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF) {
      close();
      throw std::runtime_error(file.string() + " is not a shared object");
    }
  }
  ~elf_file() { close(); }
  elf_file(const elf_file&) = delete;
  elf_file& operator=(const elf_file&) = delete;

  [[nodiscard]] Elf* get() const { return elf_; }

 private:
  void close() {
    if (elf_ != nullptr) elf_end(elf_);
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor_ = -1;
  Elf* elf_ = nullptr;
};

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

// Pointers to constants lie in .data.rel.ro, and the instrumentation's tables in __sancov_*. The
// device writes neither.
bool is_device_section(const std::string& name) {
  if (starts_with(name, ".data.rel.ro")) return false;
  return name == ".data" || name == ".bss" || starts_with(name, ".data.") ||
         starts_with(name, ".bss.");
}

// Whether the name is a library's, or one that the linker adds to each object, or (`__simt_`) a gap
// behind a kernel's variable. Other names that begin with `__` may be the author's.
bool is_reserved(const std::string& name) {
  if (!starts_with(name, "__")) return false;
  return name.find("::") != std::string::npos || starts_with(name, "__sancov_") ||
         starts_with(name, "__simt_") || starts_with(name, "__start_") ||
         starts_with(name, "__stop_") || name == "__dso_handle" || name == "__TMC_END__" ||
         name == "__bss_start";
}

// Whether the compiler or the API made the variable, not the subject.
bool is_implementation(const std::string& name) {
  return starts_with(name, "simt::") || starts_with(name, "guard variable for ") ||
         is_reserved(name) || starts_with(name, "DW.") || starts_with(name, "vtable for ") ||
         starts_with(name, "typeinfo ") || name == "completed.0";
}

void read_segments(Elf* elf, std::uint64_t bias, elf_image& image) {
  std::size_t count = 0;
  elf_getphdrnum(elf, &count);
  image.begin = ~std::uint64_t{0};
  for (std::size_t index = 0; index < count; ++index) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(index), &segment) == nullptr) continue;
    const std::uint64_t begin = bias + segment.p_vaddr;
    const std::uint64_t end = begin + segment.p_memsz;
    if (segment.p_type == PT_LOAD) {
      image.begin = std::min(image.begin, begin);
      image.end = std::max(image.end, end);
      if ((segment.p_flags & PF_W) == 0) image.constants.emplace_back(begin, end);
    }
    // This segment is read-only once the addresses in it are relocated.
    if (segment.p_type == PT_GNU_RELRO) image.constants.emplace_back(begin, end);
  }
}

// Calls visit(symbol, name) for each entry of the file's symbol tables.
template <typename Visit>
void for_each_symbol(Elf* elf, Visit visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    const std::size_t count = header.sh_size / header.sh_entsize;
    for (std::size_t index = 0; index < count; ++index) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(index), &symbol) == nullptr) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) visit(symbol, name);
    }
  }
}

// The first section of that type; null if there is none.
Elf_Data* section_data(Elf* elf, GElf_Word type, GElf_Shdr& header) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type) continue;
    return elf_getdata(section, nullptr);
  }
  return nullptr;
}

std::string section_name(Elf* elf, std::size_t index) {
  Elf_Scn* section = elf_getscn(elf, index);
  GElf_Shdr header;
  std::size_t names = 0;
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return {};
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  const char* name = elf_strptr(elf, names, header.sh_name);
  return name != nullptr ? name : "";
}

void read_globals(Elf* elf, std::uint64_t bias, elf_image& image) {
  for_each_symbol(elf, [&](const GElf_Sym& symbol, const char* name) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) return;
    if (!is_device_section(section_name(elf, symbol.st_shndx))) return;
    std::string readable = demangle(name);
    if (is_implementation(readable)) return;
    image.globals.push_back({bias + symbol.st_value, symbol.st_size, std::move(readable), {}});
  });
}

void read_thread_variables(Elf* elf, elf_image& image) {
  constexpr std::string_view mark = "guard variable for ";
  for_each_symbol(elf, [&](const GElf_Sym& symbol, const char* name) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_TLS || symbol.st_size == 0) return;
    std::string readable = demangle(name);
    if (starts_with(readable, mark.data())) readable.erase(0, mark.size());
    image.thread_variables.push_back({symbol.st_value, symbol.st_size, std::move(readable)});
  });
}

// The build id in a section of notes.
std::string build_id_in(Elf_Data* data) {
  GElf_Nhdr note;
  std::size_t name = 0, content = 0, next = 0;
  for (std::size_t at = 0; (next = gelf_getnote(data, at, &note, &name, &content)) > 0; at = next) {
    if (note.n_type != NT_GNU_BUILD_ID) continue;
    const auto* bytes = static_cast<const unsigned char*>(data->d_buf) + content;
    std::string digits;
    for (std::size_t index = 0; index < note.n_descsz; ++index) {
      digits += "0123456789abcdef"[bytes[index] >> 4];
      digits += "0123456789abcdef"[bytes[index] & 15];
    }
    return digits;
  }
  return {};
}

}  // namespace

std::string read_build_id(const std::filesystem::path& file) {
  const elf_file opened(file);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(opened.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_NOTE) continue;
    if (std::string id = build_id_in(elf_getdata(section, nullptr)); !id.empty()) return id;
  }
  return {};
}

namespace {

std::vector<std::string> undefined_names(const std::filesystem::path& file,
                                         bool also_of_libraries) {
  const elf_file opened(file);
  GElf_Shdr header;
  Elf_Data* versions = section_data(opened.get(), SHT_GNU_versym, header);
  Elf_Data* symbols = section_data(opened.get(), SHT_DYNSYM, header);
  std::vector<std::string> names;
  if (symbols == nullptr || header.sh_entsize == 0) return names;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int index = 1; index < count; ++index) {
    GElf_Sym symbol;
    if (gelf_getsym(symbols, index, &symbol) == nullptr) continue;
    if (symbol.st_shndx != SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_WEAK) continue;
    // A name that a library defines has a version of that library.
    GElf_Versym version = 0;
    if (versions != nullptr) gelf_getversym(versions, index, &version);
    if (version > VER_NDX_GLOBAL && !also_of_libraries) continue;
    const char* name = elf_strptr(opened.get(), header.sh_link, symbol.st_name);
    if (name != nullptr) names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> names_left_open(const std::filesystem::path& file) {
  return undefined_names(file, false);
}

std::vector<std::string> names_needed(const std::filesystem::path& file) {
  return undefined_names(file, true);
}

std::vector<std::string> guarded_variables(const std::filesystem::path& file) {
  constexpr std::string_view mark = "guard variable for ";
  const elf_file opened(file);
  std::vector<std::string> names;
  for_each_symbol(opened.get(), [&](const GElf_Sym&, const char* name) {
    const std::string readable = demangle(name);
    if (starts_with(readable, mark.data())) names.push_back(readable.substr(mark.size()));
  });
  return names;
}

std::string demangle(const char* name) {
  // A name without _Z, such as `g` or `x`, would be read as the code of a type.
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  char* readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  if (status != 0 || readable == nullptr) return name;
  std::string result = readable;
  std::free(readable);
  return result;
}

elf_image read_elf_image(const std::filesystem::path& file, std::uint64_t bias) {
  const elf_file opened(file);
  elf_image image;
  read_segments(opened.get(), bias, image);
  read_globals(opened.get(), bias, image);
  read_thread_variables(opened.get(), image);
  // Scenarios, reports and states name globals in this order, whatever the linker's was.
  std::sort(image.globals.begin(), image.globals.end(),
            [](const device_global& a, const device_global& b) { return a.address < b.address; });
  return image;
}

std::map<std::uint64_t, std::string> read_functions(const std::filesystem::path& file,
                                                    std::uint64_t begin) {
  const elf_file opened(file);
  elf_image unbiased;
  read_segments(opened.get(), 0, unbiased);
  std::map<std::uint64_t, std::string> functions;
  for_each_symbol(opened.get(), [&](const GElf_Sym& symbol, const char* name) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF) {
      functions.emplace(begin - unbiased.begin + symbol.st_value, name);
    }
  });
  return functions;
}

std::string object_at(std::uint64_t address) {
  Dl_info mapped{};
  if (dladdr(reinterpret_cast<const void*>(address), &mapped) == 0) return {};
  const elf_file opened(mapped.dli_fname);
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(mapped.dli_fbase);
  std::string found;
  for_each_symbol(opened.get(), [&](const GElf_Sym& symbol, const char* name) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && offset - symbol.st_value < symbol.st_size)
      found = demangle(name);
  });
  return found;
}

}  // namespace simt::detail
