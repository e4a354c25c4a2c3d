// What compilers made, kept between runs and found again by content: its name has a hash of all
// that it was made of. Files are written under a temporary name and renamed, so that processes may
// share the folder.
//
// What is found is code that is run, so nobody else may write it: files and the folder belong to
// the user alone. Behind its content each file has a last line with a hash, by which one that is
// cut off or damaged is told. (Neither the loader nor a reader of PTX or C++ minds that line.)
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

/// The same of a file; empty if it cannot be read.
std::string file_hash(const std::filesystem::path& file);

/// The prerequisites in a make-style dependency file, in order.
std::vector<std::filesystem::path> read_depfile(const std::filesystem::path& depfile);

std::vector<dependency> hash_all(const std::vector<std::filesystem::path>& files);

/// Where compiled subjects are kept: $WARPCHECK_CACHE, or warpcheck/subjects in $XDG_CACHE_HOME or
/// ~/.cache. Where that cannot be written, a folder of this process, removed when it ends. Throws
/// compile_error where others may write to it.
std::filesystem::path cache_folder();

/// Removes such a folder of this process, which does not end by itself where the process ends by
/// _exit.
void remove_cache_of_process();

/// Whether keep_cached made the file: its last line says so. Others in the folder are not ours.
bool is_of_cache(const std::filesystem::path& file);

/// The file of that name, if it is there and whole. Throws compile_error where it belongs to
/// somebody else, or others may write to it.
std::optional<std::filesystem::path> find_cached(const std::filesystem::path& folder,
                                                 const std::string& name);

/// Moves a file there. Returns where it is.
std::filesystem::path keep_cached(const std::filesystem::path& folder, const std::string& name,
                                  const std::filesystem::path& made);

}  // namespace simt::detail
