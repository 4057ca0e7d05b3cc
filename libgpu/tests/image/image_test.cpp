// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>
#include <gpu/image.hpp>

#include "image/picture_files.hpp"
#include "support/temporary_folder.hpp"

namespace {

using picture_files::Bytes;
using support::TemporaryFolder;
using Floats = std::vector<float>;

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

std::string bytes_at(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Loads a file of these bytes.
template <class T>
gpu::Array<T> loaded(const std::string& bytes) {
    const TemporaryFolder folder;
    folder.write("picture", bytes);
    return gpu::image::load<T>(folder / "picture");
}

// What loading a file of these bytes is refused with, without its beginning.
std::string refusal(const std::string& bytes) {
    const TemporaryFolder folder;
    folder.write("picture", bytes);
    const std::string where = "image::load(" + (folder / "picture") + "): ";
    try {
        (void)gpu::image::load<std::uint8_t>(folder / "picture");
    } catch (const gpu::FileError& error) {
        const std::string text = error.what();
        CHECK(text.starts_with(where));
        return text.substr(std::min(where.size(), text.size()));
    }
    return "nothing was thrown";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what is saved is loaded again, from PNG and from PPM") {
    const TemporaryFolder folder;
    const std::string path = folder / "stripes.png";
    //! [load]
    gpu::Array<std::uint8_t> stripes = gpu::zeros<std::uint8_t>({4, 6, 3});
    stripes(gpu::all, gpu::slice(0, 3), 0) = 255;  // the left half is red
    gpu::image::save(path, stripes);
    gpu::Array<std::uint8_t> same = gpu::image::load<std::uint8_t>(path);
    gpu::Array<float> from_0_to_1 = gpu::image::load<float>(path);
    //! [load]
    CHECK(gpu::array_equal(same, stripes).item());
    CHECK(from_0_to_1.shape() == gpu::Shape{4, 6, 3});
    CHECK(gpu::sum(from_0_to_1).item() == 12);

    std::mt19937 random(1);
    for (const std::int64_t channels : {1, 2, 3, 4}) {
        std::vector<std::uint8_t> values(static_cast<std::size_t>(5 * 7 * channels));
        for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(random());
        const gpu::Array<std::uint8_t> picture = gpu::to_device(gpu::Shape{5, 7, channels}, values);
        for (const char* const ending : {".png", ".PNG", ".pgm", ".ppm"}) {
            if ((channels != 1 && ending == std::string(".pgm")) || (channels != 3 && ending == std::string(".ppm")))
                continue;
            const std::string file = folder / (std::string("random") + ending);
            gpu::image::save(file, picture);
            const auto back = gpu::image::load<std::uint8_t>(file);
            CHECK(back.shape() == (channels == 1 ? gpu::Shape{5, 7} : gpu::Shape{5, 7, channels}));
            CHECK(gpu::to_host(back) == values);
            const Floats floats = gpu::to_host(gpu::image::load<float>(file));
            for (std::size_t k = 0; k < values.size(); ++k)
                REQUIRE(floats[k] == static_cast<float>(static_cast<double>(values[k]) / 255));
        }
    }
}

TEST_CASE("views, expressions and every type of elements are saved as they read") {
    const TemporaryFolder folder;
    const std::string path = folder / "x.png";
    const auto saved = [&](const auto& picture) {
        gpu::image::save(path, picture);
        return gpu::to_host(gpu::image::load<std::uint8_t>(path));
    };
    using Values = std::vector<std::uint8_t>;
    const gpu::Array<std::uint8_t> x = gpu::arange<std::uint8_t>(6).reshape({2, 3});
    CHECK(saved(x.transpose()) == Values{0, 3, 1, 4, 2, 5});
    CHECK(saved(x(gpu::all, gpu::slice(gpu::none, gpu::none, -2))) == Values{2, 0, 5, 3});
    CHECK(saved(x * std::uint8_t{2}) == Values{0, 2, 4, 6, 8, 10});
    CHECK(saved(x > std::uint8_t{2}) == Values{0, 0, 0, 255, 255, 255});
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const gpu::Array<float> floats =
        gpu::to_device<float>({{-1, -0.f, 0.0019f, 0.00197f, 0.5f}, {1, 2, nan, inf, -inf}});
    CHECK(saved(floats) == Values{0, 0, 0, 1, 128, 255, 255, 0, 255, 0});
    CHECK(saved(floats.astype<double>()) == Values{0, 0, 0, 1, 128, 255, 255, 0, 255, 0});
    CHECK(saved(gpu::to_device<float>({{0, 0.25f, 1}}).astype<gpu::half>()) == Values{0, 64, 255});
    CHECK(saved(gpu::full<float>({2, 2}, 0.2f, gpu::Layout::column_major)) == Values(4, 51));
}

TEST_CASE("save refuses other endings, shapes and elements") {
    const TemporaryFolder folder;
    const auto x = gpu::zeros<float>({2, 3});
    const auto where = [&](const char* name) { return "image::save(" + (folder / name) + "): "; };
    CHECK_THROWS_WITH_AS(gpu::image::save(folder / "x.jpg", x),
                         (where("x.jpg") + "the ending says what is written, and can be .png, .pgm or .ppm").c_str(),
                         gpu::FileError);
    CHECK_THROWS_AS(gpu::image::save(folder / "png", x), gpu::FileError);
    CHECK_THROWS_AS(gpu::image::save(folder / "no_such_folder/x.png", x), gpu::FileError);
    CHECK_THROWS_WITH_AS(
        gpu::image::save(folder / "x.ppm", x),
        (where("x.ppm") + "a .ppm file has 3 channels, and the picture has 1: write a .png file").c_str(),
        gpu::ShapeError);
    CHECK_THROWS_AS(gpu::image::save(folder / "x.pgm", gpu::zeros<float>({2, 3, 3})), gpu::ShapeError);
    CHECK_THROWS_WITH_AS(gpu::image::save(folder / "x.png", gpu::zeros<float>({2, 3, 5})),
                         (where("x.png") + "an array of shape (2,3,5) isn't a picture: that is (height, width), or "
                                           "(height, width, channels) with 1 to 4 channels")
                             .c_str(),
                         gpu::ShapeError);
    CHECK_THROWS_AS(gpu::image::save(folder / "x.png", gpu::zeros<float>({6})), gpu::ShapeError);
    CHECK_THROWS_WITH_AS(gpu::image::save(folder / "x.png", gpu::zeros<float>({0, 3})),
                         (where("x.png") + "a picture of shape (0,3) has no elements").c_str(), gpu::ShapeError);
    CHECK_THROWS_WITH_AS(
        gpu::image::save(folder / "x.png", gpu::zeros<int>({2, 3})),
        (where("x.png") + "a picture's elements are uint8, from 0 to 255, or floating-point numbers from 0 to 1, not "
                          "int32: gpu::image::heatmap makes colours of any numbers")
            .c_str(),
        gpu::DTypeError);
    CHECK(folder.files().empty());
}

TEST_CASE("PNG files of other kinds: fewer and more bits, palettes, transparent colours, interlaced") {
    using Values = std::vector<std::uint8_t>;
    const auto bytes = [](const Bytes& file) { return loaded<std::uint8_t>(text_of(file)); };
    CHECK(gpu::to_host(bytes(picture_files::one_bit)) == Values{255, 0, 255, 0, 0, 255});
    CHECK(bytes(picture_files::one_bit).shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(bytes(picture_files::grey_16_interlaced)) == Values{0, 1, 255, 128, 4, 0, 1, 254, 117});
    const Floats deep = gpu::to_host(loaded<float>(text_of(picture_files::grey_16_interlaced)));
    const std::vector<int> samples{0, 257, 65535, 32768, 1000, 128, 129, 65406, 30000};
    for (std::size_t k = 0; k < samples.size(); ++k) CHECK(deep[k] == static_cast<float>(samples[k] / 65535.0));
    const auto palette = bytes(picture_files::palette);
    CHECK(palette.shape() == gpu::Shape{2, 2, 3});
    CHECK(gpu::to_host(palette) == Values{9, 8, 7, 6, 5, 4, 6, 5, 4, 9, 8, 7});
    const auto opacity = bytes(picture_files::palette_with_opacity);
    CHECK(opacity.shape() == gpu::Shape{1, 4, 4});
    CHECK(gpu::to_host(opacity) == Values{255, 0, 0, 10, 0, 128, 0, 255, 1, 2, 3, 255, 0, 128, 0, 255});
    CHECK(gpu::to_host(bytes(picture_files::transparent_colour)) == Values{1, 2, 3, 255, 4, 5, 6, 0});
    CHECK(gpu::to_host(bytes(picture_files::rgba_16)) == Values{255, 0, 128, 1});
    CHECK(bytes(picture_files::grey_with_opacity).shape() == gpu::Shape{1, 2, 2});
    CHECK(gpu::to_host(bytes(picture_files::grey_with_opacity)) == Values{5, 6, 7, 8});
}

TEST_CASE("a PNG file that is cut off or damaged anywhere is refused, or read as another picture") {
    const std::string file = text_of(picture_files::palette_with_opacity);
    for (std::size_t length = 0; length + 12 < file.size(); ++length) {
        CAPTURE(length);
        const std::string text = refusal(file.substr(0, length));
        CHECK((has(text, "not a PNG file that can be read: ") || has(text, "not a PNG, PGM or PPM file")));
    }
    CHECK(has(refusal(file.substr(0, 60)), "the file is truncated"));
    int refused = 0;
    for (const Bytes& whole : {picture_files::grey_16_interlaced, picture_files::palette}) {
        for (std::size_t at = 0; at < whole.size(); ++at) {
            Bytes damaged = whole;
            damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1u << (at % 8)));
            if (refusal(text_of(damaged)) != "nothing was thrown") ++refused;
        }
    }
    CHECK(refused > 100);
    CHECK(has(refusal(text_of(picture_files::absurd_size)),
              "the file is truncated: it can't hold 900000 x 900000 elements of 1 channel"));
}

