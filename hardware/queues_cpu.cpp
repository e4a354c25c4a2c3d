// Runs queues on the CPU's cores: the GPU's code, and a queue with a mutex, on threads of the
// standard library.
#include "queues_cpu.hpp"

#include <memory>
#include <mutex>
#include <queue>

#include "cpu_threads.hpp"
#include "measured_queues.hpp"

namespace measured {

namespace {

struct mutex_queue {
  std::mutex mutex;
  std::queue<int> values;

  void enqueue(int value) {
    const std::lock_guard lock(mutex);
    values.push(value);
  }
  simt::maybe<int> dequeue() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return {};
    const int value = values.front();
    values.pop();
    return value;
  }
};

template <class Queue>
class cpu_queue_of : public cpu_queue {
 public:
  void clear() override {
    queue_ = std::make_unique<Queue>();
    begin(*queue_);
  }
  void carry_out(const std::vector<operation>& all, std::vector<int>& answers,
                 unsigned threads) override {
    carry_out_by(threads, all.size(), [&](std::size_t i) {
      answers[i] = measured::carry_out(*queue_, all[i].kind, all[i].argument);
    });
  }
  std::vector<int> take_all(std::size_t most) override {
    std::vector<int> left;
    for (int value = take(*queue_); value != nothing && left.size() < most; value = take(*queue_))
      left.push_back(value);
    return left;
  }

 private:
  std::unique_ptr<Queue> queue_;
};

}  // namespace

std::unique_ptr<cpu_queue> make_cpu_queue(const std::string& name) {
  if (name == "cpu_michael_scott") return std::make_unique<cpu_queue_of<michael_scott>>();
  if (name == "cpu_vyukov") return std::make_unique<cpu_queue_of<vyukov>>();
  if (name == "cpu_mutex") return std::make_unique<cpu_queue_of<mutex_queue>>();
  return nullptr;
}

}  // namespace measured
