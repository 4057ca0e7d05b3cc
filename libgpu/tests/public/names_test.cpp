// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/xp.hpp>

#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

// The spellings of docs/from-eigen-and-numpy.md, compiled and run: tests/names/check finds each here, letter by letter.
#ifdef GPU_TEST_WITH_DLPACK
#include <gpu/dlpack.hpp>
#endif


namespace {

template <class A>
auto evaluated(const A& a) {
    if constexpr (requires { a.eval(); })
        return a.eval();
    else
        return a.copy();
}

template <class A>
void check_row(const char* spelling, const A& a, std::initializer_list<double> want) {
    CAPTURE(spelling);
    const auto got = gpu::to_host(evaluated(a));
    REQUIRE(got.size() == want.size());
    std::size_t k = 0;
    for (const double value : want) CHECK(static_cast<double>(got[k++]) == doctest::Approx(value));
}

#define row(expression, ...) check_row(#expression, expression, {__VA_ARGS__})  // NOLINT: as a line of the page

struct Names {
    gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});  // 0 1 2 / 3 4 5
    gpu::Array<float> y = gpu::full<float>({2, 3}, 2.f);
    gpu::Array<float> v = gpu::to_device({10.f, 20.f, 30.f});
    gpu::Array<int> i = gpu::to_device({1, 0});
    gpu::Array<bool> mask = x > 2;
    std::vector<float> h{1, 2, 3, 4, 5, 6};
    Eigen::ArrayXXf A = Eigen::ArrayXXf::Constant(2, 3, 7);
};

}  // namespace

TEST_CASE_FIXTURE(Names, "names: creation") {
    row(gpu::zeros<float>({2, 3}), 0, 0, 0, 0, 0, 0);
    row(gpu::ones<float>({2, 3}), 1, 1, 1, 1, 1, 1);
    row(gpu::full<float>({2, 3}, 7), 7, 7, 7, 7, 7, 7);
    CHECK(gpu::empty<float>({2, 3}).size() == 6);
    row(gpu::zeros_like(x), 0, 0, 0, 0, 0, 0);
    row(gpu::to_device({1, 2, 3}), 1, 2, 3);
    row(gpu::arange<int>(6), 0, 1, 2, 3, 4, 5);
    row(gpu::arange<int>(5, 0, -2), 5, 3, 1);
    row(gpu::linspace<double>(0, 1, 5), 0, 0.25, 0.5, 0.75, 1);
    row(gpu::eye<float>(2), 1, 0, 0, 1);
    row(gpu::diag(v), 10, 0, 0, 0, 20, 0, 0, 0, 30);
    const gpu::Array<float> w = gpu::to_device({1.f, 2.f});
    auto [gx, gy] = gpu::meshgrid(v, w);
    row(gx, 10, 20, 30, 10, 20, 30);
    row(gy, 1, 1, 1, 2, 2, 2);
    CHECK(gpu::to_string(x) == "[[0. 1. 2.]\n [3. 4. 5.]]");
    std::ostringstream stream;
    stream << x;
    CHECK(stream.str() == gpu::to_string(x));
}

TEST_CASE_FIXTURE(Names, "names: transfers") {
    row(gpu::to_device(h), 1, 2, 3, 4, 5, 6);
    CHECK(gpu::to_host(x) == std::vector<float>{0, 1, 2, 3, 4, 5});
    CHECK(gpu::sum(x).item() == 15);
    row(gpu::to_device(A), 7, 7, 7, 7, 7, 7);
    CHECK(gpu::to_eigen(x)(1, 0) == 3);
    row(x.astype<int>(), 0, 1, 2, 3, 4, 5);
    row(x.astype<gpu::bfloat16>().astype<float>(), 0, 1, 2, 3, 4, 5);
    row(x.copy(), 0, 1, 2, 3, 4, 5);
    x.copy_to(h);
    CHECK(h == std::vector<float>{0, 1, 2, 3, 4, 5});
    h[0] = 9;
    x.copy_from(h);
    row(x, 9, 1, 2, 3, 4, 5);
}

