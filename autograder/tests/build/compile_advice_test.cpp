// SPDX-License-Identifier: MIT
// Small wrong programs, and the sentence that comes first whichever compiler refuses them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "build/diagnostics.hpp"
#include "support/folder.hpp"
#include "support/process.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

struct Mistake {
    const char* line;      ///< of a function whose parameters are below
    const char* sentence;
};

constexpr const char* calculates_not =
    "a std::vector doesn't calculate: loop over its elements, or copy it to the device, gpu::to_device(h)";
constexpr const char* in_braces = "an option is named, and stands in braces behind the arrays: {.axis = 1}";
constexpr const char* range =
    "a range is gpu::slice(0, k), and a whole axis gpu::all: write x(gpu::all, gpu::slice(0, k))";
constexpr const char* guard =
    "a device is current while a guard of it lives: write gpu::DeviceGuard guard{gpu::Device(0)}";
constexpr const char* seven =
    "a ReductionKernel takes seven strings: inputs, outputs, map, reduce, post, identity and name; options follow in "
    "braces: {.reduce_type = \"double\"}";
constexpr const char* in_quotes = "the identity is a string, as the other parts are: put it into quotes";
constexpr const char* at_run_time =
    "a kernel's result has its type at run time only: write gpu::Array<float> y = kernel(x), then y.item()";
constexpr const char* infinity =
    "infinity is INFINITY, which needs #include <cmath> at the top of the file; in quotes, as a kernel's text, it "
    "needs none";

