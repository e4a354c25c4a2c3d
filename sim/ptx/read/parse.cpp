// Reads the top level of a PTX module: versions, files, functions and kernels.
#include "sim/ptx/parse.hpp"

#include <array>
#include <charconv>

#include "sim/ptx/read/parser.hpp"

namespace simt::ptx {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 28;

std::string quoted(std::string_view text) { return "`" + std::string(text.substr(0, 40)) + "`"; }

}  // namespace

module parse(std::string_view text) {
  if (text.size() > longest_text) {
    throw ptx_error(1, 1, "the text is longer than 256 MiB: give the PTX of fewer kernels");
  }
  // Some tools end the text with a byte 0.
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return parser(text).parse();
}

module parser::parse() {
  if (!in_.peek().is_dotted("version")) {
    in_.fail(in_.peek(), "PTX begins with .version");
  }
  while (in_.peek().what != token::kind::end) statement();
  for (auto& [label, places] : unnamed_) {
    const auto found = debug_strings_.find(label);
    for (const std::uint32_t place : places) {
      module_.places[place].function = found == debug_strings_.end() ? "" : found->second;
    }
  }
  return std::move(module_);
}

void parser::statement() {
  const token first = in_.take();
  if (first.is(';')) return;
  if (first.text == "@@") return in_.skip_line();  // debug information of old versions
  if (first.what != token::kind::dotted) {
    in_.fail(first, "expected a directive, such as .entry, not " + quoted(first.text));
  }
  const std::string_view name = first.text;
  if (name == "version") return version();
  if (name == "target") return target();
  if (name == "address_size") {
    module_.address_size = static_cast<std::uint32_t>(number("32 or 64"));
    return;
  }
  if (name == "file") return file();
  if (name == "section") return section();
  if (name == "loc") return location();
  if (name == "pragma") {
    rest_of_statement(first);
    return;
  }
  linkage(first);
}

void parser::linkage(const token& first) {
  token name = first;
  bool is_extern = false;
  for (;; name = in_.take()) {
    if (name.is_dotted("extern")) {
      is_extern = true;
    } else if (!name.is_dotted("visible") && !name.is_dotted("weak") && !name.is_dotted("common")) {
      break;
    }
  }
  if (name.is_dotted("entry")) return function_or_kernel(true, is_extern);
  if (name.is_dotted("func")) return function_or_kernel(false, is_extern);
  if (name.is_dotted("global")) {
    return variables(space::global, is_extern, module_.variables, false);
  }
  if (name.is_dotted("const")) {
    return variables(space::constant, is_extern, module_.variables, false);
  }
  if (name.is_dotted("shared")) {
    return variables(space::shared, is_extern, module_.variables, false);
  }
  if (name.is_dotted("alias") || name.is_dotted("tex") || name.is_dotted("callprototype")) {
    module_.directives.push_back({std::string(name.text), rest_of_statement(name), name.line});
    return;
  }
  in_.fail(name, "expected a function, a kernel or a variable, not " + quoted(name.text));
}