TEST_CASE_FIXTURE(Names, "names: shapes and views") {
    CHECK(x.shape() == gpu::Shape{2, 3});
    CHECK(x.rank() == 2);
    CHECK(x.size() == 6);
    CHECK(x.shape()[0] == 2);
    row(x(1, 2), 5);
    row(x(1), 3, 4, 5);
    row(x(1, gpu::all), 3, 4, 5);
    row(x(gpu::all, 1), 1, 4);
    row(x(-1), 3, 4, 5);
    row(x(gpu::all, gpu::slice(0, 2)), 0, 1, 3, 4);
    row(x(gpu::all, gpu::slice(gpu::none, gpu::none, 2)), 0, 2, 3, 5);
    row(x(gpu::all, gpu::slice(gpu::none, gpu::none, -1)), 2, 1, 0, 5, 4, 3);
    row(x.flip({1}), 2, 1, 0, 5, 4, 3);
    row(x(gpu::ellipsis, 0), 0, 3);
    CHECK(x(gpu::all, gpu::newaxis).shape() == gpu::Shape{2, 1, 3});
    CHECK(x.expand_dims(1).shape() == gpu::Shape{2, 1, 3});
    CHECK(x.squeeze().shape() == gpu::Shape{2, 3});
    row(x.transpose(), 0, 3, 1, 4, 2, 5);
    row(x.reshape({3, 2}), 0, 1, 2, 3, 4, 5);
    row(x.reshape(3, 2), 0, 1, 2, 3, 4, 5);
    row(x.rot90(), 2, 5, 1, 4, 0, 3);
    row(gpu::flip(x, {1}), 2, 1, 0, 5, 4, 3);
    row(gpu::transpose(x), 0, 3, 1, 4, 2, 5);
    row(gpu::reshape(x, {3, 2}), 0, 1, 2, 3, 4, 5);
    auto [xs, vs] = gpu::broadcast_arrays(x, v);
    row(vs, 10, 20, 30, 10, 20, 30);
    CHECK(xs.shape() == vs.shape());
    row(gpu::pad(v, 1), 0, 10, 20, 30, 0);
    row(gpu::pad(v, {0, 2}, {.mode = gpu::PadMode::edge}), 10, 20, 30, 30, 30);
    row(gpu::roll(v, 1), 30, 10, 20);
    row(gpu::roll(x, 1, {.axis = 0}), 3, 4, 5, 0, 1, 2);
    row(gpu::sort(-x), -2, -1, 0, -5, -4, -3);
    row(gpu::sort(x), 0, 1, 2, 3, 4, 5);
    row(gpu::sort(x, {.axis = 0}), 0, 1, 2, 3, 4, 5);
    row(gpu::argsort(x), 0, 1, 2, 0, 1, 2);
    row(gpu::partition(v, 1), 10, 20, 30);
    row(gpu::argpartition(v, 1), 0, 1, 2);
    auto [values, indices] = gpu::topk(v, 2);
    row(values, 30, 20);
    row(indices, 2, 1);
    row(x.ravel(), 0, 1, 2, 3, 4, 5);
    row(x.flatten(), 0, 1, 2, 3, 4, 5);
    row(x.diagonal(), 0, 4);
    row(v.broadcast_to({2, 3}), 10, 20, 30, 10, 20, 30);
    x(0) = gpu::ones<float>({3});
    row(x, 1, 1, 1, 3, 4, 5);
    x(0) = 1;
    row(x, 1, 1, 1, 3, 4, 5);
    x = 2;
    row(x, 2, 2, 2, 2, 2, 2);
}

TEST_CASE_FIXTURE(Names, "names: math") {
    row(x + y, 2, 3, 4, 5, 6, 7);
    row(x * y, 0, 2, 4, 6, 8, 10);
    row(x + v, 10, 21, 32, 13, 24, 35);
    row(2 * x, 0, 2, 4, 6, 8, 10);
    row(x / 3, 0, 1 / 3., 2 / 3., 1, 4 / 3., 5 / 3.);
    row(gpu::pow(x, 2), 0, 1, 4, 9, 16, 25);
    row(gpu::sqrt(x), 0, 1, 1.41421356, 1.73205081, 2, 2.23606798);
    row(gpu::exp(x), 1, 2.71828183, 7.3890561, 20.0855369, 54.59815, 148.413159);
    row(gpu::exp(gpu::log(x)), 0, 1, 2, 3, 4, 5);
    row(gpu::sin(x), 0, 0.84147098, 0.90929743, 0.14112001, -0.7568025, -0.95892427);
    row(gpu::tanh(x), 0, 0.76159416, 0.96402758, 0.99505475, 0.9993293, 0.9999092);
    row(gpu::abs(x), 0, 1, 2, 3, 4, 5);
    row(gpu::floor(x), 0, 1, 2, 3, 4, 5);
    row(gpu::rint(x), 0, 1, 2, 3, 4, 5);
    row(gpu::maximum(x, y), 2, 2, 2, 3, 4, 5);
    row(gpu::clip(x, 1, 3), 1, 1, 2, 3, 3, 3);
    row(gpu::where(mask, x, y), 2, 2, 2, 3, 4, 5);
    row(x == y, 0, 0, 1, 0, 0, 0);
    row(x < 2, 1, 1, 0, 0, 0, 0);
    row(mask && x > 1, 0, 0, 0, 1, 1, 1);
    row(!mask, 1, 1, 1, 0, 0, 0);
    row(gpu::isnan(x), 0, 0, 0, 0, 0, 0);
    row(gpu::nan_to_num(x), 0, 1, 2, 3, 4, 5);
    row(gpu::isclose(x, y), 0, 0, 1, 0, 0, 0);
    row(gpu::allclose(x, y, {.rtol = 0.1}), 0);
    row(gpu::array_equal(x, y), 0);
    row(gpu::diff(v), 10, 10);
    row(gpu::gradient(x, {.axis = 1}), 1, 1, 1, 1, 1, 1);
    row(gpu::gradient(x, gpu::GradientAxes{})[0], 3, 3, 3, 3, 3, 3);
    row(gpu::interp(x, {0, 10}, {5, 25}), 5, 7, 9, 11, 13, 15);
    row(gpu::interp(x, gpu::to_device({0, 10}), gpu::to_device({5, 25})), 5, 7, 9, 11, 13, 15);
    row(gpu::diff(x, {.n = 2, .axis = 1}), 0, 0);
}

