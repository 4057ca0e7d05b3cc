// SPDX-License-Identifier: MIT
// Each kernel's body, and beside it the same as a plain C++ function in double.
#include "property/kernel_bodies.hpp"

#include <algorithm>
#include <cmath>

namespace property {

namespace {

using Integer = long long;

Integer whole(double value) { return static_cast<Integer>(value); }

}  // namespace

const std::vector<ElementwiseBody>& elementwise_bodies() {
    using enum Kinds;
    // clang-format off
    static const std::vector<ElementwiseBody> table{
        // Inputs, numbers, outputs.
        {"T x, T y", "T z", "z = (x - y) * (x - y)", any, 400, [](Cell& c) { c.z = (c.x - c.y) * (c.x - c.y); }},
        {"T x", "T z", "z = x", any, 1, [](Cell& c) { c.z = c.x; }},
        {"T x, T s", "T z", "z = x * s + s", any, 100, [](Cell& c) { c.z = c.x * c.s + c.s; }},
        {"T s, T x", "T z", "z = s - x", any, 20, [](Cell& c) { c.z = c.s - c.x; }},
        {"T x, T y, T s", "T z", "z = x > y ? T(x * s) : y", any, 100, [](Cell& c) { c.z = c.x > c.y ? c.x * c.s : c.y; }},
        {"T x, T y", "T z", "T d = x - y;\nz = d < T(0) ? T(-d) : d;", any, 20, [](Cell& c) { c.z = std::fabs(c.x - c.y); }},
        {"T x", "T z", "z = 0; for (int k = 1; k <= 4; ++k) z += x / T(k)", real, 40,
         [](Cell& c) { c.z = c.x + c.x / 2 + c.x / 3 + c.x / 4; }},
        {"T x", "T z", "z = exp(-x * x)", real, 1, [](Cell& c) { c.z = std::exp(-c.x * c.x); }},
        {"T x, T y", "T z", "z = sqrt(x * x + y * y)", real, 20, [](Cell& c) { c.z = std::hypot(c.x, c.y); }},
        {"T x", "T z", "z = sin(x) * cos(x)", real, 1, [](Cell& c) { c.z = std::sin(c.x) * std::cos(c.x); }},
        {"T x", "T z", "z = log1p(x * x)", real, 5, [](Cell& c) { c.z = std::log1p(c.x * c.x); }},
        {"T x, T y", "T z", "z = x / y; z = z * y + x % y", integer, 1, [](Cell& c) { c.z = c.x; }},
        {"T x, T y", "T z", "z = (x << 2) | (y & 3)", integer, 1,
         [](Cell& c) { c.z = static_cast<double>((whole(c.x) * 4) | (whole(c.y) & 3)); }},
        {"T x, T y", "bool z", "z = x < y", any, 1, [](Cell& c) { c.z = c.x < c.y; }},
        {"T x", "int64 z", "z = (long long)(x * 4)", any, 1, [](Cell& c) { c.z = std::trunc(c.x * 4); }},
        {"T x, float64 y", "float64 z", "z = x + y / 8", any, 20, [](Cell& c) { c.z = c.x + c.y / 8; }},
        {"T x, int32 y", "T z", "z = y % 2 == 0 ? x : T(-x)", any, 10,
         [](Cell& c) { c.z = whole(c.y) % 2 == 0 ? c.x : -c.x; }},
        {"bool x, T y, T s", "T z", "z = x ? y : s", any, 10, [](Cell& c) { c.z = c.x != 0 ? c.y : c.s; }},
        {"X x", "Z z", "z = (Z)x / 2", any, 10, [](Cell& c) { c.z = c.x / 2; }, -1, true},
        // Index and size.
        {"T x", "int64 z", "z = _ind.size() - 1 - i", any, 1, [](Cell& c) { c.z = static_cast<double>(c.n - 1 - c.i); }},
        {"T x", "T z", "z = i % 2 == 0 ? x : T(x * 2)", any, 20, [](Cell& c) { c.z = c.i % 2 == 0 ? c.x : c.x * 2; }},
        {"T x", "int64 z", "z = 10 * _ind.get()[0] + i", any, 1,
         [](Cell& c) { c.z = static_cast<double>(10 * (*c.at)[0] + c.i); }},
        {"T x, raw T t", "T z", "z = x + t[_ind.get()[0] % t.size()]", any, 20,
         [](Cell& c) { c.z = c.x + c.raw((*c.at)[0] % c.size()); }},
        // Several outputs, old values.
        {"T x, T y", "T z, T w", "z = x + y; w = x - y", any, 20, [](Cell& c) { c.z = c.x + c.y; c.w = c.x - c.y; }},
        {"T x", "T z, int64 w", "z = x; w = i", any, 1, [](Cell& c) { c.z = c.x; c.w = static_cast<double>(c.i); }},
        {"T x", "T z", "z += x", any, 20, [](Cell& c) { c.z += c.x; }, -1, true},
        {"T x", "T z", "if (x > T(3)) z = x", any, 10, [](Cell& c) { if (c.x > 3) c.z = c.x; }, -1, true},
        {"T x, T s", "T z, T w", "T old = z; z = w * s; w = old - x", any, 100,
         [](Cell& c) { const double old = c.z; c.z = c.w * c.s; c.w = old - c.x; }, -1, true},
        {"T x", "T z", "if (i % 3 == 0) return; z = x", any, 10, [](Cell& c) { if (c.i % 3 != 0) c.z = c.x; }, -1, true},
        // Raw arrays: by row-major index, backwards, by axes, with a shape.
        {"T x, raw T t", "T z", "z = x + t[i % t.size()]", any, 20, [](Cell& c) { c.z = c.x + c.raw(c.i % c.size()); }},
        {"T x, raw T t", "T z", "z = x * t[t.size() - 1 - i % t.size()]", any, 100,
         [](Cell& c) { c.z = c.x * c.raw(c.size() - 1 - c.i % c.size()); }},
        {"T x, raw T t", "T z", "z = x - t[{i % t.shape()[0], i % t.shape()[1]}]", any, 20,
         [](Cell& c) {
             const auto& lengths = *c.lengths;
             c.z = c.x - c.raw(c.i % lengths[0] * lengths[1] + c.i % lengths[1]);
         }, 2},
        {"T x, raw T t", "T z", "z = x + t[{i % t.shape()[0], 0, t.shape()[2] - 1}]", any, 20,
         [](Cell& c) {
             const auto& lengths = *c.lengths;
             c.z = c.x + c.raw((c.i % lengths[0] * lengths[1]) * lengths[2] + lengths[2] - 1);
         }, 3},
        {"raw T t, T x, T s", "T z", "z = s; for (long long k = 0; k < t.size(); ++k) z += t[k] > x ? T(1) : T(0)", any, 100,
         [](Cell& c) { c.z = c.s; for (double v : *c.t) c.z += v > c.x ? 1 : 0; }},
        {"T x, raw float64 t", "float64 z", "z = t[i % t.size()] * 0.5 + x", any, 20,
         [](Cell& c) { c.z = c.raw(c.i % c.size()) * 0.5 + c.x; }},
        {"raw T t", "T z", "z = t[(i * 7) % t.size()]", any, 10, [](Cell& c) { c.z = c.raw(c.i * 7 % c.size()); }},
        {"raw T t, T s", "T z, int64 w", "z = t[i % t.size()] * s; w = t.ndim", any, 100,
         [](Cell& c) { c.z = c.raw(c.i % c.size()) * c.s; c.w = static_cast<double>(c.lengths->size()); }},
    };
    // clang-format on
    return table;
}

const std::vector<ReductionBody>& reduction_bodies() {
    using enum Kinds;
    const auto add = [](double a, double b) { return a + b; };
    const auto keep = [](Cell& c, double a) { c.z = a; };
    const auto own = [](const Cell& c) { return c.x; };
    // clang-format off
    static const std::vector<ReductionBody> table{
        {"T x", "T z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep},
        {"T x", "T z", "x * x", "a + b", "z = sqrt(a)", "0", real, Growth::sum, [](const Cell& c) { return c.x * c.x; }, add,
         [](Cell& c, double a) { c.z = std::sqrt(a); }},
        {"T x, T y", "T z", "x * y", "a + b", "z = a", "0", any, Growth::sum, [](const Cell& c) { return c.x * c.y; }, add, keep},
        {"T x, T s", "T z", "x * s", "a + b", "z = a + s", "0", any, Growth::sum, [](const Cell& c) { return c.x * c.s; }, add,
         [](Cell& c, double a) { c.z = a + c.s; }},
        {"T x", "float64 z", "x", "a + b", "z = a * _out_ind.size() / _in_ind.size()", "0", any, Growth::sum, own, add,
         [](Cell& c, double a) { c.z = a * static_cast<double>(c.results) / static_cast<double>(c.n); }},
        {"T x", "T z", "x", "a < b ? b : a", "z = a", "", any, Growth::choice, own,
         [](double a, double b) { return std::max(a, b); }, keep},
        {"T x", "T z", "-x", "a < b ? b : a", "z = -a", "", any, Growth::choice, [](const Cell& c) { return -c.x; },
         [](double a, double b) { return std::max(a, b); }, [](Cell& c, double a) { c.z = -a; }},
        {"T x, T y", "T z", "x - y", "a < b ? a : b", "z = a", "", any, Growth::choice, [](const Cell& c) { return c.x - c.y; },
         [](double a, double b) { return std::min(a, b); }, keep},
        {"T x", "float64 z", "1 + (float)x / 512", "a * b", "z = a", "1", any, Growth::product,
         [](const Cell& c) { return 1 + c.x / 512; }, [](double a, double b) { return a * b; }, keep, 1},
        {"T x", "int64 z", "x > T(2)", "a + b", "z = a", "0", any, Growth::sum, [](const Cell& c) { return c.x > 2 ? 1. : 0.; }, add,
         keep},
        {"T x, T y", "bool z", "x < y", "a || b", "z = a", "false", any, Growth::choice,
         [](const Cell& c) { return c.x < c.y ? 1. : 0.; }, [](double a, double b) { return a != 0 || b != 0 ? 1. : 0.; }, keep},
        {"T x", "int64 z", "x > T(4) ? _J : -1", "a > b ? a : b", "z = a", "-1", any, Growth::choice,
         [](const Cell& c) { return c.x > 4 ? static_cast<double>(c.i) : -1.; }, [](double a, double b) { return std::max(a, b); },
         keep, -1},
        {"T x", "float64 z, int64 w", "x", "a + b", "z = a; w = _in_ind.size()", "0", any, Growth::sum, own, add,
         [](Cell& c, double a) { c.z = a; c.w = static_cast<double>(c.n); }},
        {"T x, raw T t", "float64 z", "x * t[_J % t.size()]", "a + b", "z = a + t[0]", "0", any, Growth::sum,
         [](const Cell& c) { return c.x * c.raw(c.i % c.size()); }, add, [](Cell& c, double a) { c.z = a + c.raw(0); }},
        {"T x", "T z", "x", "a + b", "z = a", "5", any, Growth::sum, own, add, keep, 5},  // enters once
        {"T x", "float64 z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep, 0, "float64"},
        {"int32 x", "int64 z", "x", "a ^ b", "z = a", "0", integer, Growth::choice, own,
         [](double a, double b) { return static_cast<double>(whole(a) ^ whole(b)); }, keep},
        {"X x", "Z z", "x", "a + b", "z = a", "0", any, Growth::sum, own, add, keep},
    };
    // clang-format on
    return table;
}

}  // namespace property
