// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/Core>
#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/xp.hpp>

// Eigen in and out: all kinds of objects, and what doesn't fit.
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXf counted(Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXf m(rows, columns);
    for (Eigen::Index k = 0; k < m.size(); ++k) m(k / columns, k % columns) = static_cast<float>(k);
    return m;
}

// The elements as libgpu has them, row by row.
template <class M>
std::vector<float> rows_of(const M& m) {
    std::vector<float> v;
    for (Eigen::Index r = 0; r < m.rows(); ++r)
        for (Eigen::Index c = 0; c < m.cols(); ++c) v.push_back(m(r, c));
    return v;
}

}  // namespace

TEST_CASE("all kinds of Eigen objects come to the device") {
    Eigen::MatrixXf m = counted(4, 6);
    const auto check = [](const auto& object) {
        const auto x = gpu::to_device(object);
        CHECK(gpu::to_host(x) == rows_of(object));
        CHECK(x.shape() == gpu::Shape{object.rows(), object.cols()});
    };
    check(m);
    check(RowMajor(m));
    check(m.array().eval());
    check(m.block(1, 2, 2, 3));  // its columns lie apart
    check(m.middleCols(1, 2));   // side by side
    check(RowMajor(m).middleRows(1, 2));
    check((m * 2.f + Eigen::MatrixXf::Ones(4, 6)).eval());
    check(m.transpose());
    check(Eigen::Map<const Eigen::MatrixXf>(m.data(), 6, 4));
    check(Eigen::Map<const Eigen::MatrixXf, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>(
        m.data(), 2, 3, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(8, 2)));
    check(Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>(m.data(), 3, 2, Eigen::OuterStride<>(5)));
    check(Eigen::Ref<Eigen::MatrixXf>(m));
    check(Eigen::Ref<Eigen::MatrixXf>(m.topRows(2)));
    check(Eigen::Matrix<float, 2, 3>(m.block(0, 0, 2, 3)));
    check(Eigen::MatrixXf(0, 3));
    CHECK(gpu::to_host(gpu::to_device(m.array().sqrt() + 1.f)) == rows_of((m.array().sqrt() + 1.f).eval()));
    CHECK(gpu::to_device(RowMajor(m)).strides() == gpu::Strides{6, 1});
    CHECK(gpu::to_device(m).strides() == gpu::Strides{1, 4});
    // Vectors have one axis.
    CHECK(gpu::to_device(m.row(1)).shape() == gpu::Shape{6});
    CHECK(gpu::to_host(gpu::to_device(m.row(1))) == rows_of(m.row(1)));
    CHECK(gpu::to_host(gpu::to_device(m.col(2))) == rows_of(m.col(2)));
    CHECK(gpu::to_device(Eigen::Vector3f(1, 2, 3)).shape() == gpu::Shape{3});
    CHECK(gpu::to_host(gpu::to_device(m.diagonal())) == rows_of(m.diagonal()));
}

TEST_CASE("arrays, views and expressions become Eigen objects of a kind") {
    //! [kinds]
    auto x = gpu::arange<float>(6).reshape({2, 3});
    auto matrix = gpu::to_eigen(x);                   // Eigen::MatrixXf
    auto array = gpu::to_eigen_array(x.transpose());  // Eigen::ArrayXXf, of a view
    auto fixed = gpu::to_eigen<Eigen::Matrix<float, 2, 3>>(x * 2.f);
    auto vector = gpu::to_eigen<Eigen::VectorXf>(x(0));
    //! [kinds]
    static_assert(std::is_same_v<decltype(matrix), Eigen::MatrixXf>);
    static_assert(std::is_same_v<decltype(array), Eigen::ArrayXXf>);
    CHECK(matrix == counted(2, 3));
    CHECK((array.matrix() == counted(2, 3).transpose()));
    CHECK(fixed == counted(2, 3) * 2.f);
    CHECK(vector == Eigen::Vector3f(0, 1, 2));
    CHECK(gpu::to_eigen<RowMajor>(x) == counted(2, 3));
    CHECK(gpu::to_eigen<Eigen::RowVectorXf>(x(1)) == Eigen::RowVector3f(3, 4, 5));
    CHECK(gpu::to_eigen(x(1)).cols() == 1);
    CHECK(gpu::to_eigen(x(1, 1))(0, 0) == 4);
    CHECK(gpu::to_eigen(gpu::zeros<float>({0, 3})).cols() == 3);
    CHECK(gpu::to_eigen<Eigen::VectorXf>(x.reshape({6, 1})).size() == 6);
    CHECK_THROWS_WITH_AS((void)gpu::to_eigen<Eigen::Matrix3f>(x),
                         "to_eigen: an array of shape (2,3) can't become an Eigen object of 3 x 3", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen<Eigen::VectorXf>(x), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen<Eigen::Vector2f>(x(0)), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen(gpu::zeros<float>({1, 1, 1})), gpu::ShapeError);
}

