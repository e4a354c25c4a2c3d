// Places axes, ticks, lines, spreads and names, and writes them as SVG elements.
#include "checker/measure/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

namespace warpcheck {

namespace {

constexpr double plot_width = 500, height = 440, top = 40, bottom = 50;
constexpr double letter = 7.6;  // largest width of a digit in the font

// Colours by Okabe & Ito, which people with any colour vision can tell apart.
constexpr std::array<std::string_view, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '<')
      all += "&lt;";
    else if (c == '&')
      all += "&amp;";
    else
      all += c;
  }
  return all;
}

/// Returns a step of 1, 2 or 5 times a power of ten, of which the range has about five.
double step_of(double range) {
  const double rough = std::pow(10, std::floor(std::log10(range / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (rough * factor) <= 6) return rough * factor;
  }
  return rough * 10;
}

class drawing {
 public:
  explicit drawing(const line_plot& plot) : plot_(plot) {
    for (const plotted_line& line : plot.lines) {
      for (const auto& p : line.points) {
        ticks_.insert(p.x);
        most_ = std::max(most_, p.high);
        least_ = least_ > 0 ? std::min(least_, p.low) : p.low;
      }
    }
    for (const auto& [name, level] : plot.levels) most_ = std::max(most_, level);
    if (most_ <= 0) most_ = 1;
    if (plot.logarithmic) {
      most_ = std::pow(10, std::ceil(std::log10(most_)));
      least_ = std::pow(10, std::floor(std::log10(least_ > 0 ? least_ : most_ / 10)));
      if (least_ >= most_) least_ = most_ / 10;
    }
    if (ticks_.empty()) ticks_.insert(1);
    std::size_t longest = 0, longest_number = 0;
    for (const plotted_line& line : plot.lines) longest = std::max(longest, line.name.size());
    for (const double value : y_ticks())
      longest_number = std::max(longest_number, fmt::format("{:g}", value).size());
    left_ = std::max(70.0, 30 + letter * static_cast<double>(longest_number));
    end_ = left_ + plot_width;
    width_ = end_ + std::max(150.0, 40 + letter * static_cast<double>(longest));
  }

  std::string svg() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width_, height);
    label(width_ / 2, 22, "middle", plot_.title);
    label((left_ + end_) / 2, height - 12, "middle", plot_.x_axis);
    text_ += fmt::format(
        "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (top + height - bottom) / 2, escaped(plot_.y_axis));
    axes();
    for (const auto& [name, level] : plot_.levels) {
      stroke(left_, y(level), end_, y(level), "#777777", " stroke-dasharray=\"5 4\"");
      label(end_ + 6, y(level) + 4, "start", name);
    }
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) line(i);
    return text_ + "</svg>\n";
  }

 private:
  const line_plot& plot_;
  std::set<double> ticks_;
  double most_ = 0, least_ = 0;
  double left_ = 0, end_ = 0, width_ = 0;  // of the axes, and of the picture
  std::string text_;

  [[nodiscard]] double x(double value) const {
    const double first = std::log2(*ticks_.begin()), last = std::log2(*ticks_.rbegin());
    const double part = last > first ? (std::log2(value) - first) / (last - first) : 0.5;
    return left_ + part * plot_width;
  }
  [[nodiscard]] double y(double value) const {
    const double part =
        plot_.logarithmic ? std::log(value / least_) / std::log(most_ / least_) : value / most_;
    return height - bottom - part * (height - top - bottom);
  }
  void label(double at_x, double at_y, std::string_view anchor, std::string_view what) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x,
                         at_y, anchor, escaped(what));
  }
  void stroke(double x1, double y1, double x2, double y2, std::string_view colour,
              std::string_view more = "") {
    text_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1, y1,
        x2, y2, colour, more);
  }

  void axes() {
    stroke(left_, height - bottom, end_, height - bottom, "black");
    stroke(left_, top, left_, height - bottom, "black");
    for (const double tick : ticks_) {
      stroke(x(tick), height - bottom, x(tick), height - bottom + 5, "black");
      label(x(tick), height - bottom + 18, "middle", fmt::format("{:.9g}", tick));
    }
    for (const double value : y_ticks()) level(value);
  }

  /// Returns where the y axis has numbers.
  [[nodiscard]] std::vector<double> y_ticks() const {
    std::vector<double> all;
    if (plot_.logarithmic) {
      for (double at = least_; at <= most_ * 1.0001; at *= 10) all.push_back(at);
      return all;
    }
    const double step = step_of(most_);
    for (int i = 0; i * step <= most_ * 1.0001; ++i) all.push_back(i * step);
    return all;
  }

  void level(double value) {
    stroke(left_ - 5, y(value), end_, y(value), "#cccccc");
    label(left_ - 8, y(value) + 4, "end", fmt::format("{:g}", value));
  }

  /// Draws the line through `points`, and clears them. The next points begin another line.
  void polyline(std::string& points, std::string_view colour) {
    text_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                    points, colour);
    points.clear();
  }

  void line(std::size_t number) {
    const plotted_line& one = plot_.lines[number];
    const std::string_view colour = colours[number % colours.size()];
    std::string points;
    const plotted_line::point* before = nullptr;
    for (const auto& p : one.points) {
      const auto is_between = [&](double gap) { return before->x < gap && gap < p.x; };
      if (before != nullptr && std::ranges::any_of(one.gaps, is_between)) polyline(points, colour);
      before = &p;
      points += fmt::format("{:.1f},{:.1f} ", x(p.x), y(p.middle));
      stroke(x(p.x), y(p.low), x(p.x), y(p.high), colour);
      text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(p.x),
                           y(p.middle), colour);
    }
    polyline(points, colour);
    const double at = top + 18.0 * static_cast<double>(number);
    stroke(end_ + 8, at, end_ + 28, at, colour, " stroke-width=\"2\"");
    label(end_ + 34, at + 4, "start", one.name);
  }
};

}  // namespace

std::string to_svg(const line_plot& plot) { return drawing(plot).svg(); }

}  // namespace warpcheck
