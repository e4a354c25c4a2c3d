// Implements ranks by Open MPI. All waiting is done in one place, which also looks for signals. If
// a rank dies, mpirun sends SIGTERM to the others, and these must not wait for it for ever.
#include "checker/distributed/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <numeric>
#include <thread>
#include <utility>

#include "checker/text/usage_error.hpp"

#ifdef WARPCHECK_HAS_MPI
#include <mpi.h>
#endif

namespace warpcheck {
namespace {

constexpr const char* alone_variable = "WARPCHECK_ALONE";

/// Returns the number with which an environment variable begins ("16(x4)": 16), or 0 if there is
/// none.
int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : 0;
}

}  // namespace

bool ranks::are_started() {
  if (std::getenv(alone_variable) != nullptr) return false;
  if (const int by_mpirun = number_in("OMPI_COMM_WORLD_SIZE"); by_mpirun > 0) return by_mpirun > 1;
  return std::getenv("PMIX_RANK") != nullptr && number_in("SLURM_STEP_NUM_TASKS") > 1;
}

std::uint32_t ranks::on_this_machine() {
  if (!are_started()) return 1;
  const int by_mpirun = number_in("OMPI_COMM_WORLD_LOCAL_SIZE");
  const int here = by_mpirun > 0 ? by_mpirun : number_in("SLURM_STEP_TASKS_PER_NODE");
  return static_cast<std::uint32_t>(std::max(here, 1));
}

void ranks::start_others_alone() { ::setenv(alone_variable, "1", 1); }

#ifdef WARPCHECK_HAS_MPI

namespace {

// How long a rank may not answer after the process is told to stop. (mpirun waits a second before
// it kills ranks that have not ended.)
constexpr auto patience_once_stopped = std::chrono::milliseconds(200);
constexpr int inconclusive_status = 3, defect_status = 4;
// Turns of a wait that only yield. After that, the wait sleeps.
constexpr int quick_turns = 20'000;
constexpr int message_tag = 1;

int size_of(std::size_t size) {
  if (size > 0x7fffffff) throw std::length_error("more bytes in one message than MPI sends");
  return static_cast<int>(size);
}

}  // namespace

struct ranks::mpi {
  struct sent {
    byte_list content;
    MPI_Request request;
  };
  std::list<sent> under_way;
  bool is_lost = false;