TEST_CASE_FIXTURE(Names, "names: reductions") {
    row(gpu::sum(x), 15);
    row(gpu::sum(x, {.axis = 0}), 3, 5, 7);
    row(gpu::sum(x, {.axis = 1, .keepdims = true}), 3, 12);
    row(gpu::sum<double>(x), 15);
    row(gpu::sum(x * y), 30);
    row(gpu::prod(x), 0);
    row(gpu::mean(x), 2.5);
    row(gpu::var(x), 35 / 12.);
    row(gpu::stddev(x, {.ddof = 1}), 1.87082869);
    row(gpu::max(x), 5);
    row(gpu::min(x), 0);
    row(gpu::argmax(x), 5);
    row(gpu::any(mask), 1);
    row(gpu::all(mask), 0);
    row(gpu::count_nonzero(mask), 3);
    row(gpu::linalg::norm(x), 7.41619849);
    row(gpu::trace(x), 4);
    row(gpu::nansum(x), 15);
    row(gpu::nanprod(x), 0);
    row(gpu::nanmean(x), 2.5);
    row(gpu::nanvar(x), 35 / 12.);
    row(gpu::nanstd(x), 1.70782513);
    row(gpu::nanmax(x), 5);
    row(gpu::nanmin(x), 0);
    row(gpu::nanargmax(x), 5);
    row(gpu::nanargmin(x), 0);
    row(gpu::median(x), 2.5);
    row(gpu::nanmedian(x), 2.5);
    row(gpu::quantile(x, {0.1, 0.9}), 0.5, 4.5);
    row(gpu::percentile(x, 10), 0.5);
    row(gpu::cov(x), 1, 1, 1, 1);
    row(gpu::corrcoef(x), 1, 1, 1, 1);
    row(gpu::bincount(i), 1, 1);
    row(gpu::histogram(x, 2).counts, 3, 3);
    row(gpu::histogram(x, 2).density(), 0.2, 0.2);
    row(gpu::histogram(x, v).counts, 0, 0);
    row(gpu::histogram(x, v, x).counts, 0, 0);
    auto [counts, edges] = gpu::histogram(x, {.bins = 2});
    row(counts, 3, 3);
    row(edges, 0, 2.5, 5);
    row(gpu::digitize(x, v), 0, 0, 0, 0, 0, 0);
    row(gpu::digitize(x, {1, 2.5}), 0, 1, 1, 2, 2, 2);
    row(gpu::cumsum(v), 10, 30, 60);
    row(gpu::cummax(v), 10, 20, 30);
    row(gpu::cummin(v), 10, 10, 10);
    row(gpu::scan(v, "a * b"), 10, 200, 6000);
    row(gpu::exclusive_scan(v, "a + b", 0), 0, 10, 30);
    row(gpu::scan_by_key(v, v), 10, 20, 30);
    row(gpu::reduce_by_key(i, i).values, 1, 0);
    row(gpu::sort_by_key(i, x).values, 3, 4, 5, 0, 1, 2);
    row(gpu::trapezoid(v), 40);
    row(gpu::trapezoid(v, v), 400);
    row(gpu::softmax(x, {.axis = 1}), 0.09003057, 0.24472848, 0.66524094, 0.09003057, 0.24472848, 0.66524094);
    row(gpu::logsumexp(x), 5.45619332);
}

