// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cuda/compile/skeletons.hpp"
#include "texts.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

/// Compares with a file of golden/; UPDATE_GOLDEN=1 writes it instead, to be read before it is committed.
void check_golden(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(__FILE__).parent_path() / "golden" / name;
    if (std::getenv("UPDATE_GOLDEN")) std::ofstream(path) << text;
    std::stringstream golden;
    golden << std::ifstream(path).rdbuf();
    CHECK_MESSAGE(golden.str() == text, name << " differs; UPDATE_GOLDEN=1 writes the new text");
}

std::vector<KernelSource> all_sources() {
    std::vector<KernelSource> sources;
    for (const auto& text : texts::elementwise_table()) sources.push_back(elementwise_skeleton(text));
    for (const auto& text : texts::reduction_table()) {
        sources.push_back(reduction_skeleton(text));
        sources.push_back(join_skeleton(text));
    }
    return sources;
}

const RawText raw_add{.name = "add", .source = {"__global__ void add(const float* x) {}", "raw \"add\".cu", 12},
                      .signature = "(const float*)", .options = {"-DN=4"}};

}  // namespace

TEST_CASE("the skeletons are as they were read and agreed") {
    check_golden("squared_diff.cu", elementwise_skeleton(texts::squared_diff()).text);
    check_golden("strided_scale.cu", elementwise_skeleton(texts::strided_scale()).text);
    check_golden("l2norm.cu", reduction_skeleton(texts::walking(texts::l2norm(), {false, 4, true})).text);
    check_golden("strided_max.cu", reduction_skeleton(texts::walking(texts::strided_max(), {true, 4, true})).text);
    check_golden("l2norm_join.cu", join_skeleton(texts::walking(texts::l2norm(), {false, 4, true})).text);
    check_golden("strided_max_join.cu", join_skeleton(texts::walking(texts::strided_max(), {true, 4, true})).text);
}

TEST_CASE("after a snippet, the generated text's line numbers are its own again") {
    for (const KernelSource& source : all_sources()) {
        std::istringstream lines(source.text);
        int number = 0, directives = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find("\"libgpu generated\"") == std::string::npos) continue;
            ++directives;
            CHECK(line == "#line " + std::to_string(number + 1) + " \"libgpu generated\"");
        }
        CHECK_MESSAGE(directives > 0, source.name);
    }
}

TEST_CASE("generated kernels include nothing") {
    for (const KernelSource& source : all_sources()) CHECK(source.text.find("#include") == std::string::npos);
}

TEST_CASE("what joins partial results is the same for other maps and inputs, and another for other post statements") {
    const auto sum = [](const char* type, const char* map, const char* post, int reduced_rank) {
        auto text = texts::reduction("sum", {texts::input(type, "x", true), texts::output("float", "y")}, "float", map,
                                     "a + b", post, "0");
        text.reduced_rank = reduced_rank;
        text.walk = {.by_column = false, .pack = reduced_rank, .is_packed = false};
        return text;
    };
    const std::string joined = join_skeleton(sum("float", "x", "y = a", 1)).text;
    CHECK(joined.find("_map") == std::string::npos);
    CHECK(join_skeleton(sum("double", "complex<float>(x, 1).real()", "y = a", 2)).text == joined);
    CHECK(join_skeleton(sum("float", "x", "y = -a", 1)).text != joined);
}

TEST_CASE("a kernel's name may be any text") {
    CHECK(identifier("sum(x * y) / 2") == "sum_x___y____2");
    CHECK(elementwise_skeleton(texts::elementwise("exp", {}, "")).entries.at(0) == "libgpu_exp");
    CHECK(identifier(std::string(500, 'a')).size() == 64);
}

TEST_CASE("a raw kernel is the learner's text under the learner's name, its signature a name expression") {
    const KernelSource source = raw_skeleton(raw_add);
    CHECK(source.text == "#line 12 \"raw \\\"add\\\".cu\"\n__global__ void add(const float* x) {}\n");
    CHECK(source.entries.at(0) == "(void(*)(const float*))add");
    CHECK(source.options == std::vector<std::string>{"-DN=4"});
    RawText unchecked = raw_add;
    unchecked.signature.clear();
    CHECK(raw_skeleton(unchecked).entries.at(0) == "add");
}
#endif
