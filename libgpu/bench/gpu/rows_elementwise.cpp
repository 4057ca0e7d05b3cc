// SPDX-License-Identifier: MIT
// Elementwise kernels and expressions: operands side by side, broadcast, transposed, strided, in half precision.
#include <memory>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

const gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");

/// Two inputs and a result, new ones for each row. A call may replace the result by a new array.
struct Arrays {
    explicit Arrays(std::int64_t n)
        : x(gpu::random::uniform<float>({n})), y(gpu::random::uniform<float>({n})), z(gpu::empty<float>({n})) {}
    Floats x, y, z;
};
using Shared = std::shared_ptr<Arrays>;
using Call = void (*)(Arrays&);

/// A row over three flat arrays.
Row flat(const std::string& name, double bytes_per_element, Function function, Call call) {
    return {name,
            [=](Bench&, std::int64_t n) {
                const auto a = std::make_shared<Arrays>(n);
                return Case{.call = [=] { call(*a); },
                            .wrong = [=] { return wrong_elements(function, a->x, a->y, a->z); },
                            .bytes = bytes_per_element * static_cast<double>(n),
                            .limit = Limit::stream};
            },
            true};
}

/// A row over three matrices, as square as n allows; what is broadcast is the matrix' first row or column.
struct Matrices {
    explicit Matrices(const Shared& a, std::int64_t n)
        : x(a->x.reshape(root_of(n), -1)), y(a->y.reshape(root_of(n), -1)), z(a->z.reshape(root_of(n), -1)) {}
    gpu::View<float> x, y, z;
};
using MatrixCall = void (*)(Matrices&);
using Second = Window (*)(const Matrices&);

Row matrix(const std::string& name, double bytes_per_element, Function function, Second second, MatrixCall call) {
    return {name,
            [=](Bench&, std::int64_t n) {
                const auto a = std::make_shared<Arrays>(n);
                const auto m = std::make_shared<Matrices>(a, n);
                return Case{.call = [=] { call(*m); },
                            .wrong = [=] { return wrong_elements(function, m->x, second(*m), m->z); },
                            .bytes = bytes_per_element * static_cast<double>(n),
                            .limit = Limit::stream};
            },
            true};
}

Window first_row(const Matrices& m) { return m.y(0, gpu::all); }
Window first_column(const Matrices& m) { return m.y(gpu::all, gpu::slice(0, 1)); }
Window whole(const Matrices& m) { return m.y; }
Window seen_transposed(const Matrices& m) { return m.y.reshape(m.z.shape()[1], m.z.shape()[0]).transpose(); }

Row half() {
    return {"elementwise/half",
            [](Bench&, std::int64_t n) {
                struct Halves {
                    gpu::Array<gpu::half> x, y, z;
                };
                const auto a = std::make_shared<Halves>();
                a->x = gpu::random::uniform<gpu::half>({n});
                a->y = gpu::random::uniform<gpu::half>({n});
                a->z = gpu::empty<gpu::half>({n});
                return Case{.call = [=] { squared_diff(a->x, a->y, gpu::out(a->z)); },
                            .wrong =
                                [=] {
                                    const Floats x = a->x.astype<float>(), y = a->y.astype<float>(),
                                                 z = a->z.astype<float>();
                                    return wrong_elements(Function::squared_difference, x, y, z, 2e-3);
                                },
                            .bytes = 6.0 * static_cast<double>(n),
                            .limit = Limit::stream};
            },
            true};
}

Row strided() {
    return {"elementwise/every_second",
            [](Bench&, std::int64_t n) {
                const auto a = std::make_shared<Arrays>(n);
                return Case{.call = [=] { a->z = a->x(gpu::slice(0, gpu::none, 2)) * 2.F; },
                            .wrong =
                                [=] {
                                    const Window x = a->x(gpu::slice(0, gpu::none, 2));
                                    return wrong_elements(Function::twice, x, x, a->z);
                                },
                            .bytes = 6.0 * static_cast<double>(n),  // all of x in sectors of 32 bytes, half as much out
                            .limit = Limit::stream};
            },
            true};
}

Row raw() {
    return {"elementwise/raw_add",
            [](Bench&, std::int64_t n) {
                const auto a = std::make_shared<Arrays>(n);
                static const gpu::RawKernel<void(const float*, const float*, float*, long long)> add(
                    R"(extern "C" __global__ void my_add(const float* a, const float* b, float* c, long long n) {
    long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
})",
                    "my_add");
                return Case{.call = [=] { add({.grid = (n + 255) / 256, .block = 256}, a->x, a->y, a->z, n); },
                            .wrong = [=] { return wrong_elements(Function::sum, a->x, a->y, a->z); },
                            .bytes = 12.0 * static_cast<double>(n),
                            .limit = Limit::stream};
            },
            true};
}

}  // namespace

std::vector<Row> elementwise_rows() {
    return {
        flat("elementwise/copy", 8, Function::copy, [](Arrays& a) { a.z = a.x; }),
        flat("elementwise/squared_diff", 12, Function::squared_difference,
             [](Arrays& a) { squared_diff(a.x, a.y, gpu::out(a.z)); }),
        flat("elementwise/expression", 12, Function::square_plus_twice,
             [](Arrays& a) { a.z = gpu::pow(a.x, 2) + 2.F * a.y; }),
        flat("elementwise/expression_new", 12, Function::square_plus_twice,
             [](Arrays& a) { a.z = Floats(gpu::pow(a.x, 2) + 2.F * a.y); }),
        half(),
        strided(),
        matrix("elementwise/broadcast_row", 8, Function::squared_difference, first_row,
               [](Matrices& m) { squared_diff(m.x, first_row(m), gpu::out(m.z)); }),
        matrix("elementwise/broadcast_column", 8, Function::squared_difference, first_column,
               [](Matrices& m) { squared_diff(m.x, first_column(m), gpu::out(m.z)); }),
        matrix("elementwise/all_transposed", 12, Function::squared_difference, whole,
               [](Matrices& m) { squared_diff(m.x.transpose(), m.y.transpose(), gpu::out(m.z.transpose())); }),
        matrix("elementwise/one_transposed", 12, Function::squared_difference, seen_transposed,
               [](Matrices& m) { squared_diff(m.x, seen_transposed(m), gpu::out(m.z)); }),
        {"elementwise/transposed_copy",
         [](Bench&, std::int64_t n) {
             const auto a = std::make_shared<Arrays>(n);
             const auto m = std::make_shared<Matrices>(a, n);
             const auto turned = [m]() -> Window { return m->x.reshape(m->z.shape()[1], m->z.shape()[0]).transpose(); };
             return Case{.call = [=] { m->z = turned() * 1.F; },
                         .wrong = [=] { return wrong_elements(Function::copy, turned(), turned(), m->z); },
                         .bytes = 8.0 * static_cast<double>(n),
                         .limit = Limit::stream};
         },
         true},
        raw(),
    };
}

}  // namespace bench