constexpr Mistake mistakes[] = {
    {"add<<<1, 256>>>(x, n);", "kernels aren't launched by <<<...>>> here: write add({.grid = 1, .block = 256}, x, n)"},
    {"add<<<(n + 255) / 256, 256>>>(x, n);",
     "kernels aren't launched by <<<...>>> here: write add({.grid = (n + 255) / 256, .block = 256}, x, n)"},
    {"add<<<dim3(2, 3), 256, 1024>>>(x, n);",
     "kernels aren't launched by <<<...>>> here: write add({.grid = dim3(2, 3), .block = 256, .shared = 1024}, x, "
     "n)"},
    {"y = x.square();", "gpu's arrays have no member square: write gpu::square(x)"},
    {"y = x.array() * 2;", "gpu's arrays calculate element by element as they are: leave .array() out"},
    {"y = x.sin();", "gpu's arrays have no member sin: write gpu::sin(x)"},
    {"y = x.exp();", "gpu's arrays have no member exp: write gpu::exp(x)"},
    {"y = x.abs();", "gpu's arrays have no member abs: write gpu::abs(x)"},
    {"y = x.pow(2);", "gpu's arrays have no member pow: write gpu::pow(x, 2)"},
    {"y = x.cwiseProduct(y);", "gpu's arrays have no member cwiseProduct: write x * y"},
    {"y = x.cwiseQuotient(y);", "gpu's arrays have no member cwiseQuotient: write x / y"},
    {"float s = x.sum();", "gpu's arrays have no member sum: write gpu::sum(x).item()"},
    {"float s = x.mean();", "gpu's arrays have no member mean: write gpu::mean(x).item()"},
    {"y = x.prod();", "gpu's arrays have no member prod: write gpu::prod(x)"},
    {"float s = x.maxCoeff();", "gpu's arrays have no member maxCoeff: write gpu::max(x).item()"},
    {"float s = x.norm();", "gpu's arrays have no member norm: write gpu::linalg::norm(x).item()"},
    {"float s = x.squaredNorm();", "gpu's arrays have no member squaredNorm: write gpu::sum(x * x).item()"},
    {"float s = x.dot(y);", "gpu's arrays have no member dot: write gpu::dot(x, y).item()"},
    {"auto s = (x - y).dot(x);", "gpu's arrays have no member dot: write gpu::dot(x - y, x)"},
    {"float s = (x * y).sum();", "gpu's arrays have no member sum: write gpu::sum(x * y).item()"},
    {"auto s = gpu::matmul(x, y).sum();", "gpu's arrays have no member sum: write gpu::sum(gpu::matmul(x, y))"},
    {"auto s = x.std();", "gpu's arrays have no member std: write gpu::stddev(x)"},
    {"auto d = x.cast<double>();", "gpu's arrays have no member cast: write x.astype<double>()"},
    {"auto d = (x + y).cast<double>();", "gpu's arrays have no member cast: write (x + y).astype<double>()"},
    {"y = x.matmul(y);", "gpu's arrays have no member matmul: write gpu::matmul(x, y)"},
    {"auto a = x.leftCols(3);", "gpu's arrays have no member leftCols: write x(gpu::all, gpu::slice(0, 3))"},
    {"auto a = x.head(n);", "gpu's arrays have no member head: write x(gpu::slice(0, n))"},
    {"auto a = x.tail(n);", "gpu's arrays have no member tail: write x(gpu::slice(-n, gpu::none))"},
    {"auto a = x.col(3);", "gpu's arrays have no member col: write x(gpu::all, 3)"},
    {"x.setZero();", "gpu's arrays have no member setZero: write x = 0"},
    {"n = c.ndim();", "gpu's arrays have no member ndim: write c.rank()"},
    {"h = x.to_host();", "gpu's arrays have no member to_host: write gpu::to_host(x)"},
    {"y = x.to_device();", "x is on the device: leave .to_device() out"},
    {"y = gpu::to_device(x);", "this array is on the device: leave gpu::to_device out"},
    {"x = h.to_device();", "vectors have no member to_device: write gpu::to_device(h)"},
    {"h = h.to_host();", "h is on the host: leave .to_host() out"},
    {"h = h + h;", calculates_not},
    {"h = 2.0f * h;", calculates_not},
    {"h = h * 2;", calculates_not},
    {"auto s = -h;", calculates_not},
    {"float s = h.sum();", calculates_not},
    {"float s = h.dot(h);", calculates_not},
    {"auto d = gpu::linalg::svd(x); y = d.matrixU();", "svd returns U, S and Vt, which is V transposed: write d.U"},
    {"auto d = gpu::linalg::svd(x); y = d.s;", "svd returns U, S and Vt, which is V transposed: write d.S"},
    {"auto d = gpu::linalg::svd(x); y = d.matrixV();",
     "svd returns U, S and Vt, which is V transposed: write d.Vt.transpose()"},
    {"gpu::Array<float> u, s, vt = gpu::linalg::svd(x);",
     "svd returns three arrays: write const auto [u, s, vt] = gpu::linalg::svd(x)"},
    {"auto d = gpu::svd(x);", "decompositions are in gpu::linalg: write gpu::linalg::svd(a)"},
    {"auto s = norm(x);", "norm is a function of gpu::linalg: write gpu::linalg::norm(...)"},
    {"auto a = x(gpu::all, None);", "NumPy's None is gpu::newaxis here"},
    {"auto a = x(:, 1);", range},
    {"auto a = x[:3];", range},
    {"auto a = x(gpu::all, gpu::slice(0:3));", range},
    {"y = x @ y;", "a product of matrices is gpu::matmul(x, y)"},
    {"y = gpu::sum(x, 1);", "an axis is named: write gpu::sum(x, {.axis = 0})"},
    {"y = gpu::all(x, 1);", "an axis is named: write gpu::all(x, {.axis = 0})"},
    {"y = gpu::linalg::norm(x, 1);",
     "an axis is named: write gpu::linalg::norm(x, {.axis = 0}); the order is {.ord = 1}"},
    {"y = gpu::sum(x, axis = 1);", in_braces},
    {"y = gpu::sum(x, .axis = 1);", in_braces},
    {"y = gpu::sort(x, {.axes = 1});",
     "the options in braces aren't those of gpu::SortOptions: look up their names, order and types there"},
    {"y = gpu::sum(x, {.axis = 0, .keepdim = true});",
     "the options in braces aren't those of gpu::ReduceOptions: look up their names, order and types there"},
    {"std::ranges::sort(x);",
     "std::ranges works on host memory: call gpu's function of that name, or take the vector gpu::to_host(x)"},
    {"gpu::Device d = 0;", "a number isn't a device: write gpu::Device(0) for the first one"},
    {"y = x.to(n);", "a number isn't a device: write gpu::Device(0) for the first one"},
    {"n = x.device();", "a device isn't a number: its number is its .index()"},
    {"gpu::Device d;",
     "which device? gpu::Device d(0) is the first one, gpu::Device::current() the current one"},
    {"gpu::set_device(0);", guard},
    {"gpu::DeviceGuard guard(0);", guard},
    {"gpu::DeviceGuard guard = gpu::Device(0);", guard},
    {"y = x.T;", "gpu's arrays have no member T: write x.transpose()"},
    {"n = c.length();", "gpu's arrays have no member length: write c.size()"},
    {"n = c.rows();", "gpu's arrays have no member rows: write c.shape()[0]"},
    {"n = c.cols();", "gpu's arrays have no member cols: write c.shape()[1]"},
    {"std::vector<float> v(x.begin(), x.end());",
     "the elements of x are on the device: gpu::to_host(x) copies them to a std::vector"},
    {"for (float v : x) n += int(v);",
     "the elements of an array are on the device: loop over gpu::to_host(x), or calculate with the array"},
    {"y = std::sin(x);", "std::sin takes one number, and this is an array: write gpu::sin(...)"},
    {"y = std::sqrt(x + y);", "std::sqrt takes one number, and this is an array: write gpu::sqrt(...)"},
    {"y = std::abs(x);", "std::abs takes one number, and this is an array: write gpu::abs(...)"},
    {"y = std::pow(x, 2);", "std::pow takes one number, and this is an array: write gpu::pow(...)"},
    {"y = std::max(x, y);", "std::max compares two numbers: of arrays write gpu::maximum(x, y)"},
    {"auto s = gpu::sin(2.0f);", "gpu::sin takes an array: of a number write std::sin(...)"},
    {"c = x;",
     "this array is const, so it can't be changed: assign to another array, or remove the const where it is "
     "declared"},
    {"c = x + y;",
     "this array is const, so it can't be changed: assign to another array, or remove the const where it is "
     "declared"},
    {"c += x;",
     "this array is const, so it can't be changed: assign to another array, or remove the const where it is "
     "declared"},
    {"y = x ^ 2;", "`^` is exclusive or in C++: write gpu::pow(x, 2) or x * x"},
    {"y = x ** 2;", "C++ has no operator `**`: write gpu::pow(x, 2) or x * x"},
    {"float v = x[0][1];", "an element of a matrix is x(i, j) here, not x[i][j]"},
    {"x[0][1] = 2;", "an element of a matrix is x(i, j) here, not x[i][j]"},
    {"float v = x[0];", "x[...] takes a mask or an array of integers; write x(i) for one position, x(i, j) for two"},
    {"float v = x(0);", "the number is on the device: .item() fetches it"},
    {"int i = threadIdx.x;", "threadIdx exists in kernels alone, and they stand in a .cu file or in a string"},
    {"__global__ void kernel(float* p);",
     "__global__ is for kernels, and they stand in a .cu file or in a string: write the kernel there"},
    {"float* d; cudaMalloc(&d, 1024);",
     "cudaMalloc isn't needed here: an array has its own memory on the device: write gpu::Array<float> x = "
     "gpu::zeros<float>(n)"},
    {"cudaMemcpy(h.data(), 0, 4, 1);",
     "cudaMemcpy isn't needed here: gpu::to_device(h) copies to the device, gpu::to_host(x) to the host"},
    {"cudaFree(h.data());", "cudaFree isn't needed here: an array frees its memory itself, where its life ends"},
    {"cudaMemset(h.data(), 0, 4);",
     "cudaMemset isn't needed here: write gpu::zeros<float>(n), or gpu::full for another value"},
    {"cudaDeviceSynchronize();",
     "cudaDeviceSynchronize isn't needed here: gpu::to_host and .item() wait by themselves; to time something, "
     "write gpu::synchronize()"},
    {"cudaStream_t s;", "cudaStream_t isn't needed here: a stream is an object: write gpu::Stream s"},
    {"cudaEvent_t e;", "cudaEvent_t isn't needed here: an event is an object: write gpu::Event e"},
    {"auto e = cudaGetLastError();",
     "cudaGetLastError isn't needed here: what fails throws gpu::Error, so there is no code to check"},
    {"float m = gpu::mean(x);",
     "gpu::mean returns an array of one element, still on the device: write gpu::mean(x).item()"},
    {"double s = double(gpu::sum(x));",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"double s = static_cast<double>(gpu::sum(x));",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"float m; m = gpu::max(x);",
     "gpu::max returns an array of one element, still on the device: write gpu::max(x).item()"},
    {"int k = gpu::argmax(x);",
     "gpu::argmax returns an array of one element, still on the device: write gpu::argmax(x).item()"},
    {"float m = gpu::sum(x) / 3;",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"if (gpu::all(x == y)) return;",
     "gpu::all returns an array of one element, still on the device: write gpu::all(x == y).item()"},
    {"if (gpu::sum(x) > 3) return;",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"if (x == y) return;",
     "what it compares is on the device, and so is the result: write gpu::all(x == y).item(), or fetch a number "
     "with .item() and compare that"},
    {"while (x > 0) n = 1;",
     "what it compares is on the device, and so is the result: write gpu::all(x == y).item(), or fetch a number "
     "with .item() and compare that"},
    {"y = x > 0 ? x : y;", "the condition is an array, and ?: chooses once: write gpu::where(x > 0, x, y)"},
    {"float v = x * 2;",
     "an expression isn't a number: write (x + y).item(), which computes its only element and fetches it"},
    {"std::vector<float> v = x;", "its elements are on the device: gpu::to_host(x) copies them to a std::vector"},
    {"std::vector<float> v(x);", "its elements are on the device: gpu::to_host(x) copies them to a std::vector"},
    {"std::vector<float> v = x + y;", "its elements are on the device: gpu::to_host(x) copies them to a std::vector"},
    {"gpu::Array<float> a = h;", "its elements are on the host: gpu::to_device(h) copies them to a new array"},
    {"gpu::Array<float> a(h);", "its elements are on the host: gpu::to_device(h) copies them to a new array"},
    {"x = h;", "its elements are on the host: gpu::to_device(h) copies them to a new array"},
    {"x += h;", "one operand is on the device, the other on the host: write gpu::to_device(h) or gpu::to_host(x)"},
    {"gpu::Array<float> a = {1, 2, 3};",
     "an Array isn't made from numbers: write gpu::to_device<float>({1, 2, 3}) for these elements, "
     "gpu::zeros<float>({3, 4}) or gpu::full<float>({3}, 2) for a shape"},
    {"x.fill(3);", "gpu's arrays have no member fill: write x = 3"},
    {"float v = x.at(3);", "gpu's arrays have no member at: write x(3)"},
    {"auto a = x.T();", "gpu's arrays have no member T: write x.transpose()"},
    {"auto a = x.reshape({2, 4}).sum(0);", "gpu's arrays have no member sum: write gpu::sum(x.reshape({2, 4}))"},
    {"auto a = gpu::concatenate(x, y);", "arrays are joined in braces: write gpu::concatenate<float>({x, y})"},
    {"auto a = gpu::zeros({3, 4});", "what are its elements? Write gpu::zeros<float>({2, 3})"},
    {"x[0] = 1;", "x[...] takes a mask or an array of integers; write x(i) for one position, x(i, j) for two"},
    {"float* p = x;",
     "an array isn't a pointer: give the array itself to a kernel; its address on the device is .data()"},
    {"y = x * h;", "one operand is on the device, the other on the host: write gpu::to_device(h) or gpu::to_host(x)"},
    {"gpu::Array<long long> a;",
     "an array holds std::int64_t or std::uint64_t, which have as many bits: write gpu::Array<std::int64_t>"},
    {"auto a = gpu::ones<char>(3);", "an array's elements can't be char: write std::int8_t"},
    {"gpu::Array<std::string> a;",
     "an array's elements are bool, std::int8_t to std::int64_t, std::uint8_t to std::uint64_t, gpu::half, "
     "gpu::bfloat16, float, double, gpu::complex<float> or gpu::complex<double>"},
    {"auto a = gpu::zeros(3);", "what are its elements? Write gpu::zeros<float>({2, 3})"},
    {"auto m = gpu::max(z);", "complex numbers have no order: write gpu::max(gpu::abs(z))"},
    {"add(x, n);",
     "a launch begins with its grid and its block: write kernel({.grid = blocks, .block = 256}, x, y, n)"},
    {"add(1, 256, x, n);",
     "a launch begins with its grid and its block: write kernel({.grid = blocks, .block = 256}, x, y, n)"},
    {"add({.threads = 256}, x, n);",
     "a launch's braces name .grid, .block, .shared and .stream, those that you need in this order"},
    {"add({.grid = 1, .block = 256}, x);", "the kernel takes another number of arguments"},
    {"add({.grid = 1, .block = 256}, c, n);", "the kernel writes through this parameter: the array is const"},
    {"const bool done = gpu::linalg::norm(y - x) <= 0.1f;",
     "gpu::linalg::norm returns an array of one element, still on the device: write gpu::linalg::norm(y - x).item()"},
    {"if (gpu::linalg::norm(y - x).item() / c <= 0.1f) return;",
     "what it compares is on the device, and so is the result: write gpu::all(x == y).item(), or fetch a number "
     "with .item() and compare that"},
    {"std::pair<double, int> p = {gpu::sum(x), n};",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"std::pair<double, int> p = {x, n};",
     "one of these isn't what the pair holds: a number on the device is fetched by .item()"},
    {"float s = 0; s += gpu::sum(x);",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"float s = 0; s += x;", "the number is on the device: .item() fetches it"},
    {"h.push_back(gpu::max(x));",
     "gpu::max returns an array of one element, still on the device: write gpu::max(x).item()"},
    {"float s = std::max(gpu::sum(x), 1.0f);",
     "gpu::sum returns an array of one element, still on the device: write gpu::sum(x).item()"},
    {"float least = -inf;", infinity},
    {"float least = -Infinity;", infinity},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y = a\", \"k\");", seven},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y = a\", \"0\", \"k\", \"double\");", seven},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y = a\", \"k\", {.reduce_type = \"T\"});", seven},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y\", "
     "\"k\", {.preamble = \"\", .reduce_type = \"T\"});",
     seven},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y = a\", 0, \"k\");", in_quotes},
    {"gpu::ReductionKernel k(\"T x\", \"T y\", \"x\", \"a + b\", \"y = a\", -INFINITY, \"k\");", in_quotes},
    {"gpu::ElementwiseKernel k(\"T x\", \"T y\", \"y = x\");",
     "an ElementwiseKernel takes four strings: inputs, outputs, operation and name"},
    {"y = norms(x, {1});", in_braces},
    {"y = norms(x, axis = 1);", in_braces},
    {"y = norms(h);", "its elements are on the host: gpu::to_device(h) copies them to a new array"},
    {"float s = norms(x);", at_run_time},
    {"float s = norms(x).item();", "a kernel's result has its type at run time only: write item<float>()"},
    {"std::cout << n;", "std::cout needs a line at the top of the file: #include <iostream>"},
};

