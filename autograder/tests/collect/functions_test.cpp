// SPDX-License-Identifier: MIT
#include "collect/code_tokens.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const std::string stub = R"(// add(x, y): not a function
#include "exercise.hpp"

struct End {
    int steps;
};

static int helper(int x) { return x; }

gpu::Array<float> add(const gpu::Array<float>& x,
                      const gpu::Array<float>& y) {
    // ---- your code (1 line) ----
    if (x.size() > 0) {
        return x;
    }
    // ---- end ----
}

template <int width>
__global__ void mul(const float* x) {
    // ---- your code (about 2 lines) ----
    // ---- end ----
}

__global__ void more(const float* x) {
    // ---- your code, star (about 2 lines) ----
    // ---- end ----
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

using Begun = std::map<std::string, bool>;

}  // namespace

TEST_CASE("functions are found by their heads at the margin") {
    std::string names;
    for (const FunctionText& one : functions_in(stub)) names += one.name + " ";
    CHECK(names == "helper add mul more ");
    CHECK(functions_in(stub)[0].text == "static int helper(int x) { return x; }\n");
    CHECK(functions_in(stub)[1].text.ends_with("    // ---- end ----\n}\n"));
    CHECK(functions_in("int declared(int x);\n").empty());
}

TEST_CASE("a function with a part for the student is begun as soon as its text is another one") {
    CHECK(functions_begun({{stub, stub}}) == Begun{{"add", false}, {"mul", false}});
    CHECK(functions_begun({{replaced(stub, "        return x;", "        return y;"), stub}}) ==
          Begun{{"add", true}, {"mul", false}});
    // Space alone begins nothing; nor does another function, or what stands around them.
    CHECK(functions_begun({{replaced(stub, "        return x;", "\treturn  x;"), stub}}) ==
          Begun{{"add", false}, {"mul", false}});
    CHECK(functions_begun({{replaced(stub, "int steps", "long steps") + "int own() {\n}\n", stub}}) ==
          Begun{{"add", false}, {"mul", false}});
    // Written outside of the marks, or under another name, it is begun as well.
    CHECK(functions_begun({{replaced(stub, "    // ---- your code (1", "    int n = 1;\n    // (1"), stub}}).at("add"));
    CHECK(functions_begun({{replaced(stub, "void mul", "void mul2"), stub}}).at("mul"));
    // One name in two files, as a kernel and the function that launches it: either begins it.
    const std::string kernel = "__global__ void add(float* x) {\n    // ---- your code ----\n    // ---- end ----\n}\n";
    CHECK_FALSE(functions_begun({{stub, stub}, {kernel, kernel}}).at("add"));
    const std::string written = replaced(kernel, "code ----\n", "code ----\n    x[0] = 1;\n");
    CHECK(functions_begun({{stub, stub}, {written, kernel}}).at("add"));
}
