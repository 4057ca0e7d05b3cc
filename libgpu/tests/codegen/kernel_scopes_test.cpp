// SPDX-License-Identifier: MIT
#include "codegen/kernel_scopes.hpp"

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
