// Short ways to write programs down: for the generator and for tests.
#pragma once

#include <initializer_list>

#include "tests/naive/program.hpp"

namespace naive::build {

using k = expression_kind;

inline expression constant(int v) { return {k::constant, v, {}}; }
inline expression lane() { return {k::lane, 0, {}}; }
inline expression warp() { return {k::warp, 0, {}}; }
inline expression block() { return {k::block, 0, {}}; }
inline expression rank() { return {k::rank, 0, {}}; }
inline expression local(int i) { return {k::local, i, {}}; }
inline expression binary(k kind, expression a, expression b) {
  return {kind, 0, {std::move(a), std::move(b)}};
}
inline expression add(expression a, expression b) {
  return binary(k::add, std::move(a), std::move(b));
}
inline expression subtract(expression a, expression b) {
  return binary(k::subtract, std::move(a), std::move(b));
}
inline expression modulo(expression a, int n) {
  return binary(k::modulo, std::move(a), constant(n));
}
inline expression equal(expression a, expression b) {
  return binary(k::equal, std::move(a), std::move(b));
}
inline expression equal(expression a, int b) { return equal(std::move(a), constant(b)); }
inline expression differs(expression a, int b) {
  return binary(k::not_equal, std::move(a), constant(b));
}
inline expression less(expression a, int b) { return binary(k::less, std::move(a), constant(b)); }

inline operation memory(operation_kind kind, strength how, expression cell) {
  operation op;
  op.kind = kind;
  op.how = how;
  op.cell = std::move(cell);
  return op;
}
inline operation load(int target, strength how, expression cell) {
  operation op = memory(operation_kind::load, how, std::move(cell));
  op.target = target;
  return op;
}
inline operation store(strength how, expression cell, expression value) {
  operation op = memory(operation_kind::store, how, std::move(cell));
  op.value = std::move(value);
  return op;
}
inline operation exchange(int target, strength how, expression cell, expression value) {
  operation op = memory(operation_kind::exchange, how, std::move(cell));
  op.value = std::move(value);
  op.target = target;
  return op;
}
inline operation compare_exchange(int target, strength how, expression cell, expression expected,
                                  expression value) {
  operation op = memory(operation_kind::compare_exchange, how, std::move(cell));
  op.expected = std::move(expected);
  op.value = std::move(value);
  op.target = target;
  return op;
}
inline operation fetch_add(int target, strength how, expression cell, expression value) {
  operation op = memory(operation_kind::add, how, std::move(cell));
  op.value = std::move(value);
  op.target = target;
  return op;
}
inline operation in_shared(operation op) {
  op.shared = true;
  return op;
}
inline operation simple(operation_kind kind) {
  operation op;
  op.kind = kind;
  return op;
}
inline operation collective(operation_kind kind, int target, expression mask,
                            expression value = constant(0), expression source = constant(0)) {
  operation op;
  op.kind = kind;
  op.target = target;
  op.mask = std::move(mask);
  op.value = std::move(value);
  op.source = std::move(source);
  return op;
}
inline operation barrier(operation_kind kind, int id, int warps) {
  operation op;
  op.kind = kind;
  op.barrier = id;
  op.warps = warps;
  return op;
}

inline statement of_kind(statement_kind kind) {
  statement s;
  s.kind = kind;
  return s;
}
inline statement assign(int target, expression value) {
  statement s = of_kind(statement_kind::assign);
  s.target = target;
  s.value = std::move(value);
  return s;
}
inline statement run(operation op) {
  statement s = of_kind(statement_kind::operate);
  s.op = std::move(op);
  return s;
}
inline statement bump(expression cell, bool shared = false) {
  statement s = of_kind(statement_kind::bump);
  s.op.cell = std::move(cell);
  s.op.shared = shared;
  return s;
}
inline statement check(expression value) {
  statement s = of_kind(statement_kind::check);
  s.value = std::move(value);
  return s;
}
inline condition when(expression test) { return {std::nullopt, std::move(test)}; }
inline condition after(operation first, expression test) {
  return {std::move(first), std::move(test)};
}
inline statement if_else(condition test, sequence body, sequence otherwise = {}) {
  statement s = of_kind(statement_kind::if_else);
  s.test = std::move(test);
  s.body = std::move(body);
  s.otherwise = std::move(otherwise);
  return s;
}
inline statement while_loop(condition test, sequence body) {
  statement s = of_kind(statement_kind::while_loop);
  s.test = std::move(test);
  s.body = std::move(body);
  return s;
}
inline statement do_while(sequence body, condition test) {
  statement s = of_kind(statement_kind::do_while);
  s.test = std::move(test);
  s.body = std::move(body);
  return s;
}
inline statement forever(sequence body) {
  statement s = of_kind(statement_kind::forever);
  s.body = std::move(body);
  return s;
}
inline statement switch_on(expression value, std::vector<std::pair<int, sequence>> cases,
                           sequence otherwise) {
  statement s = of_kind(statement_kind::switch_on);
  s.value = std::move(value);
  s.cases = std::move(cases);
  s.otherwise = std::move(otherwise);
  return s;
}
inline statement break_loop() { return of_kind(statement_kind::break_loop); }
inline statement continue_loop() { return of_kind(statement_kind::continue_loop); }
inline statement return_body() { return of_kind(statement_kind::return_body); }
inline statement text(std::string code) {
  statement s = of_kind(statement_kind::text);
  s.text = std::move(code);
  return s;
}

}  // namespace naive::build
