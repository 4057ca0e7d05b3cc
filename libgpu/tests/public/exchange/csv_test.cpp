// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

// Tables of numbers as text. What is expected of files is what numpy.loadtxt makes of them.
namespace {

struct File {
    support::TemporaryFolder folder;
    std::string path = folder.path() / "table.csv";

    explicit File(const std::string& text = "") { std::ofstream(path, std::ios::binary) << text; }
    [[nodiscard]] std::string text() const {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    template <class T>
    [[nodiscard]] auto numbers(const gpu::CsvOptions& options = {}) const {
        return gpu::to_host(gpu::load_csv<T>(path, options));
    }
};

template <class T>
auto read(const std::string& text, const gpu::CsvOptions& options = {}) {
    return File(text).numbers<T>(options);
}

// The message about a text, without the file's name.
template <class T>
std::string refusal(const std::string& text, const gpu::CsvOptions& options = {}) {
    const File file(text);
    const std::string message = support::error_of<gpu::FileError>([&] { (void)gpu::load_csv<T>(file.path, options); });
    const std::string where = "load_csv(" + file.path + "): ";
    return message.starts_with(where) ? message.substr(where.size()) : message;
}

}  // namespace

TEST_CASE("a table is written as text and read again") {
    const support::TemporaryFolder folder;
    const std::string path = folder.path() / "measured.csv";
    //! [csv]
    gpu::Array<float> x = gpu::to_device<float>({{1, 2.5}, {3, -0.1}});
    gpu::save_csv(path, x, {.header = "time,voltage"});                  // time,voltage
                                                                         // 1,2.5
                                                                         // 3,-0.1
    gpu::Array<float> y = gpu::load_csv<float>(path, {.skip_rows = 1});  // of shape (2,2)
    //! [csv]
    CHECK(y.shape() == gpu::Shape{2, 2});
    CHECK(gpu::to_host(y) == std::vector<float>{1, 2.5f, 3, -0.1f});
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text == "time,voltage\n1,2.5\n3,-0.1\n");
}

TEST_CASE("rows and columns") {
    CHECK(gpu::load_csv<int>(File("1,2,3\n").path).shape() == gpu::Shape{1, 3});
    CHECK(gpu::load_csv<int>(File("1\n2\n3\n").path).shape() == gpu::Shape{3});
    CHECK(gpu::load_csv<int>(File("7").path).shape() == gpu::Shape{1});
    CHECK(gpu::load_csv<int>(File("").path).shape() == gpu::Shape{0});
    CHECK(gpu::load_csv<int>(File("# nothing\n\n").path).shape() == gpu::Shape{0});
    CHECK(gpu::load_csv<int>(File("1,2\n3,4\n5,6").path).shape() == gpu::Shape{3, 2});
}

TEST_CASE("spaces, comments, line ends, delimiters") {
    CHECK(read<int>(" 1 ,\t2 \r\n\r\n3,4 # and so on\n#5,6\n") == std::vector<int>{1, 2, 3, 4});
    CHECK(read<int>("\xef\xbb\xbf"
                    "1,2\n") == std::vector<int>{1, 2});
    CHECK(read<int>("  1  2\t3 \n4 5 6\n", {.delimiter = ' '}) == std::vector<int>{1, 2, 3, 4, 5, 6});
    CHECK(read<int>("1;2\n", {.delimiter = ';'}) == std::vector<int>{1, 2});
    CHECK(read<int>("1\t2\n", {.delimiter = '\t'}) == std::vector<int>{1, 2});
    CHECK(read<int>("a,b\nc\n1,2\n", {.skip_rows = 2}) == std::vector<int>{1, 2});
    CHECK(read<int>("1,2\n", {.skip_rows = 5}).empty());
    CHECK(read<int>("1,2 % comment\n", {.comment = '%'}) == std::vector<int>{1, 2});
    CHECK(support::contains(refusal<int>("1,2 # comment\n", {.comment = '\0'}),
                            "column 2: '2 # comment' isn't a number"));
}

TEST_CASE("numbers are read as C++ and Python write them, and rounded once") {
    const auto x = read<double>("nan,NaN,inf,-inf,Infinity,+1.5,1e400,-1e400,1e-400,.5,5.,1E3\n");
    CHECK(std::isnan(x[0]));
    CHECK(std::isnan(x[1]));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(std::vector<double>(x.begin() + 2, x.end()) ==
          std::vector<double>{infinity, -infinity, infinity, 1.5, infinity, -infinity, 0, 0.5, 5, 1000});
    CHECK(std::signbit(read<double>("-1e-400\n")[0]));
    CHECK(read<double>("0.00000000000000000000000000000000000000001e400\n")[0] == infinity);
    CHECK(read<double>("5e-324\n")[0] == 5e-324);
    // Halfway between two floats, and a little above: through double it would be rounded twice, to the even one.
    CHECK(read<float>("1.00000005960464477540\n")[0] == std::nextafter(1.f, 2.f));
    CHECK(read<float>("3.5e38\n")[0] == std::numeric_limits<float>::infinity());
    CHECK(static_cast<float>(read<gpu::half>("0.1\n")[0]) == static_cast<float>(gpu::half(0.1)));
    CHECK(read<std::int8_t>("127,-128,+5\n") == std::vector<std::int8_t>{127, -128, 5});
    CHECK(read<std::uint64_t>("18446744073709551615\n")[0] == ~std::uint64_t{0});
    CHECK(read<std::int64_t>("-9223372036854775808\n")[0] == std::numeric_limits<std::int64_t>::min());
    CHECK(read<bool>("1,0,True,false,2\n") == std::vector<std::uint8_t>{1, 0, 1, 0, 1});
    using Z = gpu::complex<float>;
    CHECK(read<Z>("1,2j,1-2j,(3+4j),-inf+0.5j,1e2-1e-2j,5i\n") ==
          std::vector<Z>{
              {1, 0}, {0, 2}, {1, -2}, {3, 4}, {-std::numeric_limits<float>::infinity(), 0.5f}, {100, -0.01f}, {0, 5}});
}

