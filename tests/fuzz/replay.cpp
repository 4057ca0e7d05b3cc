// SPDX-License-Identifier: MIT
// usage: NAME_fuzz_corpus CORPUS [TARGET [FILE...]]
//
// Gives every file below CORPUS/TARGET/ to its target, then inputs as long as they may be: those files over and over,
// and what nests or repeats. Says what was found; exits with 1 if anything was, with 4 if there is nothing to replay.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sys/resource.h>
#include <unistd.h>

#include "fuzz_target.hpp"

namespace fs = std::filesystem;

namespace {

std::string now_running;  // for the handler: which input crashed
int findings = 0;

void crashed(int signal) {
    const auto say = [](std::string_view text) {
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    };
    say("CRASHED: ");
    say(now_running);
    say("\n");
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void run(const fuzz::Target& target, const std::string& input, const std::string& name) {
    now_running = std::string(target.name) + ", " + name;
    try {
        target.run(input);
    } catch (const std::exception& error) {
        ++findings;
        std::printf("FOUND: %s: %s\n", now_running.c_str(), error.what());
    }
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string repeated(const std::string& text, std::size_t bytes) {
    std::string all;
    while (!text.empty() && all.size() + text.size() <= bytes) all += text;
    return all;
}

/// What is short and costs much when there is much of it.
const std::vector<std::string> patterns = {"[",
                                           "{",
                                           "(",
                                           "<",
                                           "\"",
                                           "'",
                                           "\\",
                                           "`",
                                           "*",
                                           "**a",
                                           "**a** ",
                                           "#",
                                           "# a\n",
                                           "/",
                                           "//",
                                           "/*",
                                           ":",
                                           "a",
                                           "a ",
                                           "a\n",
                                           "\n",
                                           " ",
                                           "\t",
                                           "=",
                                           "=====\n",
                                           "0",
                                           "1:",
                                           "0'",
                                           "R\"(",
                                           "[a](",
                                           "![a]",
                                           "<!-- ",
                                           "a=b ",
                                           "a,",
                                           "x open 1 y=",
                                           std::string(1, '\0'),
                                           "\xff",
                                           "\xc3\xa9",
                                           "\x1b[31m",
                                           "[with ",
                                           ", std::allocator<",
                                           "a.cu:1:1: error: a\n",
                                           "{\"a\":",
                                           "[[a]]\n",
                                           "~ "};

int replay(const fuzz::Target& target, const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) {
        const std::string input = read(file);
        run(target, input, file.filename().string());
        all += input;
    }
    if (files.empty()) {
        std::printf("%s: there is no file in %s\n", target.name, folder.c_str());
        return 4;
    }
    run(target, repeated(all, target.largest), "the corpus, over and over");
    const std::string mark = "=====\n";  // see take_part()
    for (const std::string& pattern : patterns)
        for (const std::string& head : {std::string(), "a\n" + mark})
            run(target, head + repeated(pattern, target.largest - head.size()), "\"" + pattern + "\", over and over");
    std::printf("%s: %zu files, %zu long inputs of %zu bytes\n", target.name, files.size(), 2 * patterns.size() + 1,
                target.largest);
    return 0;
}

/// On a stack of its own: the usual one may be full.
void catch_crashes() {
    static char stack[1 << 16];
    const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    ::sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_handler = crashed;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) ::sigaction(signal, &action, nullptr);
}

/// No input of the sizes here may need more. A sanitizer's shadow counts as well, so there is no limit then.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr rlim_t most = rlim_t{2} << 30;
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.empty()) return std::printf("usage: %s CORPUS [TARGET [FILE...]]\n", arguments[0]), 4;
    catch_crashes();
    limit_memory();
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (words.size() > 2) {
        for (std::size_t k = 2; k < words.size(); ++k) run(fuzz::target(words[1]), read(words[k]), words[k]);
        return findings > 0 ? 1 : 0;
    }
    int code = 0;
    for (const fuzz::Target& target : fuzz::targets())
        if (words.size() == 1 || words[1] == target.name)
            code = std::max(code, replay(target, fs::path(words[0]) / target.name));
    std::printf("%d finding%s\n", findings, findings == 1 ? "" : "s");
    return findings > 0 ? 1 : code;
}
