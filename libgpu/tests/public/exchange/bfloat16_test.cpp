// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>
#include <gpu/npy.hpp>

// What arrays of bfloat16 are for each part of the library; half's tests have the parts' own cases.
namespace {

using gpu::bfloat16;
using Shorts = std::vector<bfloat16>;

Shorts shorts(std::initializer_list<double> values) {
    Shorts made;
    for (const double value : values) made.push_back(bfloat16(value));
    return made;
}

gpu::Array<bfloat16> on_device(std::initializer_list<double> values) { return gpu::to_device(shorts(values)); }

int differing(const Shorts& got, const Shorts& want) {
    int wrong = got.size() != want.size();
    for (std::size_t k = 0; k < want.size() && k < got.size(); ++k) {
        const float a = got[k], b = want[k];
        wrong += std::isnan(b) ? !std::isnan(a) : got[k].bits() != want[k].bits();
    }
    return wrong;
}

}  // namespace

TEST_CASE("every bfloat16 comes back from the device as it was, and floats are rounded as on the host") {
    Shorts all;
    for (unsigned bits = 0; bits < 65536; ++bits) all.push_back(bfloat16::from_bits(static_cast<std::uint16_t>(bits)));
    const auto x = gpu::to_device(all);
    CHECK(differing(gpu::to_host(x.astype<float>().astype<bfloat16>()), all) == 0);
    CHECK(differing(gpu::to_host(x.astype<double>().astype<bfloat16>()), all) == 0);
    std::mt19937_64 random(5);
    std::vector<float> floats{0x1.fffffep127F, 3.39e38F, 0x1p-134F, 0x1.000002p-134F, -0.F, INFINITY, -INFINITY, NAN};
    std::vector<double> doubles{1.00390625, 1.0039062500001, 1.0117187499999, 1e300, -1e300, 1e-300, 1e39, NAN};
    for (int k = 0; k < 20000; ++k) {
        floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
        const double odd = 257. + 2. * static_cast<double>(random() % 128);
        const double middle = std::ldexp(k % 2 == 0 ? odd : -odd, static_cast<int>(random() % 200) - 100);
        for (const double factor : {1., 1 + 1e-15, 1 - 1e-15}) doubles.push_back(middle * factor);
    }
    Shorts of_floats, of_doubles;
    for (const float value : floats) of_floats.push_back(bfloat16(value));
    for (const double value : doubles) of_doubles.push_back(bfloat16(value));
    CHECK(differing(gpu::to_host(gpu::to_device(floats).astype<bfloat16>()), of_floats) == 0);
    CHECK(differing(gpu::to_host(gpu::to_device(doubles).astype<bfloat16>()), of_doubles) == 0);
}

TEST_CASE("numbers drawn from any offset are those of the first one's stream") {
    const auto whole = gpu::to_host(gpu::random::Generator(3).uniform<bfloat16>({1000}));
    for (const std::uint64_t offset : {1u, 2u, 3u, 5u}) {
        const auto part = gpu::to_host(gpu::random::Generator(3, offset).uniform<bfloat16>({900}));
        CHECK(differing(part, Shorts(whole.begin() + static_cast<std::ptrdiff_t>(offset),
                                     whole.begin() + static_cast<std::ptrdiff_t>(offset) + 900)) == 0);
    }
}

TEST_CASE("integers become the nearest bfloat16 in one step") {
    std::mt19937_64 random(6);
    constexpr std::int64_t tie = (1LL << 62) + (1LL << 54);
    std::vector<std::int64_t> wide{0, 1, -1, INT64_MAX, INT64_MIN, tie, tie + 1};
    std::vector<std::int32_t> narrow{(1 << 24) + (1 << 16), (1 << 24) + (1 << 16) + 1, INT32_MAX, INT32_MIN};
    for (int k = 0; k < 5000; ++k) {
        wide.push_back(static_cast<std::int64_t>(random()) >> (random() % 63));
        narrow.push_back(static_cast<std::int32_t>(random()) >> (random() % 31));
    }
    Shorts of_wide, of_narrow;
    for (const auto value : wide) of_wide.push_back(bfloat16(value));
    for (const auto value : narrow) of_narrow.push_back(bfloat16(value));
    CHECK(differing(gpu::to_host(gpu::to_device(wide).astype<bfloat16>()), of_wide) == 0);
    CHECK(differing(gpu::to_host(gpu::to_device(narrow).astype<bfloat16>()), of_narrow) == 0);
    CHECK(gpu::to_host(on_device({-3.7, 300, 1e38, -1e38, 0.5}).astype<int>()) ==
          std::vector<int>{-3, 300, INT32_MAX, INT32_MIN, 0});
}