TEST_CASE("copy_from and copy_to take Eigen objects that exist") {
    auto x = gpu::zeros<float>({2, 3});
    //! [copy]
    Eigen::MatrixXf m(2, 3);
    m << 1, 2, 3, 4, 5, 6;
    x.copy_from(m);
    x(0).copy_to(m.row(1));  // into a part of m
    //! [copy]
    CHECK(gpu::to_host(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(m.row(1) == Eigen::RowVector3f(1, 2, 3));
    x.transpose().copy_from(RowMajor(counted(3, 2)));
    CHECK(gpu::to_host(x) == std::vector<float>{0, 2, 4, 1, 3, 5});
    RowMajor rows(2, 3);
    x.copy_to(rows);
    CHECK(rows_of(rows) == gpu::to_host(x));
    Eigen::MatrixXf large = Eigen::MatrixXf::Zero(4, 6);
    x.copy_to(large.block(1, 2, 2, 3));
    CHECK(large.block(1, 2, 2, 3) == rows);
    CHECK(large.sum() == rows.sum());
    float memory[12] = {};
    Eigen::Map<Eigen::MatrixXf, 0, Eigen::InnerStride<2>> apart(memory, 2, 3);
    x.copy_to(apart);
    CHECK(memory[2] == 1);
    CHECK(memory[1] == 0);
    Eigen::ArrayXXf array(2, 3);
    x.copy_to(array);
    CHECK((array.matrix() == rows));
    Eigen::VectorXf v(3);
    x(1).copy_to(v);
    CHECK(v == Eigen::Vector3f(1, 3, 5));
    x(gpu::all, 1).copy_from(Eigen::Vector2f(7, 8));
    CHECK(gpu::to_host(x) == std::vector<float>{0, 7, 4, 1, 8, 5});
    x.copy_from(m * 2.f);  // an expression
    CHECK(gpu::to_host(x(1)) == std::vector<float>{2, 4, 6});
    CHECK_THROWS_WITH_AS(x.copy_from(counted(3, 2)), "copy_from: the array has shape (2,3), the Eigen object 3 x 2",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS(x.copy_to(v), "copy_to: the array has shape (2,3), the Eigen object 3 x 1", gpu::ShapeError);
    CHECK_THROWS_AS(gpu::zeros<float>({1, 2, 3}).copy_to(m), gpu::ShapeError);
}

TEST_CASE("complex numbers and halves") {
    Eigen::MatrixXcf m(1, 2);
    m << std::complex<float>(1, 2), std::complex<float>(3, 4);
    const auto x = gpu::to_device(m);
    static_assert(std::is_same_v<decltype(x), const gpu::Array<gpu::complex<float>>>);
    CHECK(gpu::to_eigen(x) == m);
    Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1> h(2);
    h << Eigen::half(0.5f), Eigen::half(-2.f);
    const auto y = gpu::to_device(h);
    CHECK(gpu::to_host(y.astype<float>()) == std::vector<float>{0.5f, -2});
    CHECK(gpu::to_eigen<Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1>>(y) == h);
}

// Addresses and streams out: another library works on libgpu's arrays, in libgpu's stream. Here it is cuBLAS.
#ifdef GPU_WITH_CUDA

#include <cstdio>

#include "cuda/linear_algebra/linear_algebra.hpp"

TEST_CASE("cuBLAS works on arrays, in order with what comes before and behind in the stream") {
    if (gpu::Device::current().kind() != gpu::BackendKind::cuda) {
        std::puts("SKIP: an array given to cuBLAS: it works on GPUs, and there is none");
        return;
    }
    // cuBLAS's own functions, opened as libgpu does: cublas.gemm is cublasGemmEx.
    const gpu::detail::cuda::BlasApi& cublas = gpu::detail::cuda::blas();
    const int m = 100, n = 70, k = 50;
    gpu::random::Generator rng(3);
    const gpu::Array<float> a = rng.uniform<float>({m, k}), b = rng.uniform<float>({k, n});
    gpu::Array<float> c = gpu::zeros<float>({m, n});
    gpu::synchronize();
    cublasHandle_t handle = nullptr;
    REQUIRE(cublas.create(&handle) == CUBLAS_STATUS_SUCCESS);
    //! [cublas]
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    cublas.set_stream(handle, static_cast<cudaStream_t>(stream.ref().native()));
    const gpu::Array<float> doubled = 2.f * a;  // this stream's first work
    const float one = 1, zero = 0;
    // cuBLAS counts by columns: what is (m, k) by rows is (k, m) to it, so c = a b is asked for as its transpose.
    const cublasStatus_t status =
        cublas.gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data(), CUDA_R_32F, n, doubled.data(),
                    CUDA_R_32F, k, &zero, c.data(), CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    const gpu::Array<float> result = c + 1.f;  // behind cuBLAS's work: nobody waits
    //! [cublas]
    CHECK(status == CUBLAS_STATUS_SUCCESS);
    const std::vector<float> got = gpu::to_host(result), x = gpu::to_host(a), y = gpu::to_host(b);
    CHECK(cublas.destroy(handle) == CUBLAS_STATUS_SUCCESS);
    bool right = true;
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < n; ++s) {
            double sum = 1;
            for (int j = 0; j < k; ++j) {
                sum += 2.0 * static_cast<double>(x[static_cast<std::size_t>(r * k + j)]) *
                       static_cast<double>(y[static_cast<std::size_t>(j * n + s)]);
            }
            right =
                right && std::abs(static_cast<double>(got[static_cast<std::size_t>(r * n + s)]) - sum) <= 1e-5 * sum;
        }
    }
    CHECK(right);
}
#endif

// Memory of others as views.
namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("foreign memory is seen without a copy") {
    gpu::Array<int> other = gpu::arange<int>(6);  // stands for another library's memory on the device
    //! [wrap]
    int* pointer = other.data();
    auto x = gpu::wrap(pointer, {2, 3});  // a View<int>; nothing is copied
    x(0) = 7;
    auto columns = gpu::wrap(pointer, {3, 2}, {.strides = {1, 3}});
    //! [wrap]
    CHECK(gpu::to_host(other) == Ints{7, 7, 7, 3, 4, 5});
    CHECK(gpu::to_host(columns) == Ints{7, 3, 7, 4, 7, 5});
    CHECK(x.data() == pointer);
    CHECK(gpu::to_host(gpu::wrap(pointer + 5, {3}, {.strides = {-2}})) == Ints{5, 3, 7});
    CHECK(gpu::wrap(pointer, {2, 3}, {.layout = gpu::Layout::column_major}).strides() == gpu::Strides{1, 2});
    const int* reads = pointer;
    static_assert(std::is_same_v<decltype(gpu::wrap(reads, {6})), gpu::View<const int>>);
    const gpu::Array<int> sum = gpu::wrap(reads, {6}) + 1;
    CHECK(gpu::to_host(sum) == Ints{8, 8, 8, 4, 5, 6});
    CHECK(gpu::wrap(static_cast<int*>(nullptr), {0, 3}).size() == 0);
    CHECK_THROWS_AS((void)gpu::wrap(static_cast<int*>(nullptr), {3}), gpu::DeviceError);
    CHECK_THROWS_WITH_AS((void)gpu::wrap(pointer, {2, 3}, {.strides = {1}}),
                         "wrap: strides (1,) for an array of shape (2,3): each axis needs one", gpu::ShapeError);
}

TEST_CASE("strides that reach too far and addresses within an element are refused") {
    gpu::Array<gpu::complex<double>> other = gpu::zeros<gpu::complex<double>>({4});
    auto* const pointer = reinterpret_cast<double*>(other.data());
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
    CHECK_THROWS_WITH_AS(
        (void)gpu::wrap(pointer, {3, 2}, {.strides = {far, 1}}),
        "wrap: strides (4611686018427387903,1) for an array of shape (3,2): its elements would be more "
        "than 2^63 - 1 bytes apart",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::wrap(pointer, {5, 5, 5}, {.strides = {-far, -far, -far}}), gpu::ShapeError);
    CHECK(gpu::wrap(pointer, {1, 0, 2}, {.strides = {far, far, 1}}).size() == 0);
    CHECK_THROWS_WITH_AS((void)gpu::wrap(reinterpret_cast<gpu::complex<double>*>(pointer + 1), {3}),
                         "wrap: complex128 elements lie at multiples of 16 bytes, and the address isn't one",
                         gpu::DeviceError);
}

TEST_CASE("two views on one piece of foreign memory may overlap") {
    gpu::Array<int> other = gpu::arange<int>(6);
    int* const pointer = other.data();
    auto target = gpu::wrap(pointer + 1, {5});
    target = gpu::wrap(pointer, {5}) + 0;  // as if the right side were read first
    CHECK(gpu::to_host(other) == Ints{0, 0, 1, 2, 3, 4});
}

TEST_CASE("the owner of wrapped memory lives as long as its last view") {
    gpu::Array<float> other = gpu::ones<float>({1000});
    int freed = 0;
    {
        auto owner = std::shared_ptr<void>(other.data(), [&](void*) { ++freed; });
        auto x = gpu::wrap(other.data(), {1000}, {.owner = std::move(owner)});
        auto part = x(gpu::slice(10, 20));
        x = gpu::zeros<float>({1});
        gpu::Array<float> copy = x * 2.f;
        { const auto gone = std::move(x); }
        CHECK(freed == 0);
        CHECK(gpu::to_host(part) == std::vector<float>(10, 0.f));
        CHECK(gpu::to_host(copy) == std::vector<float>(1000, 0.f));
    }
    CHECK(freed == 1);
}

TEST_CASE("on the host backend ordinary memory can be wrapped, by kernels of all kinds") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;  // a GPU can't read it
    std::vector<float> memory{1, 2, 3, 4};
    auto x = gpu::wrap(memory.data(), {4});
    x = x * 10.f;
    gpu::synchronize();
    CHECK(memory == std::vector<float>{10, 20, 30, 40});
    CHECK(gpu::sum(x).item() == 100);
    const gpu::RawKernel<void(float*, int)> add_one(
        "extern \"C\" __global__ void add_one(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] += 1; }",
        "add_one");
    add_one({.grid = 1, .block = 32}, x, 4);
    gpu::synchronize();
    CHECK(memory == std::vector<float>{11, 21, 31, 41});
    gpu::Array<float> copy = x;
    CHECK(gpu::to_host(copy) == memory);
    // Check mode knows wrapped memory, too, and where it ends.
    const gpu::CheckReport report = gpu::check([&] { add_one({.grid = 1, .block = 32}, x, 4); });
    CHECK(report.to_text() == "");
    CHECK(memory == std::vector<float>{12, 22, 32, 42});
    const gpu::CheckReport past = gpu::check([&] { add_one({.grid = 1, .block = 32}, x, 5); });
    REQUIRE(past.findings.size() == 1);
    CHECK(past.findings[0].kind == gpu::FindingKind::out_of_bounds);
    memory = {12, 22, 32, 42};
    // Freed by its owner once a queued kernel is done with it.
    auto* const allocated = static_cast<float*>(std::malloc(4096 * sizeof(float)));
    {
        auto y = gpu::wrap(allocated, {4096}, {.owner = std::shared_ptr<void>(allocated, std::free)});
        y = gpu::arange<float>(4096);
        y = y + 1.f;
    }
    gpu::synchronize();
}

