// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/host_matrix.hpp"

namespace {

// Small whole numbers in any type, which products of a few hundred keep exactly unless they wrap around.
template <class T>
gpu::Array<T> numbers(const gpu::Shape& shape, int seed) {
    std::vector<T> values;
    for (std::int64_t k = 0; k < shape.size(); ++k) {
        const auto number = static_cast<int>((k * 7 + seed * 5 + k * k * 3) % 11) - (std::is_unsigned_v<T> ? 0 : 5);
        if constexpr (is_complex_type<T>) {
            const auto imag = static_cast<int>((k * 3 + seed) % 7) - 3;
            values.push_back(T(static_cast<typename gpu::linalg::RealOf<T>>(number),
                               static_cast<typename gpu::linalg::RealOf<T>>(imag)));
        } else {
            values.push_back(static_cast<T>(number));
        }
    }
    gpu::Array<T> array = gpu::empty<T>(shape);
    array.copy_from(values);
    return array;
}

// Whole numbers wrap around; the others are exact here.
template <class T>
bool is_as_expected(const T& value, const HostMatrix::Number& expected) {
    if constexpr (std::is_integral_v<T>)
        return value == static_cast<T>(static_cast<std::int64_t>(expected.real()));
    else
        return wide(value) == expected;
}

template <class T, class A, class B>
void check_product(const A& a, const B& b) {
    const gpu::Array<T> product = gpu::matmul(a, b);
    const HostMatrix expected = matrix_of(gpu::Array<T>(a)) * matrix_of(gpu::Array<T>(b));
    REQUIRE(product.shape() == gpu::Shape{expected.rows, expected.columns});
    const std::vector<T> values = gpu::to_host(product);
    bool same = true;
    for (std::size_t k = 0; k < values.size(); ++k) same = same && is_as_expected(values[k], expected.values[k]);
    CHECK(same);
}

template <class T>
void check_layouts() {
    const gpu::Array<T> a = numbers<T>({7, 9}, 1), b = numbers<T>({9, 5}, 2);
    const gpu::Array<T> columns_a = a.copy(gpu::Layout::column_major), columns_b = b.copy(gpu::Layout::column_major);
    check_product<T>(a, b);
    check_product<T>(columns_a, b);
    check_product<T>(a, columns_b);
    check_product<T>(columns_a, columns_b);
    check_product<T>(b.transpose(), a.transpose());
    check_product<T>(a.transpose(), a);
    const gpu::Array<T> large = numbers<T>({12, 14}, 3);
    const auto window = large(gpu::slice(2, 9), gpu::slice(3, 12));  // rows of a larger matrix
    check_product<T>(window, b);
    check_product<T>(window.transpose(), a);
    check_product<T>(large(gpu::slice(0, 8, 2), gpu::slice(0, 9)), b);                     // every other row
    check_product<T>(large(gpu::slice(0, 7), gpu::slice(0, 14, 2)), b(gpu::slice(0, 7)));  // neither stride is 1
    check_product<T>(a.flip(), b);
    check_product<T>(a(gpu::slice(0, 1)), b);
    check_product<T>(a, b(gpu::all, gpu::slice(2, 3)));
    check_product<T>(a(gpu::all, gpu::slice(1, 2)), b(gpu::slice(4, 5)));
    check_product<T>(large.transpose()(gpu::slice(5, 6)), large(gpu::all, gpu::slice(1, 2)));
    check_product<T>(a(gpu::slice(0, 1)).broadcast_to({4, 9}), b);
}

}  // namespace

TEST_CASE("matmul agrees with a double loop for every type and layout") {
    check_layouts<std::int8_t>();
    check_layouts<std::int16_t>();
    check_layouts<std::int32_t>();
    check_layouts<std::int64_t>();
    check_layouts<std::uint8_t>();
    check_layouts<std::uint16_t>();
    check_layouts<std::uint32_t>();
    check_layouts<std::uint64_t>();
    check_layouts<gpu::half>();
    check_layouts<gpu::bfloat16>();
    check_layouts<float>();
    check_layouts<double>();
    check_layouts<gpu::complex<float>>();
    check_layouts<gpu::complex<double>>();
}

