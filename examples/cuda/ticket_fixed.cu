// The same with a fence behind the lock and one in front of the unlock, and with a loop whose body
// has the critical section: lanes of GPUs before Volta would wait for each other for ever
// otherwise.
__device__ unsigned next_ticket;
__device__ unsigned now_serving;

__global__ void count(int* counter) {
  const unsigned mine = atomicAdd(&next_ticket, 1);
  bool done = false;
  while (!done) {
    if (*(volatile unsigned*)&now_serving == mine) {
      __threadfence();
      ++*counter;
      __threadfence();
      atomicAdd(&now_serving, 1);
      done = true;
    }
  }
}