// gpu::xp: templates that are written once, called with Eigen's arrays, libgpu's arrays and numbers.
namespace {

//! [xp]
template <class A>
auto softplus(const A& x) {
    using namespace gpu::xp;
    return max(x, 0) + log1p(exp(-abs(x)));
}
//! [xp]

double softplus_of(double x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x))); }

const std::vector<double> points{-3.5, -1.25, -0.5, 0, 0.75, 2.5};

// What comes back, on the host, in double.
template <class A>
std::vector<double> values_of(const A& result) {
    std::vector<double> values;
    if constexpr (std::is_arithmetic_v<A>) {
        values.push_back(static_cast<double>(result));
    } else if constexpr (requires { result.derived(); }) {
        const typename A::PlainObject plain = result;
        for (Eigen::Index k = 0; k < plain.size(); ++k) values.push_back(static_cast<double>(plain.data()[k]));
    } else {
        const auto host = gpu::to_host(gpu::Array<typename A::value_type>(result));
        for (const auto value : host) values.push_back(static_cast<double>(value));
    }
    return values;
}

bool close(const std::vector<double>& got, const std::vector<double>& want, double tolerance) {
    if (got.size() != want.size()) return false;
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (std::isnan(want[k]) ? !std::isnan(got[k])
                                : !(std::abs(got[k] - want[k]) <= tolerance * (1 + std::abs(want[k])))) {
            return false;
        }
    }
    return true;
}

