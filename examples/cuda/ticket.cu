// A ticket lock around a counter: one increment by each thread. Two mistakes are in it.
__device__ unsigned next_ticket;
__device__ unsigned now_serving;

__device__ void lock() {
  const unsigned mine = atomicAdd(&next_ticket, 1);
  while (*(volatile unsigned*)&now_serving != mine) {
  }
}

__device__ void unlock() { atomicAdd(&now_serving, 1); }

__global__ void count(int* counter) {
  lock();
  ++*counter;
  unlock();
}
