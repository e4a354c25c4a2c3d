// Generates litmus tests with proxies. Accesses are to x, which has two addresses and names through
// all proxies, and to flags.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "tests/litmus/generate.hpp"

namespace naive {

namespace {

constexpr std::string_view declarations =
    "x=0; z @ generic aliases x; s @ surface aliases x; t @ texture aliases x; "
    "c @ constant aliases x; u @ surface aliases z; w @ texture aliases z;";

class proxy_generator {
 public:
  explicit proxy_generator(std::uint32_t seed) : random_(seed) {}

  std::string test() {
    bits_ = one_of(std::array<std::size_t, 5>{64, 64, 64, 32, 8});
    switch (below(10)) {
      case 8:
      case 9:
        if (bits_ == 64) {
          copy();
          break;
        }
        [[fallthrough]];
      case 0: alone(); break;
      case 1: soup(); break;
      case 2: chain(); break;
      case 3: both_store(); break;
      default: message(); break;
    }
    return shown();
  }

 private:
  std::mt19937 random_;
  std::vector<std::vector<std::string>> threads_;
  std::size_t registers_ = 0;
  int stored_ = 0;
  std::size_t bits_ = 64;  // of x
  bool has_copy_ = false;

  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  template <class Value, std::size_t N>
  Value one_of(const std::array<Value, N>& all) {
    return all[below(N)];
  }

  /// Of an access to x.
  std::string type() {
    if (bits_ == 64 && !one_in(4)) return {};
    return fmt::format(".{}{}", one_of(std::array<std::string_view, 3>{"b", "u", "s"}), bits_);
  }
  /// What an update of x is called; PTX has none of 8 bits.
  std::string update() {
    const std::string_view how =
        one_of(std::array<std::string_view, 4>{"max", "min", "inc", "add"});
    return fmt::format("{}{}", how, bits_ == 32 ? ".u32" : "");
  }

  std::string fresh() { return fmt::format("r{}", registers_++); }
  void add(std::size_t thread, std::string row) {
    if (threads_.size() <= thread) threads_.resize(thread + 1);
    threads_[thread].push_back(std::move(row));
  }

  std::string_view scope() {
    return one_of(std::array<std::string_view, 5>{"gpu", "gpu", "gpu", "cta", "cluster"});
  }