constexpr const char* function =
    "void f(const gpu::Array<float>& c, gpu::Array<float>& x, gpu::Array<float>& y, std::vector<float>& h,\n"
    "       gpu::Array<gpu::complex<float>>& z, const gpu::RawKernel<void(float*, int)>& add, int n,\n"
    "       const gpu::ReductionKernel& norms) {\n";

/// A compiler that has read the headers once.
class Compiler {
public:
    explicit Compiler(std::string name) : name_(std::move(name)) {
        const fs::path header = folder_ / "all.hpp";
        folder_.write("all.hpp", "#include <algorithm>\n#include <vector>\n#include <cmath>\n#include <gpu/gpu.hpp>\n");
        const std::string precompiled = header.string() + (is_clang() ? ".pch" : ".gch");
        is_installed_ = run({"-x", "c++-header", header.string(), "-o", precompiled}).succeeded();
    }
    [[nodiscard]] bool is_installed() const { return is_installed_; }
    [[nodiscard]] std::string first_line(const std::string& line) const {
        const std::string text = function + line + "\n}\n";
        folder_.write("a.cpp", text);
        PathNames names;
        names.add_answer((folder_ / "a.cpp").string(), "work/a.cpp", text);
        const std::vector<std::string> header =
            is_clang() ? std::vector<std::string>{"-include-pch", (folder_ / "all.hpp.pch").string()}
                       : std::vector<std::string>{"-include", (folder_ / "all.hpp").string()};
        std::vector<std::string> arguments{"-fsyntax-only", (folder_ / "a.cpp").string()};
        arguments.insert(arguments.end(), header.begin(), header.end());
        const std::string said = first_error(run(arguments).output, names);
        return said.substr(0, said.find('\n'));
    }

private:
    [[nodiscard]] bool is_clang() const { return name_.find("clang") != std::string::npos; }
    [[nodiscard]] ProcessResult run(const std::vector<std::string>& arguments) const {
        Command command;
        command.arguments = {name_, "-std=c++20", "-fmessage-length=0",
                             is_clang() ? "-ferror-limit=1" : "-fmax-errors=1",
                             "-I" COURSE_SOURCE_DIR "/libgpu/include"};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        command.environment = {"LC_ALL=C", "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + folder_.path().string()};
        command.folder = folder_.path();
        command.seconds = 120;
        return run_process(command);
    }

    test::Folder folder_;
    std::string name_;
    bool is_installed_ = false;
};

void check_with(const char* name) {
    const Compiler compiler(name);
    if (!compiler.is_installed()) {
        std::printf("SKIP: mistakes that %s finds: it is not installed\n", name);
        return;
    }
    for (const Mistake& mistake : mistakes) {
        const std::string line = mistake.line;
        CAPTURE(line);
        const std::string said = compiler.first_line(mistake.line);
        CHECK_MESSAGE(said.starts_with("work/a.cpp:4:"), said);   // the student's line, whoever's the error is
        const std::string sentence = said.substr(std::min(said.find(": error: "), said.size()));
        CHECK(sentence == std::string(": error: ") + mistake.sentence);
    }
}

}  // namespace

TEST_CASE("what students get wrong in C++ is said in a sentence first: g++") { check_with("g++"); }

TEST_CASE("what students get wrong in C++ is said in a sentence first: clang++") { check_with("clang++"); }

TEST_CASE("a name in braces is where it belongs: what is missing before or behind it is said as the compiler says it") {
    const Compiler compiler("g++");
    if (!compiler.is_installed()) return;
    for (const char* line : {"int k = 3 y = gpu::sum(x, {.axis = 1, .keepdims = true});",
                             "gpu::sum(x, {.axis = 1, .keepdims = true};"}) {
        const std::string said = compiler.first_line(line);
        CAPTURE(said);
        CHECK(said.find("expected") != std::string::npos);
        CHECK(said.find(in_braces) == std::string::npos);
    }
}
