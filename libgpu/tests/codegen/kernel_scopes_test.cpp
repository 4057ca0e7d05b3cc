// SPDX-License-Identifier: MIT
#include "codegen/kernel_tokens.hpp"

#include <doctest/doctest.h>

using namespace gpu::detail;

namespace {

// The declarations' words, and whether each stands in a class or has a body: "int f ( ) {" and ". int a".
std::vector<std::string> listed(const std::string& text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::vector<std::string> list;
    for (const Declaration& one : declarations_in(tokens)) {
        std::string words = one.scope == Scope::type ? "." : "";
        for (const std::size_t k : one.tokens) words += (words.empty() ? "" : " ") + std::string(tokens[k].text);
        list.push_back(words + (one.has_body ? " {" : ""));
    }
    return list;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("declarations of namespaces and classes are found by their braces alone") {
    CHECK(listed("int a = 1; namespace n { float b[2] = {1, 2}; } extern \"C\" { int c(); }") ==
          List{"int a = 1", "float b [ 2 ] =", "int c ( )"});
    CHECK(listed("struct A : B<int> { int a; A(int b) : a{b}, c(1) {} int f() const { int x; return x; } } one;") ==
          List{". int a", ". A ( int b ) : a , c ( 1 ) {", ". int f ( ) const {", "struct A : B < int > one"});
    CHECK(listed("template <class T> struct __align__(16) V { T v; public: bool operator==(V o) { return 1; } };") ==
          List{". T v", ". bool operator = = ( V o ) {", "template < class T > struct __align__ ( 16 ) V"});
    CHECK(listed("void f(int n) { for (int i = 0; i < n; ++i) { int a; } struct P { int b; int g() { return b; } } "
                 "p{3}; }") == List{"void f ( int n ) {", ". int b", ". int g ( ) {"});
    CHECK(listed("enum class E { a, b }; auto f = [](int a) { return a; };") ==
          List{"enum class E", "auto f = [ ] ( int a )"});
    CHECK(listed("#define BODY { int a;\nint b;\n") == List{"int b"});
}

TEST_CASE("what stands in functions, and what behind #if but not in an include guard") {
    const std::string text =
        "#ifndef G\n#define G\nint a; void f() { int b; }\n#if X\nint c;\n#else\nint d;\n#endif\nint e;\n#endif\n";
    const std::vector<Token> tokens = tokens_of(text);
    const std::vector<bool> in_function = within_functions(tokens), perhaps = within_conditions(tokens);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const std::string_view word = tokens[k].text;
        if (word.size() != 1 || word < "a" || word > "e") continue;
        CAPTURE(word);
        CHECK(in_function[k] == (word == "b"));
        CHECK(perhaps[k] == (word == "c" || word == "d"));
    }
}

TEST_CASE("a barrier in a branch or a loop, and one behind a return") {
    // The barrier stands in line 3.
    const auto way = [](const std::string& before, const std::string& line = "__syncthreads();") {
        const std::string text =
            "__device__ int g() { return 1; }\n__global__ void f(int n) {" + before + "\n" + line + "}";
        const std::optional<WayTo> found = way_to_barrier(tokens_of(text), 3);
        if (!found) return std::string("none");
        return std::string(found->in_branch ? "branch " : "") + (found->in_loop ? "loop " : "") +
               (found->behind_return ? "return" : "");
    };
    CHECK(way("int i = 0;") == "");  // g's return is another function's
    CHECK(way("int i = 0;", "x = 1;") == "none");
    CHECK(way("if (i < n) {") == "branch ");
    CHECK(way("if (i < n) { x[i] = 1; }") == "");
    CHECK(way("if (i < n) { x[i] = 1; } else {") == "branch ");
    CHECK(way("if (i < n)") == "branch ");
    CHECK(way("if (i < n) x[i] = 1;") == "");
    CHECK(way("if (i < n) for (int k = 0; k < n; ++k) x[k] = 1;") == "");
    CHECK(way("for (int w = 128; w > 0; w /= 2) {\t if (i < w) {") == "branch loop ");
    CHECK(way("for (int w = 128; w > 0; w /= 2) { if (i < w) { x[i] += 1; }") == "loop ");
    CHECK(way("for (int w = 128; w > 0; w /= 2) { if (i < w) x[i] += x[i + w]; }") == "");
    CHECK(way("do { x[i] = 1; } while (x[i] < 1);") == "");
    CHECK(way("if constexpr (n > 0) {") == "branch ");
    CHECK(way("if (i >= n) return;") == "return");
    CHECK(way("if (i >= n) return; if (i < 4) {", "block.sync();") == "branch return");
    CHECK(way("// if (i < n) {") == "");
}
