// Names threads and variables of a litmus test, and finds the scope that two threads share.
#include "litmus/program.hpp"

#include <array>

namespace litmus {

scope common_scope(const program& p, std::uint32_t a, std::uint32_t b) {
  const placement &left = p.threads[a].place, &right = p.threads[b].place;
  if (left.gpu != right.gpu) return scope::sys;
  if (left.cluster != right.cluster) return scope::gpu;
  if (left.cta == right.cta) return scope::cta;
  return left.cluster ? scope::cluster : scope::gpu;
}

std::string_view name(scope s) {
  constexpr std::array<std::string_view, 5> names{"none", "cta", "cluster", "gpu", "sys"};
  return names[static_cast<std::size_t>(s)];
}

std::string_view name(proxy p) {
  constexpr std::array<std::string_view, 6> names{"generic", "constant", "texture",
                                                  "surface", "async",    "alias"};
  return names[static_cast<std::size_t>(p)];
}

std::string name_of_thread(const program& p, std::uint32_t thread) {
  const auto& issuer = p.threads[thread].issuer;
  return issuer ? "P" + std::to_string(*issuer) + "'s copy" : "P" + std::to_string(thread);
}

std::string name(const program& p, const variable& v) {
  if (!v.is_register) return p.locations[v.index];
  return "P" + std::to_string(v.thread) + ":" + p.threads[v.thread].registers[v.index];
}

}  // namespace litmus
