// SPDX-License-Identifier: MIT
// The lexer, on the texts that tell a lexer from a search.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"

using namespace gpu::detail;

namespace {

// "name:x punctuation:= ..." for all tokens of a text, comments included.
std::string shown(std::string_view text) {
    constexpr const char* kinds[] = {"n", "0", "s", "R", "c", "h", "p", "/"};
    std::string result;
    for (const Token& token : tokens_and_comments_of(text)) {
        result += (result.empty() ? "" : " ") + std::string(kinds[static_cast<int>(token.kind)]) + '|';
        for (const char c : token.text) result += c == '\n' ? '~' : c;
    }
    return result;
}

}  // namespace

TEST_CASE("names, numbers and punctuation") {
    CHECK(shown("x1 = _y+2;") == "n|x1 p|= n|_y p|+ 0|2 p|;");
    CHECK(shown("1'000'000 0x1p-3f 1.5e+10 .5f 3.f 1u") == "0|1'000'000 0|0x1p-3f 0|1.5e+10 0|.5f 0|3.f 0|1u");
    CHECK(shown("a.b a->b s.x") == "n|a p|. n|b n|a p|- p|> n|b n|s p|. n|x");
    CHECK(shown("1-2 x[3]") == "0|1 p|- 0|2 n|x p|[ 0|3 p|]");
    CHECK(shown("A<B<int>>::c") == "n|A p|< n|B p|< n|int p|> p|> p|: p|: n|c");
    CHECK(shown("k<<<1, 2>>>()") == "n|k p|< p|< p|< 0|1 p|, 0|2 p|> p|> p|> p|( p|)");
    CHECK(shown("") == "");
    CHECK(shown(" \t\r\n\n").empty());
}