TEST_CASE("PGM and PPM files, of bytes and of characters") {
    using Values = std::vector<std::uint8_t>;
    const auto bytes = [](const std::string& file) { return gpu::to_host(loaded<std::uint8_t>(file)); };
    CHECK(bytes("P2\n# made by hand\n3 2 # width, height\n255\n0 1 2\n253\t254\r\n255") ==
          Values{0, 1, 2, 253, 254, 255});
    CHECK(loaded<std::uint8_t>("P2 3 2 9 0 0 0 0 0 0").shape() == gpu::Shape{2, 3});
    CHECK(bytes("P2 4 1 3 0 1 2 3") == Values{0, 85, 170, 255});
    CHECK(bytes("P3 1 2 1 1 0 1 0 0 1") == Values{255, 0, 255, 0, 0, 255});
    CHECK(loaded<std::uint8_t>("P3 1 2 1 1 0 1 0 0 1").shape() == gpu::Shape{2, 1, 3});
    CHECK(bytes(std::string("P5 2 1 255\n") + "\n\xFF") == Values{10, 255});  // a sample that looks like a blank
    CHECK(bytes(std::string("P5\n2 1\n65535\n") + std::string("\x01\x01\xFF\xFF", 4)) == Values{1, 255});
    CHECK(gpu::to_host(loaded<float>(std::string("P5\n1 1\n1000\n") + std::string("\x01\xF4", 2))) == Floats{0.5f});
    CHECK(bytes(std::string("P6 1 1 255 ") + "abc and more") == Values{'a', 'b', 'c'});
    CHECK(gpu::to_host(loaded<float>("P2 3 1 2 0 1 2")) == Floats{0, 0.5f, 1});

    const TemporaryFolder folder;
    gpu::image::save(folder / "x.pgm", gpu::to_device<std::uint8_t>({{1, 2, 3}}));
    CHECK(bytes_at(folder / "x.pgm") == "P5\n3 1\n255\n\x01\x02\x03");
}