TEST_CASE("matmul of matrices, vectors and batches") {
    //! [matmul]
    auto a = gpu::arange<float>(6).reshape({2, 3});
    auto v = gpu::to_device({1.f, 0.f, -1.f});
    gpu::Array<float> square = gpu::matmul(a, a.transpose());  // (2,2)
    gpu::Array<float> image = gpu::matmul(a, v);               // (2,)
    gpu::Array<float> length = gpu::matmul(v, v);              // ()
    auto many = gpu::ones<float>({4, 1, 5, 3});
    auto batch = gpu::matmul(many, gpu::ones<float>({6, 3, 2}));  // (4,6,5,2)
    //! [matmul]
    CHECK(gpu::to_host(square) == std::vector<float>{5, 14, 14, 50});
    CHECK(image.shape() == gpu::Shape{2});
    CHECK(gpu::to_host(image) == std::vector<float>{-2, -2});
    CHECK(length.shape() == gpu::Shape{});
    CHECK(length.item() == 2);
    CHECK(batch.shape() == gpu::Shape{4, 6, 5, 2});
    CHECK(gpu::all(batch == 3.f).item());
    CHECK(gpu::to_host(gpu::matmul(gpu::to_device({1.f, 2.f}), a)) == std::vector<float>{6, 9, 12});
    CHECK(gpu::matmul(v, gpu::ones<float>({4, 3, 2})).shape() == gpu::Shape{4, 2});
    CHECK(gpu::matmul(gpu::ones<float>({4, 2, 3}), v).shape() == gpu::Shape{4, 2});
    CHECK(gpu::to_host(gpu::matmul(a + 1.f, v * 2.f)) == std::vector<float>{-4, -4});
    static_assert(std::is_same_v<decltype(gpu::matmul(gpu::ones<int>({1, 1}), a)), gpu::Array<double>>);
}

TEST_CASE("matmul: batches broadcast, and windows on them are read in place") {
    const gpu::Array<double> a = numbers<double>({3, 4, 5, 6}, 1), b = numbers<double>({3, 1, 6, 2}, 2);
    const auto check = [](const auto& left, const auto& right) {
        const gpu::Array<double> product = gpu::matmul(left, right);
        gpu::Shape batch;
        for (int axis = 0; axis < product.rank() - 2; ++axis) batch.append(product.shape()[axis]);
        const auto whole = [&](const auto& operand) {
            gpu::Shape shape = batch;
            shape.append(operand.shape()[operand.rank() - 2]);
            shape.append(operand.shape()[operand.rank() - 1]);
            return matrices_of(gpu::Array<double>(operand.broadcast_to(shape)));
        };
        const auto lefts = whole(left), rights = whole(right), products = matrices_of(product);
        for (std::size_t k = 0; k < products.size(); ++k) CHECK(size_of(lefts[k] * rights[k] - products[k]) == 0);
    };
    check(a, b);
    check(a, b(0, 0));
    check(a(0, 0), b.swapaxes(0, 1));
    check(a.swapaxes(0, 1), numbers<double>({4, 1, 6, 3}, 4));
    check(a.flip({0}), b);
    check(a(gpu::slice(0, 3, 2), gpu::slice(1, 4, 2)), b(gpu::slice(1, 3)));
    check(a.swapaxes(1, 2), numbers<double>({6, 3}, 5));  // neither a batch's nor a row's neighbours
    check(a(0, 0).broadcast_to({3, 5, 6}), numbers<double>({3, 6, 2}, 6));
}

TEST_CASE("matmul into an array: in place, into windows, over its own inputs") {
    //! [matmul_out]
    auto a = gpu::to_device({1., 2., 3., 4.}).reshape({2, 2});
    auto c = gpu::zeros<double>({2, 2});
    gpu::matmul(a, a, {.out = gpu::out(c)});  // no new array
    //! [matmul_out]
    CHECK(gpu::to_host(c) == std::vector<double>{7, 10, 15, 22});
    auto large = gpu::zeros<double>({4, 6});
    gpu::matmul(a, a, {.out = gpu::out(large(gpu::slice(1, 3), gpu::slice(2, 4)))});
    CHECK(gpu::sum(large).item() == 54);
    CHECK(large(2, 3).item() == 22);
    gpu::matmul(a, a, {.out = gpu::out(large(gpu::slice(0, 4, 2), gpu::slice(0, 6, 5)))});
    CHECK(large(2, 5).item() == 22);
    gpu::matmul(a, a, {.out = gpu::out(c.transpose())});
    CHECK(gpu::to_host(c) == std::vector<double>{7, 15, 10, 22});
    auto vector = gpu::zeros<double>({2});
    gpu::matmul(a, gpu::to_device({1., 1.}), {.out = gpu::out(vector)});
    CHECK(gpu::to_host(vector) == std::vector<double>{3, 7});
    const auto later = a + 0.;
    gpu::matmul(a, a, {.out = gpu::out(a)});
    CHECK(gpu::to_host(a) == std::vector<double>{7, 10, 15, 22});
    CHECK_THROWS_AS((void)later.eval(), gpu::ExpressionError);  // the write was noticed
    CHECK_THROWS_WITH_AS(gpu::matmul(a, a, {.out = gpu::out(vector)}),
                         "matmul: (2,2) x (2,2): the result has shape (2,2), the array of gpu::out() has (2,)",
                         gpu::LinAlgError);
    auto floats = gpu::zeros<float>({2, 2});
    CHECK_THROWS_AS(gpu::matmul(a, a, {.out = gpu::out(floats)}), gpu::DTypeError);
}

