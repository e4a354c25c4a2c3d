// Draws measurements as a picture: lines over a logarithmic axis, as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpcheck {

/// One line, with the spread at each of its points.
struct plotted_line {
  struct point {
    double x = 0;
    double low = 0, middle = 0, high = 0;
  };
  std::string name;
  std::vector<point> points;  // x ascending, above 0
  std::vector<double> gaps;   // values of x without a point, where the line is broken
};

struct line_plot {
  std::string title, x_axis, y_axis;
  std::vector<plotted_line> lines;
  std::vector<std::pair<std::string, double>> levels;  // drawn dashed, across the picture
  // Whether the y axis is logarithmic; then all values are above 0.
  bool logarithmic = false;
};

/// Returns a picture of 720 × 440, or wider if names are long. The x axis is logarithmic with ticks
/// at all points. The y axis is linear from 0, or logarithmic between powers of ten.
std::string to_svg(const line_plot& plot);

}  // namespace warpcheck