TEST_CASE("PGM and PPM files that are wrong are refused before memory is allocated") {
    CHECK(refusal("") == "not a PNG, PGM or PPM file: it begins otherwise");
    CHECK(refusal("GIF89a") == "not a PNG, PGM or PPM file: it begins otherwise");
    CHECK(refusal("P7 1 1") == "not a PNG, PGM or PPM file: it begins otherwise");
    const std::string start = "not a PGM or PPM file that can be read: ";
    CHECK(refusal("P4 1 1 a") == start + "a bitmap (P4) isn't read; P2, P3, P5 and P6 are");
    CHECK(refusal("P5 ") == start + "the file is truncated: no width");
    CHECK(refusal("P5 3 x") == start + "its height isn't a number");
    CHECK(refusal("P5 -3 1 255 ") == start + "its width isn't a number");
    CHECK(refusal("P5 99999999999999999999 1 255 ") == start + "its width is above 1000000");
    CHECK(refusal("P5 1 1 65536 a") == start + "its largest value is above 65535");
    CHECK(refusal("P5 1 1 0 a") == start + "the largest value is 0; it is 1 to 65535");
    CHECK(refusal("P5 1 1 255") == start + "a blank is missing before the samples");
    CHECK(refusal("P5 0 1 255 ") == "a picture of 0 x 1 has no elements");
    CHECK(refusal("P6 1000000 1000000 255 abc") ==
          "the file is truncated: it can't hold 1000000 x 1000000 elements of 3 channels");
    CHECK(refusal("P5 2 2 255 abc") == "the file is truncated: it can't hold 2 x 2 elements of 1 channel");
    CHECK(refusal("P5 1 1 256 a") == "the file is truncated: it can't hold 1 x 1 elements of 1 channel");
    CHECK(refusal("P2 2 1 255 17  ") == start + "the file is truncated: no sample");
    CHECK(refusal("P2 1000 1000 255 17 17") ==
          "the file is truncated: it can't hold 1000 x 1000 elements of 1 channel");
    CHECK(refusal("P2 1 1 9 10") == start + "a sample is 10, more than the header's maximum, 9");
    CHECK(refusal(std::string("P5 1 1 9 ") + "\x0A") == start + "a sample is 10, more than the header's maximum, 9");
    CHECK_THROWS_AS((void)gpu::image::load<float>("/no/such/file.png"), gpu::FileError);
    CHECK_THROWS_AS((void)gpu::image::load<float>("/"), gpu::FileError);
}

