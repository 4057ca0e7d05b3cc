// SPDX-License-Identifier: MIT
#include "build/toolchain.hpp"

#include <cstdlib>
#include <sstream>

#include "kit_config.hpp"
#include "support/process.hpp"

namespace course {

namespace {

std::string from_environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

}  // namespace

Toolchain Toolchain::configured() {
    Toolchain chain;
    chain.compiler = from_environment("COURSE_CXX", kit::compiler);
    std::istringstream flags(kit::sanitize_flags);
    for (std::string flag; std::getline(flags, flag, ';');)
        if (!flag.empty()) chain.sanitize.push_back(flag);
    chain.source_dir = kit::source_dir;
    chain.build_dir = kit::build_dir;
    chain.program_dir = kit::program_dir;
    chain.library_dir = kit::library_dir;
    chain.gpu_include = chain.source_dir / "libgpu/include";
    chain.course_include = chain.source_dir / "autograder/include";
    chain.eigen_include = kit::eigen_include_dir;
    return chain;
}

std::string Toolchain::compiler_version() const {
    Command command{.arguments = {compiler, "--version"}, .environment = environment({}), .folder = {}};
    command.seconds = 10;
    const ProcessResult result = run_process(command);
    return result.succeeded() ? result.output.substr(0, result.output.find('\n')) : std::string();
}

std::vector<std::string> Toolchain::environment(const std::filesystem::path& scratch) {
    std::vector<std::string> variables = {"LC_ALL=C",
                                          "PATH=" + from_environment("PATH", "/usr/local/bin:/usr/bin:/bin")};
    if (!scratch.empty()) variables.push_back("TMPDIR=" + scratch.string());
    return variables;
}

}  // namespace course