// Calls a function with every kind of argument that holds these points, and compares with the same in double.
template <class F, class G>
void check_everywhere(F function, G plain, const std::vector<double>& at) {
    std::vector<double> want;
    for (const double x : at) want.push_back(static_cast<double>(plain(x)));
    const double eps = 4 * 0x1p-23, eps64 = 16 * 0x1p-52;

    for (std::size_t k = 0; k < at.size(); ++k) {
        CHECK(close(values_of(function(at[k])), {want[k]}, eps64));
        CHECK(close(values_of(function(static_cast<float>(at[k]))), {want[k]}, eps));
    }
    Eigen::ArrayXd doubles = Eigen::Map<const Eigen::ArrayXd>(at.data(), static_cast<Eigen::Index>(at.size()));
    const Eigen::ArrayXf floats = doubles.cast<float>();
    const Eigen::ArrayXXd matrix = doubles.reshaped(2, doubles.size() / 2);
    const Eigen::Map<const Eigen::ArrayXd> map(at.data(), doubles.size());
    const Eigen::Ref<const Eigen::ArrayXd> ref(doubles);
    CHECK(close(values_of(function(doubles)), want, eps64));
    CHECK(close(values_of(function(floats)), want, eps));
    CHECK(close(values_of(function(matrix)), want, eps64));
    CHECK(close(values_of(function(map)), want, eps64));
    CHECK(close(values_of(function(ref)), want, eps64));
    CHECK(close(values_of(function(doubles.head(2))), {want[0], want[1]}, eps64));

    const gpu::Array<double> x = gpu::to_device(at);
    const gpu::Array<float> y = x.astype<float>();
    const auto is_one_launch = [&](const auto& argument) {
        const gpu::Counts before = gpu::counts();
        const auto got = values_of(function(argument));
        CHECK((gpu::counts() - before).launches == 1);
        return got;
    };
    CHECK(close(is_one_launch(x), want, eps64));
    CHECK(close(is_one_launch(y), want, eps));
    CHECK(close(is_one_launch(x(gpu::all)), want, eps64));  // a view
}

}  // namespace

TEST_CASE("softplus is written once for Eigen, libgpu and numbers") {
    check_everywhere([](const auto& x) { return softplus(x); }, softplus_of, points);
    const gpu::Array<double> x = gpu::to_device(points);
    const gpu::Counts before = gpu::counts();
    const gpu::Array<double> of_expression = softplus(2. * (x / 2.));
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(gpu::to_host(of_expression) == gpu::to_host(gpu::Array<double>(softplus(x))));
    static_assert(std::is_same_v<decltype(softplus(1.f)), float>);
    static_assert(std::is_same_v<decltype(softplus(std::declval<gpu::Array<float>>())), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(softplus(std::declval<Eigen::ArrayXf>()))::Scalar, float>);
}

#define everywhere(function, ...)                                                         \
    SUBCASE(#function) {                                                                  \
        check_everywhere(                                                                 \
            [](const auto& x) {                                                           \
                using namespace gpu::xp;                                                  \
                return function(x);                                                       \
            },                                                                            \
            [](double x) { return std::function(x); }, std::vector<double>{__VA_ARGS__}); \
    }

TEST_CASE("functions of real numbers are the same everywhere") {
    everywhere(abs, -2, 0, 1.5, 7);
    everywhere(sqrt, 0, 0.25, 2, 1000);
    everywhere(exp, -3, 0, 0.5, 5);
    everywhere(expm1, -3, 0, 0.001953125, 2);
    everywhere(log, 0.125, 1, 2.5, 1000);
    everywhere(log1p, -0.5, 0, 0.001953125, 9);
    everywhere(log2, 0.125, 1, 3, 1024);
    everywhere(log10, 0.125, 1, 3, 1000);
    everywhere(sin, -2, 0, 0.5, 3);
    everywhere(cos, -2, 0, 0.5, 3);
    everywhere(tan, -1, 0, 0.5, 1.25);
    everywhere(asin, -1, 0, 0.5, 1);
    everywhere(acos, -1, 0, 0.5, 1);
    everywhere(atan, -4, 0, 0.5, 2);
    everywhere(sinh, -2, 0, 0.5, 3);
    everywhere(cosh, -2, 0, 0.5, 3);
    everywhere(tanh, -2, 0, 0.5, 3);
    everywhere(asinh, -2, 0, 0.5, 3);
    everywhere(acosh, 1, 1.5, 2, 9);
    everywhere(atanh, -0.5, 0, 0.25, 0.75);
    everywhere(floor, -1.5, -1, 0.5, 2.75);
    everywhere(ceil, -1.5, -1, 0.5, 2.75);
    everywhere(rint, -1.5, 0.5, 1.5, 2.75);
}

