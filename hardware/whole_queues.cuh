// A queue from empty to empty, on the GPU or on the CPU's cores, for queues.cu and
// priority_queues.cu: all operations are carried out, and then what is left is taken. `Given` has
// the operations, and says whether their answers and what was left are possible.
#pragma once

#include <memory>
#include <vector>

#include "building.cuh"
#include "cpu_queue.hpp"
#include "operations.cuh"

template <class Queue>
__global__ void take_all(Queue* queue, int* left, unsigned most) {
  if (simt::thread_rank() != 0) return;
  unsigned count = 0;
  for (int value = measured::take(*queue); value != measured::nothing && count < most;
       value = measured::take(*queue))
    left[count++] = value;
}

template <class Queue, class Given>
class queue_on_gpu {
 public:
  explicit queue_on_gpu(const building::options& run) : run_(run), given_(run) {
    operations_.send(given_.all().data());
    fresh_.send(std::make_unique<Queue>().get());
  }

  /// The queue may have pointers to its own nodes, so it must begin at its final address.
  void clear() {
    queue_.copy(fresh_);
    begin<<<1, 32>>>(queue_.there());
    building::require(cudaDeviceSynchronize(), "begin");
  }
  void build() {
    carry_out_all<<<run_.blocks, run_.threads>>>(queue_.there(), operations_.there(), run_.amount,
                                                 answers_.there());
  }
  [[nodiscard]] const char* what_is_wrong() {
    std::vector<int> answers(run_.amount), left(run_.amount);
    left_.send(left.data());
    take_all<<<1, 32>>>(queue_.there(), left_.there(), run_.amount);
    answers_.fetch(answers.data());
    left_.fetch(left.data());
    return given_.what_is_wrong(answers, left);
  }

 private:
  const building::options& run_;
  Given given_;
  building::device_memory<Queue> fresh_{1}, queue_{1};
  building::device_memory<operation> operations_{run_.amount};
  building::device_memory<int> answers_{run_.amount}, left_{run_.amount};
};

/// `make` gives the queue of a name.
template <class Given, std::unique_ptr<measured::cpu_queue> (*make)(const std::string&)>
class queue_on_cpu {
 public:
  explicit queue_on_cpu(const building::options& run)
      : threads_(run.threads), given_(run), queue_(make(run.subject)), answers_(run.amount) {}

  void clear() { queue_->clear(); }
  void build() { queue_->carry_out(given_.all(), answers_, threads_); }
  [[nodiscard]] const char* what_is_wrong() {
    return given_.what_is_wrong(answers_, queue_->take_all(answers_.size()));
  }

 private:
  unsigned threads_;
  Given given_;
  std::unique_ptr<measured::cpu_queue> queue_;
  std::vector<int> answers_;
};
