// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <sstream>

#include "host/compile/generate.hpp"
#include "host/support.hpp"

using namespace support;
using gpu::Shape;
using gpu::detail::Argument;
using gpu::detail::ElementwiseSpace;
using gpu::detail::ElementwiseText;

namespace {

ElementwiseText text(const std::string& name, std::vector<Parameter> parameters, const std::string& body,
                     int rank = 1) {
    return {.name = name, .parameters = std::move(parameters), .rank = rank, .typedefs = "typedef float T;\n",
            .preamble = {}, .body = {.text = body, .file = name, .made_in = "generated_test.cpp"}};
}

void run(LoadedKernel& kernel, const Shape& shape, const std::vector<Argument>& arguments) {
    backend().launch(0, kernel,
                     {.over = ElementwiseSpace{.size = shape.size(), .shape = shape}, .arguments = arguments}, nullptr);
    backend().synchronize_stream(0, nullptr);
}

std::vector<float> counted(std::size_t n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

}  // namespace

TEST_CASE("an elementwise kernel runs once for each element, at every edge size") {
    auto source = text(
        "mixed", {input("T", "x"), input("int", "k"), scalar("double", "s"), output("T", "z"), output("bool", "odd")},
        "if (k < 0) return;\nz = shifted(x) * s + k;\nodd = i % 2 && _ind.size() > 0");
    source.preamble = {"__device__ float shifted(float v) { return v + 1; }", "mixed (preamble)", 1};
    const auto kernel = build(source);
    for (const std::int64_t n : {0, 1, 31, 33, 255, 257, 1009, 40000}) {
        const auto size = static_cast<std::size_t>(n);
        const Buffer<float> x(counted(size)), z(size, -7.0f);
        Buffer<int> k(size, 3);
        Buffer<bool> odd(size);
        if (size > 5) k[5] = -1;
        run(*kernel, Shape(n),
            {array_argument(x.data()), array_argument(k.data()), scalar_argument(0.5), array_argument(z.data()),
             array_argument(odd.data())});
        for (std::size_t e = 0; e < size; ++e) {
            REQUIRE(z[e] == (e == 5 && size > 5 ? -7.0f : (x[e] + 1) * 0.5f + 3));
            REQUIRE(odd[e] == (e % 2 == 1 && (e != 5 || size <= 5)));
        }
    }
}

TEST_CASE("strided and broadcast parameters are read and written through their strides") {
    const auto kernel =
        build(text("strided", {input("T", "x", true), input("T", "y", true), output("T", "z", true), output("T", "w")},
                   "z = x * 100 + y; w = z", 3));
    for (const auto& lengths : {std::vector<std::int64_t>{2, 3, 5}, {1, 1, 1}, {7, 1, 33}, {4, 31, 257}, {0, 3, 2}}) {
        const std::int64_t a = lengths[0], b = lengths[1], c = lengths[2];
        const auto size = static_cast<std::size_t>(a * b * c);
        // x is transposed (its first axis lies closest), y broadcast along the first and last axis, and z has every
        // other element.
        const Buffer<float> x(counted(size)), y(counted(static_cast<std::size_t>(b))), z(2 * size + 1, -1.0f), w(size);
        run(*kernel, Shape(a, b, c),
            {array_argument(x.data(), {1, a * c, a}), array_argument(y.data(), {0, 1, 0}),
             array_argument(z.data(), {2 * b * c, 2 * c, 2}), array_argument(w.data())});
        std::size_t e = 0;
        for (std::int64_t i = 0; i < a; ++i)
            for (std::int64_t j = 0; j < b; ++j)
                for (std::int64_t k = 0; k < c; ++k, ++e) {
                    const float expected =
                        x[static_cast<std::size_t>(i + j * a * c + k * a)] * 100 + y[static_cast<std::size_t>(j)];
                    REQUIRE(z[2 * e] == expected);
                    REQUIRE(z[2 * e + 1] == -1.0f);
                    REQUIRE(w[e] == expected);
                }
    }
}

TEST_CASE("contiguous rows under a broadcast row take the fast path and give the same") {
    const auto kernel = build(text("row", {input("T", "x"), input("T", "y", true), output("T", "z")}, "z = x - y", 2));
    const std::int64_t rows = 37, columns = 130;
    const Buffer<float> x(counted(static_cast<std::size_t>(rows * columns))),
        y(counted(static_cast<std::size_t>(columns))), z(x.size());
    run(*kernel, Shape(rows, columns),
        {array_argument(x.data()), array_argument(y.data(), {0, 1}), array_argument(z.data())});
    for (std::size_t e = 0; e < z.size(); ++e) REQUIRE(z[e] == x[e] - y[e % static_cast<std::size_t>(columns)]);
}

TEST_CASE("an output may be the input, element for element") {
    const auto kernel = build(text("in_place", {input("T", "x"), output("T", "z")}, "z = x + 1"));
    const Buffer<float> x(counted(5000));
    run(*kernel, Shape(5000), {array_argument(x.data()), array_argument(x.data())});
    CHECK(x[0] == 2.0f);
    CHECK(x[4999] == 5001.0f);
}

#if !defined(__aarch64__)  // there it is 0, without a fault; check mode finds it
TEST_CASE("an integer division by zero names the element") {
    const auto kernel = build(text("ratio", {input("int", "x"), input("int", "y"), output("int", "z")}, "z = x / y"));
    const Buffer<int> x(70000, 6), y(70000, 2), z(70000);
    y[40017] = 0;
    y[60000] = 0;
    CHECK(
        launch_error([&] {
            run(*kernel, Shape(70000), {array_argument(x.data()), array_argument(y.data()), array_argument(z.data())});
        }) == "kernel ratio: element 40017 divides an integer by zero (a GPU would give a meaningless number)");
    y[40017] = y[60000] = 3;
    run(*kernel, Shape(70000), {array_argument(x.data()), array_argument(y.data()), array_argument(z.data())});
    CHECK(z[40017] == 2);
}
#endif

TEST_CASE("an array that is shorter than the index space is named with the element") {
    const auto kernel = build(text("past", {input("T", "x"), output("T", "z")}, "z = x"));
    const Buffer<float> x(1000, 1.0f), z(988);
    const std::string message = launch_error([&] {
        run(*kernel, Shape(1000), {array_argument(x.data()), array_argument(z.data())});
    });
    CHECK(message ==
          "kernel past: element 988 writes just past the end of z (988 elements); is there a guard such "
          "as if (i < n)?");
}

TEST_CASE("the number of arguments is checked") {
    const auto kernel = build(text("one", {output("T", "z")}, "z = i"));
    CHECK(launch_error([&] { run(*kernel, Shape(1), {}); }) ==
          "kernel one: it has 1 parameters, and 0 arguments were given");
}

using namespace support;
using gpu::Shape;
using gpu::detail::Argument;
using gpu::detail::ReductionSpace;
using gpu::detail::ReductionText;

namespace {

ReductionText text(const std::string& name, std::vector<Parameter> parameters, int kept, int reduced,
                   const std::string& accumulator, const std::string& map, const std::string& reduce,
                   const std::string& post, const std::string& identity) {
    return {.name = name, .parameters = std::move(parameters), .kept_rank = kept, .reduced_rank = reduced,
            .accumulator = accumulator, .typedefs = "typedef float T;\n", .preamble = {}, .map = {map, name, 1},
            .reduce = {reduce, name, 1}, .post = {post, name, 1}, .identity = identity,
            .made_in = "generated_test.cpp"};
}

void run(Backend& where, LoadedKernel& kernel, const Shape& kept, const Shape& reduced,
         const std::vector<Argument>& arguments) {
    const ReductionSpace space{
        .outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
    where.launch(0, kernel, {.over = space, .arguments = arguments}, nullptr);
    where.synchronize_stream(0, nullptr);
}
void run(LoadedKernel& kernel, const Shape& kept, const Shape& reduced, const std::vector<Argument>& arguments) {
    run(backend(), kernel, kept, reduced, arguments);
}

std::vector<float> random_values(std::size_t n) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> result(n);
    for (float& value : result) value = values(engine);
    return result;
}

}  // namespace

TEST_CASE("a whole array is reduced at every edge size") {
    const auto norm = build(text("l2norm", {input("T", "x"), scalar("T", "s"), output("T", "y")}, 0, 1, "double",
                                 "x * x", "a + b", "y = sqrt(a) * s", "0"));
    const auto largest =
        build(text("largest", {input("T", "x"), output("T", "y")}, 0, 1, "T", "x", "a > b ? a : b", "y = a;", ""));
    for (const std::int64_t n : {0, 1, 31, 32, 33, 63, 64, 65, 255, 257, 1009, 4095, 4096, 4097, 100003}) {
        const Buffer<float> x(random_values(static_cast<std::size_t>(n))), y(1);
        run(*norm, Shape(), Shape(n), {array_argument(x.data()), scalar_argument(2.0f), array_argument(y.data())});
        double squares = 0, most = -2;
        for (const float value : x.values()) {
            squares += static_cast<double>(value) * value;
            most = std::max<double>(most, value);
        }
        CAPTURE(n);
        REQUIRE(y[0] == doctest::Approx(2 * std::sqrt(squares)).epsilon(1e-6));
        if (n == 0) continue;  // no identity: an error of the caller's
        run(*largest, Shape(), Shape(n), {array_argument(x.data()), array_argument(y.data())});
        REQUIRE(y[0] == static_cast<float>(most));
    }
}

TEST_CASE("rows, columns and any strides are reduced over any axes") {
    const auto two = build(text("sum2", {input("T", "x", true), input("T", "w", true), output("T", "y", true)}, 2, 2,
                                "double", "x * w", "a + b", "y = a", "0"));
    struct Case {
        Shape kept, reduced;
        std::vector<std::int64_t> strides;
    };
    // Strides of x over the axes (kept, kept, reduced, reduced) of dense arrays in several orders.
    const std::vector<Case> cases = {
        {Shape(3, 4), Shape(5, 7), {4 * 5 * 7, 5 * 7, 7, 1}},      // rows, contiguous
        {Shape(3, 20), Shape(5, 300), {20, 1, 300 * 60, 60}},      // columns side by side
        {Shape(2, 1500), Shape(3, 9), {1500, 1, 9 * 3000, 3000}},  // more columns than a batch has
        {Shape(1, 3), Shape(1, 10000), {0, 10000, 0, 1}},          // few long rows
        {Shape(1, 8), Shape(2, 5000), {0, 1, 8, 16}},              // few long columns
        {Shape(4, 5), Shape(6, 2), {2, 8, 40, 1}},                 // nothing in order
        {Shape(3, 4), Shape(0, 2), {1, 1, 1, 1}},                  // nothing to reduce
        {Shape(0, 4), Shape(3, 2), {1, 1, 1, 1}},                  // no outputs
    };
    for (const Case& c : cases) {
        std::int64_t last = 0;
        for (int axis = 0; axis < 2; ++axis)
            last += std::max<std::int64_t>(0, c.kept[axis] - 1) * c.strides[static_cast<std::size_t>(axis)] +
                    std::max<std::int64_t>(0, c.reduced[axis] - 1) * c.strides[static_cast<std::size_t>(axis) + 2];
        const Buffer<float> x(random_values(static_cast<std::size_t>(last) + 1)), w(std::vector<float>{2.0f});
        const std::int64_t rows = c.kept[0], columns = c.kept[1];
        const Buffer<float> y(static_cast<std::size_t>(rows * columns), -9.0f);
        Argument xs = array_argument(x.data());
        std::copy(c.strides.begin(), c.strides.end(), xs.array.strides);
        run(*two, c.kept, c.reduced,
            {xs, array_argument(w.data()), array_argument(y.data(), {1, rows})});  // y is column-major
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                double expected = 0;
                for (std::int64_t p = 0; p < c.reduced[0]; ++p)
                    for (std::int64_t q = 0; q < c.reduced[1]; ++q)
                        expected += 2.0 * x[static_cast<std::size_t>(i * c.strides[0] + j * c.strides[1] +
                                                                     p * c.strides[2] + q * c.strides[3])];
                CAPTURE(i);
                CAPTURE(j);
                REQUIRE(y[static_cast<std::size_t>(i + j * rows)] == doctest::Approx(expected).epsilon(1e-5));
            }
    }
}

