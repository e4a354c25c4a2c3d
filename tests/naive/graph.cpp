// Computes the basic blocks of a program and their post-dominators.
#include "tests/naive/graph.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/naive/build.hpp"

namespace naive {
namespace {

class compiler {
 public:
  explicit compiler(flow_graph& g) : graph_(g) {}

  void compile(const sequence& body) {
    const int entry = add_block();
    graph_.end = add_block();
    current_ = entry;
    statements(body);
    jump(graph_.end);
  }

 private:
  int add_block() {
    graph_.blocks.emplace_back();
    return static_cast<int>(graph_.blocks.size()) - 1;
  }
  basic_block& at(int b) { return graph_.blocks[static_cast<std::size_t>(b)]; }

  void assign(int target, const expression& value) {
    at(current_).code.push_back({false, target, value, {}});
  }
  void operate(const operation& op) { at(current_).code.push_back({true, 0, {}, op}); }

  void jump(int to) {
    if (current_ == no_block) return;
    at(current_).successors = {to};
    current_ = no_block;
  }
  void branch(const condition& test, int if_true, int if_false) {
    if (test.first) operate(*test.first);
    at(current_).selector = test.test;
    at(current_).labels = {0};
    at(current_).successors = {if_false, if_true};
    current_ = no_block;
  }

  void statements(const sequence& list) {
    for (const statement& s : list) {
      if (current_ == no_block) return;  // what follows cannot be reached
      one(s);
    }
  }

  void one(const statement& s) {
    switch (s.kind) {
      case statement_kind::assign: assign(s.target, s.value); break;
      case statement_kind::operate: operate(s.op); break;
      case statement_kind::bump: bump(s.op); break;
      case statement_kind::check: check(s.value); break;
      case statement_kind::if_else: if_else(s); break;
      case statement_kind::while_loop: while_loop(s); break;
      case statement_kind::do_while: do_while(s); break;
      case statement_kind::forever: forever(s); break;
      case statement_kind::switch_on: switch_on(s); break;
      case statement_kind::break_loop: jump(break_); break;
      case statement_kind::continue_loop: jump(continue_); break;
      case statement_kind::return_body: jump(graph_.end); break;
      case statement_kind::text: throw std::logic_error("what does this text do?");
    }
  }

  void bump(const operation& where) {
    operation load = build::load(local_count, strength::weak, where.cell);
    operation store = build::store(strength::weak, where.cell,
                                   build::add(build::local(local_count), build::constant(1)));
    load.shared = store.shared = where.shared;
    operate(load);
    operate(store);
    assign(local_count, build::constant(0));  // dead: do not tell states apart by it
  }

  // A check is an ordinary branch to a call that reports the failure and returns.
  void check(const expression& value) {
    const int failed = add_block();
    const int after = add_block();
    branch(build::when(value), after, failed);
    current_ = failed;
    operate(build::simple(operation_kind::fail));
    jump(after);
    current_ = after;
  }

  void if_else(const statement& s) {
    const int then = add_block();
    const int after = add_block();
    const int otherwise = s.otherwise.empty() ? after : add_block();
    branch(s.test, then, otherwise);
    current_ = then;
    statements(s.body);
    jump(after);
    if (!s.otherwise.empty()) {
      current_ = otherwise;
      statements(s.otherwise);
      jump(after);
    }
    current_ = after;
  }

  void loop_body(const sequence& body, int continue_to, int break_to) {
    const int outer_break = break_;
    const int outer_continue = continue_;
    break_ = break_to;
    continue_ = continue_to;
    statements(body);
    jump(continue_to);
    break_ = outer_break;
    continue_ = outer_continue;
    current_ = break_to;
  }

  void while_loop(const statement& s) {
    const int head = add_block();
    const int body = add_block();
    const int after = add_block();
    jump(head);
    current_ = head;
    branch(s.test, body, after);
    current_ = body;
    loop_body(s.body, head, after);
  }

  void do_while(const statement& s) {
    const int body = add_block();
    const int test = add_block();
    const int after = add_block();
    jump(body);
    current_ = body;
    loop_body(s.body, test, after);
    current_ = test;
    branch(s.test, body, after);
    current_ = after;
  }

  void forever(const statement& s) {
    const int body = add_block();
    const int after = add_block();
    jump(body);
    current_ = body;
    loop_body(s.body, body, after);
  }

  void switch_on(const statement& s) {
    const int after = add_block();
    const int from = current_;
    std::vector<int> labels;
    std::vector<int> targets;
    for (const auto& [label, body] : s.cases) {
      labels.push_back(label);
      targets.push_back(add_block());
      current_ = targets.back();
      statements(body);
      jump(after);
    }
    targets.push_back(s.otherwise.empty() ? after : add_block());
    if (!s.otherwise.empty()) {
      current_ = targets.back();
      statements(s.otherwise);
      jump(after);
    }
    at(from).selector = s.value;
    at(from).labels = labels;
    at(from).successors = targets;
    current_ = after;
  }

  flow_graph& graph_;
  int current_ = no_block;
  int break_ = no_block;
  int continue_ = no_block;
};

using block_set = std::set<int>;

block_set blocks_that_reach_end(const flow_graph& g) {
  block_set reach{g.end};
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < static_cast<int>(g.blocks.size()); ++b) {
      for (const int next : g.blocks[static_cast<std::size_t>(b)].successors) {
        if (reach.contains(next) && reach.insert(b).second) changed = true;
      }
    }
  }
  return reach;
}

/// The largest solution of pdom(end) = {end}, pdom(b) = {b} and what all successors have.
std::vector<block_set> post_dominators(const flow_graph& g, const block_set& reach) {
  std::vector<block_set> result(g.blocks.size(), reach);
  result[static_cast<std::size_t>(g.end)] = {g.end};
  for (bool changed = true; changed;) {
    changed = false;
    for (const int b : reach) {
      if (b == g.end) continue;
      block_set meet = reach;
      for (const int next : g.blocks[static_cast<std::size_t>(b)].successors) {
        if (!reach.contains(next)) continue;
        std::erase_if(meet,
                      [&](int d) { return !result[static_cast<std::size_t>(next)].contains(d); });
      }
      meet.insert(b);
      if (meet != result[static_cast<std::size_t>(b)]) {
        result[static_cast<std::size_t>(b)] = meet;
        changed = true;
      }
    }
  }
  return result;
}

}  // namespace

flow_graph flow_graph_of(const program& p) {
  flow_graph g;
  compiler(g).compile(p.body);
  const block_set reach = blocks_that_reach_end(g);
  const std::vector<block_set> pdom = post_dominators(g, reach);
  g.reconvergence.assign(g.blocks.size(), no_block);
  for (const int b : reach) {
    block_set strict = pdom[static_cast<std::size_t>(b)];
    strict.erase(b);
    // The nearest strict post-dominator is the one that all others post-dominate.
    for (const int d : strict) {
      if (pdom[static_cast<std::size_t>(d)] == strict)
        g.reconvergence[static_cast<std::size_t>(b)] = d;
    }
    if (g.blocks[static_cast<std::size_t>(b)].successors.size() > 1) {
      g.meeting_points.insert(g.reconvergence[static_cast<std::size_t>(b)]);
    }
  }
  return g;
}

}  // namespace naive
