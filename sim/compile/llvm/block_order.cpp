// Sorts the blocks of each function so that the arms behind a branch change places.
#include "sim/compile/llvm/block_order.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace simt::detail {
namespace {

struct block {
  std::string label;
  std::string text;                     // its lines, the label's among them
  std::vector<std::string> successors;  // labels
};

// The name at the front of the text: quoted, or up to the first character that no name has.
std::string name_at(std::string_view text) {
  if (text.starts_with('"')) return std::string(text.substr(0, text.find('"', 1) + 1));
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-$._";
  return std::string(text.substr(0, text.find_first_not_of(letters)));
}

// The label in this line. Empty: the line is no label.
std::string label_of(const std::string& line) {
  const std::string name = name_at(line);
  return !name.empty() && line.compare(name.size(), 1, ":") == 0 ? name : std::string();
}

void add_line(block& to, const std::string& line) {
  to.text += line + "\n";
  constexpr std::string_view mark = "label %";  // in terminators only
  for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at)) {
    at += mark.size();
    to.successors.push_back(name_at(std::string_view(line).substr(at)));
  }
}

/// The reverse postorder in which successors that are written earlier are visited earlier, and so
/// come later. Unreachable blocks stay behind all others.
class reordering {
 public:
  explicit reordering(const std::vector<block>& blocks)
      : blocks_(blocks), seen_(blocks.size(), false) {
    for (std::size_t i = 0; i < blocks.size(); ++i) places_[blocks[i].label] = i;
  }

  std::vector<std::size_t> order() {
    if (!blocks_.empty()) visit(0);
    std::ranges::reverse(done_);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!seen_[i]) done_.push_back(i);
    }
    return done_;
  }

 private:
  const std::vector<block>& blocks_;
  std::map<std::string, std::size_t> places_;
  std::vector<bool> seen_;
  std::vector<std::size_t> done_;

  void visit(std::size_t at) {
    seen_[at] = true;
    for (const std::size_t next : successors(at)) {
      if (!seen_[next]) visit(next);
    }
    done_.push_back(at);
  }

  std::vector<std::size_t> successors(std::size_t at) const {
    std::vector<std::size_t> all;
    for (const std::string& label : blocks_[at].successors) {
      const auto place = places_.find(label);
      if (place == places_.end()) throw std::runtime_error("no block is called " + label);
      all.push_back(place->second);
    }
    std::ranges::sort(all);
    return all;
  }
};

std::string swapped(const std::vector<block>& blocks) {
  std::string text;
  for (const std::size_t at : reordering(blocks).order()) text += blocks[at].text;
  return text;
}

}  // namespace

std::string with_arms_swapped(const std::string& module) {
  std::istringstream lines(module);
  std::string result;
  std::optional<std::vector<block>> function;
  for (std::string line; std::getline(lines, line);) {
    if (!function) {
      result += line + "\n";
      if (line.starts_with("define ")) function.emplace();
      continue;
    }
    if (line == "}") {
      result += swapped(*function) + "}\n";
      function.reset();
      continue;
    }
    if (const std::string label = label_of(line); !label.empty()) {
      function->push_back({label, {}, {}});
    }
    if (function->empty()) throw std::runtime_error("a function begins with a block without name");
    add_line(function->back(), line);
  }
  return result;
}

}  // namespace simt::detail