TEST_CASE_FIXTURE(Names, "names: linear algebra") {
    const gpu::Array<double> m = gpu::to_device({1., 2., 3., 4.}).reshape({2, 2});
    const gpu::Array<double> s = gpu::to_device({4., 2., 2., 5.}).reshape({2, 2});
    const gpu::Array<double> u = gpu::to_device({1., 2.});
    row(gpu::matmul(m, m), 7, 10, 15, 22);
    row(gpu::matmul(m, u), 5, 11);
    row(gpu::dot(u, u), 5);
    row(gpu::outer(u, u), 1, 2, 2, 4);
    row(gpu::tensordot(m, m, 2), 30);
    row(gpu::einsum("ij,jk->ik", m, m), 7, 10, 15, 22);
    row(gpu::kron(m, m), 1, 2, 2, 4, 3, 4, 6, 8, 3, 6, 4, 8, 9, 12, 12, 16);
    row(gpu::linalg::solve(m, u), 0, 0.5);
    row(gpu::linalg::inv(m), -2, 1, 1.5, -0.5);
    row(gpu::linalg::det(m), -2);
    row(gpu::linalg::cholesky(s), 2, 0, 1, 2);
    CHECK(gpu::linalg::qr(m).R.shape() == gpu::Shape{2, 2});
    auto [w, vectors] = gpu::linalg::eigh(s);
    row(w, 2.43844719, 6.56155281);
    CHECK(vectors.shape() == gpu::Shape{2, 2});
    auto [U, S, Vt] = gpu::linalg::svd(m);
    row(S, 5.4649857, 0.36596619);
    CHECK(U.shape() == Vt.shape());
    row(gpu::linalg::lstsq(m, u).solution, 0, 0.5);
    row(gpu::linalg::pinv(m), -2, 1, 1.5, -0.5);
    row(gpu::linalg::matrix_power(m, 3), 37, 54, 81, 118);
    row(gpu::linalg::matrix_norm(m, {.ord = gpu::linalg::MatrixNorm::two}), 5.4649857);
}

TEST_CASE_FIXTURE(Names, "names: masks and arrays of indices") {
    row(x[mask], 3, 4, 5);
    row(gpu::nonzero(mask)[0], 1, 1, 1);
    row(gpu::unique(x), 0, 1, 2, 3, 4, 5);
    auto [distinct, how_often] = gpu::unique_counts(x);
    row(distinct, 0, 1, 2, 3, 4, 5);
    row(how_often, 1, 1, 1, 1, 1, 1);
    row(gpu::unique_inverse(x).inverse_indices, 0, 1, 2, 3, 4, 5);
    row(gpu::unique_all(x).indices, 0, 1, 2, 3, 4, 5);
    row(gpu::searchsorted(v, x), 0, 0, 0, 0, 0, 0);
    row(gpu::searchsorted(v, x, {.side = gpu::Side::right}), 0, 0, 0, 0, 0, 0);
    row(gpu::searchsorted(v, x, gpu::Side::right), 0, 0, 0, 0, 0, 0);
    row(gpu::isin(i, {0, 2}), 0, 1);
    row(gpu::isin(i, gpu::to_device({0, 2})), 0, 1);
    row(gpu::unravel_index({4}, {2, 3})[0], 1);
    row(gpu::unravel_index(gpu::to_device({4}), {2, 3})[0], 1);
    row(x[i], 3, 4, 5, 0, 1, 2);
    row(x(gpu::all, i), 1, 0, 4, 3);
    row(x.take(i, {.axis = 1}), 1, 0, 4, 3);
    row(x.take(i, {.axis = 1, .mode = gpu::IndexMode::wrap}), 1, 0, 4, 3);
    row(gpu::take_along_axis(x, gpu::argsort(x), {.axis = 1}), 0, 1, 2, 3, 4, 5);
    x[mask] *= 2.f;
    row(x, 0, 1, 2, 6, 8, 10);
    x[mask] = 0.f;
    row(x, 0, 1, 2, 0, 0, 0);
    x.put(i, 5, {.axis = gpu::none});
    row(x, 5, 5, 2, 0, 0, 0);
    v.add_at(i, 1);
    row(v, 11, 21, 30);
}

TEST_CASE_FIXTURE(Names, "names: random numbers") {
    gpu::random::Generator rng(42);
    CHECK(gpu::max(rng.uniform<float>({2, 3})).item() < 1);
    CHECK(gpu::min(rng.uniform<float>({2, 3}, -1, 1)).item() >= -1);
    CHECK(rng.normal<double>({10}, 5, 2).size() == 10);
    CHECK(gpu::min(rng.exponential<double>({10}, 2)).item() >= 0);
    CHECK(gpu::max(rng.integers<int>({5}, 0, 10)).item() < 10);
    CHECK(gpu::min(rng.poisson({10}, 3)).item() >= 0);
    CHECK(rng.choice(x, {5}).shape() == gpu::Shape{5, 3});
    CHECK(gpu::max(rng.choice(10, {5}, {.replace = false})).item() < 10);
    const gpu::Array<double> p = gpu::to_device({0.5, 0.5, 0.});
    CHECK(gpu::max(rng.choice(3, {5}, {.p = p})).item() < 2);
    CHECK(gpu::sum(rng.permutation(10)).item() == 45);
    CHECK(gpu::sum(rng.permutation(x)).item() == 15);
    rng.shuffle(x);
    CHECK(gpu::sum(x).item() == 15);
    CHECK(rng.spawn(4).size() == 4);
    gpu::random::seed(42);
    CHECK(gpu::max(gpu::random::uniform<double>({5})).item() < 1);
}

