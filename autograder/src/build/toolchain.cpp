// SPDX-License-Identifier: MIT
#include "build/toolchain.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "kit_config.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

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
    chain.sandbox = sandbox_use_of_environment();
    return chain;
}

std::string Toolchain::compiler_version() const {
    Command command{.arguments = {compiler, "--version"}, .environment = environment({}), .folder = {}};
    command.seconds = 10;
    const ProcessResult result = run_process(command);
    return result.succeeded() ? result.output.substr(0, result.output.find('\n')) : std::string();
}

std::filesystem::path Toolchain::compiler_path() const {
    if (compiler.find('/') != compiler.npos) return compiler;
    const std::string folders = from_environment("PATH", "/usr/local/bin:/usr/bin:/bin") + ':';
    for (std::size_t from = 0, to; (to = folders.find(':', from)) != folders.npos; from = to + 1) {
        const fs::path candidate = fs::path(folders.substr(from, to - from)) / compiler;
        std::error_code error;
        if (fs::is_regular_file(candidate, error)) return candidate;
    }
    return {};
}

Surroundings Toolchain::surroundings() const {
    Surroundings around = surroundings_of_environment();
    for (const fs::path& folder : {source_dir, build_dir}) around.hidden.push_back(folder);
    around.hidden.insert(around.hidden.end(), hidden.begin(), hidden.end());
    for (const fs::path& folder : {library_dir, eigen_include}) around.readable.push_back(folder);
    if (*kit::cuda_library_dir) around.readable.push_back(fs::path(kit::cuda_library_dir).parent_path());
    for (const fs::path& compilers : {compiler_path(), fs::path(from_environment("LIBGPU_HOST_CXX", ""))}) {
        // All of /opt/gcc-13 of a compiler /opt/gcc-13/bin/g++; of one in somebody's bin only that folder.
        std::error_code error;
        const fs::path bin = fs::canonical(compilers, error).parent_path(), prefix = bin.parent_path();
        if (error) continue;
        const bool is_its_own = bin.filename() == "bin" && without_hidden(prefix, around.hidden) == std::vector{prefix};
        around.readable.push_back(is_its_own ? prefix : bin);
        char first[2]{};
        std::ifstream(compilers, std::ios::binary).read(first, 2);
        if (first[0] == '#' && first[1] == '!') around.compiler_is_script = true;
    }
    return around;
}

std::vector<std::string> Toolchain::environment(const std::filesystem::path& scratch) {
    std::vector<std::string> variables = {"LC_ALL=C",
                                          "PATH=" + from_environment("PATH", "/usr/local/bin:/usr/bin:/bin")};
    if (!scratch.empty()) variables.push_back("TMPDIR=" + scratch.string());
    return variables;
}

}  // namespace course