TEST_CASE("float16 adds up in float, and integers wrap around") {
    const auto ones = gpu::full<gpu::half>({1, 4096}, gpu::half(1.f));
    const auto third = gpu::full<gpu::half>({4096, 1}, gpu::half(1.f / 3));
    CHECK(static_cast<float>(gpu::matmul(ones, gpu::full<gpu::half>({4096, 1}, gpu::half(1.f))).item()) == 4096);
    CHECK(static_cast<float>(gpu::matmul(ones, third).item()) == doctest::Approx(4096. / 3).epsilon(1e-3));
    CHECK(static_cast<float>(gpu::dot(ones.reshape({4096}), ones.reshape({4096})).item()) == 4096);
    const auto brief = gpu::full<gpu::bfloat16>({1, 4096}, gpu::bfloat16(1.f));
    CHECK(static_cast<float>(gpu::matmul(brief, brief.transpose()).item()) == 4096);  // a sum in bfloat16 stops at 256
    CHECK(static_cast<float>(gpu::dot(brief.reshape({4096}), brief.reshape({4096})).item()) == 4096);
    const auto hundred = gpu::full<std::int8_t>({2, 2}, std::int8_t{100});
    CHECK(gpu::to_host(gpu::matmul(hundred, hundred)) == std::vector<std::int8_t>(4, static_cast<std::int8_t>(32)));
    const auto large = gpu::full<std::int32_t>({1, 3}, 2000000000);
    CHECK(gpu::matmul(large, large.transpose()).item() ==
          static_cast<std::int32_t>(12000000000000000000ULL & 0xffffffffU));
}

TEST_CASE("products of nothing are zeros") {
    CHECK(gpu::to_host(gpu::matmul(gpu::ones<float>({2, 0}), gpu::ones<float>({0, 2}))) == std::vector<float>(4, 0));
    CHECK(gpu::matmul(gpu::ones<float>({0, 3}), gpu::ones<float>({3, 2})).shape() == gpu::Shape{0, 2});
    CHECK(gpu::matmul(gpu::ones<float>({0, 2, 3}), gpu::ones<float>({3, 2})).shape() == gpu::Shape{0, 2, 2});
    CHECK(gpu::matmul(gpu::ones<int>({0}), gpu::ones<int>({0})).item() == 0);
    CHECK(gpu::to_host(gpu::matmul(gpu::ones<int>({0}), gpu::ones<int>({0, 2}))) == std::vector<int>{0, 0});
}

TEST_CASE("dot, inner, vdot and outer are NumPy's") {
    //! [dot]
    auto v = gpu::to_device({1, 2, 3});
    auto w = gpu::to_device({4, 5, 6});
    auto m = gpu::arange<int>(6).reshape({2, 3});
    int angle = gpu::dot(v, w).item();  // 32, an integer as they are
    auto image = gpu::dot(m, v);        // (2,)
    auto rows = gpu::inner(m, m);       // (2,2): of each row with each
    auto table = gpu::outer(v, w);      // (3,3)
    using Z = gpu::complex<double>;
    auto z = gpu::to_device({Z(0, 1), Z(2, 0)});
    Z size = gpu::vdot(z, z).item();  // 5
    //! [dot]
    CHECK(angle == 32);
    CHECK(gpu::to_host(image) == std::vector<int>{8, 26});
    CHECK(gpu::to_host(rows) == std::vector<int>{5, 14, 14, 50});
    CHECK(gpu::to_host(table) == std::vector<int>{4, 5, 6, 8, 10, 12, 12, 15, 18});
    CHECK(size == Z(5, 0));
    CHECK(gpu::dot(z, z).item() == Z(3, 0));
    CHECK(gpu::dot(gpu::ones<float>({2, 3, 4}), gpu::ones<float>({5, 4, 6})).shape() == gpu::Shape{2, 3, 5, 6});
    CHECK(gpu::inner(gpu::ones<float>({2, 4}), gpu::ones<float>({5, 3, 4})).shape() == gpu::Shape{2, 5, 3});
    CHECK(gpu::vdot(m, m.transpose().copy(gpu::Layout::row_major)).item() ==
          0 * 0 + 1 * 3 + 2 * 1 + 3 * 4 + 4 * 2 + 5 * 5);
    CHECK(gpu::dot(gpu::sum(v), w).shape() == gpu::Shape{3});  // without axes: multiplies
    CHECK(gpu::dot(v + 1, w).item() == 47);
    CHECK(gpu::outer(m, v).shape() == gpu::Shape{6, 3});
}