TEST_CASE_FIXTURE(Names, "names: devices, streams, time") {
    CHECK(gpu::Device::count() >= 1);
    gpu::DeviceGuard guard(gpu::Device(0));
    CHECK(gpu::Device::current() == x.device());
    row(x.to(gpu::Device(0)), 0, 1, 2, 3, 4, 5);
    gpu::Event start, stop;
    start.record();
    gpu::Stream s;
    {
        gpu::StreamGuard in(s);
        row(x + y, 2, 3, 4, 5, 6, 7);
    }
    s.synchronize();
    stop.record();
    CHECK(gpu::elapsed_ms(start, stop) >= 0);
    gpu::synchronize();
}

TEST_CASE_FIXTURE(Names, "names: graphs") {
    gpu::Stream s;
    gpu::GraphCapture capture;
    x += 1.F;
    gpu::Graph graph = capture.end();
    graph.replay(s);
    s.synchronize();
    row(x, 1, 2, 3, 4, 5, 6);
}

TEST_CASE_FIXTURE(Names, "names: measuring, memory, copies that nobody waits for") {
    const auto f = [&] { (void)gpu::Array<float>(x + y); };
    CHECK(gpu::benchmark(f, {.repeat = 20}).host.samples_us.size() == 20);
    CHECK(gpu::memory_pool().used_bytes() > 0);
    gpu::memory_pool().trim();
    gpu::Pinned<float> pinned(100);
    x = gpu::zeros<float>({100});
    for (float& value : pinned) value = 1;
    (void)x.copy_from_async(pinned);
    auto [host, done] = gpu::to_host_async(x);
    done.synchronize();
    CHECK(host[99] == 1);
}

TEST_CASE_FIXTURE(Names, "names: files") {
    const support::TemporaryFolder folder;
    const std::string file = folder / "x.npy";
    gpu::save_npy(file, x);
    row(gpu::load_npy<float>(file), 0, 1, 2, 3, 4, 5);
    const gpu::AnyArray any = gpu::load_npy(file);
    row(gpu::Array<float>(any), 0, 1, 2, 3, 4, 5);
    const auto largest = [](const auto& array) { return double(gpu::max(array).item()); };
    CHECK(any.visit<int, float, double>(largest) == 5);
    const std::string archive = folder / "x.npz", table = folder / "x.csv";
    gpu::save_npz(archive, {{"x", x}, {"w", x * 2}});
    row(gpu::load_npz<float>(archive, "x"), 0, 1, 2, 3, 4, 5);
    row(gpu::load_npz<float>(archive, "w"), 0, 2, 4, 6, 8, 10);
    gpu::save_csv(table, x);
    row(gpu::load_csv<float>(table), 0, 1, 2, 3, 4, 5);
}

// clang-format off
TEST_CASE_FIXTURE(Names, "names: kernels") {
    gpu::ElementwiseKernel diff("T x, T y", "T z", "z = x - y", "diff");
    gpu::Array<float> d = diff(x, y);
    row(d, -2, -1, 0, 1, 2, 3);
    row(gpu::Array<float>(diff(x, 1)), -1, 0, 1, 2, 3, 4);
    diff(y, x, gpu::out(d));
    row(d, 2, 1, 0, -1, -2, -3);
    gpu::ElementwiseKernel flip("raw T x", "T z", "z = x[_ind.size() - 1 - i]", "flip");
    gpu::Array<float> flipped = flip(x, {.size = 6});
    row(flipped, 5, 4, 3, 2, 1, 0);
    gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    row(gpu::Array<float>(l2norm(x, {.axis = 1})), std::sqrt(5.0), std::sqrt(50.0));
    const char* source = R"(
__global__ void scale(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
})";
    gpu::RawKernel<void(const float*, float*, int)> scale(source, "scale");
    scale({.grid = 1, .block = 32}, x, d, 6);
    row(d, 0, 2, 4, 6, 8, 10);
    scale[{1, 32}](x, d, 6);
    row(d, 0, 2, 4, 6, 8, 10);
    gpu::RawModule module(R"(
__constant__ float factor[1];
template <class T> __global__ void times(T* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor[0];
})", {.names = {"times<float>"}});
    auto times = module.kernel<void(float*, int)>("times<float>");
    module.symbol<float>("factor").copy_from({3});
    times({.grid = 1, .block = 32}, d, 6);
    row(d, 0, 6, 12, 18, 24, 30);
    CHECK(scale.attributes().max_threads_per_block >= 32);
    auto add = gpu::fuse([](auto a, auto b) { return a + b; });
    row(add(x, y), 2, 3, 4, 5, 6, 7);
}

