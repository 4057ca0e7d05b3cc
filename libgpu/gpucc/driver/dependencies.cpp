// SPDX-License-Identifier: MIT
#include "gpucc/driver/dependencies.hpp"

#include <filesystem>

namespace gpucc {

namespace fs = std::filesystem;

// The names are nvcc's: those of the object, which stands beside the rule.
std::vector<std::string> dependency_options(const Options& options, const std::string& input) {
    if (options.dependencies.empty()) return {};
    const bool is_named = options.only_compile && !options.output.empty();
    const std::string object = is_named ? options.output : fs::path(input).stem().string() + ".o";
    const std::string file =
        options.dependency_file.empty() ? fs::path(object).replace_extension(".d").string() : options.dependency_file;
    std::vector<std::string> words{options.dependencies, "-MF", file, "-MT",
                                   options.dependency_target.empty() ? object : options.dependency_target};
    if (options.has_phony_headers) words.emplace_back("-MP");
    return words;
}

}  // namespace gpucc