  void tidy() {
    under_way.remove_if([](sent& one) {
      int done = 0;
      MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  void wait(MPI_Request request, const std::atomic<bool>* stop) {
    using clock = std::chrono::steady_clock;
    std::optional<clock::time_point> stopped;
    for (int turn = 0;; ++turn) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      if (turn < quick_turns) {
        std::this_thread::yield();
        if (turn % 64 != 0) continue;
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      if (stop == nullptr || !stop->load()) continue;
      if (!stopped) stopped = clock::now();
      if (clock::now() - *stopped < patience_once_stopped) continue;
      is_lost = true;
      throw rank_lost("another rank has ended, or does not answer");
    }
  }
};

ranks::ranks(const std::atomic<bool>* stop) : stop_(stop) {
  if (!are_started()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  mpi_ = std::make_unique<mpi>();
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  own_ = static_cast<std::uint32_t>(number);
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  count_ = static_cast<std::uint32_t>(number);
}

ranks::~ranks() {
  if (!mpi_) return;
  if (mpi_->is_lost) {  // mpirun ends all ranks that are left
    std::fflush(nullptr);
    std::_Exit(inconclusive_status);
  }
  if (std::uncaught_exceptions() > 0) {
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, defect_status);
  }
  MPI_Finalize();
}

bool ranks::is_lost() const { return mpi_ && mpi_->is_lost; }

void ranks::end_all(int status) {
  std::fflush(nullptr);
  if (mpi_) MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

void ranks::send(std::uint32_t to, byte_list content) {
  if (!mpi_) throw std::logic_error("there is no other rank");
  mpi_->tidy();
  mpi::sent& one = mpi_->under_way.emplace_back(std::move(content), MPI_REQUEST_NULL);
  MPI_Isend(one.content.data(), size_of(one.content.size()), MPI_BYTE, static_cast<int>(to),
            message_tag, MPI_COMM_WORLD, &one.request);
}

std::optional<ranks::message> ranks::receive() {
  if (!mpi_) return std::nullopt;
  mpi_->tidy();
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, message_tag, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  message one{static_cast<std::uint32_t>(status.MPI_SOURCE),
              byte_list(static_cast<std::size_t>(size))};
  MPI_Recv(one.content.data(), size, MPI_BYTE, status.MPI_SOURCE, message_tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return one;
}

namespace {

/// Returns where each part of a message begins, for MPI.
std::vector<int> begins_of(const std::vector<int>& sizes) {
  std::vector<int> begins(sizes.size(), 0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    begins[i] = size_of(at);
    at += static_cast<std::size_t>(sizes[i]);
  }
  size_of(at);
  return begins;
}

std::vector<byte_list> parts_of(const byte_list& all, const std::vector<int>& sizes) {
  std::vector<byte_list> parts;
  auto at = all.begin();
  for (const int size : sizes) {
    parts.emplace_back(at, at + size);
    at += size;
  }
  return parts;
}

}  // namespace

std::vector<byte_list> ranks::gather(const byte_list& mine) {
  if (!mpi_) return {mine};
  MPI_Request request = MPI_REQUEST_NULL;
  const int size = size_of(mine.size());
  std::vector<int> sizes(count_);
  MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  const std::vector<int> begins = begins_of(sizes);
  byte_list all(static_cast<std::size_t>(begins.back() + sizes.back()));
  MPI_Iallgatherv(mine.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE,
                  MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  return parts_of(all, sizes);
}

std::vector<byte_list> ranks::gather_at_first(const byte_list& mine) {
  if (!mpi_) return {mine};
  MPI_Request request = MPI_REQUEST_NULL;
  const int size = size_of(mine.size());
  std::vector<int> sizes(count_);
  MPI_Igather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  const std::vector<int> begins = begins_of(sizes);
  byte_list all(is_first() ? static_cast<std::size_t>(begins.back() + sizes.back()) : 0);
  MPI_Igatherv(mine.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0,
               MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  return is_first() ? parts_of(all, sizes) : std::vector<byte_list>(count_);
}

byte_list ranks::from_first(byte_list mine) {
  if (!mpi_) return mine;
  MPI_Request request = MPI_REQUEST_NULL;
  int size = size_of(mine.size());
  MPI_Ibcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  mine.resize(static_cast<std::size_t>(size));
  MPI_Ibcast(mine.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  return mine;
}

std::vector<byte_list> ranks::exchange(const std::vector<byte_list>& to) {
  if (!mpi_) return to;
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<int> sent;
  byte_list out;
  for (std::uint32_t r = 0; r < count_; ++r) {
    const bool is_own = r == own_;  // what is for this rank is not sent
    sent.push_back(is_own ? 0 : size_of(to[r].size()));
    if (!is_own) out.insert(out.end(), to[r].begin(), to[r].end());
  }
  bytes_sent_ += out.size();
  std::vector<int> received(count_);
  MPI_Ialltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  const std::vector<int> out_begins = begins_of(sent);
  const std::vector<int> in_begins = begins_of(received);
  byte_list in(static_cast<std::size_t>(in_begins.back() + received.back()));
  MPI_Ialltoallv(out.data(), sent.data(), out_begins.data(), MPI_BYTE, in.data(), received.data(),
                 in_begins.data(), MPI_BYTE, MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
  std::vector<byte_list> parts = parts_of(in, received);
  parts[own_] = to[own_];
  return parts;
}

void ranks::add_up(std::span<std::uint64_t> numbers) {
  if (!mpi_) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), size_of(numbers.size()), MPI_UINT64_T, MPI_SUM,
                 MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
}

void ranks::take_largest(std::span<std::uint64_t> numbers) {
  if (!mpi_) return;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), size_of(numbers.size()), MPI_UINT64_T, MPI_MAX,
                 MPI_COMM_WORLD, &request);
  mpi_->wait(request, stop_);
}

#else

struct ranks::mpi {};

ranks::ranks(const std::atomic<bool>* stop) : stop_(stop) {
  if (!are_started()) return;
  throw usage_error(
      "this warpcheck was started with others, as mpirun does, but built without Open MPI; install "
      "openmpi-bin and libopenmpi-dev, configure and build it again, or start it without mpirun");
}

ranks::~ranks() = default;
bool ranks::is_lost() const { return false; }
void ranks::end_all(int status) { std::_Exit(status); }

void ranks::send(std::uint32_t, byte_list) { throw std::logic_error("there is no other rank"); }
std::optional<ranks::message> ranks::receive() { return std::nullopt; }
std::vector<byte_list> ranks::gather(const byte_list& mine) { return {mine}; }
std::vector<byte_list> ranks::gather_at_first(const byte_list& mine) { return {mine}; }
byte_list ranks::from_first(byte_list mine) { return mine; }
std::vector<byte_list> ranks::exchange(const std::vector<byte_list>& to) { return to; }
void ranks::add_up(std::span<std::uint64_t>) {}
void ranks::take_largest(std::span<std::uint64_t>) {}

#endif

}  // namespace warpcheck
