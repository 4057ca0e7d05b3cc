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
    CHECK_THROWS_WITH_AS((void)parse_parameters("raw T x", "k"),
                         "kernel k: parameter 'raw T x': raw parameters are not in this edition; use a gpu::RawKernel",
                         gpu::Error);
    CHECK_THROWS_AS((void)parse_parameters("quad x", "k"), gpu::Error);
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
                         "kernel k: cannot infer type Z of 'z': no array has it; pass an output with gpu::out(...)",
                         gpu::DTypeError);
    CHECK(types.typedefs() == "typedef float T;\n");
}

TEST_CASE("a kernel's name is an identifier") {
    CHECK_NOTHROW(check_kernel_name("squared_diff"));
    CHECK_THROWS_AS(check_kernel_name("squared diff"), gpu::Error);
    CHECK_THROWS_AS(check_kernel_name("2x"), gpu::Error);
    CHECK_THROWS_AS(check_kernel_name(""), gpu::Error);
}