TEST_CASE("sums of floats are equal bit for bit with one worker, two and seven") {
    const auto all = text("all", {input("T", "x"), output("T", "y")}, 0, 1, "T", "x", "a + b", "y = a", "0");
    const auto axis =
        text("axis", {input("T", "x", true), output("T", "y", true)}, 1, 1, "T", "x", "a + b", "y = a", "");
    const std::int64_t rows = 1003, columns = 257;
    const std::vector<float> values = random_values(static_cast<std::size_t>(rows * columns));
    std::vector<std::vector<float>> results;
    for (const int workers : {1, 2, 7}) {
        const auto where = backend_with(workers);
        const auto whole = build(all, *where), part = build(axis, *where);
        const Buffer<float> x(values, *where), y(1 + static_cast<std::size_t>(rows + columns) + 3, 0.0f, *where);
        run(*where, *whole, Shape(), Shape(rows * columns), {array_argument(x.data()), array_argument(y.data())});
        float* to = y.data() + 1;
        run(*where, *part, Shape(rows), Shape(columns),
            {array_argument(x.data(), {columns, 1}), array_argument(to, {1})});
        run(*where, *part, Shape(columns), Shape(rows),
            {array_argument(x.data(), {1, columns}), array_argument(to + rows, {1})});
        run(*where, *part, Shape(3), Shape(80000),
            {array_argument(x.data(), {80000, 1}), array_argument(to + rows + columns, {1})});
        results.push_back(y.values());
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
    CHECK(results[0][0] == doctest::Approx(std::accumulate(values.begin(), values.end(), 0.0)).epsilon(1e-3));
}

TEST_CASE("the tree is accurate: a million tenths sum to within a few ulps") {
    const auto sum = build(text("tenths", {input("T", "x"), output("T", "y")}, 0, 1, "T", "x", "a + b", "y = a", "0"));
    const Buffer<float> x(1000000, 0.1f), y(1);
    run(*sum, Shape(), Shape(1000000), {array_argument(x.data()), array_argument(y.data())});
    CHECK(std::abs(y[0] - 100000.0) < 0.1);
}

TEST_CASE("an identity that is none is still used once only") {
    const auto odd =
        build(text("odd", {input("int", "x"), output("int", "y")}, 0, 1, "int", "x", "a + b", "y = a", "1000"));
    const Buffer<int> x(10000, 1), y(1);
    run(*odd, Shape(), Shape(10000), {array_argument(x.data()), array_argument(y.data())});
    CHECK(y[0] == 11000);
}

#if !defined(__aarch64__)  // there a division by zero is 0, without a fault
TEST_CASE("a fault in a reduction is an error") {
    const auto bad =
        build(text("bad", {input("int", "x"), output("int", "y")}, 0, 1, "int", "100 / x", "a + b", "y = a", "0"));
    const Buffer<int> x(10000, 1), y(1);
    x[9000] = 0;
    CHECK(launch_error([&] {
              run(*bad, Shape(), Shape(10000), {array_argument(x.data()), array_argument(y.data())});
          }) == "kernel bad: it divides an integer by zero (a GPU would give a meaningless number)");
}
#endif

// What the kernels above don't show of the texts that the skeletons make.
using namespace support;
using gpu::detail::ElementwiseText;
using gpu::detail::KernelSource;
using gpu::detail::ReductionText;
using gpu::detail::host::generate_checked;
using gpu::detail::host::generate_elementwise;
using gpu::detail::host::generate_raw;
using gpu::detail::host::generate_reduction;

namespace {

ElementwiseText squared_diff() {
    return {.name = "squared_diff", .parameters = {input("T", "x"), scalar("T", "y"), output("T", "z")}, .rank = 1,
            .typedefs = "typedef float T;\n", .preamble = {}, .body = {"z = (x - y) * (x - y)", "squared_diff", 1}};
}

ElementwiseText strided_diff() {
    ElementwiseText text = squared_diff();
    text.parameters[0].strided = text.parameters[2].strided = true;
    text.parameters.push_back(output("int", "k"));
    text.rank = 3;
    text.preamble = {"#define HALF 0.5f\n", "lesson.cpp", 12};
    text.body = {"z = x * HALF;\nk = i", "lesson.cpp", 15};
    return text;
}

ReductionText sum() {
    return {.name = "sum",
            .parameters = {input("float", "x"), output("double", "y")},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = "double",
            .typedefs = "",
            .preamble = {},
            .map = {"x", "sum (map)", 1},
            .reduce = {"a + b", "sum (reduce)", 1},
            .post = {"y = a", "sum (post)", 1},
            .identity = "0"};
}

}  // namespace

TEST_CASE("after the learner's lines a text has its own numbers again, and it is the same twice") {
    ReductionText largest = sum();
    largest.parameters = {input("float", "x", true), scalar("float", "s"), output("float", "y", true)};
    largest.reduce.text = "a > b ? a : b  // no semicolon";
    largest.identity = "";
    const auto texts = [&] {
        return std::vector{generate_elementwise(squared_diff()), generate_elementwise(strided_diff()),
                           generate_checked(strided_diff()), generate_reduction(sum()), generate_reduction(largest),
                           generate_checked(largest), generate_raw(raw_text("k", "__global__ void k() {}\n"))};
    };
    const auto sources = texts(), again = texts();
    for (std::size_t k = 0; k < sources.size(); ++k) {
        CHECK(sources[k].text == again[k].text);
        const std::string own = " \"libgpu:" + sources[k].name + '"';
        std::istringstream lines(sources[k].text);
        int number = 0, found = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (!line.ends_with(own)) continue;
            ++found;
            CHECK(line == "#line " + std::to_string(number + 1) + own);
        }
        CHECK_MESSAGE(found > 0, sources[k].text);
    }
}

