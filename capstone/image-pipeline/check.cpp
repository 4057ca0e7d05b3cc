// SPDX-License-Identifier: MIT

// What the capstone is checked for: noise in many shapes, few of which fill the blocks; and a picture, on which the
// work is counted and whose edges the log shows.

#include <course/check.hpp>
#include <course/check_test_image.hpp>

using namespace course;

namespace {

using Image = Matrix<std::uint8_t>;

struct Edges {
    Image result;
    Vector<int> histogram;
};

/// pipeline.hpp, in the order in which it says it.
Edges edges_of(const Image& image) {
    const Eigen::Index rows = image.rows(), columns = image.cols();
    const auto inside = [](Eigen::Index k, Eigen::Index length) { return std::clamp<Eigen::Index>(k, 0, length - 1); };
    constexpr int weights[] = {1, 4, 6, 4, 1};
    Matrix<int> across(rows, columns), blurred(rows, columns);  // the blur's two directions, one after the other
    for (Eigen::Index row = 0; row < rows; ++row)
        for (Eigen::Index column = 0; column < columns; ++column) {
            int sum = 0;
            for (int j = 0; j < 5; ++j) sum += weights[j] * image(row, inside(column + j - 2, columns));
            across(row, column) = sum;
        }
    for (Eigen::Index row = 0; row < rows; ++row)
        for (Eigen::Index column = 0; column < columns; ++column) {
            int sum = 128;
            for (int i = 0; i < 5; ++i) sum += weights[i] * across(inside(row + i - 2, rows), column);
            blurred(row, column) = sum / 256;
        }
    Matrix<int> strength(rows, columns);
    Edges edges{Image(rows, columns), Vector<int>::Zero(256)};
    for (Eigen::Index row = 0; row < rows; ++row)
        for (Eigen::Index column = 0; column < columns; ++column) {
            const Eigen::Index left = inside(column - 1, columns), right = inside(column + 1, columns);
            const Eigen::Index upper = inside(row - 1, rows), lower = inside(row + 1, rows);
            const int gx = blurred(upper, right) + 2 * blurred(row, right) + blurred(lower, right) -
                           blurred(upper, left) - 2 * blurred(row, left) - blurred(lower, left);
            const int gy = blurred(lower, left) + 2 * blurred(lower, column) + blurred(lower, right) -
                           blurred(upper, left) - 2 * blurred(upper, column) - blurred(upper, right);
            strength(row, column) = std::min(255, (std::abs(gx) + std::abs(gy)) / 2);
            ++edges.histogram[strength(row, column)];
        }
    int level = 256;
    for (Eigen::Index strong = 0; level > 1; --level) {
        strong += edges.histogram[level - 1];
        if (strong > image.size() / 10) break;
    }
    edges.result = (strength >= level).select(Image::Constant(rows, columns, 255), Image::Zero(rows, columns));
    return edges;
}

Image picture_of(std::int64_t rows, std::int64_t columns) {
    return (255 * test_image(rows, columns)).round().cast<std::uint8_t>();
}

}  // namespace

GRADER_TASK(image_pipeline, "edges") {
    for (auto [rows, columns] :
         {sizes::Shape2{19, 67}, {1, 1}, {1, 33}, {33, 1}, {5, 5}, {64, 64}, {61, 45}, {97, 131}}) {
        auto image = draw.integers<std::uint8_t>(rows, columns, 0, 255);
        const Edges want = edges_of(image);
        call("find_edges", image).returns(want.result, want.histogram);
    }
    const Image even = Image::Constant(40, 50, static_cast<std::uint8_t>(draw.between(1, 254)));
    next_case("an even image, 40 x 50");  // all strengths are 0, and no pixel is an edge
    call("find_edges", even).returns(edges_of(even).result, edges_of(even).histogram);
    const Image picture = picture_of(128, 192);
    const Edges want = edges_of(picture);
    image("input", picture.cast<float>() / 255);
    next_case("the picture, 128 x 192");
    call("find_edges", picture).returns(want.result, want.histogram).then([&](const Image& result, const Vector<int>&) {
        image("edges", result.cast<float>() / 255);
    });
    Image large;
    Edges expected;
    speed([&] {
        const std::int64_t columns = 512, rows = speed_elements() / columns;
        if (large.size() == 0) {
            large = picture_of(rows, columns);
            expected = edges_of(large);
        }
        timed(
            2.0 * large.size(), [&] { (void)edges_of(large); }, "find_edges", large)
            .returns(expected.result, expected.histogram);
    });
}
