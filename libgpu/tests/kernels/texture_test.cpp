// SPDX-License-Identifier: MIT
// Textures by each way of addressing and filtering, beside the CUDA guide's formulas in double. A GPU gives what the
// host backend gives, up to the rounding of weights.
#include <cmath>
#include <cstdint>
#include <limits>

#include "support.hpp"
#include "texts/texture.hpp"

using gpu::Texture;
using gpu::TextureAddressing;
using gpu::TextureFilter;
using gpu::TextureOptions;

namespace {

constexpr TextureAddressing addressings[] = {TextureAddressing::clamp, TextureAddressing::border,
                                             TextureAddressing::wrap, TextureAddressing::mirror};
constexpr TextureFilter filters[] = {TextureFilter::nearest, TextureFilter::linear};

// Texel k of n along one axis, or -1 for the border.
int addressed(int k, int n, const TextureOptions& options) {
    if (options.addressing == TextureAddressing::border) return k >= 0 && k < n ? k : -1;
    if (options.normalized_coordinates && options.addressing == TextureAddressing::wrap) return ((k % n) + n) % n;
    if (options.normalized_coordinates && options.addressing == TextureAddressing::mirror) {
        const int in_period = ((k % (2 * n)) + 2 * n) % (2 * n);
        return in_period < n ? in_period : 2 * n - 1 - in_period;
    }
    return k < 0 ? 0 : k >= n ? n - 1 : k;
}

struct Weighed {
    int texel;
    double weight;
};
std::vector<Weighed> along_axis(double coordinate, int n, const TextureOptions& options) {
    const double x = options.normalized_coordinates ? coordinate * n : coordinate;
    if (options.filter == TextureFilter::nearest)
        return {{addressed(static_cast<int>(std::floor(x)), n, options), 1}};
    const double middle = x - 0.5, weight = std::round((middle - std::floor(middle)) * 256) / 256;
    const int first = static_cast<int>(std::floor(middle));
    return {{addressed(first, n, options), 1 - weight}, {addressed(first + 1, n, options), weight}};
}

// A matrix of one row for textures of one axis, whose y is 0.5.
double reference(const std::vector<double>& values, int rows, int columns, double x, double y,
                 const TextureOptions& options) {
    TextureOptions of_rows = options;
    if (rows == 1) of_rows = {};
    double sum = 0;
    for (const Weighed& row : along_axis(y, rows, of_rows))
        for (const Weighed& column : along_axis(x, columns, options))
            if (row.texel >= 0 && column.texel >= 0)
                sum += row.weight * column.weight *
                       values[static_cast<std::size_t>(row.texel * columns + column.texel)];
    return sum;
}

// In texels; multiples of 1/1024, exact also where they are divided by 8. None lies between two weights.
const std::vector<float> places{-17.25F, -8.F,   -3.125F, -1.F,   -0.75F,  -0.5F,      -0.25F,  0.F,    0.125F, 0.25F,
                                0.5F,    0.625F, 1.F,     1.375F, 1.5F,    2.4375F,    3.0625F, 3.5F,   4.75F,  5.F,
                                6.5F,    7.25F,  7.5F,    7.75F,  8.125F,  8.5029297F,  9.875F,  15.75F, 16.25F, 30.5F};

std::vector<float> coordinates(bool normalized, int n, int shift) {
    std::vector<float> all = places;
    for (std::size_t k = 0; k < all.size(); ++k) {
        all[k] = places[(k + static_cast<std::size_t>(shift)) % places.size()];
        if (normalized) all[k] /= static_cast<float>(n);
    }
    return all;
}

// Mirrored nearest texels at whole numbers are either neighbour: the guide's formula and symmetry differ there.
bool is_tie(float coordinate, int n, const TextureOptions& options) {
    const float x = options.normalized_coordinates ? coordinate * static_cast<float>(n) : coordinate;
    return options.addressing == TextureAddressing::mirror && options.filter == TextureFilter::nearest &&
           x == std::floor(x);
}

// Weights of a GPU may be another multiple of 1/256.
double tolerance(double range) { return on_host() ? range * 1e-6 : range / 128; }

template <class T>
std::vector<double> as_doubles(const std::vector<T>& values, bool normalized) {
    std::vector<double> all;
    for (const T value : values) {
        double x = static_cast<double>(value);
        if (normalized) x = std::max(-1.0, x / static_cast<double>(std::numeric_limits<T>::max()));
        all.push_back(x);
    }
    return all;
}

std::vector<float> uneven(int n) {
    std::vector<float> values;
    for (int k = 0; k < n; ++k) values.push_back(static_cast<float>((k * 37) % 64) - 20);
    return values;
}

std::string told(const TextureOptions& options) {
    return "addressing " + std::to_string(static_cast<int>(options.addressing)) + ", filter " +
           std::to_string(static_cast<int>(options.filter)) + (options.normalized_coordinates ? ", normalized" : "");
}

std::vector<float> read_line(const gpu::Array<float>& values, const TextureOptions& options,
                             const std::vector<float>& x) {
    const int n = static_cast<int>(x.size());
    auto out = filled<float>(n, -99);
    kernel<void(Texture, const float*, float*, int)>(texts::texture, "line<float>")(
        {.grid = 1, .block = 64}, Texture(values, options), gpu::to_device(x), out, n);
    return gpu::to_host(out);
}

std::vector<float> read_plane(const gpu::Array<float>& values, const TextureOptions& options,
                              const std::vector<float>& x, const std::vector<float>& y) {
    const int n = static_cast<int>(x.size());
    auto out = filled<float>(n, -99);
    kernel<void(Texture, const float*, const float*, float*, int)>(texts::texture, "plane<float>")(
        {.grid = 1, .block = 64}, Texture(values, options), gpu::to_device(x), gpu::to_device(y), out, n);
    return gpu::to_host(out);
}

template <class F>
void for_all_options(const F& f) {
    for (const bool normalized : {false, true})
        for (const TextureAddressing addressing : addressings)
            for (const TextureFilter filter : filters)
                f(TextureOptions{.addressing = addressing, .filter = filter, .normalized_coordinates = normalized});
}

// What the host backend gives for the same, where the tests run on a GPU.
template <class F>
void check_beside_host(const std::vector<float>& got, const F& read) {
    if (on_host()) return;
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    const std::vector<float> expected = read();
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        CAPTURE(k);
        CHECK(std::abs(got[k] - expected[k]) <= 64.0 / 128);
    }
}

}  // namespace

