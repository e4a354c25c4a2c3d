#include "checker/commands/write_whole.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

void write_whole(const fs::path& file, std::string_view text, const std::string& option) {
  const auto fail = [&](const std::string& why) {
    throw usage_error(fmt::format("{}: {} cannot be written: {}", option, file.string(), why));
  };
  std::error_code error;
  // Through a link, so that the link stays one.
  const fs::path target = fs::weakly_canonical(fs::absolute(file), error);
  if (error) fail(error.message());
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    fail("it is there, and is not a file");
  }
  fs::create_directories(target.parent_path(), error);
  if (error) fail(error.message());
  // In the same folder, since only within a file system is a renaming one step.
  fs::path temporary = target;
  temporary += fmt::format(".{}.tmp", getpid());
  {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) {
      fs::remove(temporary, error);
      fail("no file can be written in that folder");
    }
  }
  fs::rename(temporary, target, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(temporary, error);
    fail(why);
  }
}

}  // namespace warpcheck
