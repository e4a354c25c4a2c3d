// Runs priority queues on the CPU's cores: the GPU's code, and a std::set with a mutex, on threads
// of the standard library.
#include "priority_queues_cpu.hpp"

#include <memory>
#include <mutex>
#include <set>

#include "cpu_threads.hpp"
#include "measured_priority_queues.hpp"

namespace measured {

namespace {

struct mutex_set {
  std::mutex mutex;
  std::set<int> keys;

  void init() {}
  bool insert(int key) {
    const std::lock_guard lock(mutex);
    return keys.insert(key).second;
  }
  int delete_min() {
    const std::lock_guard lock(mutex);
    return keys.empty() ? 0 : keys.extract(keys.begin()).value();
  }
};

template <class Queue>
class cpu_priority_queue_of : public cpu_queue {
 public:
  void clear() override {
    queue_ = std::make_unique<Queue>();
    queue_->init();
  }
  void carry_out(const std::vector<operation>& all, std::vector<int>& answers,
                 unsigned threads) override {
    carry_out_by(threads, all.size(), [&](std::size_t i) {
      answers[i] = measured::carry_out(*queue_, all[i].kind, all[i].argument);
    });
  }
  std::vector<int> take_all(std::size_t most) override {
    std::vector<int> left;
    int key = 0;
    while (left.size() < most && (key = take(*queue_)) != nothing) left.push_back(key);
    return left;
  }

 private:
  std::unique_ptr<Queue> queue_;
};

}  // namespace

std::unique_ptr<cpu_queue> make_cpu_priority_queue(const std::string& name) {
  if (name == "cpu_skip_queue") return std::make_unique<cpu_priority_queue_of<skip_queue>>();
  if (name == "cpu_mutex") return std::make_unique<cpu_priority_queue_of<mutex_set>>();
  return nullptr;
}

}  // namespace measured
