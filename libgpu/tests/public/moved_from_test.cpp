// SPDX-License-Identifier: MIT
// An array that was moved from: all public functions of arrays and views say so.
#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/linalg.hpp>
#ifdef GPU_TEST_WITH_DLPACK
#include <gpu/dlpack.hpp>
#endif

namespace {

using Array = gpu::Array<float>;

/// A use of an array, and what it is called in the message: "transpose".
struct Use {
    std::string named;
    std::function<void(Array&)> use;
};

Array moved_from() {
    auto x = gpu::ones<float>({2, 3});
    const Array y = std::move(x);
    return x;  // NOLINT(bugprone-use-after-move): moved once more
}

void check_all(const std::vector<Use>& uses) {
    for (const Use& use : uses) {
        Array x = moved_from();
        std::string said = "nothing";
        try {
            use.use(x);
        } catch (const gpu::Error& error) {
            said = error.what();
        }
        CHECK(said == use.named + ": this array was moved from; assign to it first");
    }
}

std::vector<float> host(6);

const gpu::RawKernel<void(const float*, int)> reads(R"(
__global__ void reads(const float* x, int n) { }
)",
                                                    "reads");
const gpu::RawKernel<void(gpu::StridedView<const float, 2>)> reads_strided(R"(
__global__ void reads_strided(StridedView<const float, 2> x) { }
)",
                                                                           "reads_strided");

}  // namespace

TEST_CASE("an array that was moved from: windows throw") {
    using gpu::all;
    check_all({
        {"device", [](Array& x) { (void)x.device(); }},
        {"x(...)", [](Array& x) { (void)x(1, all); }},
        {"x(...)", [](Array& x) { (void)std::as_const(x)(gpu::slice(0, 1)); }},
        {"x(...)", [](Array& x) { x(1, 2) = 3.f; }},
        {"transpose", [](Array& x) { (void)x.transpose(); }},
        {"transpose",
         [](Array& x) {
             (void)std::as_const(x).transpose({1, 0});
         }},
        {"swapaxes", [](Array& x) { (void)x.swapaxes(0, 1); }},
        {"moveaxis", [](Array& x) { (void)x.moveaxis(0, 1); }},
        {"moveaxis", [](Array& x) { (void)std::as_const(x).moveaxis({0}, {1}); }},
        {"ravel", [](Array& x) { (void)x.ravel(); }},
        {"broadcast_to",
         [](Array& x) {
             (void)x.broadcast_to({4, 2, 3});
         }},
        {"diagonal", [](Array& x) { (void)x.diagonal(); }},
        {"squeeze", [](Array& x) { (void)x.squeeze(); }},
        {"squeeze", [](Array& x) { (void)std::as_const(x).squeeze({0}); }},
        {"expand_dims", [](Array& x) { (void)x.expand_dims(0); }},
        {"flip", [](Array& x) { (void)x.flip(); }},
        {"flip", [](Array& x) { (void)std::as_const(x).flip({0}); }},
        {"reshape",
         [](Array& x) {
             (void)x.reshape({3, 2});
         }},
        {"reshape",
         [](Array& x) {
             (void)std::as_const(x).reshape({3, 2});
         }},
        {"reshape",
         [](Array& x) {
             (void)std::move(x).reshape({3, 2});
         }},
        {"gpu::View", [](Array& x) { (void)gpu::View<float>(x); }},
        {"gpu::View", [](Array& x) { (void)gpu::View<const float>(x); }},
        {"split", [](Array& x) { (void)gpu::split(x, 2); }},
        {"split", [](Array& x) { (void)gpu::split(x, {1}); }},
        {"split", [](Array& x) { (void)gpu::array_split(x, 2); }},
    });
}

TEST_CASE("an array that was moved from: copies and addresses throw") {
    check_all({
        {"copy", [](Array& x) { const Array y = x; }},
        {"copy", [](Array& x) { (void)x.copy(); }},
        {"copy", [](Array& x) { (void)x.copy(gpu::Layout::column_major); }},
        {"copy", [](Array& x) { (void)x.flatten(); }},
        {"assignment",
         [](Array& x) {
             Array y;
             y = x;
         }},
        {"astype", [](Array& x) { (void)x.astype<double>(); }},
        {"to", [](Array& x) { (void)x.to(gpu::Device::current()); }},
        {"data", [](Array& x) { (void)x.data(); }},
        {"data", [](Array& x) { (void)std::as_const(x).data(); }},
        {"item", [](Array& x) { (void)x.item(); }},
        {"copy_from", [](Array& x) { x.copy_from(host); }},
        {"copy_from",
         [](Array& x) {
             x.copy_from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f});
         }},
        {"copy_from", [](Array& x) { x.copy_from(Eigen::MatrixXf(2, 3)); }},
        {"copy_to", [](Array& x) { x.copy_to(host); }},
        {"copy_to", [](Array& x) { x.copy_to(std::span<float>(host)); }},
        {"copy_from_async", [](Array& x) { (void)x.copy_from_async(host); }},
        {"copy_to_async", [](Array& x) { (void)x.copy_to_async(host); }},
        {"to_host", [](Array& x) { (void)gpu::to_host(x); }},
        {"copy_to_async", [](Array& x) { (void)gpu::to_host_async(x); }},
        {"to_eigen", [](Array& x) { (void)gpu::to_eigen(x); }},
        {"print", [](Array& x) { (void)gpu::to_string(x); }},
        {"save_npy", [](Array& x) { gpu::save_npy("/dev/null", x); }},
        {"empty_like", [](Array& x) { (void)gpu::empty_like(x); }},
        {"full_like", [](Array& x) { (void)gpu::zeros_like(x); }},
#ifdef GPU_TEST_WITH_DLPACK
        {"to_dlpack", [](Array& x) { (void)gpu::to_dlpack(x); }},
        {"to_dlpack", [](Array& x) { (void)gpu::to_dlpack(std::as_const(x)); }},
#endif
    });
}