TEST_CASE_FIXTURE(Names, "names: signals") {
    const gpu::Array<float> w = gpu::ones<float>({1, 2});
    row(gpu::signal::convolve2d(x, w), 0, 1, 3, 2, 3, 7, 9, 5);
    row(gpu::signal::convolve2d(x, w, {.mode = gpu::signal::Mode::same}), 0, 1, 3, 3, 7, 9);
    row(gpu::signal::convolve2d(x, w, {.boundary = gpu::signal::Boundary::symm}), 0, 1, 3, 4, 6, 7, 9, 10);
    row(gpu::signal::convolve2d(x, w, {.fillvalue = 1}), 1, 1, 3, 3, 4, 7, 9, 6);
    row(gpu::signal::correlate2d(x, w, {.mode = gpu::signal::Mode::valid}), 1, 3, 7, 9);
    row(gpu::signal::convolve(v, v), 100, 400, 1000, 1200, 900);
    row(gpu::signal::correlate(v, v), 300, 800, 1400, 800, 300);
    CHECK(gpu::signal::separable(x, v, v).shape() == gpu::Shape{4, 5});
    CHECK(gpu::signal::gaussian_filter(x, 2).shape() == gpu::Shape{2, 3});
    CHECK(gpu::signal::gaussian_filter(x, {1, 2}).shape() == gpu::Shape{2, 3});
    row(gpu::signal::sobel(x, {.axis = 0}), 12, 12, 12, 12, 12, 12);
    row(gpu::real(gpu::fft::fft(v)), 60, -15, -15);
    row(gpu::real(gpu::fft::ifft(v)), 20, -5, -5);
    row(gpu::real(gpu::fft::fft(x, {.axis = 0, .norm = gpu::fft::Norm::ortho})), 3 / std::sqrt(2), 5 / std::sqrt(2),
        7 / std::sqrt(2), -3 / std::sqrt(2), -3 / std::sqrt(2), -3 / std::sqrt(2));
    const auto z = gpu::fft::rfft(v, {.n = 4});
    row(gpu::real(z), 60, -20, 20);
    row(gpu::fft::irfft(z, {.n = 4}), 10, 20, 30, 0);
    row(gpu::real(gpu::fft::fft2(x)), 15, -3, -3, -9, 0, 0);
    row(gpu::real(gpu::fft::fftn(x, {.s = {3}, .axes = {0}})), 3, 5, 7, -1.5, -1, -.5, -1.5, -1, -.5);
    row(gpu::fft::fftfreq(4, 0.5), 0, .5, -1, -.5);
    row(gpu::fft::fftshift(v), 30, 10, 20);
}
// clang-format on

namespace {

template <class X>
auto relu(const X& x) {
    using namespace gpu::xp;
    return max(x, 0);
}
template <class X>
auto direction(const X& x) {
    using namespace gpu::xp;
    CHECK(item(sum(x)) == item(sum(x + zeros_like(x))));
    CHECK(item(sum(linspace_like(x, 0, 1, 5))) == 2.5);
    CHECK(item(mean(ones<X>({3, 2}))) == 1);
    return x / norm(x);
}

}  // namespace

TEST_CASE_FIXTURE(Names, "names: code for both sides, other libraries") {
    row(relu(x - 3.f), 0, 0, 0, 0, 1, 2);
    row(direction(y(0)), 0.57735, 0.57735, 0.57735);
    CHECK(direction(A)(1, 1) == doctest::Approx(0.408248));
    CHECK(relu(A)(1, 1) == 7);
    CHECK(relu(-2.5) == 0);
    float* pointer = x.data();
    row(gpu::wrap(pointer, {2, 3}), 0, 1, 2, 3, 4, 5);
    gpu::Stream s;
    CHECK(s.ref().native() != nullptr);
    const auto theirs = gpu::StreamRef::from_native(s.ref().native(), s.device());
    theirs.synchronize();
#ifdef GPU_TEST_WITH_DLPACK
    DLManagedTensor* tensor = gpu::to_dlpack(x);
    row(gpu::from_dlpack<float>(tensor), 0, 1, 2, 3, 4, 5);
#endif
}

namespace fs = std::filesystem;

