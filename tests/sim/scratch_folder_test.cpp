// Scratch folders go away, and take nothing with them that is not ours.
#include "sim/files/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "sim/files/whole_file.hpp"

namespace fs = std::filesystem;
using simt::detail::scratch_folder;
using simt::detail::temporary_folder;

namespace {

void make_old(const fs::path& path) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(48));
}

/// A folder with a file in it, made two days ago.
fs::path old_folder(const fs::path& folder, const char* file, const char* content) {
  fs::create_directories(folder);
  std::ofstream(folder / file) << content;
  make_old(folder);
  return folder;
}

}  // namespace

TEST_CASE("a scratch folder goes away, with the folder that it is in") {
  const temporary_folder own(fs::temp_directory_path());
  {
    const scratch_folder one(own.path());
    const scratch_folder other(own.path());
    CHECK(fs::is_directory(one.path()));
    CHECK(one.path() != other.path());
    std::ofstream(one.path() / "half") << "a file";
  }
  CHECK(fs::is_empty(own.path()));
}

TEST_CASE("only old scratch folders of ours are removed") {
  const temporary_folder own(fs::temp_directory_path());
  const fs::path room = own.path() / scratch_folder::room;
  const fs::path users = old_folder(own.path() / "warpcheck-results", "results.json", "{}");
  const fs::path marked =
      old_folder(own.path() / "warpcheck-O4ytNM", scratch_folder::marker, scratch_folder::mark);
  const fs::path unmarked = old_folder(room / "warpcheck-aaaaaa", "results.json", "{}");
  const fs::path other_mark = old_folder(room / "warpcheck-bbbbbb", scratch_folder::marker, "");
  const fs::path left =
      old_folder(room / "warpcheck-cccccc", scratch_folder::marker, scratch_folder::mark);
  fs::create_directory_symlink(marked, room / "warpcheck-dddddd");
  const fs::path fresh =
      old_folder(room / "warpcheck-eeeeee", scratch_folder::marker, scratch_folder::mark);
  fs::last_write_time(fresh, fs::file_time_type::clock::now());
  { const scratch_folder scratch(own.path()); }
  for (const fs::path& kept : {users, marked, unmarked, other_mark, fresh}) {
    CAPTURE(kept);
    CHECK(!fs::is_empty(kept));
  }
  CHECK(fs::is_symlink(room / "warpcheck-dddddd"));
  CHECK(!fs::exists(left));
}

TEST_CASE("a folder in which none can be made is named") {
  CHECK_THROWS_WITH_AS(scratch_folder("/dev/null"),
                       "no folder can be made in /dev/null: Not a directory", simt::file_error);
}
