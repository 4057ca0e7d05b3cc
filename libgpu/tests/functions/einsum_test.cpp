// SPDX-License-Identifier: MIT
#include <algorithm>
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"
#include "support/messages.hpp"

// einsum and kron, against sums over all letters.
namespace {

using Ints = std::vector<int>;
using Doubles = std::vector<double>;
using Complex = std::complex<double>;

// The sum, over the values of all letters, of products of elements.
template <class T>
HostArray<Complex> summed(const std::vector<std::string>& letters, const std::string& output,
                          const std::vector<HostArray<T>>& operands, double& magnitude) {
    std::string all;
    std::map<char, std::int64_t> length;
    for (std::size_t k = 0; k < letters.size(); ++k) {
        for (std::size_t axis = 0; axis < letters[k].size(); ++axis) {
            const char letter = letters[k][axis];
            if (all.find(letter) == std::string::npos) all += letter;
            const std::int64_t n = operands[k].shape[static_cast<int>(axis)];
            length[letter] = length.count(letter) == 0 || length[letter] == 1 ? n : length[letter];
        }
    }
    gpu::Shape every, of_output;
    for (const char letter : all) every.append(length[letter]);
    for (const char letter : output) of_output.append(length[letter]);
    HostArray<Complex> made(of_output);
    HostArray<double> magnitudes(of_output);
    for_each_index(every, [&](const Index& index) {
        const auto at = [&](char letter) { return index[all.find(letter)]; };
        Complex product = 1;
        for (std::size_t k = 0; k < letters.size(); ++k) {
            Index place;
            for (std::size_t axis = 0; axis < letters[k].size(); ++axis)
                place.push_back(operands[k].shape[static_cast<int>(axis)] == 1 ? 0 : at(letters[k][axis]));
            product *= as_complex(operands[k](place));
        }
        Index to;
        for (const char letter : output) to.push_back(at(letter));
        made.values[made.place(to)] += product;
        magnitudes.values[made.place(to)] += std::abs(product);
    });
    magnitude = 0;
    for (const double each : magnitudes.values) magnitude = std::max(magnitude, each);
    return made;
}

template <class T>
void check_random_subscripts(unsigned seed, double unit) {
    Drawn drawn(seed);
    int checked = 0;
    for (int round = 0; round < 60; ++round) {
        std::map<char, std::int64_t> length;
        for (const char letter : std::string("aBcdE")) length[letter] = drawn.integer(round % 10 == 0 ? 0 : 1, 4);
        const int count = drawn.integer(1, 2);
        std::vector<std::string> letters;
        std::string used, text;
        for (int k = 0; k < count; ++k) {
            std::string own;
            const int rank = drawn.integer(0, 4);
            for (int axis = 0; axis < rank; ++axis) own += "aBcdE"[drawn.integer(0, 4)];
            text += (k == 0 ? "" : drawn.integer(0, 1) == 0 ? "," : " , ") + own;
            used += own;
            letters.push_back(own);
        }
        std::string output;
        if (drawn.integer(0, 3) == 0) {  // implicit
            std::string sorted = used;
            std::sort(sorted.begin(), sorted.end());
            for (const char letter : sorted) {
                if (std::count(used.begin(), used.end(), letter) == 1) output += letter;
            }
        } else {
            for (const char letter : std::string("dEaBc")) {
                if (used.find(letter) != std::string::npos && drawn.integer(0, 2) > 0) output += letter;
            }
            text += " -> " + output;
        }
        std::vector<gpu::Array<T>> arrays;
        std::vector<HostArray<T>> hosts;
        for (const std::string& own : letters) {
            gpu::Shape shape;
            for (const char letter : own) {
                const bool repeats = std::count(own.begin(), own.end(), letter) > 1;
                shape.append(count == 2 && !repeats && drawn.integer(0, 9) == 0 ? 1 : length[letter]);
            }
            arrays.push_back(drawn.array<T>(shape));
            hosts.emplace_back(arrays.back());
        }
        double magnitude = 0;
        const HostArray<Complex> want = summed(letters, output, hosts, magnitude);
        CAPTURE(text);
        CAPTURE(gpu::to_string(arrays.front().shape()));
        CAPTURE(gpu::to_string(arrays.back().shape()));
        const gpu::Array<T> got = count == 1 ? gpu::einsum(text, arrays[0]) : gpu::einsum(text, arrays[0], arrays[1]);
        CHECK(is_close(got, want, 64 * unit * magnitude));
        ++checked;
    }
    CHECK(checked == 60);
}

template <class F>
std::string message_of(const F& function) {
    return support::error_of<gpu::LinAlgError>(function);
}

}  // namespace

