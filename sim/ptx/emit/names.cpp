// Makes C++ identifiers of PTX names.
#include "sim/ptx/emit/names.hpp"

#include <cstdlib>
#include <iterator>
#include <sstream>

#include <cxxabi.h>

namespace simt::ptx {
namespace {

// Keywords; what a subject defines; functions and macros of the C library that its headers declare.
constexpr const char* reserved_words =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class compl concept const consteval constexpr constinit const_cast "
    "continue co_await co_return co_yield decltype default delete do double dynamic_cast else "
    "enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "union unsigned using virtual void volatile wchar_t while xor xor_eq typeof linux unix simt "
    "ptx std kernel_subject kernel_shared grid_workspace main NULL EOF INFINITY NAN assert errno "
    "stdin stdout stderr guard at abort abs acos acosh alloca asin asinh atan atan2 atanh atexit "
    "atof atoi atol atoll bcmp bcopy bsearch bzero calloc cbrt ceil clearenv copysign cos cosh "
    "daemon div drand48 drem ecvt environ erand48 erf erfc exit exp exp2 expm1 fabs fcvt fdim "
    "ffs ffsl ffsll finite floor fma fmax fmin fmod fpclassify free frexp gamma gcvt getenv "
    "getloadavg getsubopt getw hypot ilogb index initstate isinf isnan j0 j1 jn jrand48 labs "
    "lcong48 ldexp ldiv lgamma llabs lldiv llrint llround log log10 log1p log2 logb lrand48 "
    "lrint lround malloc mblen mbstowcs mbtowc memccpy memchr memcmp memcpy memfrob memmem "
    "memmove mempcpy memrchr memset mkdtemp mkstemp mktemp modf mrand48 nan nearbyint nextafter "
    "nrand48 perror pow printf putenv puts qsort quick_exit rand rand_r random read realloc "
    "reallocarray realpath remainder remove rename rewind rindex rint round rpmatch scalb scalbn "
    "secure_getenv seed48 select setenv setstate signbit significand signgam sin sincos sinh "
    "size_t sqrt srand srand48 srandom stpcpy strcasecmp strcat strchr strcmp strcpy strdup "
    "strlen strncmp strstr strtod strtok strtol strtoul swab system tan tanh tgamma time trunc "
    "unsetenv valloc wait wcstombs wctomb write y0 y1 yn clock int8_t int16_t int32_t int64_t "
    "uint8_t uint16_t uint32_t uint64_t u_int uint ulong ushort key_t quad_t id_t pid_t off_t "
    "time_t clock_t fd_set";

const std::set<std::string, std::less<>>& reserved_names() {
  static const std::set<std::string, std::less<>> names = [] {
    std::istringstream words(reserved_words);
    return std::set<std::string, std::less<>>(std::istream_iterator<std::string>(words), {});
  }();
  return names;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string name_pool::take(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    // C++ reserves names with two underscores in a row for the compiler.
    const char next = is_word(c) ? c : '_';
    if (next != '_' || (!name.empty() && name.back() != '_')) name += next;
  }
  if (name.size() > 80) name.resize(80);
  if (name.empty()) name = "x";
  if (name[0] >= '0' && name[0] <= '9') name.insert(0, "n");
  if (reserved_names().contains(name)) name += name.back() == '_' ? "of" : "_";
  std::string unique = name;
  for (int number = 2; !taken_.insert(unique).second || reserved_names().contains(unique);
       ++number) {
    unique = name + (name.back() == '_' ? "n" : "_") + std::to_string(number);
  }
  return unique;
}

std::string demangled(const std::string& linker_name) {
  if (!linker_name.starts_with("_Z")) return linker_name;
  int status = 0;
  char* readable = abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status);
  const std::string result = status == 0 && readable != nullptr ? readable : linker_name;
  std::free(readable);
  return result;
}

std::string short_name(const std::string& linker_name) {
  const std::string full = demangled(linker_name);
  // The last part of the name that is outside of brackets.
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (full[i] == '(' || full[i] == '<' || full[i] == '[' || full[i] == '{') ++depth;
    if (full[i] == ')' || full[i] == '>' || full[i] == ']' || full[i] == '}') --depth;
    if (depth == 0 && full[i] == ':' && i + 1 < full.size() && full[i + 1] == ':') begin = i + 2;
    if (depth == 0 && full[i] == ' ') begin = i + 1;
  }
  const std::string last = full.substr(begin);
  const std::string name = last.substr(0, last.find_first_of("(<[{"));
  return name.empty() ? linker_name : name;
}

std::string quoted_text(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (c == '\n') {
      literal += "\\n";
    } else if (byte < 32 || byte > 126) {
      const char digits[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                             static_cast<char>('0' + (byte >> 3 & 7)),
                             static_cast<char>('0' + (byte & 7)), '\0'};
      literal += digits;
    } else if (c == '?') {
      literal += "\\?";  // no trigraph
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

}  // namespace simt::ptx
