// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "gpucc/split/device_text.hpp"
#include "gpucc/split/host_text.hpp"
#include "host/base/process.hpp"
#include "squeezed.hpp"

// The rewriter on random texts: launches among what only looks like them, and token soup.
namespace gpucc {

namespace {

using Random = std::mt19937;

int below(Random& random, std::size_t limit) { return static_cast<int>(random() % limit); }
const char* one_of(Random& random, const std::vector<const char*>& list) {
    return list[static_cast<std::size_t>(below(random, list.size()))];
}

std::string expression(Random& random, int depth) {
    if (depth == 0) return one_of(random, {"n", "1", "x.y", "'<'", "\"<<<\"", "sizeof(int)", "a[i]", "p->q"});
    const std::string a = expression(random, depth - 1), b = expression(random, depth - 1);
    switch (below(random, 7)) {
        case 0: return "(" + a + " << " + b + ")";
        case 1: return "f(" + a + ", " + b + ")";
        case 2: return "dim3{" + a + "," + b + "}";
        case 3: return a + " + " + b;
        case 4: return "(" + a + " >> 1)";
        case 5: return "g<int, 3>(" + a + ")";
        default: return "(" + a + " ? " + a + " : " + b + ")";
    }
}

std::string callee(Random& random) {
    return one_of(random, {"k", "ns::k", "::ns::k", "k<int>", "k<A<int>, (3 > 2)>", "ns::k<T, sizeof(T)>", "table[i]",
                           "(flag ? k : m)", "self->k", "s.k", "A<B>::k", "s.template k<int>", "tables[i][j + 1]"});
}

/// A statement, and what the host's half has in its place.
struct Statement {
    std::string text, host;
    bool launches = false;
};

Statement statement(Random& random) {
    switch (below(random, 6)) {
        case 0: return {"x = a << b >> c;", "x = a << b >> c;"};
        case 1: return {"s = \"k<<<1, 2>>>(x);\";", "s = \"k<<<1, 2>>>(x);\";"};
        case 2: return {"std::cout << x << '<' << y;", "std::cout << x << '<' << y;"};
        default: break;
    }
    const std::string kernel = callee(random), arguments = below(random, 3) == 0 ? "" : expression(random, 2);
    std::string configuration = expression(random, 1) + ", " + expression(random, 1);
    if (below(random, 3) == 0) configuration += ", 0, " + expression(random, 0);
    const std::string before = one_of(random, {"", "if (x) ", "else ", "return ", "do ", "x, ", "(void)0; "});
    const bool apart = below(random, 4) == 0;
    return {
        before + kernel + (apart ? "<< <" : "<<<") + configuration + (apart ? ">> >" : ">>>") + "(" + arguments + ");",
        before + "(::gpucc::configure(" + configuration + "), " + kernel + "(" + arguments + "));", true};
}

}  // namespace

TEST_CASE("launches are rewritten whatever stands around them") {
    Random random(20261130);
    for (int round = 0; round < 2000; ++round) {
        std::string text = "# 1 \"a.cu\"\nvoid f() {\n", host = "void f() {\n";
        int launches = 0;
        for (int k = below(random, 8); k >= 0; --k) {
            const Statement one = statement(random);
            text += one.text + "\n";
            host += one.host + "\n";
            launches += one.launches ? 1 : 0;
        }
        const PreprocessedText source(text + "}\n");
        const std::vector<Token> tokens = code_tokens(source.own());
        const HostText result = host_text(source, tokens, items_of(tokens), "u");
        CAPTURE(text);
        CAPTURE(result.text);
        REQUIRE(result.errors == "");
        REQUIRE(result.launches == launches);
        REQUIRE(squeezed(result.text).find(squeezed(host)) != std::string::npos);
    }
}

// So many rounds, or as many as fit into GPUCC_SOUP_SECONDS.
bool goes_on(int round, int rounds, std::chrono::steady_clock::time_point begin) {
    const char* const seconds = std::getenv("GPUCC_SOUP_SECONDS");
    if (seconds == nullptr) return round < rounds;
    return std::chrono::steady_clock::now() - begin < std::chrono::seconds(std::atoi(seconds));
}

// Whatever the text, both halves are made, and declarations lie within it.
void take(const std::string& text) {
    CAPTURE(text);
    const PreprocessedText source(text);
    const std::vector<Token> tokens = code_tokens(source.own());
    const std::vector<Item> items = items_of(tokens);
    const HostText host = host_text(source, tokens, items, "u");
    const DeviceText device = device_text(source, tokens, items, {"k<ns::A>"});
    for (const Item& item : items) {
        REQUIRE(item.tokens.begin < item.tokens.end);
        REQUIRE(item.tokens.end <= tokens.size());
    }
    const bool has_cuda = text.find("<<") != std::string::npos || text.find("__") != std::string::npos;
    if (!has_cuda) REQUIRE(host.text.ends_with(source.edited({})));
    if (!device.text.empty()) REQUIRE(text.find("__") != std::string::npos);
}

TEST_CASE("programs with words left out, doubled and moved are taken without a crash") {
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(GPUCC_PROGRAMS))
        if (entry.path().extension() == ".cu" || entry.path().extension() == ".cuh")
            texts.push_back(gpu::detail::host::read_file(entry.path().string()));
    REQUIRE(texts.size() > 50);
    Random random(11);
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; goes_on(round, 200, begin); ++round) {
        std::string text = texts[random() % texts.size()];
        for (int edits = below(random, 6); edits >= 0; --edits) {
            const std::vector<Token> tokens = code_tokens(text);
            if (tokens.empty()) break;
            const auto any = [&] { return tokens[random() % tokens.size()]; };
            const Token from = any(), to = any();
            const std::string word(from.text);
            switch (below(random, 4)) {
                case 0: text.erase(from.offset, word.size()); break;
                case 1: text.insert(to.offset, word + ' '); break;
                case 2: text.replace(to.offset, to.text.size(), word); break;
                default: text.resize(from.offset);
            }
        }
        take("# 1 \"a.cu\"\n" + text);
    }
}

TEST_CASE("token soup is taken without a crash, and what isn't CUDA's stays as it is") {
    const std::vector<const char*> words = {"<",           "<<<",        ">>>",
                                            ">",           "(",          ")",
                                            "{",           "}",          "[",
                                            "]",           ";",          ",",
                                            "::",          "=",          "&",
                                            "*",           "template",   "class",
                                            "struct",      "enum",       "namespace",
                                            "using",       "typedef",    "extern",
                                            "\"C\"",       "operator",   "__global__",
                                            "__device__",  "__host__",   "__constant__",
                                            "__managed__", "__shared__", "__launch_bounds__",
                                            "static",      "const",      "constexpr",
                                            "int",         "void",       "k",
                                            "ns",          "\n",         "\n# 7 \"b.cu\"\n",
                                            ":",           "->",         ".",
                                            "...",         "~",          "#pragma once\n",
                                            "return",      "if",         "virtual",
                                            "friend",      "'x'",        "R\"(<<<)\""};
    Random random(7);
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; goes_on(round, 20000, begin); ++round) {
        std::string text;
        for (int k = below(random, 60); k >= 0; --k)
            text += std::string(one_of(random, words)) + (below(random, 3) ? " " : "");
        take(text);
    }
}

}  // namespace gpucc
