// The parser of PTX text. One object parses one text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/ptx/module.hpp"
#include "sim/ptx/read/lexer.hpp"

namespace simt::ptx {

class parser {
 public:
  explicit parser(std::string_view text) : in_(text) {}
  module parse();

 private:
  // --- modules (parse.cpp) ---
  void statement();
  void version();
  void target();
  void file();
  void section();
  void linkage(const token& first);
  void function_or_kernel(bool is_entry, bool is_extern);
  std::vector<parameter> parameters();
  parameter one_parameter();
  void performance_directives(function& f, kernel* k);
  /// The text up to `;`, which is taken too.
  std::string rest_of_statement(const token& first);

  // --- variables (parse_variables.cpp) ---
  void variables(space where, bool is_extern, std::vector<variable>& to, bool in_function);
  void initializer(variable& v, std::uint64_t& at, unsigned depth);
  void initial_value(variable& v, std::uint64_t& at);
  void put_bytes(variable& v, std::uint64_t at, std::uint64_t bits, std::uint32_t size);
  std::uint64_t array_size();

  // --- function bodies (parse_body.cpp) ---
  struct register_range {
    type kind = type::b32;
    std::uint32_t vector = 1;
    std::uint64_t count = 0;
    std::string suffix;
  };
  struct scope {
    std::size_t parent = 0;
    std::unordered_map<std::string, std::string> names;  // registers, variables, labels: unique
    std::map<std::string, register_range, std::less<>> ranges;
  };
  void body(function& f);
  void body_statement(function& f);
  void registers(function& f);
  void location();
  void label_or_targets(function& f, const token& name);
  void instruction_statement(function& f);
  operand one_operand(unsigned depth);
  operand simple_operand(unsigned depth);
  operand address_operand(unsigned depth);
  operand number_operand(bool negative);
  void name_operand(operand& to, std::string_view name);
  std::int64_t signed_offset();
  /// Makes a name that nothing else in the function has.
  std::string unique(const std::string& name);
  std::string declare(const std::string& name);
  const std::string* find_register(const std::string& name);
  void resolve(operand& o);
  void resolve_names(function& f);
  void enter_scope();
  void leave_scope();

  // --- all ---
  bool accept(char c);
  token expect(char c, const char* why);
  token expect_name(const char* what);
  std::uint64_t number(const char* what);
  std::uint64_t number_of(const token& t);

  lexer in_;
  module module_;
  std::map<std::string, std::string, std::less<>> debug_strings_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> unnamed_;  // places, by a label

  // State of the function that is being read.
  function* function_ = nullptr;
  std::vector<scope> scopes_;
  std::size_t scope_ = 0;
  unsigned depth_ = 0;
  std::map<std::string, unsigned, std::less<>> used_names_;
  std::unordered_map<std::string, std::size_t> register_of_;  // index in function_->registers
  std::optional<std::uint32_t> place_;
  std::map<source_place, std::uint32_t> interned_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> latest_;  // by file, line, column
};

}  // namespace simt::ptx