TEST_CASE("functions that C++ has only for arrays or only in other words") {
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return square(x);
        },
        [](double x) { return x * x; }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return rsqrt(x);
        },
        [](double x) { return 1 / std::sqrt(x); }, {0.25, 1, 2, 100});
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return sign(x);
        },
        [](double x) { return (x > 0) - (x < 0); }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return pow(x, 3);
        },
        [](double x) { return x * x * x; }, points);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return pow(x, 0.5f);
        },
        [](double x) { return std::sqrt(x); }, {0.25, 1, 2, 100});
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return astype<int>(x);
        },
        [](double x) { return std::trunc(x); }, points);
}

TEST_CASE("max, min, clip and where take arrays and numbers in any order") {
    const auto check = [](auto function, auto plain) { check_everywhere(function, plain, points); };
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, 1);
        },
        [](double x) { return std::max(x, 1.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(1, x);
        },
        [](double x) { return std::max(x, 1.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return maximum(0, x);
        },
        [](double x) { return std::max(x, 0.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(x, 0.5);
        },
        [](double x) { return std::min(x, 0.5); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return minimum(0.5, x);
        },
        [](double x) { return std::min(x, 0.5); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, -x);
        },
        [](double x) { return std::abs(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(x, x + 1);
        },
        [](double x) { return x; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return clip(x, -1, 2);
        },
        [](double x) { return std::min(std::max(x, -1.), 2.); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, x, 0);
        },
        [](double x) { return x > 0 ? x : 0; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, 1, x);
        },
        [](double x) { return x > 0 ? 1 : x; });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x > 0, x, -x);
        },
        [](double x) { return std::abs(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return where(x < 1, 2.5, -1);
        },
        [](double x) { return x < 1 ? 2.5 : -1; });
}

TEST_CASE("a NaN wins in max and min, is kept by clip, and is found") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const std::vector<double> odd{nan, 1, inf, -inf};
    const auto check = [&](auto function, auto plain) { check_everywhere(function, plain, odd); };
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isnan(x);
        },
        [](double x) { return std::isnan(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isinf(x);
        },
        [](double x) { return std::isinf(x); });
    check(
        [](const auto& x) {
            using namespace gpu::xp;
            return isfinite(x);
        },
        [](double x) { return std::isfinite(x); });
    const std::vector<double> with_nan{nan, 1, -2, 5};
    const auto larger = [](double x) { return std::isnan(x) ? x : std::max(x, 0.); };
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(x, 0);
        },
        larger, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return max(0, x);
        },
        larger, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return min(0, x);
        },
        [](double x) { return std::isnan(x) ? x : std::min(x, 0.); }, with_nan);
    check_everywhere(
        [](const auto& x) {
            using namespace gpu::xp;
            return clip(x, 0, 2);
        },
        [](double x) { return std::isnan(x) ? x : std::min(std::max(x, 0.), 2.); }, with_nan);
}

namespace {

// |z|, the angle, and z times its mirror image.
template <class Z>
auto parts(const Z& z) {
    using namespace gpu::xp;
    return abs(z) + 2 * arg(z) + real(z * conj(z)) - imag(z);
}

}  // namespace

TEST_CASE("complex numbers") {
    using Z = std::complex<double>;
    const std::vector<Z> z{{3, 4}, {-1, 2}, {0, -1}, {2, 0}};
    std::vector<double> want;
    for (const Z& each : z) want.push_back(std::abs(each) + 2 * std::arg(each) + std::norm(each) - each.imag());
    const Eigen::ArrayXcd host = Eigen::Map<const Eigen::ArrayXcd>(z.data(), 4);
    const gpu::Array<gpu::complex<double>> device = gpu::to_device(host);
    CHECK(close(values_of(parts(host)), want, 1e-14));
    CHECK(close(values_of(parts(device)), want, 1e-14));
    for (std::size_t k = 0; k < z.size(); ++k) CHECK(std::abs(parts(z[k]) - want[k]) <= 1e-14 * 10);
}

