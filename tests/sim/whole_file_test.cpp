// Files that are there whole or not at all.
#include "sim/files/whole_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/files/scratch_folder.hpp"

namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

auto files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

TEST_CASE("a file has its old content until the new one is finished") {
  const simt::detail::temporary_folder own(fs::temp_directory_path());
  const fs::path file = own.path() / "made/here/results.json";
  simt::write_whole(file, "old");
  {
    simt::whole_file given_up(file);
    given_up.content() << "half";
  }
  CHECK(content_of(file) == "old");
  simt::whole_file kept(file);
  kept.content() << "new";
  CHECK(content_of(file) == "old");
  kept.finish();
  CHECK(content_of(file) == "new");
  CHECK(files_in(file.parent_path()) == 1);
}

TEST_CASE("a link stays one") {
  const simt::detail::temporary_folder own(fs::temp_directory_path());
  fs::create_symlink("target", own.path() / "link");
  simt::write_whole(own.path() / "target", "old");
  simt::write_whole(own.path() / "link", "new");
  CHECK(fs::is_symlink(own.path() / "link"));
  CHECK(content_of(own.path() / "target") == "new");
}

TEST_CASE("what cannot be written is named, with the reason") {
  const simt::detail::temporary_folder own(fs::temp_directory_path());
  const auto message = [](const fs::path& file) -> std::string {
    try {
      simt::write_whole(file, "text");
    } catch (const simt::file_error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(message("/dev/null/x") == "/dev/null/x cannot be written: Not a directory");
  CHECK(message(own.path()).find("it is there, and is not a file") != std::string::npos);
  CHECK(files_in(own.path()) == 0);
}
