// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <gpu/error.hpp>

#include "codegen/parameter_list.hpp"

using namespace gpu::detail;
using gpu::DType;

TEST_CASE("parameter lists are read as CuPy writes them") {
    const auto list = parse_parameters(" T x, float y ,unsigned int z", "k");
    REQUIRE(list.size() == 3);
    CHECK(list[0].placeholder == "T");
    CHECK(list[0].name == "x");
    CHECK(list[1].dtype == DType::float32);
    CHECK(list[2].dtype == DType::uint32);
    CHECK(parse_parameters("", "k").empty());
}

TEST_CASE("a list that can't be read names the kernel and the part") {
    CHECK_THROWS_WITH_AS((void)parse_parameters("x", "k"),
                         "kernel k: parameter 'x': expected a type and a name, as in 'T x' or 'float y'", gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("T i", "k"), gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("T x, T x", "k"), gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("raw x", "k"),
                         "kernel k: parameter 'raw x': expected a type and a name after raw, as in 'raw T x'",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("ram T x", "k"),
                         "kernel k: parameter 'ram T x': unknown keyword 'ram': only raw may stand before the type",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("const float x", "k"),
                         "kernel k: parameter 'const float x': unknown keyword 'const': only raw may stand before the "
                         "type (inputs are const anyway)",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T i", "k"),
                         "kernel k: parameter 'T i': 'i' can't be a name: i is the index of the element", gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T n", "k"),
                         "kernel k: parameter 'T n': 'n' can't be a name: n is reserved", gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T _x", "k"),
                         "kernel k: parameter 'T _x': '_x' can't be a name: names with a leading _ or gpu_ are "
                         "reserved",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T float", "k"),
                         "kernel k: parameter 'T float': 'float' can't be a name: it has a meaning of its own in "
                         "kernels",
                         gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("T 2x", "k"), gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("T x,", "k"), gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T T", "k"), "kernel k: 'T' is a type and a parameter", gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("quad x", "k"), gpu::Error);
}

TEST_CASE("raw stands before the type; types may have several words") {
    const auto list = parse_parameters("raw T x, raw unsigned int y, unsigned long long z, raw complex<float> w", "k");
    REQUIRE(list.size() == 4);
    CHECK(list[0].is_raw);
    CHECK(list[0].placeholder == "T");
    CHECK(list[1].is_raw);
    CHECK(list[1].dtype == DType::uint32);
    CHECK_FALSE(list[2].is_raw);
    CHECK(list[2].dtype == DType::uint64);
    CHECK(list[3].dtype == DType::complex64);
}

TEST_CASE("both lists of a kernel have names of their own, and there is an output") {
    const auto both = parse_parameters("T x, raw T y", "T z", "k");
    CHECK(both.inputs.size() == 2);
    REQUIRE(both.outputs.size() == 1);
    CHECK(both.outputs[0].is_output);
    CHECK_FALSE(both.inputs[0].is_output);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T x", "T x", "k"), "kernel k: two parameters are called 'x'",
                         gpu::Error);
    CHECK_THROWS_WITH_AS((void)parse_parameters("T x", "", "k"), "kernel k has no output parameter", gpu::Error);
    Placeholders types;
    CHECK_THROWS_WITH_AS((void)types.require(parse_parameters("X x", "Z z", "k").outputs[0], "k"),
                         "kernel k: cannot infer type Z of output 'z': pass out(z), an array of the type that you want",
                         gpu::DTypeError);
}

TEST_CASE("arrays decide placeholders, and a conflict names both arguments") {
    const auto list = parse_parameters("T x, T y, float w, Z z", "k");
    Placeholders types;
    types.decide(list[0], DType::float32, "k");
    types.decide(list[1], DType::float32, "k");
    CHECK_THROWS_WITH_AS(types.decide(list[1], DType::float64, "k"),
                         "kernel k: argument 'y' is float64, but T was fixed to float32 by 'x'", gpu::DTypeError);
    CHECK_THROWS_WITH_AS(types.decide(list[2], DType::int32, "k"),
                         "kernel k: argument 'w' is int32, its type is float32", gpu::DTypeError);
    CHECK_THROWS_WITH_AS((void)types.require(list[3], "k"),
                         "kernel k: cannot infer type Z of 'z': no array has it, and numbers don't decide types; pass "
                         "an array, or an output with gpu::out(...)",
                         gpu::DTypeError);
    CHECK(types.typedefs() == "typedef float T;\n");
}

TEST_CASE("a kernel's name is an identifier") {
    CHECK_NOTHROW(check_kernel_name("squared_diff"));
    CHECK_THROWS_AS(check_kernel_name("squared diff"), gpu::Error);
    CHECK_THROWS_AS(check_kernel_name("2x"), gpu::Error);
    CHECK_THROWS_AS(check_kernel_name(""), gpu::Error);
}