TEST_CASE("a kernel file includes others that stand beside it, and what is in them counts") {
    const support::TemporaryFolder files;
    files.write("scale.cuh", "#pragma once\n__device__ float scaled(float v) { return 3 * v; }\n");
    files.write("sum.cuh",
                "#include \"scale.cuh\"\n"
                "__device__ float block_sum(float v) {\n"
                "    __shared__ float part[32];\n"
                "    part[threadIdx.x] = v;\n"
                "    __syncthreads();\n"
                "    float sum = 0;\n"
                "    for (int k = 0; k < 32; ++k) sum += part[k];\n"
                "    return sum;\n}\n");
    files.write("sum.cu",
                "#include \"scale.cuh\"\n#include \"sum.cuh\"\n"
                "__global__ void scaled_sum(const float* x, float* y) {\n"
                "    const float sum = block_sum(scaled(x[threadIdx.x]));\n"
                "    if (threadIdx.x == 0) y[0] = sum;\n}\n");
    auto x = gpu::ones<float>({32}), y = gpu::zeros<float>({1});
    const std::string kernel_file = files / "sum.cu";
    //! [include]
    gpu::Source source = gpu::file(kernel_file);  // includes "sum.cuh"
    std::string from_there = source.folder();     // where that is looked for first
    gpu::RawKernel<void(const float*, float*)> sum(source, "scaled_sum");
    sum({.grid = 1, .block = 32}, x, y);
    //! [include]
    CHECK(y.item() == 96.f);
    CHECK(from_there == files.path());

    files.write("scale.cuh", "#pragma once\n__device__ float scaled(float v) { return 5 * v; }\n");
    gpu::RawKernel<void(const float*, float*)> changed(gpu::file(kernel_file), "scaled_sum");
    changed({.grid = 1, .block = 32}, x, y);
    CHECK(y.item() == 160.f);
}

TEST_CASE("a kernel file of an editor on Windows is read, and one that is no text is refused") {
    const support::TemporaryFolder files;
    files.write("mark.cu", "\xEF\xBB\xBF__global__ void fill(float* x) {\r\n    x[0] = 5;\r\n}\r\n");
    auto x = gpu::zeros<float>({});
    gpu::RawKernel<void(float*)>(gpu::file(files / "mark.cu"), "fill")({}, x);
    CHECK(x.item() == 5.f);
    files.write("code.cubin", std::string("\x7f"
                                          "ELF\0\1",
                                          6));
    CHECK_THROWS_AS((void)gpu::file(files / "code.cubin"), gpu::FileError);
    CHECK_THROWS_AS((void)gpu::file(files / "nowhere.cu"), gpu::FileError);
    files.write("empty.cu", "");
    const gpu::Source empty = gpu::file(files / "empty.cu");
    CHECK_THROWS_AS(gpu::RawKernel(empty, "fill"), gpu::Error);
}

TEST_CASE("an error in an included file names its line, and a file that isn't there is named") {
    const support::TemporaryFolder files;
    files.write("wrong.cuh", "__device__ float wrong(float v) {\n    return v * factr;\n}\n");
    files.write("wrong.cu", "#include \"wrong.cuh\"\n__global__ void k(float* x) { x[0] = wrong(x[0]); }\n");
    files.write("none.cu", "#include \"nowhere.cuh\"\n__global__ void k(float* x) { x[0] = 1; }\n");
    auto x = gpu::ones<float>({1});
    const auto told = [&](const char* name) {
        gpu::RawKernel<void(float*)> kernel(gpu::file(files / name), "k");
        return support::error_of<gpu::CompileError>([&] { kernel({.grid = 1, .block = 1}, x); });
    };
    const std::string wrong = told("wrong.cu"), none = told("none.cu");
    CAPTURE(wrong);
    CHECK(wrong.find("kernel k does not compile\nwrong.cuh:2:16: error: factr is not declared\n") == 0);
    CAPTURE(none);
    CHECK(none.find("none.cu:1:10: error: there is no file nowhere.cuh\n") != std::string::npos);
}

TEST_CASE("a preamble includes files too, and what is in them counts") {
    const support::TemporaryFolder files;
    files.write("gain.cuh", "#pragma once\n#define GAIN 3\n");
    files.write("scale.cuh",
                "#include \"gain.cuh\"\n#include \"gain.cuh\"\n"
                "__device__ float scaled(float v) { return GAIN * v; }\n");
    const std::string folder = files.path().string();
    const auto elements = [&] {
        //! [preamble]
        gpu::ElementwiseKernel kernel("T x", "T y", "y = scaled(x)", "scale_all",
                                      {.preamble = "#include \"scale.cuh\"\n", .options = {"-I" + folder}});
        //! [preamble]
        return gpu::sum(gpu::Array<float>(kernel(gpu::full<float>({4}, 2)))).item();
    };
    const auto sum = [&] {
        const gpu::ReductionKernel kernel(
            "T x", "T y", "scaled(x)", "a + b", "y = a", "0", "scaled_sum",
            {.preamble = "#include <scale.cuh>\n", .options = {"--include-path=" + folder}});
        return gpu::Array<float>(kernel(gpu::ones<float>({5}))).item();
    };
    CHECK(elements() == 24.f);
    CHECK(sum() == 15.f);
    files.write("gain.cuh", "#pragma once\n#define GAIN 5\n");
    CHECK(elements() == 40.f);
    CHECK(sum() == 25.f);

    // Beside the file that makes the kernel, and in the working folder.
    const gpu::ElementwiseKernel beside("T x", "T y", "y = scaled(x)", "beside", {.preamble = "#include \"scale.cuh\""},
                                        (files / "main.cpp").c_str());
    CHECK(gpu::Array<float>(beside(gpu::ones<float>({1}))).item() == 5.f);
    const fs::path before = fs::current_path();
    fs::current_path(files.path());
    const gpu::ReductionKernel here("T x", "T y", "scaled(x)", "a + b", "y = a", "0", "here",
                                    {.preamble = "#include \"scale.cuh\""});
    fs::current_path(before);
    CHECK(gpu::Array<float>(here(gpu::ones<float>({2}))).item() == 10.f);
}

