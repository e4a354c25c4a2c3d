// Draws measurements as the figures of the papers that the benchmarks come from, as SVG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// Grote, figures 5.1 to 5.4: the time over threads per block, a line for each number of blocks,
/// and the time of a single thread. `all` may also have other subjects.
std::string measurement_plot(const measurement_setting& setting,
                             const std::vector<measurement>& all, const std::string& subject);

/// Grote, figure 5.5: the time over buckets, a line for each lock.
std::string table_plot(const measurement_setting& setting, const std::vector<measurement>& all);

/// Grote, figures 5.6, 5.7, 5.12 and 5.13: the time over entry points with so many threads per
/// block, a line for each list. Figures 5.8 to 5.11: the time over threads with so many entry
/// points.
std::string list_plot_by_entry_points(const measurement_setting& setting,
                                      const std::vector<measurement>& all, std::uint64_t threads);
std::string list_plot_by_threads(const measurement_setting& setting,
                                 const std::vector<measurement>& all, std::uint64_t entry_points);

/// The time over keys or operations, with a line for each subject. Sources: Cederman, figures
/// 2.4 and 2.5; Misra and Chaudhuri, figures 4 to 7; Pourmeidani, tables 4.1 and 4.2.
std::string workload_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                          const std::string& workload);

/// Cederman, figures 3.2 and 3.3: the time over blocks for octrees of one workload, with so many
/// particles and threads per block, a line for each balancer. Figure 3.4: the time of its best grid
/// over particles.
std::string octree_plot_by_blocks(const measurement_setting& setting,
                                  const std::vector<measurement>& all);
std::string octree_plot_by_particles(const measurement_setting& setting,
                                     const std::vector<measurement>& all);

/// Cederman, figures 5.4 and 5.5: aborted attempts per operation over blocks, a line for each
/// subject of the workload. Of deques: the part of the tasks that was stolen.
std::string abort_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                       const std::string& workload);

/// Cederman, figures 4.1 to 4.6 and 5.6 to 5.10, and Stuart and Owens, figures 1 to 3: operations
/// per second over blocks, a line for each subject of the workload.
std::string throughput_plot(const measurement_setting& setting, const std::vector<measurement>& all,
                            const std::string& workload);

/// Cederman, figures 4.7 to 4.10: operations per second over the clients that move, as
/// "queue_stack_high" has them. `of_others`: of one client that does not move (figures 4.11
/// and 4.12).
std::string plot_by_movers(const measurement_setting& setting, const std::vector<measurement>& all,
                           const std::string& containers, std::uint64_t blocks, bool of_others);

/// Writes all plots of a benchmark into the folder that --svg names, and says to which files. The
/// titles name the GPU if its name is known.
/// - `counter`: one for each subject.
/// - `blocks`: one for each workload; for semaphores, one for each number that their names end in.
/// - `list`: one for each number of threads, and one for each number of entry points, if the other
///   number varies.
/// - `octree`: one for each workload, number of particles and of threads; and for each workload one
///   over particles, if these vary.
/// - `stm`, `deques`: two for each workload.
/// - `move`: one for each workload, over blocks, and two for each pair of containers and number of
///   blocks, over the clients that move; where these vary.
/// - others: one for each workload.
std::vector<std::filesystem::path> write_plots(const std::filesystem::path& folder,
                                               const measurement_setting& setting,
                                               const std::vector<measurement>& all);

}  // namespace warpcheck
