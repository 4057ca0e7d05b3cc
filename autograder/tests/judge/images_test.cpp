// SPDX-License-Identifier: MIT

// Pictures that a check draws.

#include <limits>

#include <course/check_test_image.hpp>
#include <doctest/doctest.h>

#include "judge/checks.hpp"
#include "verdict/verdict.hpp"

using namespace course;
using namespace course::testing;

namespace {

constexpr float unwritten = std::numeric_limits<float>::quiet_NaN();
constexpr float endless = std::numeric_limits<float>::infinity();

using Pixels = std::vector<std::uint8_t>;

// The tasks of exercise "sample" with `body` as the check of each; add() gives what it should, but for `spoil`.
template <class Body>
Result drawn_by(Body body, const std::function<void(std::vector<float>&)>& spoil = {},
                std::vector<std::string> tasks = {"add"}) {
    ScriptedCaller caller([&](const std::string&, std::span<const Value> arguments) {
        std::vector<float> sum = sum_of(arguments);
        if (spoil) spoil(sum);
        if (std::ssize(sum) == size_of(arguments[0].shape)) return returned({value_of(sum, arguments[0].shape)});
        return returned({value_of(sum, {1, std::ssize(sum)})});
    });
    return judged(sample_manifest(std::move(tasks)), caller, body);
}

struct DrawSum {
    void operator()(OpenCheck& use) const {
        Matrix<float> x(2, 3), y(2, 3);
        x << 0, 0.25, 0.5, 0.75, 1, 2;
        y << 0, 0, 0, 0, 0, 0;
        use.call("add", x, y).returns(x).then([&](const Matrix<float>& got) {
            use.image("output", got);
            use.image("difference", (got - x).abs());
        });
    }
};

}  // namespace

TEST_CASE("values from 0 to 1 become grey levels, what lies outside is clamped") {
    const auto drawn = draw_image({.name = "a", .rows = 2, .columns = 3, .values = {0, 0.5F, 1, -3, 7, endless}});
    REQUIRE(drawn);
    CHECK(drawn->rows == 2);
    CHECK(drawn->columns == 3);
    CHECK(drawn->channels == 1);
    CHECK(drawn->pixels == Pixels{0, 128, 255, 0, 255, 255});
}

TEST_CASE("a NaN is magenta") {
    const auto drawn = draw_image({.name = "a", .rows = 1, .columns = 2, .values = {unwritten, 0.2F}});
    REQUIRE(drawn);
    CHECK(drawn->channels == 3);
    CHECK(drawn->pixels == Pixels{255, 0, 255, 51, 51, 51});
    const auto colour =
        draw_image({.name = "a", .rows = 1, .columns = 2, .channels = 3, .values = {1, unwritten, 1, 0, 1, 0}});
    CHECK(colour->pixels == Pixels{255, 0, 255, 0, 255, 0});
}

TEST_CASE("nothing gives no picture, a huge one every k-th row and column") {
    CHECK(!draw_image({.name = "a", .rows = 0, .columns = 7, .values = {}}));
    Image image{.name = "a", .rows = 2, .columns = 4097, .values = std::vector<float>(2 * 4097)};
    image.values[3] = 1;
    const auto drawn = draw_image(image);
    REQUIRE(drawn);
    CHECK(drawn->rows == 1);
    CHECK(drawn->columns == 1366);   // every third
    CHECK(drawn->pixels[1] == 255);
    CHECK(drawn->pixels.size() == 1366);
}

TEST_CASE("an image that no file can be made of is the check's mistake") {
    CHECK_THROWS_WITH_AS(draw_image({.name = "../a", .rows = 1, .columns = 1, .values = {0}}),
                         "image(\"../a\"): a name has letters, digits, - and _", CheckError);
    CHECK_THROWS_AS(draw_image({.name = "", .rows = 1, .columns = 1, .values = {0}}), CheckError);
    CHECK_THROWS_AS(draw_image({.name = "a", .rows = 1, .columns = 2, .values = {0}}), CheckError);
    CHECK_THROWS_AS(draw_image({.name = "a", .rows = 1, .columns = 1, .channels = 2, .values = {0, 0}}), CheckError);
}

