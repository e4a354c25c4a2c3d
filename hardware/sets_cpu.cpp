// Runs sets on the CPU's cores: the GPU's code on threads of the standard library.
#include "sets_cpu.hpp"

#include <memory>

#include "cpu_threads.hpp"
#include "measured_sets.hpp"

namespace measured {

namespace {

template <class Set>
class cpu_set_of : public cpu_set {
 public:
  void clear() override {
    set_ = std::make_unique<Set>();
    set_->init();
  }
  void carry_out(const std::vector<operation>& all, std::vector<unsigned char>& answers,
                 unsigned threads) override {
    carry_out_by(threads, all.size(), [&](std::size_t i) {
      answers[i] = measured::carry_out(*set_, all[i].kind, all[i].argument);
    });
  }
  bool has(int key) override { return set_->contains(key); }

 private:
  std::unique_ptr<Set> set_;
};

}  // namespace

std::unique_ptr<cpu_set> make_cpu_set(const std::string& name) {
  if (name == "cpu_list") return std::make_unique<cpu_set_of<list>>();
  if (name == "cpu_hash_list") return std::make_unique<cpu_set_of<hash_list>>();
  if (name == "cpu_skip_list") return std::make_unique<cpu_set_of<skip_list>>();
  if (name == "cpu_sundell_skip_list") return std::make_unique<cpu_set_of<sundell_skip_list>>();
  return nullptr;
}

}  // namespace measured
