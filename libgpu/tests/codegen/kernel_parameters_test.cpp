// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "codegen/kernel_declarations.hpp"

using namespace gpu::detail;

namespace {

const char* const source = R"(
// __global__ void comment(int);
#define LIMIT 3
template <class T, int N> __global__ void mul(const T* __restrict__ x, T* y, Map<int, float> map, unsigned int n) {}
namespace sim {
namespace { __global__ void hidden(float) { if (true) { } } }
struct Grid { int n; };
__global__ __launch_bounds__(256) void step(const Grid grid, size_t n, long long int m, half h[], const float*) {}
}
extern "C" {
__global__ void plain(void) {}
}
#if LIMIT > 2
__global__ void perhaps(int) {}
#endif
__global__ void twice(int) {}
__global__ void twice(float) {}
__constant__ float coef[3] = {1, 2, 3}, other;
static __device__ const unsigned long long big = 7;
__device__ float f(float x) { return x; }
__device__ int4 four;
__constant__ Grid grid{3};
)";

}  // namespace

TEST_CASE("a kernel's parameters are read from its text") {
    bool found = false;
    auto list = declared_parameters(source, "mul<float, 3>", 4, found);
    REQUIRE((found && list.size() == 4));
    CHECK((list[0].type == "T" && list[0].name == "x" && list[0].is_pointer && list[0].is_const));
    CHECK((list[1].type == "T" && list[1].name == "y" && list[1].is_pointer && !list[1].is_const));
    CHECK((list[2].type == "Map<int,float>" && list[2].name == "map" && !list[2].is_pointer));
    CHECK((list[3].type == "unsigned int" && list[3].name == "n"));

    list = declared_parameters(source, "sim::step", 5, found);
    REQUIRE((found && list.size() == 5));
    CHECK((list[0].type == "Grid" && list[0].name == "grid"));
    CHECK((list[1].type == "unsigned long long" && list[1].words == "size_t"));
    CHECK((list[2].type == "long long" && list[2].words == "long long int" && list[2].name == "m"));
    CHECK((list[3].type == "half" && list[3].name == "h" && list[3].is_pointer && !list[3].is_const));
    CHECK((list[4].type == "float" && list[4].name.empty() && list[4].is_pointer && list[4].is_const));

    CHECK((declared_parameters(source, "plain", 0, found).empty() && found));
    (void)declared_parameters(source, "twice", 1, found);
    CHECK_FALSE(found);  // there are two
    (void)declared_parameters(source, "comment", 1, found);
    CHECK_FALSE(found);
}

TEST_CASE("pointers to pointers, pairs of numbers and arrays among a kernel's parameters") {
    bool found = false;
    const std::string text =
        "__global__ void k(float** a, const T* const* __restrict__ b, double const** const c, "
        "int* d[], const cuFloatComplex* e, double2 f, float (*g)[8], float h[][3], void* i, char*** j) {}";
    const auto list = declared_parameters(text, "k", 10, found);
    REQUIRE((found && list.size() == 10));
    CHECK((list[0].type == "float" && list[0].name == "a" && list[0].is_pointer && list[0].points_to_pointers));
    CHECK_FALSE((list[0].is_const || list[0].has_const_pointers));
    CHECK((list[1].type == "T" && list[1].name == "b" && list[1].points_to_pointers && !list[1].is_number));
    CHECK((list[1].is_const && list[1].has_const_pointers));
    CHECK((list[2].type == "double" && list[2].name == "c" && list[2].points_to_pointers));
    CHECK((list[2].is_const && !list[2].has_const_pointers));
    CHECK((list[3].type == "int" && list[3].name == "d" && list[3].points_to_pointers));
    CHECK((list[4].type == "complex<float>" && list[4].words == "cuFloatComplex" && list[4].is_number));
    CHECK((list[4].is_pointer && list[4].is_const && !list[4].points_to_pointers));
    CHECK((list[5].type == "complex<double>" && list[5].words == "double2" && !list[5].is_pointer));
    CHECK((!list[6].is_number && list[6].name == "g" && list[6].is_pointer && !list[6].points_to_pointers));
    CHECK((list[7].type == "float" && list[7].name == "h" && list[7].is_pointer && !list[7].points_to_pointers));
    CHECK((list[8].type == "void" && !list[8].is_number && list[8].is_pointer));
    CHECK((list[9].points_to_pointers && !list[9].is_number));
}

TEST_CASE("a module has the kernels that need no template arguments, with their namespaces") {
    CHECK(plain_kernels(source) == std::vector<std::string>{"sim::hidden", "sim::step", "plain"});
}

TEST_CASE("a module may have the kernels behind #if, and those that a macro makes") {
    const std::string text = R"(
#ifndef GUARD
#define GUARD
#define KERNEL(name, op) __global__ void name(int* x) { x[0] = x[1] op x[2]; }
#define TYPED(T) __global__ void __launch_bounds__(32) scale_##T##_(T* x)
#define PLAIN __global__ void whole(int* x)
#define T_KERNEL(name) template <class T> __global__ void name(T* x)
#define N 3
KERNEL(add, +)
KERNEL(mul, *)
TYPED(float) { x[0] = 1; }
PLAIN { x[0] = N; }
T_KERNEL(generic) { x[0] = 1; }
#if N > 2
__global__ void many() {}
#else
namespace few { __global__ void one() {} }
#endif
#endif
__global__ void certain() {}
)";
    CHECK(plain_kernels(text) == std::vector<std::string>{"certain"});
    CHECK(possible_kernels(text) ==
          std::vector<std::string>{"many", "few::one", "add", "mul", "scale_float_", "whole"});
    CHECK(possible_kernels("__global__ void k() {}\n").empty());
}

TEST_CASE("variables of a source, and their types") {
    CHECK(declared_variables(source) == std::vector<std::string>{"coef", "big", "four", "grid"});
    CHECK(declared_variable_type(source, "coef") == "float");
    CHECK(declared_variable_type(source, "ns::big") == "unsigned long long");
    CHECK(declared_variable_type(source, "four").empty());
    CHECK(declared_variable_type(source, "f").empty());
}

TEST_CASE("layouts are compared by the compiler, StridedView is there where it is named") {
    CHECK(layout_checks({}).empty());
    CHECK(layout_checks({{"Grid", 8, 4}}).find("static_assert(sizeof(Grid) == 8 && alignof(Grid) == 4") !=
          std::string::npos);
    CHECK(strided_view_text(tokens_of("float* x")).empty());
    CHECK(strided_view_text(tokens_of("StridedView<float, 1> x")).find("struct StridedView") != std::string::npos);
    CHECK(strided_view_text(tokens_of("struct StridedView {}; StridedView x;")).empty());
}
