// Keeps what compilers made between runs. A file is found again by content: its name has a hash of
// all that it was made of. Files are written under a temporary name and renamed, so that processes
// may share the folder.
//
// Cached code is run, so nobody else may write it: files and the folder belong to the user alone.
// Behind its content each file has a last line with a hash, which detects a file that is cut off or
// damaged. Neither the loader nor a reader of PTX or C++ minds that line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::detail {

struct dependency {
  std::filesystem::path file;
  std::string hash;
};

/// XXH3, 128 bits, as 32 hexadecimal digits.
std::string content_hash(std::string_view content);

/// XXH3 of a file's content. Empty: the file cannot be read.
std::string file_hash(const std::filesystem::path& file);

/// The prerequisites in a make-style dependency file, in order.
std::vector<std::filesystem::path> read_depfile(const std::filesystem::path& depfile);

std::vector<dependency> hash_all(const std::vector<std::filesystem::path>& files);

/// The folder of compiled subjects: $WARPCHECK_CACHE, or warpcheck/subjects in $XDG_CACHE_HOME or
/// ~/.cache. If that cannot be written: a folder of this process, removed when the process ends.
/// Throws compile_error if others may write to the folder.
std::filesystem::path cache_folder();

/// Removes the folder of this process. A process that ends by _exit must call this itself.
void remove_cache_of_process();

/// Whether keep_cached made the file: its last line says so. Other files in the folder are not
/// ours.
bool is_of_cache(const std::filesystem::path& file);

/// The file of that name, if it is there and whole. Throws compile_error if it belongs to somebody
/// else, or others may write to it.
std::optional<std::filesystem::path> find_cached(const std::filesystem::path& folder,
                                                 const std::string& name);

/// Moves a file into the folder. Returns its new path.
std::filesystem::path keep_cached(const std::filesystem::path& folder, const std::string& name,
                                  const std::filesystem::path& made);

}  // namespace simt::detail