TEST_CASE("tex1D gives the guide's values for all ways of addressing and filtering") {
    constexpr int n = 8;
    const std::vector<float> values = uneven(n);
    const std::vector<double> exact = as_doubles(values, false);
    for_all_options([&](const TextureOptions& options) {
        CAPTURE(told(options));
        const std::vector<float> x = coordinates(options.normalized_coordinates, n, 0);
        const std::vector<float> got = read_line(gpu::to_device(values), options, x);
        for (std::size_t k = 0; k < x.size(); ++k) {
            CAPTURE(x[k]);
            if (!is_tie(x[k], n, options))
                CHECK(std::abs(got[k] - reference(exact, 1, n, x[k], 0.5, options)) <= tolerance(64));
        }
        if (options.addressing != TextureAddressing::mirror)
            check_beside_host(got, [&] { return read_line(gpu::to_device(values), options, x); });
    });
}

TEST_CASE("tex2D gives the guide's values for all ways of addressing and filtering") {
    constexpr int rows = 4, columns = 8;
    const std::vector<float> values = uneven(rows * columns);
    const std::vector<double> exact = as_doubles(values, false);
    const auto matrix = [&values] { return gpu::Array<float>(gpu::to_device(values).reshape(rows, columns)); };
    for_all_options([&](const TextureOptions& options) {
        CAPTURE(told(options));
        for (const int shift : {0, 7, 16}) {
            const std::vector<float> x = coordinates(options.normalized_coordinates, columns, 0);
            const std::vector<float> y = coordinates(options.normalized_coordinates, rows, shift);
            const std::vector<float> got = read_plane(matrix(), options, x, y);
            for (std::size_t k = 0; k < x.size(); ++k) {
                CAPTURE(x[k]);
                CAPTURE(y[k]);
                if (!is_tie(x[k], columns, options) && !is_tie(y[k], rows, options))
                    CHECK(std::abs(got[k] - reference(exact, rows, columns, x[k], y[k], options)) <= tolerance(64));
            }
            if (options.addressing != TextureAddressing::mirror)
                check_beside_host(got, [&] { return read_plane(matrix(), options, x, y); });
        }
    });
}

