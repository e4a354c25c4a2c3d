// Measures how long it takes to sort particles into an octree, with the balancers of chapter 3 of
// Cederman's thesis (2011), by the code of algorithms/balancing.
//
//   nvcc -std=c++20 -O3 -arch=native -DSIMT_MEASURED -Isim/include -Ialgorithms
//   hardware/octree.cu -o octree
//
// usage: octree [options]
//   --subject static|blocking_queue|lock_free_queue|stealing   (static)
//   --workload uniform|tube   (uniform) where particles are: anywhere in a cube, or in the wall
//                             of a tube
//   --particles N  (500000)
//   --blocks N     (132)
//   --threads N    of each block (64)
//   --trials N     octrees that are measured, after one that is not (10)
//   --deadline S   seconds after which a launch counts as hanging (10)
//
// An octant of more than 20 particles is divided, at ten levels at most. The first octant is
// divided by one block before the time begins, as in the thesis (3.6). Each octree is checked: each
// particle is in one leaf, and the leaves are those that there must be. building.cuh says what is
// printed. `counted` is the number of tasks.
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "building.cuh"

#include "balancing/wide_octree_blocking_queue.hpp"
#include "balancing/wide_octree_lock_free_queue.hpp"
#include "balancing/wide_octree_static.hpp"
#include "balancing/wide_octree_stealing.hpp"

namespace {

// --- particles ---

constexpr int cells = 1 << wide_octree::levels;  // along an edge of the cube

/// The Morton code of coordinates from 0 to 1: the highest bits of each, then the next ones, and so
/// on.
int place_of(double x, double y, double z) {
  const auto cell_of = [](double at) { return static_cast<int>(at * (cells - 1)); };
  int place = 0;
  for (int bit = wide_octree::levels - 1; bit >= 0; --bit) {
    for (const int cell : {cell_of(x), cell_of(y), cell_of(z)})
      place = 2 * place + (cell >> bit & 1);
  }
  return place;
}

/// Empty: there is no such distribution.
std::vector<int> particles(const std::string& distribution, std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<int> places;
  while (places.size() < count) {
    if (distribution == "uniform") {
      const double x = unit(random), y = unit(random);
      places.push_back(place_of(x, y, unit(random)));
    } else if (distribution == "tube") {
      // The thesis gives no measures. Here the tube is as long as the cube, and the radius of its
      // wall is 0.2 to 0.25 of that. The density makes as many levels as the thesis says.
      const double angle = 2 * std::numbers::pi * unit(random);
      const double radius = std::sqrt(0.04 + (0.0625 - 0.04) * unit(random));
      const double x = unit(random);
      places.push_back(place_of(x, 0.5 + radius * std::cos(angle), 0.5 + radius * std::sin(angle)));
    } else {
      break;
    }
  }
  return places;
}

/// The number of octants that are divided, without the first.
double tasks_of(std::vector<int> places) {
  std::sort(places.begin(), places.end());
  int tasks = 0;
  for (int level = 1; level < wide_octree::levels; ++level) {
    const int shift = wide_octree::bits * (wide_octree::levels - level);
    for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
      while (end < places.size() && places[end] >> shift == places[begin] >> shift) ++end;
      tasks += end - begin > wide_octree::leaf ? 1 : 0;
    }
  }
  return tasks;
}

// --- octrees ---

template <class Octree>
__global__ void begin(Octree* octree) {
  if (simt::thread_rank() == 0) octree->init();
}
template <class Octree>
__global__ void run(Octree* octree) {
  (*octree)();
}
template <class Octree>
__global__ void do_one_task(Octree* octree) {
  octree->go_on();
}

template <class Octree>
class on_gpu {
 public:
  explicit on_gpu(const building::options& run) : run_(run) {
    std::vector<int> places = particles(run.workload, run.places);
    tasks_ = tasks_of(places);
    building::device_arrays::give("particles", std::move(places));
    here_ = std::make_unique<Octree>();
    building::device_arrays::send(*here_, fresh_);
  }

  void clear() {
    building::options of_first = run_;
    of_first.blocks = 1;
    of_first.threads = 512;
    there_.copy(fresh_);
    building::set_shape(of_first);
    begin<<<1, 32>>>(there_.there());
    if constexpr (has_launches) {
      here_->use = {};
      run<<<1, of_first.threads>>>(there_.there());
      has_more();
    } else {
      do_one_task<<<1, of_first.threads>>>(there_.there());
    }
    building::require(cudaDeviceSynchronize(), "the first task");
    building::set_shape(run_);
  }
  void build() {
    if constexpr (has_launches) {
      while (here_->use.tasks != 0) {
        run<<<run_.blocks, run_.threads>>>(there_.there());
        has_more();
      }
    } else {
      run<<<run_.blocks, run_.threads>>>(there_.there());
    }
  }
  [[nodiscard]] const char* what_is_wrong() {
    building::device_arrays::fetch(*here_, there_);
    return here_->check();
  }
  [[nodiscard]] double counted() const { return tasks_; }

 private:
  static constexpr bool has_launches = requires(Octree & octree) { octree.next_launch(0); };

  const building::options& run_;
  double tasks_ = 0;
  std::unique_ptr<Octree> here_;
  building::device_memory<Octree> fresh_{1}, there_{1};

  /// Calls the host's step between launches, of the object on the GPU.
  void has_more() {
    auto* const use = &there_.there()->use;
    building::require(cudaMemcpy(&here_->use, use, sizeof here_->use, cudaMemcpyDeviceToHost),
                      "lists");
    here_->next_launch(0);
    building::require(cudaMemcpy(use, &here_->use, sizeof here_->use, cudaMemcpyHostToDevice),
                      "lists");
  }
};

}  // namespace

int main(int argc, char** argv) {
  const building::room limits{"hardware/octree.cu", "--particles", wide_octree::most, "", 0};
  building::options defaults;
  defaults.subject = "static";
  defaults.workload = "uniform";
  defaults.places = 500'000;
  defaults.blocks = 132;
  defaults.threads = 64;
  const building::options run = building::parse(argc, argv, limits, defaults);
  if (particles(run.workload, 1).empty())
    building::wrong_use(limits, "there is no distribution \"" + run.workload + "\"");
  const std::string device = building::find_device();
  using building::measure;
  if (run.subject == "static") measure<on_gpu<wide_octree_static>>(run, device);
  if (run.subject == "blocking_queue") measure<on_gpu<wide_octree_blocking_queue>>(run, device);
  if (run.subject == "lock_free_queue") measure<on_gpu<wide_octree_lock_free_queue>>(run, device);
  if (run.subject == "stealing") measure<on_gpu<wide_octree_stealing>>(run, device);
  building::wrong_use(limits, "there is no balancer \"" + run.subject + "\"");
}