TEST_CASE("an array that was moved from: operators, kernels and algorithms throw") {
    const auto mask = gpu::ones<bool>({2, 3});
    const auto index = gpu::zeros<int>({1});
    const auto one = gpu::ones<float>({2, 3});
    gpu::random::Generator rng(1);
    const gpu::ElementwiseKernel copies("T x", "T z", "z = x", "copies");
    const gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total");
    const std::string an_expression = "an expression";
    check_all({
        {an_expression, [](Array& x) { (void)(x + 1.f); }},
        {an_expression, [&](Array& x) { (void)(one * x); }},
        {an_expression, [](Array& x) { (void)gpu::exp(x); }},
        {an_expression, [&](Array& x) { (void)gpu::where(mask, x, 0.f); }},
        {an_expression, [](Array& x) { x += 1.f; }},
        {"gpu::View",
         [](Array& x) {
             gpu::View<float> view = x;
             view *= 2.f;
         }},
        {an_expression, [](Array& x) { (void)gpu::sum(x); }},
        {an_expression, [](Array& x) { (void)gpu::mean(x, {.axis = 0}); }},
        {an_expression, [](Array& x) { (void)gpu::cumsum(x, {.axis = 0}); }},
        {an_expression, [](Array& x) { (void)gpu::matmul(x, x.size() > 0 ? 1.f * x : 2.f * x); }},
        {an_expression, [](Array& x) { (void)gpu::linalg::norm(x); }},
        {an_expression, [](Array& x) { (void)gpu::linalg::svd(x); }},
        {an_expression,
         [](Array& x) {
             (void)gpu::signal::convolve2d(x, gpu::ones<float>({1, 1}));
         }},
        {an_expression,
         [&](Array& x) {
             (void)gpu::concatenate({one, x});
         }},
        {"repeat", [](Array& x) { (void)gpu::repeat(x, 2, {.axis = 0}); }},
        {"tile", [](Array& x) { (void)gpu::tile(x, {2}); }},
        {"meshgrid", [](Array& x) { (void)gpu::meshgrid(x, x); }},
        {"permutation", [&](Array& x) { (void)rng.permutation(x); }},
        {"permutation", [&](Array& x) { rng.shuffle(x); }},
        {an_expression, [&](Array& x) { (void)copies(x); }},
        {"gpu::out", [&](Array& x) { (void)copies(one, gpu::out(x)); }},
        {an_expression, [&](Array& x) { (void)total(x); }},
        {"argument 1 of a raw kernel", [](Array& x) { reads({.grid = 1, .block = 1}, x, 6); }},
        {"a strided argument of a raw kernel",
         [](Array& x) { reads_strided({.grid = 1, .block = 1}, gpu::strided<2>(std::as_const(x))); }},
        {"x[...]", [&](Array& x) { (void)x[mask]; }},
        {"x[...]", [&](Array& x) { x[mask] = 1.f; }},
        {"x[...]", [&](Array& x) { x[index] = 1.f; }},
        {"x[...]", [](Array& x) { x[{0}] = 1.f; }},
        {"take", [&](Array& x) { (void)x.take(index); }},
        {"put", [&](Array& x) { x.put(index, 1.f); }},
        {"add_at", [&](Array& x) { x.add_at(index, 1.f); }},
    });
    const auto square_sum = gpu::fuse([](const auto& a) { return gpu::sum(a * a); });
    check_all({{"gpu::View", [&](Array& x) { (void)square_sum(x); }}});
}

TEST_CASE("an array that was moved from says what it was, and can be assigned to and destroyed") {
    // NOLINTBEGIN(bugprone-use-after-move)
    auto x = gpu::ones<float>({2, 3});
    auto y = std::move(x);
    CHECK(x.shape() == gpu::Shape{2, 3});
    CHECK(x.strides() == gpu::Strides{3, 1});
    CHECK(x.size() == 6);
    CHECK(x.rank() == 2);
    CHECK(x.is_contiguous());
    static_assert(noexcept(x.shape())&& noexcept(x.rank()));
    x = y + 1.f;
    CHECK(gpu::to_host(x) == std::vector<float>(6, 2.f));
    auto z = std::move(x);
    x = y;
    CHECK(gpu::to_host(x) == std::vector<float>(6, 1.f));
    z = std::move(x);
    x = y(0, gpu::all);
    CHECK(x.shape() == gpu::Shape{3});
    z = std::move(x);
    x = std::move(y);
    CHECK(gpu::to_host(x) == std::vector<float>(6, 1.f));
    y = gpu::Array<float>();
    CHECK(y.size() == 0);
    std::swap(x, y);
    CHECK(x.size() == 0);
    const gpu::ElementwiseKernel copies("T x", "T z", "z = x", "copies");
    gpu::AnyArray any = copies(y);
    const Array taken = std::move(any);
    CHECK_THROWS_WITH_AS((void)any.device(), "device: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_WITH_AS((void)gpu::to_string(any), "print: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_WITH_AS(Array(std::move(any)),
                         "Array from a kernel's result: this array was moved from; assign to it first", gpu::Error);
    // NOLINTEND(bugprone-use-after-move)
}