TEST_CASE("characters and strings, with quotes and comments in them") {
    CHECK(shown(R"('"' '\'' '\\' 'x')") == R"(c|'"' c|'\'' c|'\\' c|'x')");
    CHECK(shown(R"("// no comment" "/*" "a \" b" "" '/')") == R"(s|"// no comment" s|"/*" s|"a \" b" s|"" c|'/')");
    CHECK(shown(R"(L"wide" u8"x" U'c' Lx "y")") == R"(s|L"wide" s|u8"x" c|U'c' n|Lx s|"y")");
    CHECK(shown("x = '\"'; y = \"'\";") == "n|x p|= c|'\"' p|; n|y p|= s|\"'\" p|;");
    CHECK(shown("case 'a':1'0") == "n|case c|'a' p|: 0|1'0");
    CHECK(shown("\"unfinished\nx") == "s|\"unfinished n|x");
    CHECK(shown("don't\nx") == "n|don c|'t n|x");
    CHECK(shown("\"ends\\") == "s|\"ends\\");
    CHECK(shown("\"two\\\nlines\" x") == "s|\"two\\~lines\" n|x");
    CHECK(shown("\"two\\\r\nlines\" x") == "s|\"two\\\r~lines\" n|x");
}

TEST_CASE("raw strings end where their delimiter says") {
    CHECK(shown(R"x(R"(a " // b)" c)x") == R"x(R|R"(a " // b)" n|c)x");
    CHECK(shown("R\"ab()\" )b\" \n )ab\" c") == "R|R\"ab()\" )b\" ~ )ab\" n|c");
    CHECK(shown("u8R\"(\\)\" c") == "R|u8R\"(\\)\" n|c");
    CHECK(shown("LR\"(x)\"R") == "R|LR\"(x)\" n|R");
    CHECK(shown("FOUR\"(x)\"") == "n|FOUR s|\"(x)\"");
    CHECK(shown("R\"(never closed") == "R|R\"(never closed");
    CHECK(shown("R\"no bracket\" x") == "s|R\"no bracket\" n|x");
}

TEST_CASE("comments, over lines and with what looks like code in them") {
    CHECK(shown("a // b \"c\"\nd") == "n|a /|// b \"c\" n|d");
    CHECK(shown("a // b \\\n still\nd") == "n|a /|// b \\~ still n|d");
    CHECK(shown("a // b \\\r\n still\r\nd") == "n|a /|// b \\\r~ still\r n|d");
    CHECK(shown("/* ' \" // */ x /**/ y /* open") == "/|/* ' \" // */ n|x /|/**/ n|y /|/* open");
    CHECK(shown("a / b */ c") == "n|a p|/ n|b p|* p|/ n|c");
    const auto tokens = tokens_of("// libgpu:entry \"my_check.hpp\"\nx /* __syncthreads() */ = 'y';");
    REQUIRE(tokens.size() == 4);
    CHECK(tokens[0].text == "x");
    CHECK_FALSE(has_name(tokens, "__syncthreads"));
    CHECK_FALSE(has_name(tokens, "y"));
    CHECK(has_name(tokens, "x"));
}

TEST_CASE("preprocessor lines: what belongs to them, and headers") {
    const std::string text =
        "  #define F(x) \\\n    g(x) // c\nint y; # define no\n/* c */ #include <cuda_fp16.h> // x\n"
        "#include \"a.cuh\"\n#if A<B>C\n";
    const auto tokens = tokens_of(text);
    const auto at = [&](std::string_view word) { return tokens[find_token(tokens, word)]; };
    CHECK((at("F").in_directive && at("g").in_directive && at("g").line == 2));
    CHECK((!at("y").in_directive && !at("no").in_directive));
    CHECK((at("#").starts_line && !at("F").starts_line));
    CHECK((at("<cuda_fp16.h>").kind == TokenKind::header && at("<cuda_fp16.h>").line == 4));
    CHECK((at("\"a.cuh\"").kind == TokenKind::string && at("\"a.cuh\"").in_directive));
    CHECK((at("A").in_directive && at("<").kind == TokenKind::punctuation));
}

TEST_CASE("lines and places are those of the text, with either kind of line end") {
    const std::string text = "a\r\n/* \r\n */ b \"x\\\r\ny\" c\r\n\r\nd";
    const auto tokens = tokens_of(text);
    REQUIRE(tokens.size() == 5);
    const int lines[] = {1, 3, 3, 4, 6};
    for (std::size_t k = 0; k < 5; ++k) {
        CHECK(tokens[k].line == lines[k]);
        CHECK(text.substr(tokens[k].offset, tokens[k].text.size()) == tokens[k].text);
    }
}

TEST_CASE("blanked text keeps the place of all code") {
    const std::string text =
        "a // b \"c\"\n/* d\n e */ f \"g // h\\\" i\" j 'k' 1'000 R\"x(l\n)\" )x\" m L\"n\" '\"' \"open";
    const std::string left = blanked(text);
    CHECK(left.size() == text.size());
    CHECK(left == "a         \n    \n      f \"          \" j ' ' 1'000      \n       m L\" \" ' ' \"    ");
    CHECK(blanked("").empty());
}

TEST_CASE("brackets are found past literals") {
    const auto tokens = tokens_of("f(g(1), \")\", ')', [](int) { return 2; }) (");
    CHECK(closing(tokens, 1) == tokens.size() - 2);
    CHECK(closing(tokens, 3) == 5);
    CHECK(closing(tokens, tokens.size() - 1) == tokens.size());
    CHECK(find_token(tokens, "g") == 2);
    CHECK(find_token(tokens, "g", 3) == tokens.size());
}

TEST_CASE("the line that names something first") {
    const SourceText body{"\n  // x is here\n  float y = f(\"x\");\n  z = x1 + x;\n  x;", "body", 10};
    CHECK(line_naming(body, "x") == 13);
    CHECK(line_naming(body, "y") == 12);
    CHECK(line_naming(body, "nothing") == 10);
}

TEST_CASE("an output that is assigned before anything else, on every way") {
    const auto first = [](const std::string& body, const std::string& preamble = "") {
        ElementwiseText text;
        text.parameters = {{.role = Parameter::Role::input, .type = "T", .name = "x"},
                           {.role = Parameter::Role::output, .type = "T", .name = "z"}};
        text.preamble.text = preamble;
        text.body.text = body;
        return assigns_first(text, "z");
    };
    for (const char* const body : {"z = x", "z = x; if (z > 1) z -= 1;", "T y = x; z = y; if (x > 1) return; z += 2;",
                                   "if (x > 0) { x; } z = x;", "for (int k = 0; k < 3; ++k) ; z = 1;",
                                   "z = (T)(x & 1); z = z & 3; z = z && x;", "/* z */ z = 1; f(z);"})
        CHECK_MESSAGE(first(body), body);
    for (const char* const body :
         {"", "x;", "z = z + x;", "z += x;", "z == x;", "if (x > 0) z = x;", "if (x > 0) z = x; else z = 1;",
          "if (x > 0) { z = x; } else { z = 1; }", "if (x > 3) return; z = 1;", "f(z); z = 1;", "z = 1; f(&z);",
          "z = 1; atomicAdd(&z, 1);", "while (x > 0) z = 1;", "switch (k) { case 1: z = 1; }", "x = z; z = 1;",
          "\n#define SET if (x) z\nSET = 1; z = 2;", "a.z = 1;"})
        CHECK_FALSE_MESSAGE(first(body), body);
    CHECK_FALSE(first("STOP; z = x;", "#define STOP if (x > 0) return"));
    CHECK_FALSE(first("z = x;", "#define SET(v) z += v"));
    CHECK(first("z = HALF * x;", "#define HALF 0.5f  // return; z\n__device__ float f(float z) { return z; }"));
    ElementwiseText raw;
    raw.parameters = {{.role = Parameter::Role::input, .type = "T", .name = "x", .is_raw = true, .rank = 1},
                      {.role = Parameter::Role::output, .type = "T", .name = "z"}};
    raw.body.text = "z = 0; z += x[i];";
    CHECK_FALSE(assigns_first(raw, "z"));
}
