// Compiles ptx_pairs.cu to PTX and compares each api_NAME with raw_NAME: the same instructions, up
// to the numbers of registers, the labels and the names of variables.
//
// usage: ptx_pairs NVCC INCLUDE_FOLDER SOURCE ARCHITECTURE... Exits 77 where NVCC is empty.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using lines = std::vector<std::string>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

/// Registers, labels and variables become their kind and a number in the order of appearance.
class normalizer {
 public:
  std::string operator()(const std::string& line) {
    std::string result;
    for (std::size_t i = 0; i < line.size();) {
      if (!is_word(line[i])) {
        result += line[i++];
        continue;
      }
      std::size_t end = i;
      while (end < line.size() && is_word(line[end])) ++end;
      result += word(line.substr(i, end - i));
      i = end;
    }
    return result;
  }

 private:
  std::string word(const std::string& text) {
    const char* kind = kind_of(text);
    if (kind == nullptr) return text;
    const auto [found, added] = numbers_.try_emplace(text, numbers_.size());
    return kind + std::to_string(found->second);
  }

  // Special registers (%tid, %laneid) stay as they are: no digits follow a short prefix.
  static const char* kind_of(const std::string& text) {
    if (text[0] == '%')
      return std::isdigit(static_cast<unsigned char>(text.back())) != 0 ? "%" : nullptr;
    if (text.rfind("$L_", 0) == 0) return "$";
    if (text.rfind("__local_depot", 0) == 0) return "local";
    if (text.rfind("_Z", 0) == 0 || text.rfind("api_", 0) == 0 || text.rfind("raw_", 0) == 0)
      return "name";
    return nullptr;
  }

  std::map<std::string, std::size_t> numbers_;
};

/// The instructions and labels of each kernel, without declarations and comments.
std::map<std::string, lines> read_kernels(const std::string& file) {
  std::ifstream stream(file);
  std::map<std::string, lines> kernels;
  std::string name;
  bool in_body = false;
  normalizer normalize;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t comment = line.find("//");
    if (comment != std::string::npos) line.erase(comment);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    line.erase(0, first);
    line.erase(line.find_last_not_of(" \t") + 1);
    const std::string entry = ".entry ";
    const std::size_t at = line.find(entry);
    if (at != std::string::npos) {
      name = line.substr(at + entry.size());
      name.erase(name.find('('));
      normalize = normalizer();
      continue;
    }
    if (line == "{" && !name.empty() && !in_body) {
      in_body = true;
      kernels[name];
    } else if (line == "}" && in_body) {
      in_body = false;
      name.clear();
    } else if (in_body && line.rfind(".reg", 0) != 0 && line.rfind(".loc", 0) != 0) {
      // Demoted shared variables are declared in the body; what counts is how they are used.
      if (line.rfind(".shared", 0) != 0) kernels[name].push_back(normalize(line));
    }
  }
  return kernels;
}

void print(const char* title, const lines& code) {
  std::printf("  %s\n", title);
  for (const std::string& line : code) std::printf("    %s\n", line.c_str());
}

/// The number of pairs that differ.
int compare(const std::map<std::string, lines>& kernels, const std::string& architecture) {
  int pairs = 0;
  int different = 0;
  for (const auto& [name, code] : kernels) {
    if (name.rfind("api_", 0) != 0) continue;
    const auto raw = kernels.find("raw_" + name.substr(4));
    ++pairs;
    const bool same = raw != kernels.end() && raw->second == code;
    if (same != (name.rfind("api_must_differ", 0) == 0)) continue;
    ++different;
    std::printf("%s: %s is not as it should be\n", architecture.c_str(), name.c_str() + 4);
    print("through the API:", code);
    print("libcu++ or CUDA:", raw != kernels.end() ? raw->second : lines{"(missing)"});
  }
  std::printf("%s: %d of %d pairs are as they should be\n", architecture.c_str(), pairs - different,
              pairs);
  return pairs == 0 ? 1 : different;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: ptx_pairs NVCC INCLUDE_FOLDER SOURCE ARCHITECTURE...\n");
    return 2;
  }
  const std::string nvcc = argv[1];
  if (nvcc.empty()) {
    std::printf("skipped: nvcc was not found when the project was configured\n");
    return 77;
  }
  int different = 0;
  for (int i = 4; i < argc; ++i) {
    const std::string architecture = argv[i];
    const std::string output = "ptx_pairs_" + architecture + ".ptx";
    const std::string command = "\"" + nvcc + "\" -std=c++20 -ptx -arch=" + architecture + " -I\"" +
                                argv[2] + "\" \"" + argv[3] + "\" -o " + output;
    if (std::system(command.c_str()) != 0) {
      std::printf("failed: %s\n", command.c_str());
      return 1;
    }
    different += compare(read_kernels(output), architecture);
  }
  return different == 0 ? 0 : 1;
}
