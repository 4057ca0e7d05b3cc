// SPDX-License-Identifier: MIT
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
