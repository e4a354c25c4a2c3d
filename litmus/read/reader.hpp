// What the parts of the parser share: the tokens, the program as read so far, and names.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/program.hpp"
#include "litmus/read/tokens.hpp"

namespace litmus {

inline constexpr std::size_t most_threads = 16;
inline constexpr std::size_t most_instructions = 256;  // of a thread
inline constexpr std::size_t most_locations = 64;

/// The location, and the address of it, that a name stands for.
struct named_memory {
  std::uint32_t location = 0;
  std::uint32_t address = 0;  // of the location
};

class reader {
 public:
  reader(const source& from, std::vector<token> all) : from_(from), all_(std::move(all)) {}

  litmus::program program;
  struct proxy_fence {
    token at;
    litmus::proxy proxy = proxy::generic;
  };
  std::vector<proxy_fence> proxy_fences;  // all that the program has
  struct barrier_reduction {
    token at;
    std::size_t thread = 0, instruction = 0;
  };
  std::vector<barrier_reduction> reductions;  // as above
  struct copy {
    token at;
    std::size_t thread = 0, instruction = 0;
    named_memory to, from;
    std::uint32_t mbarrier = 0;
  };
  std::vector<copy> copies;  // as above

  [[nodiscard]] const token& next() const { return all_[at_]; }
  [[nodiscard]] const token& ahead(std::size_t distance) const;
  token take();
  /// Takes the next token if it is `text`.
  bool take_if(std::string_view text);
  /// Takes the next token, which must be `text`; fails with `what_and_remedy` if it is not.
  token expect(std::string_view text, std::string_view what_and_remedy);

  [[noreturn]] void fail(const token& at, std::string_view what_and_remedy) const {
    from_.fail(at, what_and_remedy);
  }
  [[noreturn]] void fail(std::string_view what_and_remedy) const { fail(next(), what_and_remedy); }

  /// The token in quotation marks, or "the end of the file".
  [[nodiscard]] static std::string shown(const token& t);

  /// An integer with a sign or without; fails where it has more than 64 bits.
  value integer(std::string_view what_and_remedy);
  [[nodiscard]] bool integer_follows() const;

  /// "r0", "r17"
  [[nodiscard]] static bool is_register(const token& t);
  /// A word that may name a location.
  [[nodiscard]] static bool is_location(const token& t);

  std::uint32_t register_index(std::size_t thread, std::string_view name);
  /// The memory that a name stands for. A new name becomes a location.
  named_memory memory(const token& t);
  /// Reads x or [x].
  named_memory memory_in_brackets(std::string_view what_and_remedy);
  /// Fails if another access to the location has another size.
  void check_size(const token& at, std::uint32_t location, std::uint32_t bits);

  /// The tokens of `begin` … `end`, with one blank wherever the source has any.
  [[nodiscard]] std::string text(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::size_t position() const { return at_; }

  /// "; did you mean x?", or the remedy if no known name is similar.
  [[nodiscard]] static std::string nearest(std::string_view wrong,
                                           std::span<const std::string_view> known,
                                           std::string_view remedy);

 private:
  struct access_size {
    std::uint32_t bits = 0;
    std::uint32_t line = 0;  // of the first access
  };

  const source& from_;
  std::vector<token> all_;
  std::map<std::uint32_t, access_size> sizes_;  // by location
  std::size_t at_ = 0;
};

/// `{ x=0; P1:r0=1; }`
void read_initial(reader& in);

/// Reads one instruction of a thread. A branch's target is an index into `labels`, which grows.
instruction read_instruction(reader& in, std::size_t thread, std::vector<token>& labels);

/// Reads from the quantifier to the end of the file.
void read_condition(reader& in);

/// Whether the next token is a quantifier.
bool at_condition(const reader& in);

}  // namespace litmus