void parser::version() {
  const token text = in_.take();
  const std::size_t dot = text.text.find('.');
  if (text.what != token::kind::number || dot == std::string_view::npos) {
    in_.fail(text, "expected a version, such as 8.0");
  }
  const auto part = [](std::string_view digits) {
    std::uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  module_.version_major = part(text.text.substr(0, dot));
  module_.version_minor = part(text.text.substr(dot + 1));
}

void parser::target() {
  do {
    const token name = expect_name("a target, such as sm_80");
    if (!module_.target.empty()) continue;  // texmode_independent, debug, ...
    module_.target = name.text;
    const std::size_t digits = name.text.find('_');
    if (digits == std::string_view::npos) continue;
    const std::string_view number = name.text.substr(digits + 1);
    std::from_chars(number.data(), number.data() + number.size(), module_.sm);
  } while (accept(','));
}

void parser::file() {
  source_file f;
  f.number = static_cast<std::uint32_t>(number("the number of a file"));
  const token name = in_.take();
  if (name.what != token::kind::string) in_.fail(name, "expected the name of a file");
  f.name = name.text;
  if (in_.peek().what == token::kind::string) f.name += "/" + std::string(in_.take().text);
  module_.files.push_back(std::move(f));
  while (accept(',')) number("a number of the file");
}

// Reads a section of debug information. Only its strings are kept, which name inlined functions.
void parser::section() {
  const token name = in_.take();
  const bool has_strings = name.is_dotted("debug_str");
  expect('{', "behind the name of a section");
  std::string label;
  std::string text;
  const auto end_string = [&] {
    if (!label.empty()) debug_strings_[label] = text;
    label.clear();
    text.clear();
  };
  while (!in_.peek().is('}')) {
    const token t = in_.take();
    if (t.what == token::kind::end) in_.fail(t, "a section has no end: } is missing");
    if (!has_strings) continue;
    if (t.what == token::kind::name && in_.peek().is(':')) {
      end_string();
      label = t.text;
    } else if (t.what == token::kind::number && !label.empty()) {
      std::uint32_t byte = 0;
      std::from_chars(t.text.data(), t.text.data() + t.text.size(), byte);
      if (byte == 0) {
        end_string();
      } else {
        text += static_cast<char>(byte);
      }
    }
  }
  end_string();
  in_.take();
}

void parser::function_or_kernel(bool is_entry, bool is_extern) {
  kernel k;
  function f;
  function& to = is_entry ? static_cast<function&>(k) : f;
  to.is_extern = is_extern;
  while (in_.peek().is_dotted("attribute")) {
    in_.take();
    expect('(', "behind .attribute");
    while (!in_.peek().is(')')) {
      if (in_.take().what == token::kind::end) in_.fail(in_.peek(), "expected )");
    }
    in_.take();
  }
  if (!is_entry && in_.peek().is('(')) to.results = parameters();
  const token name = expect_name(is_entry ? "the name of a kernel" : "the name of a function");
  to.name = name.text;
  to.line = name.line;
  if (in_.peek().is('(')) to.parameters = parameters();
  performance_directives(to, is_entry ? &k : nullptr);
  if (in_.peek().is('{')) {
    to.has_body = true;
    body(to);
  } else {
    expect(';', "behind a declaration");
  }
  if (is_entry) {
    module_.kernels.push_back(std::move(k));
  } else {
    module_.functions.push_back(std::move(f));
  }
}

void parser::performance_directives(function& f, kernel* k) {
  while (in_.peek().what == token::kind::dotted) {
    const token name = in_.take();
    std::optional<std::uint32_t>* to = nullptr;
    if (k != nullptr && name.text == "maxntid") to = k->max_threads;
    if (k != nullptr && name.text == "reqntid") to = k->required_threads;
    if (k != nullptr && name.text == "reqnctapercluster") to = k->cluster;
    if (name.text == "pragma") {
      rest_of_statement(name);
      continue;
    }
    if (to == nullptr) f.directives.push_back({std::string(name.text), {}, name.line});
    for (std::size_t i = 0; in_.peek().what == token::kind::number; ++i) {
      const std::uint64_t value = number("a number");
      if (to != nullptr && i < 3) to[i] = static_cast<std::uint32_t>(value);
      if (!accept(',')) break;
    }
  }
}

std::vector<parameter> parser::parameters() {
  std::vector<parameter> all;
  expect('(', "before parameters");
  if (accept(')')) return all;
  do all.push_back(one_parameter());
  while (accept(','));
  expect(')', "behind parameters");
  return all;
}

parameter parser::one_parameter() {
  parameter p;
  const token first = in_.take();
  p.in_register = first.is_dotted("reg");
  if (!p.in_register && !first.is_dotted("param")) {
    in_.fail(first, "expected a parameter, which begins with .param");
  }
  bool has_align = false;
  while (in_.peek().what == token::kind::dotted) {
    const token name = in_.take();
    if (name.text == "align") {
      const auto align = static_cast<std::uint32_t>(number("an alignment"));
      if (!p.is_pointer) {
        p.align = align;
        has_align = true;
      }
    } else if (name.text == "ptr") {
      p.is_pointer = true;
    } else if (name.text == "global") {
      p.pointer_space = space::global;
    } else if (name.text == "shared") {
      p.pointer_space = space::shared;
    } else if (name.text == "const") {
      p.pointer_space = space::constant;
    } else if (name.text == "local") {
      p.pointer_space = space::local;
    } else {
      p.element = type_named(name.text);
      if (p.element == type::none) p.element = type::other;
    }
  }
  const token name = expect_name("the name of a parameter");
  p.name = name.text;
  p.line = name.line;
  p.size = size_of(p.element);
  if (p.element == type::other) p.size = 8;
  if (!has_align) p.align = p.size == 0 ? 1 : p.size;
  while (in_.peek().is('[')) {
    p.is_array = true;
    const std::uint64_t count = array_size();
    if (count > 0x100000) in_.fail(name, "a parameter is larger than 1 MiB");
    p.size = static_cast<std::uint32_t>(p.size * count);
  }
  if (p.size > 0x100000) in_.fail(name, "a parameter is larger than 1 MiB");
  return p;
}

std::string parser::rest_of_statement(const token& first) {
  for (;;) {
    const token t = in_.take();
    if (t.what == token::kind::end) in_.fail(t, "a statement has no end: ; is missing");
    if (t.is(';')) return on_one_line(in_.text().substr(first.begin, t.finish - first.begin));
  }
}

bool parser::accept(char c) {
  if (!in_.peek().is(c)) return false;
  in_.take();
  return true;
}

token parser::expect(char c, const char* why) {
  if (!in_.peek().is(c)) {
    in_.fail(in_.peek(), std::string("expected ") + c + ' ' + why + ", not " +
                             (in_.peek().what == token::kind::end ? "the end of the text"
                                                                  : quoted(in_.peek().text)));
  }
  return in_.take();
}

token parser::expect_name(const char* what) {
  if (in_.peek().what != token::kind::name) {
    in_.fail(in_.peek(), std::string("expected ") + what + ", not " + quoted(in_.peek().text));
  }
  return in_.take();
}

std::uint64_t parser::number(const char* what) {
  const token t = in_.take();
  if (t.what != token::kind::number) {
    in_.fail(t, std::string("expected ") + what + ", not " + quoted(t.text));
  }
  return number_of(t);
}

std::uint64_t parser::number_of(const token& t) {
  std::string_view digits = t.text;
  if (digits.ends_with('U')) digits.remove_suffix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.starts_with("0b") || digits.starts_with("0B")) {
    base = 2;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
    digits.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    in_.fail(t, quoted(t.text) + " is no integer of 64 bits");
  }
  return value;
}

}  // namespace simt::ptx
