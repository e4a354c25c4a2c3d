// Measures how long breadth-first search takes in a network like that of roads. The code of
// algorithms/graphs searches over the queues of Pourmeidani's thesis (2018, 4.2.2), or by levels.
// Both are compared with one core of the CPU.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/graphs.cu -o graphs
//
// usage: graphs [options]
//   --subject queue_bfs_blocking|queue_bfs_nonblocking   (queue_bfs_blocking) as in the thesis: a
//                                  vertex keeps the level that it is given first
//             |queue_bfs_blocking_shorter|queue_bfs_nonblocking_shorter   levels are right
//             |level_bfs                     a launch for each level
//             |cpu_bfs
//   --vertices N   (65536)
//   --blocks N     (264)
//   --threads N    of each block (128)
//   --trials N     searches that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// The network is a random spanning tree of a square grid, with two in five of the grid's other
// edges and a shortcut for each 1000 vertices. A vertex has 2.8 neighbours on average.
//
// Each search is checked: each vertex must be reached. Where levels are to be right, each edge must
// lead at most one level on, and each vertex but the first must have a neighbour one level above.
// building.cuh says what is printed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "building.cuh"
#include "graphs/level_bfs.hpp"
#include "graphs/queue_bfs_blocking.hpp"
#include "graphs/queue_bfs_blocking_shorter.hpp"
#include "graphs/queue_bfs_nonblocking.hpp"
#include "graphs/queue_bfs_nonblocking_shorter.hpp"

namespace {

using edge = std::pair<int, int>;

/// The sets of vertices that are connected so far.
class components {
 public:
  explicit components(int vertices) : above_(static_cast<std::size_t>(vertices)) {
    std::iota(above_.begin(), above_.end(), 0);
  }
  /// Connects two vertices. False: they already were connected.
  bool connect(int a, int b) {
    a = top_of(a);
    b = top_of(b);
    above(a) = b;
    return a != b;
  }

 private:
  std::vector<int> above_;

  int& above(int v) { return above_[static_cast<std::size_t>(v)]; }
  int top_of(int v) {
    while (above(v) != v) v = above(v) = above(above(v));
    return v;
  }
};

std::vector<edge> roads(int vertices) {
  std::mt19937 random(1);
  const auto width = static_cast<int>(std::sqrt(vertices));
  std::vector<edge> grid;
  for (int v = 0; v < vertices; ++v) {
    if (v % width + 1 < width && v + 1 < vertices) grid.emplace_back(v, v + 1);
    if (v + width < vertices) grid.emplace_back(v, v + width);
  }
  std::shuffle(grid.begin(), grid.end(), random);
  components all(vertices);
  std::vector<edge> kept;
  for (const edge& each : grid) {
    const bool is_of_tree = all.connect(each.first, each.second);
    if (is_of_tree || random() % 5 < 2) kept.push_back(each);
  }
  std::uniform_int_distribution<int> any(0, vertices - 1);
  for (int i = 0; i < vertices / 1000; ++i) kept.emplace_back(any(random), any(random));
  return kept;
}

/// Sets the initial content of the subject's arrays.
void give_network(int vertices) {
  const std::vector<edge> edges = roads(vertices);
  std::vector<int> first(static_cast<std::size_t>(vertices) + 1);
  for (const auto& [a, b] : edges) {
    ++first[static_cast<std::size_t>(a) + 1];
    ++first[static_cast<std::size_t>(b) + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> to(2 * edges.size()), next = first;
  for (const auto& [a, b] : edges) {
    to[static_cast<std::size_t>(next[static_cast<std::size_t>(a)]++)] = b;
    to[static_cast<std::size_t>(next[static_cast<std::size_t>(b)]++)] = a;
  }
  building::device_arrays::give("first", std::move(first));
  building::device_arrays::give("to", std::move(to));
  building::device_arrays::give("level", std::vector<int>(static_cast<std::size_t>(vertices)));
}

template <class Search>
__global__ void begin(Search* search) {
  if constexpr (requires { search->init(); }) {
    if (simt::thread_rank() == 0) search->init();
  }
}
template <class Search>
__global__ void run(Search* search, [[maybe_unused]] std::uint32_t launch) {
  if constexpr (requires { (*search)(launch); })
    (*search)(launch);
  else
    (*search)();
}

template <class Search>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run) {
    give_network(static_cast<int>(run.places));
    here_ = std::make_unique<Search>();
    at_first_ = std::vector<int>(here_->graph.level.data(),
                                 here_->graph.level.data() + here_->graph.level.size());
  }

  void clear() {
    building::device_arrays::set("level", at_first_);
    building::device_arrays::send(*here_, there_);
    begin<<<1, 32>>>(there_.there());
    building::require(cudaDeviceSynchronize(), "begin");
  }
  void build() {
    std::uint32_t launch = 0;
    do {
      run<<<run_.blocks, run_.threads>>>(there_.there(), launch++);
    } while (has_more());
  }
  [[nodiscard]] const char* what_is_wrong() {
    building::device_arrays::set("level", building::device_arrays::fetch("level"));
    return here_->check();
  }

 private:
  const building::options& run_;
  std::unique_ptr<Search> here_;
  std::vector<int> at_first_;
  building::device_memory<Search> there_{1};

  /// Calls `next_launch` of the object on the GPU.
  bool has_more() {
    if constexpr (requires { here_->has_grown; }) {
      int* const flag = &there_.there()->has_grown;
      const int none = 0;
      int has_grown = 0;
      building::require(cudaMemcpy(&has_grown, flag, sizeof none, cudaMemcpyDeviceToHost), "level");
      building::require(cudaMemcpy(flag, &none, sizeof none, cudaMemcpyHostToDevice), "level");
      return has_grown != 0;
    }
    return false;
  }
};

class on_cpu {
 public:
  explicit on_cpu(const building::options& run) {
    give_network(static_cast<int>(run.places));
    graph_ = std::make_unique<network>();
  }