TEST_CASE("elementwise: types, roundings after each operation, numbers, functions") {
    const auto x = on_device({1, 2, 3, -256});
    static_assert(std::is_same_v<decltype((x + x).eval()), gpu::Array<bfloat16>>);
    static_assert(std::is_same_v<decltype((x + x.astype<gpu::half>()).eval()), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype((x + gpu::zeros<std::int8_t>({4})).eval()), gpu::Array<bfloat16>>);
    static_assert(std::is_same_v<decltype((x + gpu::zeros<std::int16_t>({4})).eval()), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype((x + gpu::zeros<gpu::complex<float>>({4})).eval()),
                                 gpu::Array<gpu::complex<float>>>);
    CHECK(gpu::to_host((x * 2.5f).eval()) == shorts({2.5, 5, 7.5, -640}));
    CHECK(gpu::to_host((x - 1 + 1).eval()) == shorts({1, 2, 3, -255}));  // -257 is rounded to -256 at once
    CHECK(gpu::to_host(gpu::sqrt(gpu::abs(x)).eval())[1] == bfloat16(std::sqrt(2.)));
    CHECK(gpu::to_host(gpu::where(x > 1, x, -x).eval()) == shorts({-1, 2, 3, 256}));
    auto y = x.copy();
    y += 1.5f;
    y(0) = 7;
    CHECK(gpu::to_host(y) == shorts({7, 3.5, 4.5, -254}));  // -254.5 is a tie
    CHECK(gpu::to_host(gpu::clip(x, -1, 2).eval()) == shorts({1, 2, 2, -1}));
    CHECK(gpu::to_host(gpu::nan_to_num(on_device({NAN, INFINITY, -INFINITY})).eval()) ==
          shorts({0, 0x1.fep127, -0x1.fep127}));
}

TEST_CASE("reductions accumulate in float, scans too") {
    const auto ones = gpu::full<bfloat16>({4096}, bfloat16(1.f));
    CHECK(static_cast<float>(gpu::sum(ones).item()) == 4096);  // a sum in bfloat16 stops at 256
    CHECK(gpu::sum<float>(gpu::full<bfloat16>({1000}, bfloat16(1.f))).item() == 1000);
    CHECK(static_cast<float>(gpu::mean(gpu::full<bfloat16>({70000}, bfloat16(3.f))).item()) == 3);
    const auto x = on_device({3, -2, 0, 5, 5, -2}).reshape({2, 3});
    CHECK(gpu::to_host(gpu::max(x, {.axis = 1})) == shorts({3, 5}));
    CHECK(gpu::argmax(x).item() == 3);
    CHECK(gpu::argmin(x).item() == 1);
    CHECK(gpu::count_nonzero(x).item() == 5);
    CHECK(static_cast<float>(gpu::sum(x * x).item()) == 67);
    CHECK(static_cast<float>(gpu::stddev(x).item()) == doctest::Approx(2.9861).epsilon(4e-3));
    CHECK(static_cast<float>(gpu::to_host(gpu::cumsum(ones))[4095]) == 4096);
    CHECK(static_cast<float>(gpu::to_host(gpu::softmax(x, {.axis = 1}))[0]) ==
          doctest::Approx(std::exp(3) / (std::exp(3) + std::exp(-2) + 1)).epsilon(4e-3));
    CHECK(static_cast<float>(gpu::median(x).item()) == 1.5F);
}

TEST_CASE("order: sort, unique, search, top k") {
    const auto x = on_device({3, NAN, -2, 0, -INFINITY, 5, 3});
    CHECK(differing(gpu::to_host(gpu::sort(x)), shorts({-INFINITY, -2, 0, 3, 3, 5, NAN})) == 0);
    CHECK(gpu::to_host(gpu::argsort(x)) == std::vector<std::int64_t>{4, 2, 3, 0, 6, 5, 1});
    CHECK(differing(gpu::to_host(gpu::unique(x)), shorts({-INFINITY, -2, 0, 3, 5, NAN})) == 0);
    CHECK(gpu::to_host(gpu::searchsorted(on_device({1, 2, 4}), on_device({0, 2, 3}))) ==
          std::vector<std::int64_t>{0, 1, 2});
    CHECK(gpu::to_host(x[x > 0]) == shorts({3, 5, 3}));
    CHECK(gpu::to_host(x[gpu::to_device({2, 0})]) == shorts({-2, 3}));
}

TEST_CASE("random numbers are rounded ones of [0, 1), and never 1") {
    const auto drawn = gpu::to_host(gpu::random::Generator(1).uniform<bfloat16>({5000}));
    double sum = 0;
    for (const bfloat16 value : drawn) {
        REQUIRE(static_cast<float>(value) >= 0);
        REQUIRE(static_cast<float>(value) < 1);
        sum += static_cast<double>(static_cast<float>(value));
    }
    CHECK(sum / 5000 == doctest::Approx(0.498).epsilon(0.03));
    int at_end = 0;
    for (const bfloat16 value : gpu::to_host(gpu::random::Generator(1).uniform<bfloat16>({5000}, -2, -1))) {
        REQUIRE(static_cast<float>(value) >= -2);
        REQUIRE(static_cast<float>(value) < -1);
        at_end += static_cast<float>(value) == -1.0078125F;
    }
    CHECK(at_end > 0);
    const auto floats = gpu::to_host(gpu::random::Generator(7).normal<float>({1001}));
    const auto normal = gpu::to_host(gpu::random::Generator(7).normal<bfloat16>({1001}));
    int wrong = 0;
    for (std::size_t k = 0; k < floats.size(); ++k) wrong += normal[k].bits() != bfloat16(floats[k]).bits();
    CHECK(wrong == 0);
}

