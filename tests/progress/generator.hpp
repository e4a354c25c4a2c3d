// Random small programs. The same seed gives the same ones on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace test {

/// Up to three threads of up to three instructions, on two words.
class generator {
 public:
  explicit generator(std::uint32_t seed) : random_(seed) {}

  std::vector<std::vector<std::string>> operator()() {
    std::vector<std::vector<std::string>> threads(1 + below(3));
    for (auto& thread : threads) {
      thread.resize(threads.size() == 3 ? 1 + below(2) : below(4));
      for (std::string& text : thread) text = instruction(thread.size());
    }
    return threads;
  }

 private:
  std::mt19937 random_;

  // Not a distribution of the library's: those differ between libraries.
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::string instruction(std::size_t size) {
    const std::size_t word = below(2);
    const std::size_t target = below(size + 1);
    const std::string to = target == size ? "end" : std::to_string(target);
    switch (below(3)) {
      case 0: return fmt::format("store m{} {}", word, below(3));
      case 1: return fmt::format("branch m{} {} {}", word, below(3), to);
      default: return fmt::format("xbranch m{} {} {} {}", word, below(3), below(3), to);
    }
  }
};

inline std::string text_of(const std::vector<std::vector<std::string>>& threads) {
  std::string text;
  for (const auto& thread : threads) {
    text += '[';
    for (const std::string& instruction : thread) text += instruction + "; ";
    text += ']';
  }
  return text;
}

}  // namespace test