TEST_CASE("grey values are those of Rec. 601") {
    //! [grey]
    auto colours = gpu::to_device<float>({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});  // (1, 3, 3)
    gpu::Array<float> grey = gpu::image::grey(colours);                         // 0.299 0.587 0.114
    //! [grey]
    CHECK(grey.shape() == gpu::Shape{1, 3});
    CHECK(gpu::to_host(grey) == Floats{0.299f, 0.587f, 0.114f});
    const auto bytes = gpu::to_device<std::uint8_t>({{{255, 255, 255, 0}, {200, 100, 50, 9}, {0, 0, 4, 255}}});
    CHECK(gpu::to_host(gpu::image::grey(bytes)) == std::vector<std::uint8_t>{255, 124, 0});
    CHECK(gpu::to_host(gpu::image::grey(colours.astype<double>())) == std::vector<double>{0.299, 0.587, 0.114});
    CHECK(gpu::to_host(gpu::image::grey(gpu::to_device<float>({{1, 2}, {3, 4}}))) == Floats{1, 2, 3, 4});
    CHECK(gpu::to_host(gpu::image::grey(gpu::to_device<float>({{{1, 2}, {3, 4}}}))) == Floats{1, 3});
    CHECK(gpu::to_host(gpu::image::grey(2.f * colours.transpose({1, 0, 2}))) == Floats{0.598f, 1.174f, 0.228f});
    CHECK_THROWS_AS((void)gpu::image::grey(gpu::zeros<float>({3})), gpu::ShapeError);
}