TEST_CASE("texts: the fewest digits that tell a bfloat16 from its neighbours") {
    CHECK(gpu::to_string(on_device({0.1, 1.5, -2})) == "[ 0.1  1.5 -2. ]");
    CHECK(gpu::to_string(on_device({1. / 3, 2. / 3})) == "[0.334 0.668]");
    CHECK(gpu::to_string(bfloat16(0.1)) == "0.1");
    CHECK(gpu::to_string(gpu::full<bfloat16>({}, bfloat16(3e38))) == "3e+38");
}

TEST_CASE("kernels of all three kinds take bfloat16") {
    const auto x = on_device({1, 2.5});
    const gpu::ElementwiseKernel scale("T x, T factor", "T y", "y = x * factor", "scale_short");
    CHECK(gpu::to_host(gpu::Array<bfloat16>(scale(x, 1.5f))) == shorts({1.5, 3.75}));
    const gpu::ElementwiseKernel named("bfloat16 x", "float y", "bfloat16 t = x * 3; t += 1; y = t", "named_short");
    CHECK(gpu::to_host(gpu::Array<float>(named(x))) == std::vector<float>{4, 8.5});
    const gpu::ReductionKernel squares("T x", "T y", "x * x", "a + b", "y = a", "0", "short_squares");
    CHECK(static_cast<float>(gpu::Array<bfloat16>(squares(gpu::full<bfloat16>({4096}, bfloat16(1)))).item()) == 4096);
    const char* const source = R"(
        #include <cuda_bf16.h>
        template <class T> __global__ void twice(const T* x, float factor, T* y, int n) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = T((float)x[i] * factor);
        })";
    const gpu::RawKernel<void(const bfloat16*, float, bfloat16*, int)> twice(source, "twice<__nv_bfloat16>");
    auto y = gpu::zeros<bfloat16>({2});
    twice({.grid = 1, .block = 32}, x, 2.F, y, 2);
    CHECK(gpu::to_host(y) == shorts({2, 5}));
    const gpu::RawKernel<void(bfloat16, bfloat16*)> one(
        "__global__ void one(__nv_bfloat16 value, __nv_bfloat16* y) { y[0] = value; }", "one");
    one({.grid = 1, .block = 1}, bfloat16(7.5), y);
    CHECK(gpu::to_host(y) == shorts({7.5, 5}));
    // 2^24 + 2^16 is halfway between two of them, and one more is nearer the larger one, but has no float of its own
    const gpu::RawKernel<void(int, bfloat16*)> round(
        "#include <cuda_bf16.h>\n__global__ void round(int value, __nv_bfloat16* y) {\n"
        "    y[0] = __int2bfloat16_rn(value);\n    y[1] = __int2bfloat16_rz(value);\n}",
        "round");
    round({.grid = 1, .block = 1}, (1 << 24) + (1 << 16) + 1, y);
    CHECK(gpu::to_host(y) == shorts({(1 << 24) + (1 << 17), 1 << 24}));
}

TEST_CASE("exchange: AnyArray, Eigen, joined arrays, files") {
    const auto x = on_device({1, 2.5});
    const gpu::AnyArray any = x;
    CHECK(any.dtype() == gpu::DType::bfloat16);
    CHECK(gpu::to_string(any.dtype()) == "bfloat16");
    const auto sum = [](const auto& array) { return gpu::sum<double>(array).item(); };
    CHECK(any.visit<float, bfloat16>(sum) == 3.5);
    CHECK(any.visit([](const auto& array) { return array.size(); }) == 2);
    CHECK(gpu::to_host(gpu::Array<bfloat16>(any + any)) == shorts({2, 5}));
    CHECK(gpu::to_host(gpu::concatenate<bfloat16>({x, x})) == shorts({1, 2.5, 1, 2.5}));
    Eigen::Matrix<Eigen::bfloat16, Eigen::Dynamic, 1> e(2);
    e << Eigen::bfloat16(0.5f), Eigen::bfloat16(-2.f);
    const gpu::Array<bfloat16> y = gpu::to_device(e);
    CHECK(gpu::to_host(y) == shorts({0.5, -2}));
    CHECK(gpu::to_eigen<Eigen::Matrix<Eigen::bfloat16, Eigen::Dynamic, 1>>(y) == e);
    CHECK_THROWS_WITH_AS(gpu::save_npy("never.npy", x),
                         "NumPy's files have no bfloat16: save x.astype<float>(), which holds the same numbers",
                         gpu::DTypeError);
    CHECK_THROWS_WITH_AS((void)gpu::linalg::qr(gpu::ones<bfloat16>({3, 3})),
                         "qr: bfloat16 is unsupported in factorisations: write x.astype<float>()", gpu::DTypeError);
}