TEST_CASE_TEMPLATE("tex1Dfetch gives elements of all types, and 0 outside", T, float, int, unsigned, signed char,
                   unsigned char, short, unsigned short) {
    std::vector<T> values;
    for (int k = 0; k < 100; ++k) values.push_back(static_cast<T>(k * 77 + 3));
    values[1] = std::numeric_limits<T>::lowest();
    const std::vector<int> at{0, 1, 50, 99, 100, -1, 1 << 26, std::numeric_limits<int>::min()};
    auto out = filled<T>(8, static_cast<T>(1));
    const std::string type(kernel_name(gpu::dtype_of<T>));
    kernel<void(Texture, const int*, T*, int)>(texts::texture, "fetch<" + type + ">")(
        {.grid = 1, .block = 32}, Texture(gpu::to_device(values), {.linear_memory = true}), gpu::to_device(at), out, 8);
    CHECK(gpu::to_host(out) == std::vector<T>{values[0], values[1], values[50], values[99], 0, 0, 0, 0});

    // The same elements by the nearest coordinate.
    const std::vector<float> x{0.5F, 1.5F, 50.F, 99.99F, 1000.F};
    auto nearest = filled<T>(5);
    kernel<void(Texture, const float*, T*, int)>(texts::texture, "line<" + type + ">")(
        {.grid = 1, .block = 32}, Texture(gpu::to_device(values)), gpu::to_device(x), nearest, 5);
    CHECK(gpu::to_host(nearest) == std::vector<T>{values[0], values[1], values[50], values[99], values[99]});
}

TEST_CASE_TEMPLATE("small integers are read as floats in [-1, 1], and filtered so", T, signed char, unsigned char,
                   short, unsigned short) {
    std::vector<T> values{0, 1, 100, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), 7, 77, 33};
    const std::vector<double> exact = as_doubles(values, true);
    for (const TextureFilter filter : filters) {
        const TextureOptions options{.filter = filter, .normalized_values = true};
        const std::vector<float> x = coordinates(false, 8, 0);
        const int n = static_cast<int>(x.size());
        auto out = filled<float>(n);
        kernel<void(Texture, const float*, float*, int)>(texts::texture, "line<float>")(
            {.grid = 1, .block = 64}, Texture(gpu::to_device(values), options), gpu::to_device(x), out, n);
        const std::vector<float> got = gpu::to_host(out);
        for (std::size_t k = 0; k < x.size(); ++k) {
            CAPTURE(x[k]);
            CHECK(std::abs(got[k] - reference(exact, 1, 8, x[k], 0.5, options)) <= tolerance(2));
        }
    }
}

TEST_CASE("texels of two and four channels are vectors") {
    const auto numbers = gpu::arange<int>(20).reshape(10, 2);
    auto pairs = filled<int>(20);
    kernel<void(Texture, int*, int)>(texts::texture, "pairs<int2>")(
        {.grid = 1, .block = 32}, Texture(numbers, {.linear_memory = true, .channels = 2}), pairs, 10);
    CHECK(gpu::to_host(pairs) == gpu::to_host(gpu::arange<int>(20)));

    const std::vector<float> values = uneven(3 * 8 * 4);
    const std::vector<float> x = coordinates(false, 8, 0), y = coordinates(false, 8, 5);
    const int n = static_cast<int>(x.size());
    const TextureOptions options{.filter = TextureFilter::linear, .channels = 4};
    auto out = filled<float>(4 * n);
    const auto plane = gpu::to_device(values);
    kernel<void(Texture, const float*, const float*, float*, int)>(texts::texture, "fours_of_plane<float4>")(
        {.grid = 1, .block = 64}, Texture(plane.reshape(3, 8, 4), options), gpu::to_device(x), gpu::to_device(y), out,
        n);
    const std::vector<float> got = gpu::to_host(out);
    for (std::size_t c = 0; c < 4; ++c) {
        std::vector<double> exact;
        for (std::size_t k = c; k < values.size(); k += 4) exact.push_back(values[k]);
        for (std::size_t k = 0; k < x.size(); ++k) {
            CAPTURE(k);
            CHECK(std::abs(got[4 * k + c] - reference(exact, 3, 8, x[k], y[k], options)) <= tolerance(64));
        }
    }
    auto bytes = filled<float>(4);
    kernel<void(Texture, const float*, float*, int)>(texts::texture, "fours<uchar4>")(
        {.grid = 1, .block = 32}, Texture(gpu::to_device(std::vector<std::uint8_t>{1, 2, 3, 4, 250, 251, 252, 253})
                                              .reshape(2, 4), {.channels = 4}),
        gpu::to_device(std::vector<float>{1.5F}), bytes, 1);
    CHECK(gpu::to_host(bytes) == std::vector<float>{250, 251, 252, 253});
}

TEST_CASE("a view's texture has its elements, in blocks that wait") {
    const gpu::Array<float> matrix = gpu::arange<float>(48).reshape(6, 8);
    auto out = filled<float>(48);
    kernel<void(Texture, float*, int)>(texts::texture, "turned")({.grid = 8, .block = 6},
                                                                 Texture(matrix.transpose()), out, 6);
    const std::vector<float> got = gpu::to_host(out);
    for (std::size_t k = 0; k < 48; ++k) CHECK(got[k] == static_cast<float>((5 - k % 6) * 8 + k / 6));
}
