// SPDX-License-Identifier: MIT
// Runs the five programs with a mistake as gpucc has compiled them: by themselves, and in check mode.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/wait.h>

namespace {

// What the program prints, and how it ends; the first lines of each.
void run(const std::string& program, std::string_view mode, int max_lines) {
    const bool checks = mode == "check mode";
    const std::string command = std::string(checks ? "GPUCC_CHECK=1 '" : "'") + program + "' 2>&1";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return std::perror("popen");
    std::printf("--- %s%s\n", std::filesystem::path(program).filename().c_str(), checks ? ", in check mode" : "");
    char line[1000];
    for (int count = 0; std::fgets(line, sizeof line, pipe) != nullptr; ++count)
        if (count < max_lines) std::fputs(line, stdout);
    std::printf("exit code %d\n", WEXITSTATUS(::pclose(pipe)));
}

}  // namespace

int main(int, char** arguments) {
    const std::filesystem::path folder = std::filesystem::absolute(arguments[0]).parent_path();
    std::fflush(stdout);
    for (const char* const name : {"unchecked_launch", "wrong_copy", "host_access", "wrong_stream", "no_guard"})
        for (const char* const mode : {"alone", "check mode"}) run((folder / name).string(), mode, 4);
}