TEST_CASE("einsum: products and sums by letters") {
    //! [einsum]
    gpu::Array<double> a = gpu::arange<double>(6).reshape({2, 3});
    gpu::Array<double> b = gpu::arange<double>(12).reshape({3, 4});
    auto product = gpu::einsum("ij,jk->ik", a, b);                  // matmul(a, b)
    auto turned = gpu::einsum("ij,jk->ki", a, b);                   // its transpose
    auto rows = gpu::einsum("ij,ij->i", a, a);                      // the rows' squared lengths: 5 50
    auto sums = gpu::einsum("ij->j", a);                            // 3 5 7
    auto trace = gpu::einsum("ii", b(gpu::all, gpu::slice(0, 3)));  // 0 + 5 + 10
    //! [einsum]
    CHECK(gpu::to_host(product) == gpu::to_host(gpu::matmul(a, b)));
    CHECK(gpu::to_host(turned) == gpu::to_host(gpu::Array<double>(gpu::matmul(a, b).transpose())));
    CHECK(gpu::to_host(rows) == Doubles{5, 50});
    CHECK(gpu::to_host(sums) == Doubles{3, 5, 7});
    CHECK(trace.item() == 15);
}

TEST_CASE("einsum, random subscripts: diagonals, batches, axes of length 1, arrays without elements") {
    check_random_subscripts<double>(1, 0x1p-53);
    check_random_subscripts<float>(2, 0x1p-24);
    check_random_subscripts<std::int64_t>(3, 0);
    check_random_subscripts<gpu::complex<double>>(4, 0x1p-52);
}

TEST_CASE("einsum of other types, views and expressions") {
    const gpu::Array<int> a = gpu::arange<int>(6).reshape({2, 3});
    const gpu::Array<float> v = gpu::to_device({1.f, 2.f});
    static_assert(std::is_same_v<decltype(gpu::einsum("ij,i", a, v)), gpu::Array<double>>);
    CHECK(gpu::to_host(gpu::einsum("ij,i", a, v)) == Doubles{6, 9, 12});
    CHECK(gpu::to_host(gpu::einsum("ji,jk->ik", a.flip({0}), a(gpu::all, gpu::slice(0, 1)))) == Ints{0, 3, 6});
    CHECK(gpu::to_host(gpu::einsum("ij->ji", 2 * a)) == Ints{0, 6, 2, 8, 4, 10});
    CHECK(gpu::einsum("ij,ij->", a + 1, a).item() == 70);
    CHECK(gpu::einsum(",", gpu::full<int>({}, 6), gpu::full<int>({}, 7)).item() == 42);
    CHECK(gpu::einsum("", gpu::full<int>({}, 6)).item() == 6);
    // the sum wraps around in the operands' type, as NumPy's
    const gpu::Array<std::uint8_t> bytes = gpu::full<std::uint8_t>({3}, 100);
    CHECK(gpu::einsum("i->", bytes).item() == static_cast<std::uint8_t>(300));
    CHECK(gpu::einsum("i,i->", bytes, bytes).item() == static_cast<std::uint8_t>(30000));
    const gpu::Array<gpu::half> many = gpu::full<gpu::half>({4096}, gpu::half(1.f));  // summed in float
    CHECK(static_cast<float>(gpu::einsum("i->", many).item()) == 4096.f);
    CHECK(static_cast<float>(gpu::einsum("i,i->", many, many).item()) == 4096.f);
    // a new array, also where nothing is summed
    gpu::Array<int> source = gpu::to_device({1, 2});
    const gpu::Array<int> copy = gpu::einsum("i->i", source);
    source = 9;
    CHECK(gpu::to_host(copy) == Ints{1, 2});
    const gpu::Array<double> x = gpu::to_device({1., std::nan("")});
    CHECK(std::isnan(gpu::einsum("i,i->", x, x).item()));
}