namespace {

// One value of a resized picture by the definition, in double.
double resized_at(const std::vector<double>& x, std::int64_t height, std::int64_t width, double row, double column,
                  double reach_down, double reach_along) {
    double total = 0, weights = 0;
    for (std::int64_t p = 0; p < height; ++p) {
        for (std::int64_t q = 0; q < width; ++q) {
            const double weight = std::max(0.0, 1 - std::abs(static_cast<double>(p) + 0.5 - row) / reach_down) *
                                  std::max(0.0, 1 - std::abs(static_cast<double>(q) + 0.5 - column) / reach_along);
            total += weight * x[static_cast<std::size_t>(p * width + q)];
            weights += weight;
        }
    }
    return total / weights;
}

}  // namespace

TEST_CASE("resize is bilinear, with centres at halves") {
    //! [resize]
    auto x = gpu::to_device<float>({{0, 1, 2, 3}});
    gpu::Array<float> half = gpu::image::resize(x, {1, 2});                       // 0.5 2.5
    gpu::Array<float> twice = gpu::image::resize(x, {1, 8});                      // 0 0.25 0.75 1.25 ... 3
    gpu::Array<float> mean = gpu::image::resize(x, {1, 2}, {.antialias = true});  // 0.714286 2.28571
    //! [resize]
    CHECK(gpu::to_host(half) == Floats{0.5f, 2.5f});
    CHECK(gpu::to_host(twice) == Floats{0, 0.25f, 0.75f, 1.25f, 1.75f, 2.25f, 2.75f, 3});
    const Floats means = gpu::to_host(mean);
    CHECK(std::abs(means[0] - 5. / 7) <= 1e-6);
    CHECK(std::abs(means[1] - 16. / 7) <= 1e-6);

    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const auto& [height, width] : {std::array<std::int64_t, 2>{5, 7}, {1, 1}, {3, 40}, {16, 4}}) {
        std::vector<double> values(static_cast<std::size_t>(height * width));
        for (double& value : values) value = uniform(random);
        const gpu::Array<double> picture = gpu::to_device(gpu::Shape{height, width}, values);
        for (const auto& [rows, columns] : {std::array<std::int64_t, 2>{3, 5}, {9, 11}, {1, 1}, {4, 3}}) {
            for (const bool antialias : {false, true}) {
                const auto got = gpu::to_host(gpu::image::resize(picture, {rows, columns}, {.antialias = antialias}));
                const double down = static_cast<double>(height) / static_cast<double>(rows);
                const double along = static_cast<double>(width) / static_cast<double>(columns);
                const double reach_down = antialias ? std::max(down, 1.) : 1;
                const double reach_along = antialias ? std::max(along, 1.) : 1;
                for (std::int64_t r = 0; r < rows; ++r) {
                    for (std::int64_t c = 0; c < columns; ++c) {
                        const double want = resized_at(values, height, width, (static_cast<double>(r) + 0.5) * down,
                                                       (static_cast<double>(c) + 0.5) * along, reach_down, reach_along);
                        REQUIRE(std::abs(got[static_cast<std::size_t>(r * columns + c)] - want) <= 1e-13);
                    }
                }
            }
        }
    }
    // Channels by themselves; bytes are rounded; a view; a NaN reaches those whose weights it is part of.
    const auto colours = gpu::to_device<std::uint8_t>({{{0, 10, 255}, {1, 20, 255}}});
    CHECK(gpu::to_host(gpu::image::resize(colours, {1, 1})) == std::vector<std::uint8_t>{0, 15, 255});
    CHECK(gpu::image::resize(colours, {2, 3}).shape() == gpu::Shape{2, 3, 3});
    CHECK(gpu::to_host(gpu::image::resize(x.transpose(), {2, 1})) == Floats{0.5f, 2.5f});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Floats around = gpu::to_host(gpu::image::resize(gpu::to_device<float>({{0, 1, nan, 3}}), {1, 2}));
    CHECK(around[0] == 0.5f);
    CHECK(std::isnan(around[1]));
    CHECK_THROWS_WITH_AS((void)gpu::image::resize(x, {0, 3}),
                         "image::resize: a size of 0 x 3: both lengths are 1 or more", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::image::resize(gpu::zeros<float>({0, 3}), {2, 2}), gpu::ShapeError);
    const gpu::Device last(gpu::Device::count() - 1);
    CHECK(gpu::image::resize(x.to(last), {2, 2}).device() == last);
}