TEST_CASE("tensordot sums over the axes that are named") {
    //! [tensordot]
    auto a = gpu::arange<double>(60).reshape({3, 4, 5});
    auto b = gpu::arange<double>(24).reshape({4, 3, 2});
    auto c = gpu::tensordot(a, b, {.left = {1, 0}, .right = {0, 1}});  // (5,2), as in NumPy's manual
    auto d = gpu::tensordot(a, a, 3);                                  // (): all of them
    //! [tensordot]
    CHECK(gpu::to_host(c) == std::vector<double>{4400, 4730, 4532, 4874, 4664, 5018, 4796, 5162, 4928, 5306});
    CHECK(d.item() == 59. * 60 * 119 / 6);
    CHECK(gpu::tensordot(a, b, 0).shape() == gpu::Shape{3, 4, 5, 4, 3, 2});
    CHECK(gpu::tensordot(a, a, {.left = {0, 2}, .right = {0, 2}}).shape() == gpu::Shape{4, 4});
    CHECK_THROWS_WITH_AS((void)gpu::tensordot(a, b, {.left = {0}, .right = {0}}),
                         "tensordot: (3,4,5) x (4,3,2): inner dimensions 3 and 4 differ", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::tensordot(a, b, {.left = {0, 1}, .right = {1}}),
                         "tensordot: (3,4,5) x (4,3,2): 2 axes are named on the left and 1 on the right",
                         gpu::LinAlgError);
    CHECK_THROWS_AS((void)gpu::tensordot(a, b, {.left = {3}, .right = {1}}), gpu::AxisError);
}

TEST_CASE("shapes that don't fit a product are named") {
    const auto a = gpu::ones<float>({2, 3});
    CHECK_THROWS_WITH_AS((void)gpu::matmul(a, gpu::ones<float>({4, 5})),
                         "matmul: (2,3) x (4,5): inner dimensions 3 and 4 differ", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::matmul(a, gpu::ones<float>({2})),
                         "matmul: (2,3) x (2,): inner dimensions 3 and 2 differ", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::matmul(gpu::ones<float>({2}), gpu::ones<float>({3})),
                         "matmul: (2,) x (3,): inner dimensions 2 and 3 differ", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::matmul(a, gpu::sum(a)),
                         "matmul: (2,3) x (): an array without axes isn't a matrix; write a * b", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::matmul(gpu::ones<float>({2, 2, 3}), gpu::ones<float>({3, 3, 2})),
                         "matmul: (2,2,3) x (3,3,2): the batches (2,) and (3,) don't broadcast", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::dot(a, a), "dot: (2,3) x (2,3): inner dimensions 3 and 2 differ", gpu::LinAlgError);
    CHECK_THROWS_WITH_AS((void)gpu::vdot(a, gpu::ones<float>({5})), "vdot: (2,3) x (5,): there are 6 and 5 elements",
                         gpu::LinAlgError);
}

TEST_CASE("matmul is queued in the current stream") {
    gpu::Stream stream;
    const auto a = numbers<float>({64, 64}, 1);
    gpu::synchronize();
    gpu::Array<float> product;
    const gpu::Counts before = gpu::counts();
    {
        const gpu::StreamGuard guard(stream);
        product = gpu::matmul(a, a);
        CHECK((gpu::counts() - before).synchronizations == 0);
        CHECK((gpu::counts() - before).launches == 1);
        stream.synchronize();
    }
    const HostMatrix expected = matrix_of(a) * matrix_of(a);
    CHECK(size_of(matrix_of(product) - expected) == 0);
}