TEST_CASE("einsum shows the subscripts that it can't use") {
    const gpu::Array<int> a = gpu::zeros<int>({2, 3}), b = gpu::zeros<int>({4, 5});
    const auto one = [&](const char* text) { return message_of([&] { (void)gpu::einsum(text, a); }); };
    const auto two = [&](const char* text) { return message_of([&] { (void)gpu::einsum(text, a, b); }); };
    CHECK(two("ij,jk->ik") == "einsum(\"ij,jk->ik\"): 'j' has length 3 in operand 0 and 4 in operand 1");
    CHECK(two("ij,kl,lm") == "einsum(\"ij,kl,lm\"): the subscripts are for 3 operands, and there are 2");
    CHECK(one("ij,jk") == "einsum(\"ij,jk\"): the subscripts are for 2 operands, and there is 1");
    CHECK(two("ij") == "einsum(\"ij\"): the subscripts are for 1 operand, and there are 2");
    CHECK(one("...j") == "einsum(\"...j\"): an ellipsis isn't supported: give each axis a letter");
    CHECK(one("i1") == "einsum(\"i1\"): '1' isn't a letter");
    CHECK(one("ij-i") == "einsum(\"ij-i\"): '-' isn't a letter");
    CHECK(one("ijk") == "einsum(\"ijk\"): \"ijk\" has 3 letters for operand 0, of shape (2,3)");
    CHECK(two("ij,k->i") == "einsum(\"ij,k->i\"): \"k\" has 1 letter for operand 1, of shape (4,5)");
    CHECK(one("ii") == "einsum(\"ii\"): 'i' has the lengths 2 and 3 in operand 0, of shape (2,3)");
    CHECK(one("ij->ii") == "einsum(\"ij->ii\"): 'i' occurs more than once behind '->'");
    CHECK(one("ij->ik") == "einsum(\"ij->ik\"): 'k' behind '->' isn't an axis of any operand");
    CHECK(one("ij->i,j") == "einsum(\"ij->i,j\"): there is one result, so no ',' behind '->'");
}

TEST_CASE("kron places the right array in blocks") {
    //! [kron]
    gpu::Array<int> a = gpu::to_device({1, 10}).reshape({1, 2});
    gpu::Array<int> b = gpu::to_device({1, 2, 3, 4}).reshape({2, 2});
    auto blocks = gpu::kron(a, b);  // 1 2 10 20 / 3 4 30 40
    //! [kron]
    CHECK(blocks.shape() == gpu::Shape{2, 4});
    CHECK(gpu::to_host(blocks) == Ints{1, 2, 10, 20, 3, 4, 30, 40});

    Drawn drawn(31);
    for (int round = 0; round < 24; ++round) {
        const gpu::Array<double> x = drawn.array<double>(drawn.shape(0, 4, 0, 3)),
                                 y = drawn.array<double>(drawn.shape(0, 4, 1, 3));
        const HostArray<double> left(x), right(y);
        const int rank = std::max(x.rank(), y.rank());
        const auto length = [rank](const gpu::Shape& shape, int axis) {
            const int own = axis - (rank - shape.rank());
            return own < 0 ? 1 : shape[own];
        };
        gpu::Shape shape;
        for (int axis = 0; axis < rank; ++axis) shape.append(length(x.shape(), axis) * length(y.shape(), axis));
        HostArray<double> want(shape);
        for_each_index(shape, [&](const Index& index) {
            Index in_x, in_y;
            for (int axis = 0; axis < rank; ++axis) {
                const std::int64_t at = index[static_cast<std::size_t>(axis)], n = length(y.shape(), axis);
                if (axis >= rank - x.rank()) in_x.push_back(at / n);
                if (axis >= rank - y.rank()) in_y.push_back(at % n);
            }
            want.values[want.place(index)] = left(in_x) * right(in_y);
        });
        CAPTURE(gpu::to_string(x.shape()));
        CAPTURE(gpu::to_string(y.shape()));
        CHECK(is_equal(gpu::kron(x, y), want));
    }
    CHECK(gpu::to_host(gpu::kron(b.transpose(), 2 * a)) == Ints{2, 20, 6, 60, 4, 40, 8, 80});
    const gpu::Shape five{2, 2, 2, 2, 2}, thin{1, 2, 1, 1, 1};
    CHECK(gpu::kron(gpu::ones<int>(five), gpu::ones<int>(thin)).shape() == gpu::Shape{2, 4, 2, 2, 2});
    CHECK(message_of([&] { (void)gpu::kron(gpu::ones<int>(five), gpu::ones<int>(five)); }) ==
          "kron: (2,2,2,2,2) x (2,2,2,2,2): together they have more than 8 axes with two or more elements");
}