TEST_CASE("rows are loops that may be vectorised, and the learner's lines keep their place") {
    const std::string text = generate_elementwise(strided_diff()).text;
    const std::size_t first = text.find("GPU_INDEPENDENT\n"), last = text.rfind("GPU_INDEPENDENT\n");
    CHECK((first != text.npos && first < last));  // where all strides are 1, and where they aren't
    CHECK(contains(generate_elementwise(squared_diff()).text, "GPU_INDEPENDENT\n    for (long "));
    CHECK(contains(text, "#line 12 \"lesson.cpp\"\n#define HALF 0.5f\n"));
    CHECK(contains(text, "#line 15 \"lesson.cpp\"\nz = x * HALF;\nk = i\n"));
}

TEST_CASE("a raw kernel's text stands as it is behind its macros; dynamic shared memory is redirected in its line") {
    auto text = raw_text(
        "add",
        "// adds \"numbers\"\n__global__ void add(const float* x, float* z, int n) {}\n__global__ void other() {}\n",
        "(const float*, float*, int)", "dir/add \"1\".cu", 7);
    text.options = {"-DN=4", "-DM", "-std=c++17"};
    const KernelSource source = generate_raw(text);
    CHECK(contains(source.text, "#define N 4\n#define M 1\n#line 7 \"dir/add \\\"1\\\".cu\"\n" + text.source.text));
    CHECK(contains(source.text, "\"add\", \"x,z,n\", \"other\","));
    CHECK(source.options == text.options);
    const std::string shared = generate_raw(raw_text("ns::k<int>",
                                                     "namespace ns { template <class T> __global__ void k(T* x) {\n"
                                                     "extern __shared__ __align__(16) T s[]; __syncthreads();\n} }\n"))
                                   .text;
    CHECK(contains(shared, "{\n                __align__(16) T (&s)[] = (decltype(s))gpu_dynamic_shared; __sync"));
}