TEST_CASE("what isn't a table of numbers is refused with its line and column") {
    CHECK(refusal<float>("a,b\n1,2\n") ==
          "line 1, column 1: 'a' isn't a number: if this is a line of titles, add {.skip_rows = 1}");
    CHECK(refusal<float>("1,2\n3,x4\n") == "line 2, column 2: 'x4' isn't a number");
    CHECK(refusal<float>("1;2\n3;4\n") ==
          "line 1, column 1: '1;2' isn't a number: if this parts the columns, add {.delimiter = ';'}");
    CHECK(refusal<float>("1,2\n\n3,\n") == "line 3, column 2: there is no number: write nan where a value is missing");
    CHECK(refusal<float>("1,2\n3\n") ==
          "line 2 has 1 column, and line 1 has 2: all rows of an array have the same length");
    CHECK(refusal<float>("# x\n1\n3,4\n") ==
          "line 3 has 2 columns, and line 2 has 1: all rows of an array have the same length");
    CHECK(refusal<int>("1.5\n") == "line 1, column 1: '1.5' isn't a whole number");
    CHECK(refusal<std::int8_t>("1,128\n") == "line 1, column 2: '128' doesn't fit int8");
    CHECK(refusal<std::uint8_t>("-1\n") == "line 1, column 1: '-1' doesn't fit uint8");
    CHECK(refusal<std::int64_t>("9223372036854775808\n") ==
          "line 1, column 1: '9223372036854775808' doesn't fit int64");
    for (const char* const word : {"1.2.3", "--1", "+-1", "0x10", "1e", "e5", "1 2", "1_000", "\"1\"", "1,5;"}) {
        CAPTURE(word);
        CHECK(support::contains(refusal<double>(std::string(word) + "\n", {.delimiter = ';'}),
                                std::string(word) == "1,5;" ? "column 1: '1,5' isn't a number" : "isn't a number"));
    }
    for (const char* const word : {"1+2", "j", "(1+2j", "1+2jj", "1++2j"})
        CHECK(support::contains(refusal<gpu::complex<double>>(std::string(word) + "\n"), "isn't a number"));
    CHECK(support::contains(refusal<float>(std::string(100, 'z') + "\n"), "'" + std::string(40, 'z') + "...'"));
    CHECK(support::contains(refusal<float>(std::string("1\0"
                                                       "2\n",
                                                       4)),
                            "'1?2' isn't a number"));
    CHECK(support::says<gpu::Error>(".skip_rows is -1", [] { (void)read<int>("1\n", {.skip_rows = -1}); }));
    CHECK(support::says<gpu::Error>("'.' can't separate numbers", [] { (void)read<int>("1\n", {.delimiter = '.'}); }));
}

TEST_CASE("what is written has all digits") {
    const File file;
    const std::vector<double> values{0.1, 1. / 3, -0.0, 1e300, 5e-324, NAN, -INFINITY, 123456789};
    gpu::save_csv(file.path, gpu::to_device(values));
    CHECK(file.text() == "0.1\n0.3333333333333333\n-0\n1e+300\n5e-324\nnan\n-inf\n123456789\n");
    const auto again = file.numbers<double>();
    for (std::size_t k = 0; k < values.size(); ++k)
        CHECK((again[k] == values[k] || (std::isnan(again[k]) && std::isnan(values[k]))));
    const auto x = gpu::arange<int>(6).reshape({2, 3});
    gpu::save_csv(file.path, x.transpose() + 1, {.delimiter = ';'});
    CHECK(file.text() == "1;4\n2;5\n3;6\n");
    gpu::save_csv(file.path, gpu::to_device({true, false}));
    CHECK(file.text() == "1\n0\n");
    using Z = gpu::complex<double>;
    gpu::save_csv(file.path, gpu::to_device(std::vector<Z>{{1, -2}, {0.5, 0}, {NAN, NAN}}));
    CHECK(file.text() == "(1-2j)\n(0.5+0j)\n(nan+nanj)\n");
    CHECK(file.numbers<Z>()[0] == Z(1, -2));
    gpu::save_csv(file.path, gpu::AnyArray(gpu::full<float>({}, 0.25f)));
    CHECK(file.text() == "0.25\n");
    gpu::save_csv(file.path, gpu::Array<float>());
    CHECK(file.text().empty());
    CHECK(support::says<gpu::ShapeError>("an array of shape (1,1,1) has more axes", [&] {
        gpu::save_csv(file.path, gpu::zeros<float>({1, 1, 1}));
    }));
}

TEST_CASE_TEMPLATE("each element type goes to text and back", T, bool, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, gpu::half, float, double,
                   gpu::complex<float>, gpu::complex<double>) {
    const File file;
    const gpu::Array<T> x = (gpu::arange<int>(70'000).reshape({35'000, 2}) % 100).template astype<T>();
    gpu::save_csv(file.path, x);
    CHECK(gpu::array_equal(gpu::load_csv<T>(file.path), x).item());
}

TEST_CASE("tables that aren't there") {
    const support::TemporaryFolder folder;
    const std::string none = folder.path() / "none" / "x.csv";
    CHECK(support::says<gpu::FileError>("No such file", [&] { (void)gpu::load_csv<float>(none); }));
    CHECK(support::says<gpu::FileError>("No such file", [&] { gpu::save_csv(none, gpu::arange<int>(2)); }));
    CHECK(support::says<gpu::FileError>("Is a directory", [&] { (void)gpu::load_csv<float>(folder.path()); }));
}