// Reductions and new arrays of gpu::xp, and its functions by their qualified names.
namespace {

//! [xp_sides]
template <class A>
auto standardised(const A& x) {
    using namespace gpu::xp;
    return (x - mean(x)) / stddev(x);
}

// The later elements count more.
template <class A>
auto weighted_mean(const A& x) {
    using namespace gpu::xp;
    const auto weights = linspace_like(x, 0, 1, x.size());
    return item(sum(x * weights) / sum(weights));
}
//! [xp_sides]

// A function of Eigen's array and of the same on the device.
template <class A, class F>
void check_sides(const A& host, F function, double tolerance = 1e-12) {
    const auto want = values_of(function(gpu::to_device(host)));
    CHECK(close(values_of(function(host)), want, tolerance));
    CHECK(close(values_of(function(host + typename A::Scalar(0))), want, tolerance));  // an expression
}

// Every reduction, whole and along each axis; gpu's own are held against references in reduction_test.cpp.
template <class A>
void check_reductions(const A& host, double tolerance) {
    using namespace gpu::xp;
#define both_sides(...) \
    check_sides(        \
        host, [](const auto& x) { return __VA_ARGS__; }, tolerance)
    both_sides(sum(x));
    both_sides(prod(x));
    both_sides(mean(x));
    both_sides(any(x));
    both_sides(all(x));
    both_sides(count_nonzero(x));
    both_sides(norm(x));
    both_sides(var(x));
    both_sides(stddev(x, {.ddof = 1}));
    both_sides(sum<double>(x, {.axis = 0}));
    both_sides(mean(x, {.axis = -1, .keepdims = true}));
    both_sides(norm(x, {.axis = 0}));
    both_sides(var(x, {.axis = -1}));
    if (host.size() > 0) {
        both_sides(min(x));
        both_sides(max(x));
        both_sides(min(x, {.axis = 0}));
        both_sides(max(x, {.axis = -1, .keepdims = true}));
    }
    both_sides(all(x, {.axis = 0}));
    both_sides(count_nonzero(x, {.axis = -1}));
#undef both_sides
}

template <class A>
double call_qualified(const A& x) {  // of numbers between 0 and 1
    const auto elements = gpu::xp::abs(x) + gpu::xp::sqrt(x) + gpu::xp::rsqrt(x) + gpu::xp::square(x) +
                          gpu::xp::exp(x) + gpu::xp::expm1(x) + gpu::xp::log(x) + gpu::xp::log1p(x) + gpu::xp::log2(x) +
                          gpu::xp::log10(x) + gpu::xp::pow(x, 3) + gpu::xp::sin(x) + gpu::xp::cos(x) + gpu::xp::tan(x) +
                          gpu::xp::asin(x) + gpu::xp::acos(x) + gpu::xp::atan(x) + gpu::xp::sinh(x) + gpu::xp::cosh(x) +
                          gpu::xp::tanh(x) + gpu::xp::asinh(x) + gpu::xp::acosh(1 + x) + gpu::xp::atanh(x) +
                          gpu::xp::floor(3 * x) + gpu::xp::ceil(3 * x) + gpu::xp::rint(3 * x) + gpu::xp::sign(x) +
                          gpu::xp::max(x, 0.3) + gpu::xp::maximum(x, 0.3) + gpu::xp::min(x, 0.3) +
                          gpu::xp::minimum(x, 0.3) + gpu::xp::clip(x, 0.2, 0.4) + gpu::xp::real(x) +
                          gpu::xp::where(x < 0.5, x, 0) + gpu::xp::where(gpu::xp::isnan(x), x, 1) +
                          gpu::xp::where(gpu::xp::isinf(x), x, 2) + gpu::xp::where(gpu::xp::isfinite(x), x, 3) +
                          gpu::xp::astype<double>(gpu::xp::astype<int>(3 * x));
    return static_cast<double>(gpu::xp::item(gpu::xp::sum(elements)));
}

template <class A>
double reduce_qualified(const A& x) {
    const auto number = [](const auto& one) { return static_cast<double>(gpu::xp::item(one)); };
    return number(gpu::xp::sum(x)) + 10 * number(gpu::xp::prod(x)) + 100 * number(gpu::xp::mean(x)) +
           1e3 * number(gpu::xp::min(x)) + 1e4 * number(gpu::xp::max(x)) + 1e5 * number(gpu::xp::any(x)) +
           1e6 * number(gpu::xp::all(x)) + 1e7 * number(gpu::xp::count_nonzero(x)) + 1e8 * number(gpu::xp::norm(x)) +
           1e9 * number(gpu::xp::dot(x, x)) + 1e10 * number(gpu::xp::sum(gpu::xp::zeros_like(x))) +
           1e11 * number(gpu::xp::sum(gpu::xp::ones_like(x))) + 1e12 * number(gpu::xp::sum(gpu::xp::full_like(x, 2)));
}

}  // namespace

TEST_CASE("one function standardises Eigen's arrays and libgpu's; a number of each comes back by item") {
    Eigen::ArrayXd host(5);
    host << 1, 2, 4, 8, 16;
    const gpu::Array<double> device = gpu::to_device(host);
    const double mean = 6.2, deviation = std::sqrt((27.04 + 17.64 + 4.84 + 3.24 + 96.04) / 5);
    const std::vector<double> want{(1 - mean) / deviation, (2 - mean) / deviation, (4 - mean) / deviation,
                                   (8 - mean) / deviation, (16 - mean) / deviation};
    CHECK(close(values_of(standardised(host)), want, 1e-14));
    CHECK(close(values_of(standardised(device)), want, 1e-14));
    CHECK(close(values_of(standardised(device * 2. / 2.)), want, 1e-14));
    const double expected = (0.25 * 2 + 0.5 * 4 + 0.75 * 8 + 16) / 2.5;
    CHECK(std::abs(weighted_mean(host) - expected) <= 1e-14 * expected);
    CHECK(std::abs(weighted_mean(device) - expected) <= 1e-14 * expected);
    static_assert(std::is_same_v<decltype(gpu::xp::sum(host)), double>);
    static_assert(std::is_same_v<decltype(gpu::xp::sum(device)), gpu::Array<double>>);
    static_assert(std::is_same_v<decltype(gpu::xp::sum(std::declval<Eigen::ArrayXi>())), std::int64_t>);
    static_assert(std::is_same_v<decltype(gpu::xp::mean(std::declval<Eigen::ArrayXi>())), double>);
    static_assert(std::is_same_v<decltype(gpu::xp::max(std::declval<Eigen::ArrayXi>())), int>);
    static_assert(std::is_same_v<decltype(gpu::xp::norm(std::declval<Eigen::ArrayXcf>())), float>);
}

