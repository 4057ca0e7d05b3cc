// SPDX-License-Identifier: MIT
#include "launch/source.hpp"

#include <gpu/source.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/raw_kernel.hpp>

namespace gpu {

Source::Source(std::string text, std::string file, int line)
    : text_(std::move(text)),
      file_(std::move(file)),
      folder_(std::filesystem::path(file_).parent_path().string()),
      line_(line) {}

namespace detail {

std::string places_of(const std::string& beside, const std::string& wanted) {
    return beside == wanted ? wanted : beside + " and, in the working folder, " + wanted;
}

}  // namespace detail

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // from editors on Windows; compilers reject it

}  // namespace

Source file(std::string_view path, const char* caller) {
    const std::filesystem::path wanted(path);
    const std::filesystem::path beside = std::filesystem::path(caller).parent_path() / wanted;
    for (const auto& candidate : {beside, wanted}) {
        std::ifstream in(candidate, std::ios::binary);
        if (!in || std::filesystem::is_directory(candidate)) continue;
        std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        if (text.rfind(byte_order_mark, 0) == 0) text.erase(0, byte_order_mark.size());
        if (text.find('\0') != std::string::npos) {
            throw FileError("kernel file " + std::string(path) +
                            " is not a text file: machine code is loaded by "
                            "gpu::RawModule::load");
        }
        Source source(std::move(text), std::string(path));
        source.folder_ = candidate.parent_path().string();
        return source;
    }
    throw FileError("kernel file " + std::string(path) + " can't be read; looked for " +
                    detail::places_of(beside.string(), wanted.string()));
}

namespace detail {

namespace {

// The line on which a macro's body begins. `line` is that of the macro's end (clang) or of its name (g++); then only
// the file, if it is available, shows on which line the body's literal begins.
int line_of_body(const char* file, [[maybe_unused]] int line, std::string_view body) {
#ifdef __clang__
    static_cast<void>(file);
    return line - static_cast<int>(std::count(body.begin(), body.end(), '\n'));
#else
    if (body.find('\n') == std::string_view::npos) return line;
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::size_t begin = 0;
    for (int k = 1; k < line && begin != std::string::npos; ++k) {
        begin = text.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    const std::size_t at = begin == std::string::npos ? begin : text.find(body, begin);
    if (at == std::string::npos) return line;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(begin);
    return line + static_cast<int>(std::count(from, text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
#endif
}

}  // namespace

Source kernel_in_macro(std::string_view name, std::string_view parameters, std::string_view body, const char* file,
                       int line) {
    std::string text = "__global__ void " + std::string(name) + std::string(parameters) + " {";
    text += body;
    text += "\n}\n";
    return {std::move(text), file, line_of_body(file, line, body)};
}

}  // namespace detail

}  // namespace gpu