TEST_CASE("an error in a file that a preamble includes names its line, and one behind it the preamble's") {
    const support::TemporaryFolder files;
    files.write("wrong.cuh", "__device__ float wrong(float v) {\n    return v * factr;\n}\n");
    files.write("right.cuh", "__device__ float right(float v) {\n    return v;\n}\n");
    const std::string beside = files / "main.cpp";
    const auto told = [&](const std::string& preamble, bool reduction) {
        try {
            if (reduction)
                (void)gpu::ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "k", {.preamble = preamble},
                                           beside.c_str())(gpu::ones<float>({1}));
            else
                (void)gpu::ElementwiseKernel("T x", "T y", "y = x", "k", {.preamble = preamble},
                                             beside.c_str())(gpu::ones<float>({1}));
        } catch (const gpu::CompileError& error) {
            return std::string(error.what());
        }
        return std::string("it compiled");
    };
    for (const bool reduction : {false, true}) {
        const std::string wrong = told("#include \"wrong.cuh\"\n", reduction);
        CAPTURE(wrong);
        CHECK(wrong.find("kernel k does not compile\nwrong.cuh:2:16: error: factr is not declared\n"
                         " 1 | __device__ float wrong(float v) {\n"
                         " 2 |     return v * factr;\n"
                         "   |                ^\n"
                         " 3 | }\n") == 0);
        const std::string behind = told("#include \"right.cuh\"\n\n__device__ float g() { return factr; }", reduction);
        CAPTURE(behind);
        CHECK(behind.find("kernel k does not compile\nk (preamble):3:31: error: factr is not declared\n"
                          " 3 | __device__ float g() { return factr; }\n") == 0);
        const std::string none = told("#include \"nowhere.cuh\"\n", reduction);
        CAPTURE(none);
        CHECK(none.find("k (preamble):1:10: error: there is no file nowhere.cuh\n") != std::string::npos);
    }
}

// What must not compile.
namespace {

template <class A, class B>
concept Adds = requires(const A& a, const B& b) { a + b; };
template <class A, class B>
concept Assigns = requires(A& a, const B& b) { a = b; };
template <class A, class T>
concept TakesFrom = requires(A& a, std::span<const T> host) { a.copy_from(host); };

using Device = gpu::Array<float>;

}  // namespace

TEST_CASE("host and device data don't mix in an expression: it doesn't compile") {
    CHECK(Adds<Device, Device>);
    CHECK(Adds<Device, float>);
    // That `d + h` is refused, and says why, is compiled by tests/headers_budget/check; nothing converts either way.
    CHECK_FALSE(std::is_convertible_v<std::vector<float>, Device>);
    CHECK_FALSE(std::is_convertible_v<std::vector<float>, gpu::Expr<float>>);
    CHECK_FALSE(std::is_convertible_v<std::span<float>, gpu::View<const float>>);
    CHECK_FALSE(Assigns<Device, std::vector<float>>);
    CHECK_FALSE(std::is_convertible_v<Device, std::vector<float>>);
    CHECK_FALSE(std::is_convertible_v<Device, float>);  // item() is the only way to one element
}

TEST_CASE("transfers between element types don't compile") {
    CHECK(TakesFrom<Device, float>);
    CHECK_FALSE(TakesFrom<Device, double>);
    CHECK_FALSE(TakesFrom<gpu::Array<std::int32_t>, std::int64_t>);
    CHECK_FALSE(TakesFrom<gpu::View<const float>, float>);
}

TEST_CASE("an array is neither true nor false: it doesn't compile") {
    CHECK_FALSE(std::is_constructible_v<bool, gpu::Array<bool>>);
    CHECK_FALSE(std::is_constructible_v<bool, gpu::View<bool>>);
    CHECK_FALSE(std::is_constructible_v<bool, gpu::Expr<bool>>);
}