  void clear() {
    for (std::size_t v = 1; v < graph_->level.size(); ++v) graph_->level[v] = network::unreached;
  }
  void build() {
    std::queue<int> next;
    for (next.push(0); !next.empty(); next.pop()) visit(next.front(), next);
  }
  [[nodiscard]] const char* what_is_wrong() const {
    return graph_->reaches_all() && graph_->has_right_levels() ? nullptr : "a level is wrong";
  }

 private:
  std::unique_ptr<network> graph_;

  void visit(int vertex, std::queue<int>& next) {
    const int level = at(graph_->level, vertex) + 1;
    for (int e = at(graph_->first, vertex); e < at(graph_->first, vertex + 1); ++e) {
      int& there = at(graph_->level, at(graph_->to, e));
      if (there != network::unreached) continue;
      there = level;
      next.push(at(graph_->to, e));
    }
  }
  static int& at(const simt::device_array<int>& array, int i) {
    return array[static_cast<std::size_t>(i)];
  }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/graphs.cu", "--vertices", (1U << 21) - 1, "", 0};
  building::options defaults;
  defaults.subject = "queue_bfs_blocking";
  defaults.places = 1U << 16;
  defaults.blocks = 264;
  defaults.threads = 128;
  const building::options run = building::parse(argc, argv, limits, defaults);
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "queue_bfs_blocking") measure<on_gpu<queue_bfs_blocking>>(run, device);
  if (run.subject == "queue_bfs_nonblocking") measure<on_gpu<queue_bfs_nonblocking>>(run, device);
  if (run.subject == "queue_bfs_blocking_shorter")
    measure<on_gpu<queue_bfs_blocking_shorter>>(run, device);
  if (run.subject == "queue_bfs_nonblocking_shorter")
    measure<on_gpu<queue_bfs_nonblocking_shorter>>(run, device);
  if (run.subject == "level_bfs") measure<on_gpu<level_bfs>>(run, device);
  if (run.subject == "cpu_bfs") measure<on_cpu, building::cpu_clock>(run, device);
  building::wrong_use(limits, "there is no search \"" + run.subject + "\"");
}