TEST_CASE("reductions of Eigen's arrays are those of the same array on the device") {
    using Rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::ArrayXXd matrix(3, 4);
    matrix << 1, -2, 0, 4, 0.5, 0, 7, -3, 2, 2, -0.25, 9;
    check_reductions(matrix, 1e-13);
    check_reductions(Eigen::ArrayXXd(matrix.transpose()), 1e-13);
    check_reductions(Rows(matrix.cast<float>()), 1e-5);
    check_reductions(Eigen::ArrayXd(matrix.row(1).transpose()), 1e-13);
    check_reductions(Eigen::ArrayXXi(matrix.cast<int>()), 1e-13);
    check_reductions(Eigen::ArrayXXd(0, 4), 1e-13);
    matrix(1, 2) = std::numeric_limits<double>::quiet_NaN();
    check_reductions(matrix, 1e-13);
    check_sides(Eigen::ArrayXi::Constant(3, 2'000'000'000).eval(), [](const auto& x) { return gpu::xp::sum(x); });
    check_sides(Eigen::ArrayXd::LinSpaced(1000, 1e8, 1e8 + 1).eval(), [](const auto& x) { return gpu::xp::var(x); });
    for (const double ord : {0., 1., 2., 3., double(INFINITY), -double(INFINITY)})
        check_sides(matrix, [ord](const auto& x) { return gpu::xp::norm(x, {.axis = 1, .ord = ord}); });
    check_sides(matrix, [](const auto& x) { return gpu::xp::any(x > 8, {.axis = 0}); });

    Eigen::ArrayXcd complex(2);
    complex << std::complex<double>(3, 4), std::complex<double>(0, -1);
    CHECK(gpu::xp::sum(complex) == std::complex<double>(3, 3));
    CHECK(gpu::xp::prod(complex) == std::complex<double>(4, -3));
    CHECK(gpu::xp::mean(complex) == std::complex<double>(1.5, 1.5));
    CHECK(std::abs(gpu::xp::norm(complex) - std::sqrt(26.)) <= 1e-15 * 8);
    CHECK(std::abs(gpu::xp::var(complex) - gpu::var(gpu::to_device(complex)).item()) <= 1e-14);
    CHECK(gpu::xp::all(complex));
    CHECK(gpu::xp::norm(complex(0)) == 5);
    using Halves = Eigen::Array<Eigen::half, Eigen::Dynamic, 1>;
    const Halves halves = Eigen::ArrayXf::Constant(3000, 1.f).cast<Eigen::half>();
    CHECK(static_cast<float>(gpu::xp::sum(halves)) == 3000);  // float16 alone stops at 2048
    CHECK(gpu::xp::sum<float>(halves) == 3000);
}

TEST_CASE("products of Eigen's vectors and matrices are those on the device") {
    const Eigen::ArrayXXd a = Eigen::ArrayXXd::Random(3, 4), b = Eigen::ArrayXXd::Random(4, 2);
    const Eigen::ArrayXd v = Eigen::ArrayXd::Random(4), w = Eigen::ArrayXd::Random(4);
    const auto check = [](const auto& x, const auto& y) {
        const gpu::Array<double> want = gpu::dot(gpu::to_device(x), gpu::to_device(y));
        const auto host = gpu::xp::dot(x, y);
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(host)>>)
            CHECK(std::abs(host - want.item()) <= 1e-14);
        else
            CHECK(gpu::allclose(gpu::to_device(host).reshape(gpu::TargetShape(want.shape())), want).item());
    };
    check(v, w);
    check(v, w.transpose().eval());
    check(a, b);
    check(a, v);
    check(v, b);
    CHECK(gpu::xp::dot(Eigen::ArrayXi::Ones(2), Eigen::ArrayXd::Ones(2)) == 2);
    CHECK(gpu::xp::dot(2, 0.5) == 1);
    CHECK_THROWS_WITH_AS((void)gpu::xp::dot(v, v.head(3)), "dot: (4,) x (3,): inner dimensions 4 and 3 differ",
                         gpu::LinAlgError);
}

TEST_CASE("what reductions of Eigen's arrays refuse, in the device's words") {
    const Eigen::ArrayXXf matrix = Eigen::ArrayXXf::Ones(2, 3);
    CHECK_THROWS_WITH_AS((void)gpu::xp::sum(matrix, {.axis = 2}),
                         "axis 2 is out of bounds for array of dimension 2 (its shape is (2,3))", gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::xp::sum(matrix, {.axis = {0, -2}}),
                         "duplicate value in 'axis': -2 names an axis again (the array's shape is (2,3))",
                         gpu::AxisError);
    CHECK_THROWS_WITH_AS((void)gpu::xp::min(Eigen::ArrayXf(0)),
                         "zero-size array to reduction operation min which has no identity (its shape is (0,))",
                         gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::xp::norm(matrix, {.ord = 1}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::xp::item(matrix), gpu::ShapeError);
    CHECK(gpu::xp::sum(Eigen::ArrayXf(0)) == 0);
    CHECK(gpu::xp::prod(Eigen::ArrayXf(0)) == 1);
    CHECK(std::isnan(gpu::xp::mean(Eigen::ArrayXf(0))));
    CHECK(gpu::xp::norm(Eigen::ArrayXf(0)) == 0);
    CHECK(gpu::xp::all(Eigen::ArrayXf(0)));
    CHECK_FALSE(gpu::xp::any(Eigen::ArrayXf(0)));
}

//! [xp_types]
template <class A>
auto hat(std::int64_t n) {  // 0 up to 1 and down again
    const auto up = gpu::xp::linspace<A>(0, 2, n);
    return gpu::xp::item(gpu::xp::sum(gpu::xp::ones<A>({n}) - gpu::xp::abs(up - 1)));
}
//! [xp_types]

TEST_CASE("new arrays are made on the side of an array or of a type") {
    CHECK(hat<Eigen::ArrayXf>(5) == 2);
    CHECK(hat<gpu::Array<float>>(5) == 2);
    Eigen::ArrayXXf host(2, 3);
    host << 1, 2, 3, 4, 5, 6;
    const gpu::Array<float> device = gpu::to_device(host);
    const auto check = [](const auto& x) {
        using namespace gpu::xp;
        using A = decltype(x);
        CHECK(values_of(zeros_like(x)) == std::vector<double>(6, 0));
        CHECK(values_of(ones_like(x)) == std::vector<double>(6, 1));
        CHECK(values_of(ones_like(x + x)) == std::vector<double>(6, 1));
        CHECK(values_of(full_like<int>(x, 7)) == std::vector<double>(6, 7));
        CHECK(empty_like(x).size() == 6);
        CHECK(values_of(zeros<A>({2, 2})) == std::vector<double>(4, 0));
        CHECK(values_of(full<A>({1, 3}, 2.5f)) == std::vector<double>(3, 2.5));
        CHECK(empty<A>({4, 2}).size() == 8);
        CHECK(values_of(linspace<A>(0, 1, 5)) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
        CHECK(values_of(linspace_like(x, 1, 0, 2, {.endpoint = false})) == std::vector<double>{1, 0.5});
        CHECK(values_of(linspace_like(x, 3, 4, 1)) == std::vector<double>{3});
        CHECK(values_of(linspace_like(x, 3, 4, 0)).empty());
        CHECK(values_of(linspace_like(x, 0.1, 0.7, 7)) == values_of(gpu::linspace<float>(0.1, 0.7, 7)));
        CHECK_THROWS_AS((void)linspace<A>(0, 1, -1), gpu::ShapeError);
    };
    check(host);
    check(device);
    static_assert(std::is_same_v<decltype(gpu::xp::zeros<const Eigen::ArrayXf&>({3})), Eigen::ArrayXf>);
    static_assert(std::is_same_v<decltype(gpu::xp::zeros_like(host + host)), Eigen::ArrayXXf>);
    static_assert(std::is_same_v<decltype(gpu::xp::zeros<gpu::View<const float>>({3})), gpu::Array<float>>);
    CHECK(gpu::xp::zeros_like(2.5) == 0);
    CHECK(gpu::xp::full_like<int>(2.5, 3) == 3);
    CHECK_THROWS_WITH_AS((void)gpu::xp::zeros<Eigen::ArrayXf>({2, 3}),
                         "zeros: an array of shape (2,3) can't become an Eigen object of any x 1", gpu::ShapeError);
    const gpu::Device last(gpu::Device::count() - 1);
    CHECK(gpu::xp::linspace_like(device.to(last), 0, 1, 3).device() == last);
    CHECK(gpu::xp::zeros_like(device.to(last)).device() == last);
}

TEST_CASE("functions of gpu::xp are called by their qualified names as well") {
    double want = 0, got = 0;
    Eigen::ArrayXd host(3);
    host << 0.125, 0.45, 0.9;
    for (const double x : host) {
        got += call_qualified(x);
        const double clipped = std::clamp(x, 0.2, 0.4), larger = std::max(x, 0.3), smaller = std::min(x, 0.3);
        want += x + std::sqrt(x) + 1 / std::sqrt(x) + x * x + std::exp(x) + std::expm1(x) + std::log(x) +
                std::log1p(x) + std::log2(x) + std::log10(x) + x * x * x + std::sin(x) + std::cos(x) + std::tan(x) +
                std::asin(x) + std::acos(x) + std::atan(x) + std::sinh(x) + std::cosh(x) + std::tanh(x) +
                std::asinh(x) + std::acosh(1 + x) + std::atanh(x) + std::floor(3 * x) + std::ceil(3 * x) +
                std::rint(3 * x) + 1 + 2 * larger + 2 * smaller + clipped + x + (x < 0.5 ? x : 0) + 1 + 2 + x +
                std::trunc(3 * x);
    }
    CHECK(std::abs(got - want) <= 1e-12 * want);
    CHECK(std::abs(call_qualified(host) - want) <= 1e-12 * want);
    CHECK(std::abs(call_qualified(gpu::to_device(host)) - want) <= 1e-12 * want);
    const double of_host = reduce_qualified(host), of_device = reduce_qualified(gpu::to_device(host));
    CHECK(std::abs(of_host - of_device) <= 1e-14 * of_host);
    CHECK(reduce_qualified(3.0) == 3 + 30 + 300 + 3e3 + 3e4 + 1e5 + 1e6 + 1e7 + 3e8 + 9e9 + 1e11 + 2e12);
    using Z = std::complex<double>;
    const Z z(3, 4);
    CHECK(gpu::xp::abs(gpu::xp::conj(z)) + gpu::xp::imag(z) == 9);
    CHECK(gpu::xp::arg(Z(0, 1)) == std::arg(Z(0, 1)));
    const Eigen::ArrayXcd one = Eigen::ArrayXcd::Constant(1, z);
    CHECK(gpu::xp::item(gpu::xp::abs(gpu::xp::conj(one)) + gpu::xp::imag(one)) == 9);
    CHECK(gpu::xp::item(gpu::xp::abs(gpu::xp::conj(gpu::to_device(one))) + gpu::xp::imag(gpu::to_device(one))) == 9);
    CHECK(gpu::xp::item(gpu::xp::arg(one)) == std::arg(z));
}