TEST_CASE("a check draws the results of a call once it has judged them") {
    const Result right = drawn_by(DrawSum());
    CHECK(right.verdict == Verdict::passed);
    REQUIRE(right.tasks[0].images.size() == 2);
    CHECK(right.tasks[0].images[0].name == "output");
    CHECK(right.tasks[0].images[0].pixels == Pixels{0, 64, 128, 191, 255, 255});
    CHECK(right.tasks[0].images[1].pixels == Pixels(6, 0));

    const Result wrong = drawn_by(DrawSum(), [](std::vector<float>& sum) { sum[4] = unwritten; });
    CHECK(wrong.verdict == Verdict::wrong);
    REQUIRE(wrong.tasks[0].images.size() == 2);
    CHECK(wrong.tasks[0].images[0].channels == 3);
}

TEST_CASE("nothing is drawn of a call that failed, or of a result of another shape") {
    const Result misshapen = drawn_by(DrawSum(), [](std::vector<float>& sum) { sum.pop_back(); });
    CHECK(misshapen.verdict == Verdict::wrong);
    CHECK(misshapen.tasks[0].images.empty());

    ScriptedCaller caller([](const std::string&, auto) { return failed(Outcome::crashed, "gone"); });
    const Result crashed = judged(sample_manifest(), caller, DrawSum());
    CHECK(crashed.verdict == Verdict::crashed);
    CHECK(crashed.tasks[0].images.empty());
}

TEST_CASE("a name stands for one picture of the exercise") {
    const auto twice = [](OpenCheck& use) {
        auto x = use.draw.uniform(3);
        use.call("add", x, x).returns(2 * x.cast<double>());
        use.image("input", x);
        use.image("input", x);
    };
    CHECK(drawn_by(twice).verdict == Verdict::environment);
    const Result tasks = drawn_by(DrawSum(), {}, {"one", "two"});
    CHECK(tasks.tasks[0].verdict == Verdict::passed);
    CHECK(tasks.tasks[1].verdict == Verdict::environment);
    CHECK(tasks.message.find("image(\"output\"): the exercise has already drawn a picture of this name") !=
          std::string::npos);
}

TEST_CASE("three matrices are a coloured picture") {
    const Result result = drawn_by([](OpenCheck& use) {
        const Matrix<float> red = Matrix<float>::Constant(1, 2, 1), green = Matrix<float>::Zero(1, 2);
        Matrix<double> blue(1, 2);
        blue << 0, 0.2;
        use.call("add", red, green).returns(red);
        use.image("colours", red, green, blue);
    });
    REQUIRE(result.tasks[0].images.size() == 1);
    CHECK(result.tasks[0].images[0].pixels == Pixels{255, 0, 0, 255, 0, 51});
}

TEST_CASE("the test image has all levels and edges both ways, at any size") {
    for (auto [rows, columns] : {sizes::Shape2{200, 300}, {31, 17}, {1, 1}, {512, 512}}) {
        const Matrix<float> image = test_image(rows, columns);
        CHECK(image.rows() == rows);
        CHECK(image.minCoeff() >= 0);
        CHECK(image.maxCoeff() <= 1);
    }
    const Matrix<float> image = test_image(200, 300);
    CHECK(image.minCoeff() < 0.06F);
    CHECK(image.maxCoeff() > 0.97F);
    const auto edges = [](const auto& a, const auto& b) { return ((a - b).abs() > 0.3F).count(); };
    CHECK(edges(image.rightCols(299), image.leftCols(299)) > 500);
    CHECK(edges(image.bottomRows(199), image.topRows(199)) > 500);
}