  std::string shown() {
    const bool clusters = one_in(3), one_cta = one_in(2);
    std::string text = fmt::format("PTX generated\n{{ {} m @ mbarrier expects {}; }}\n",
                                   declarations, one_in(3) ? 2 : 1);
    std::size_t rows = 0;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      text += fmt::format("{} P{}@cta {},{}gpu 0", t == 0 ? "" : " |", t,
                          one_cta ? 0 : below(threads_.size()),
                          clusters ? fmt::format("cluster {},", one_in(4) ? 1 : 0) : "");
      rows = std::max(rows, threads_[t].size());
    }
    text += " ;\n";
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        text +=
            fmt::format("{} {}", t == 0 ? "" : " |", r < threads_[t].size() ? threads_[t][r] : "");
      }
      text += " ;\n";
    }
    return text + "exists (0 == 0)\n";
  }

  std::string store() {
    const std::string value = value_to_store(), of = type();
    const char* const plain = one_in(3) ? "z" : "x";
    switch (below(10)) {
      case 0:
        return fmt::format("sust.{}.{}{} s, {}", one_in(2) ? "relaxed" : "release", scope(), of,
                           value);
      case 1:
        return fmt::format("st.{}.{}{} {}, {}", one_in(2) ? "relaxed" : "release", scope(), of,
                           plain, value);
      case 2:
        if (bits_ == 8) return fmt::format("st.weak{} {}, {}", of, plain, value);
        return fmt::format("red.relaxed.{}.{} {}, {}", scope(), update(), plain, value);
      case 3: return fmt::format("st.volatile{} x, {}", of, value);
      case 4:
      case 5:
      case 6: return fmt::format("sust.weak{} {}, {}", of, one_in(3) ? "u" : "s", value);
      default: return fmt::format("st.weak{} {}, {}", of, plain, value);
    }
  }

  std::string value_to_store() {
    const int value = 1 + stored_++ % 2;
    if (bits_ < 64 && one_in(4)) return one_in(2) ? "-1" : "4294967554";
    return fmt::format("{}", value);
  }

  std::string load() {
    const std::string into = fresh(), of = type();
    const char* const plain = one_in(3) ? "z" : "x";
    switch (below(12)) {
      case 0:
        return fmt::format("suld.{}.{}{} {}, s", one_in(2) ? "relaxed" : "acquire", scope(), of,
                           into);
      case 1:
        return fmt::format("ld.{}.{}{} {}, {}", one_in(2) ? "relaxed" : "acquire", scope(), of,
                           into, plain);
      case 2: return fmt::format("cold.weak{} {}, {}", of, into, one_in(4) ? "z" : "c");
      case 3:
        if (bits_ == 8) return fmt::format("ld.weak{} {}, {}", of, into, plain);
        return fmt::format("suatom.relaxed.{}.exch{} {}, s, 2", scope(), bits_ == 32 ? ".b32" : "",
                           into);
      case 4:
      case 5:
      case 6: return fmt::format("tld.weak{} {}, {}", of, into, one_in(3) ? "w" : "t");
      case 7:
      case 8: return fmt::format("suld.weak{} {}, {}", of, into, one_in(3) ? "u" : "s");
      default: return fmt::format("ld.weak{} {}, {}", of, into, plain);
    }
  }

  void fences(std::size_t thread) {
    if (has_copy_ && !one_in(3)) add(thread, "fence.proxy.async");
    for (std::size_t count = below(has_copy_ ? 2 : 4); count > 0; --count) {
      add(thread, fmt::format("fence.proxy.{}", one_of(std::array<std::string_view, 6>{
                                                    "surface", "surface", "texture", "texture",
                                                    "alias", "constant"})));
    }
  }

  /// One thread tells another that it has come here.
  void hand_over(std::size_t from, std::size_t to, std::string_view flag) {
    const std::string s(scope());
    const std::string into = fresh();
    switch (below(6)) {
      case 5: return hand_over_by_mbarrier(from, to, into);
      case 0:
        add(from, fmt::format("fence.{}.{}", one_in(2) ? "release" : "acq_rel", s));
        add(from, fmt::format("st.relaxed.{} {}, 1", s, flag));
        add(to, fmt::format("ld.relaxed.{} {}, {}", s, into, flag));
        add(to, fmt::format("fence.{}.{}", one_in(4) ? "release" : "acquire", s));
        return;
      case 1:
        add(from, fmt::format("st.release.{} {}, 1", s, flag));
        add(to, fmt::format("ld.acquire.{} {}, {}", scope(), into, flag));
        return;
      default:
        add(from, fmt::format("st.release.{} {}, 1", s, flag));
        add(to, fmt::format("ld.acquire.{} {}, {}", s, into, flag));
        return;
    }
  }

  /// One or two arrivals make a phase.
  void hand_over_by_mbarrier(std::size_t from, std::size_t to, const std::string& into) {
    const std::string_view how = one_of(
        std::array<std::string_view, 4>{"", ".release.cta", ".release.cluster", ".relaxed.cta"});
    for (std::size_t arrivals = one_in(3) ? 2 : 1; arrivals > 0; --arrivals) {
      add(one_in(5) ? to : from, fmt::format("mbarrier.arrive{} m", how));
    }
    add(to, fmt::format("mbarrier.test_wait{} {}, m, {}",
                        one_in(2) ? "" : ".parity.acquire.cluster", into, one_in(4) ? 1 : 0));
  }

  void meet(std::size_t from, std::size_t to) {
    if (one_in(3)) {
      add(from, "bar.cta.sync 1");
      add(to, "bar.cta.sync 1");
      return;
    }
    if (one_in(2)) return reduce(from, to);
    if (one_in(2)) {
      relaxed_arrival(from);
    } else {
      add(from, "barrier.cluster.arrive 1");
    }
    if (one_in(2)) add(from, "barrier.cluster.wait 1");
    if (one_in(2)) add(to, "barrier.cluster.arrive 1");
    add(to, "barrier.cluster.wait 1");
  }

  /// Mostly with a fence in front of it, sometimes behind it, of several scopes and orders.
  void relaxed_arrival(std::size_t thread) {
    const std::string fence = fmt::format(
        "fence.{}.{}",
        one_of(std::array<std::string_view, 5>{"acq_rel", "acq_rel", "sc", "release", "acquire"}),
        one_of(std::array<std::string_view, 4>{"cluster", "cluster", "gpu", "cta"}));
    const std::size_t where = below(4);
    if (where < 2) add(thread, fence);
    add(thread, "barrier.cluster.arrive.relaxed 1");
    if (where == 2) add(thread, fence);
  }

  /// Both bring something, and may pass on what comes of it.
  void reduce(std::size_t from, std::size_t to) {
    const std::string_view how =
        one_of(std::array<std::string_view, 3>{"popc.u32", "and.pred", "or.pred"});
    const std::string here = fresh(), there = fresh(), read = fresh();
    if (one_in(2)) add(to, fmt::format("ld.relaxed.gpu {}, f", read));
    add(from, fmt::format("bar.cta.red.{} {}, 1, {}", how, here, below(2)));
    add(to, fmt::format("bar.cta.red.{} {}, 1, {}", how, there, read));
    if (one_in(2)) add(from, fmt::format("st.relaxed.gpu f, {}", one_in(2) ? here : "1"));
    if (one_in(3)) {
      add(to, fmt::format("beq {}, 0, LC00", there));
      add(to, "st.weak g, 1");
      add(to, "LC00:");
    }
  }

  void alone() {
    add(0, one_in(4) ? load() : store());
    fences(0);
    if (one_in(2)) add(0, store());
    fences(0);
    add(0, load());
  }

  void message() {
    if (one_in(6)) add(0, load());
    add(0, store());
    fences(0);
    if (one_in(5)) add(0, store());
    if (one_in(4)) {
      meet(0, 1);
    } else {
      hand_over(0, 1, "f");
    }
    fences(1);
    if (one_in(5)) add(1, store());
    add(1, load());
  }

  /// From x to d, by a copy that completes at m.
  void copy() {
    has_copy_ = true;
    if (!one_in(4)) add(0, store());
    fences(0);
    const std::string_view how =
        one_of(std::array<std::string_view, 3>{"", ".release.cta", ".relaxed.cta"});
    const std::string arrive =
        fmt::format("mbarrier.arrive.expect_tx{} m, {}", how, one_in(5) ? 0 : 8);
    const std::string copies = one_in(4)
                                   ? "cp.async.bulk x, d, m"
                                   : fmt::format("cp.async.bulk d, {}, m", one_in(4) ? "z" : "x");
    const bool first = one_in(2);
    add(0, first ? arrive : copies);
    add(0, first ? copies : arrive);
    const std::size_t to = one_in(2) ? 0 : 1;
    if (one_in(3)) add(to, fmt::format("st.weak {}, 2", one_in(2) ? "d" : "x"));
    add(to, fmt::format("mbarrier.test_wait {}, m, 0", fresh()));
    fences(to);
    if (one_in(4)) add(to, store());
    add(to, fmt::format("ld.weak {}, {}", fresh(), one_in(3) ? "x" : "d"));
  }

  void chain() {
    add(0, store());
    if (one_in(2)) fences(0);
    hand_over(0, 1, "f");
    fences(1);
    hand_over(1, 2, "g");
    fences(2);
    add(2, load());
  }

  void both_store() {
    add(0, store());
    fences(0);
    hand_over(0, 1, "f");
    fences(1);
    add(1, store());
    if (one_in(2)) add(1, load());
  }

  void soup() {
    std::size_t accesses = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t thread = below(2);
      if (one_in(3)) {
        fences(thread);
      } else if (accesses++ < 5) {
        add(thread, one_in(2) ? store() : load());
      }
    }
    if (threads_.empty()) add(0, store());
  }
};

}  // namespace

std::string generate_with_proxies(std::uint32_t seed) { return proxy_generator(seed).test(); }

}  // namespace naive