TEST_CASE("what is known of a kernel stands beside its text") {
    using gpu::detail::KernelMode;
    using Kind = gpu::detail::Unresolved::Kind;
    const KernelSource refused = generate_raw(raw_text("k", "__global__ void k() { asm(\"\"); }\n"));
    CHECK(refused.refusals ==
          "test.cu:1:23: error: asm: inline PTX can't run on the host backend; use CUDA C++, or a GPU\n");
    const char* const two = "__global__ void k() {}\n__global__ void l(int* x) { __syncthreads(); }\n";
    auto module = raw_text("k", two);
    module.more = {{"l", "(int*)"}};
    const KernelSource fibers = generate_raw(module);
    CHECK(fibers.mode == KernelMode::fiber);
    CHECK(fibers.entries == std::vector<std::string>{"libgpu_module", "libgpu_module_1"});
    CHECK(fibers.refusals.empty());
    CHECK(generate_raw(raw_text("k", two), true).mode == KernelMode::check);
    const KernelSource loop = generate_raw(raw_text("k", "__global__ void k() {}\nvoid f() {}\n"));
    CHECK(loop.mode == KernelMode::loop);
    CHECK(gpu::detail::host::in_fiber_mode(loop).mode == KernelMode::fiber);
    CHECK(gpu::detail::host::in_fiber_mode(fibers).text.empty());
    const KernelSource no_kernel = generate_raw(raw_text("f", "__global__ void k() {}\nvoid f() {}\n"));
    CHECK(no_kernel.unresolved.kind == Kind::no_kernel);
    CHECK(no_kernel.unresolved.is_certain);
    CHECK(no_kernel.unresolved.there == "k");
    const KernelSource body = generate_elementwise(squared_diff());
    CHECK(body.mode == KernelMode::elementwise);
    CHECK(body.heads == "(const T x, const T y, T& z, const long long i, const gpu_indexer _ind)\n");
    for (const std::size_t mark : body.marks) CHECK(body.text.compare(mark, 6, "#line ") == 0);
    CHECK(body.marks.size() == 2);
    CHECK(generate_reduction(sum()).mode == KernelMode::reduction);
    CHECK(generate_checked(sum()).mode == KernelMode::check);
}

TEST_CASE("macros of the learner don't reach the skeletons") {
    const char* const macros =
        "#define N 3\n#define call 1\n#define begin 2\n#define end 3\n#define count 4\n#define list 5\n"
        "#define block 6\n#define name 7\n#define k 8\n#define left 9\n#define used 10\n#define P 11\n"
        "#define thread 12\n#define state 13\n#define output 14\n#define r 15\n";
    ElementwiseText text = squared_diff();
    text.parameters[0].strided = true;
    text.preamble = {macros, "macros", 1};
    (void)build(text);
    ReductionText reduction = sum();
    reduction.preamble = {macros, "macros", 1};
    (void)build(reduction);
    (void)build_raw("f", std::string(macros) + "__global__ void f(int* x) { *x = N; }\n");
    (void)build_raw("f", std::string(macros) + "__global__ void f(int* x) { *x = N; __syncthreads(); }\n");
}
