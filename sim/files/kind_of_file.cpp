// Asks the file system what a name stands for, and puts it into words.
#include "sim/files/kind_of_file.hpp"

#include <system_error>

namespace simt {

std::string in_place_of_file(const std::filesystem::path& name) {
  std::error_code error;
  switch (std::filesystem::status(name, error).type()) {
    case std::filesystem::file_type::regular: return {};
    case std::filesystem::file_type::directory: return "is a folder";
    case std::filesystem::file_type::block:
    case std::filesystem::file_type::character: return "is a device";
    case std::filesystem::file_type::fifo: return "is a pipe";
    case std::filesystem::file_type::socket: return "is a socket";
    default: return "is no file";
  }
}

std::string objection_to_file(const std::filesystem::path& name) {
  std::error_code error;
  if (!std::filesystem::exists(name, error)) return "no such file";
  const std::string what = in_place_of_file(name);
  return what.empty() ? what : what + "; name a plain file";
}

}  // namespace simt
