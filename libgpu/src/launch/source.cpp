// SPDX-License-Identifier: MIT
#include <gpu/source.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <gpu/error.hpp>

namespace gpu {

Source::Source(std::string text, std::string file, int line)
    : text_(std::move(text)), file_(std::move(file)), line_(line) {}

Source file(std::string_view path, const char* caller) {
    const std::filesystem::path wanted(path);
    const std::filesystem::path beside = std::filesystem::path(caller).parent_path() / wanted;
    for (const auto& candidate : {beside, wanted}) {
        std::ifstream in(candidate, std::ios::binary);
        if (!in || std::filesystem::is_directory(candidate)) continue;
        std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        return {std::move(text), std::string(path)};
    }
    throw Error("kernel file " + std::string(path) + " can't be read; looked for " + beside.string() + " and, in the " +
                "working folder, " + wanted.string());
}

}  // namespace gpu