TEST_CASE("a heatmap gives each number a colour between two limits") {
    //! [heatmap]
    auto x = gpu::to_device<float>({{0, 1, 2}, {3, 4, NAN}});
    gpu::Array<std::uint8_t> picture = gpu::image::heatmap(x);  // (2, 3, 3): from 0 to 4
    gpu::Array<std::uint8_t> grey =
        gpu::image::heatmap(x, {.low = 1, .high = 3, .colours = gpu::image::black_to_white(), .nan = {255, 0, 0}});
    auto colours = gpu::image::blue_to_yellow();  // those of the first picture
    //! [heatmap]
    using Values = std::vector<std::uint8_t>;
    CHECK(picture.shape() == gpu::Shape{2, 3, 3});
    REQUIRE(colours.size() == 5);
    Values want;  // the five numbers are at the five colours
    for (const gpu::image::Colour& colour : colours) want.insert(want.end(), colour.begin(), colour.end());
    want.insert(want.end(), {255, 0, 255});
    CHECK(gpu::to_host(picture) == want);
    CHECK(gpu::to_host(grey) == Values{0, 0, 0, 0, 0, 0, 128, 128, 128, 255, 255, 255, 255, 255, 255, 255, 0, 0});
    double last = -1;  // always brighter
    const auto ramp = gpu::to_host(
        gpu::image::grey(gpu::image::heatmap(gpu::linspace<float>(0, 1, 200).reshape({1, 200})).astype<float>()));
    for (const float value : ramp) {
        REQUIRE(static_cast<double>(value) > last - 0.8);  // colours are rounded
        last = std::max(last, static_cast<double>(value));
    }
    CHECK(last - static_cast<double>(ramp[0]) > 150);

    const auto greys = [](const auto& values, std::optional<double> low, std::optional<double> high) {
        const auto made = gpu::to_host(
            gpu::image::heatmap(values, {.low = low, .high = high, .colours = gpu::image::black_to_white()}));
        Values first;
        for (std::size_t k = 0; k < made.size(); k += 3) first.push_back(made[k]);
        return first;
    };
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(greys(gpu::to_device<float>({{-inf, 1, 2, inf}}), {}, {}) == Values{0, 0, 255, 255});
    CHECK(greys(gpu::to_device<int>({{-5, 0, 5}}), {}, {}) == Values{0, 128, 255});
    CHECK(greys(gpu::to_device<int>({{-5, 0, 5}}) * 2, -10, 30) == Values{0, 64, 128});
    CHECK(greys(gpu::to_device<float>({{7, 7}}), {}, {}) == Values{0, 0});
    CHECK(greys(gpu::to_device<float>({{1, 2}}), 5, {}) == Values{0, 0});
    CHECK(greys(gpu::to_device<float>({{NAN, inf}}), {}, {})[0] == 255);  // magenta's red
    CHECK(greys(gpu::to_device<int>({{1, 2}, {3, 4}}).transpose(), {}, {}) == Values{0, 170, 85, 255});
    CHECK(greys(gpu::to_device<double>({{1e9, 1e9 + 1}}), {}, {}) == Values{0, 255});
    CHECK(gpu::image::heatmap(gpu::zeros<float>({0, 4})).shape() == gpu::Shape{0, 4, 3});
    CHECK_THROWS_WITH_AS((void)gpu::image::heatmap(x, {.low = 3, .high = 1}),
                         "image::heatmap: limits 3 and 1: the lower one comes first", gpu::Error);
    CHECK_THROWS_AS((void)gpu::image::heatmap(x, {.colours = {{1, 2, 3}}}), gpu::Error);
    CHECK_THROWS_WITH_AS((void)gpu::image::heatmap(gpu::zeros<float>({3})),
                         "image::heatmap: an array of shape (3,) has no rows and columns: two axes are needed",
                         gpu::ShapeError);
}
