// Measurements as a picture: lines over a logarithmic axis, as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpcheck {

/// One line, with its spread at each point.
struct plotted_line {
  struct point {
    double x = 0;
    double low = 0, middle = 0, high = 0;
  };
  std::string name;
  std::vector<point> points;  // x ascending, above 0
  std::vector<double> gaps;   // x where there is no point, and the line is broken
};

struct line_plot {
  std::string title, x_axis, y_axis;
  std::vector<plotted_line> lines;
  std::vector<std::pair<std::string, double>> levels;  // drawn dashed, across
  bool logarithmic = false;                            // the y axis; all values are above 0
};

/// A picture of 720 × 440, or wider where names are long; the x axis is logarithmic with ticks at
/// all points, the y axis linear from 0, or logarithmic between powers of ten.
std::string to_svg(const line_plot& plot);

}  // namespace warpcheck
