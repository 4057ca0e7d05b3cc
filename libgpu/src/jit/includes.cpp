// SPDX-License-Identifier: MIT
#include "jit/includes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <xxhash.h>

#include <gpu/error.hpp>

#include "jit/source_map.hpp"

namespace gpu::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest = std::size_t{4} << 20, deepest = 64;

struct IncludeLine {
    std::string name;
    bool quoted = true;
};

// What a line includes; `code` is the line without comments.
std::optional<IncludeLine> include_in(const std::string& line, const std::string& code) {
    auto at = code.find_first_not_of(" \t");
    if (at == std::string::npos || code[at] != '#') return std::nullopt;
    at = code.find_first_not_of(" \t", at + 1);
    constexpr std::string_view word = "include";
    if (at == std::string::npos || code.compare(at, word.size(), word) != 0) return std::nullopt;
    const auto open = code.find_first_not_of(" \t", at + word.size());
    if (open == std::string::npos || (code[open] != '"' && code[open] != '<')) return std::nullopt;
    const auto close = line.find(code[open] == '"' ? '"' : '>', open + 1);
    if (close == std::string::npos) return std::nullopt;
    return IncludeLine{line.substr(open + 1, close - open - 1), code[open] == '"'};
}

bool is_pragma_once(const std::string& code) {
    const auto names = names_in(code);
    return names.size() == 2 && names[0] == "pragma" && names[1] == "once" && code.find('#') != std::string::npos;
}

// Both backends have headers of these names, each its own.
bool is_of_cuda(const std::string& name) {
    for (const std::string_view start : {"cuda", "cooperative_groups", "math_constants.h", "device_launch_parameters.h",
                                         "curand", "cub/", "thrust/", "mma.h", "nv/"})
        if (name.starts_with(start)) return true;
    return false;
}

std::string line_mark(int line, const std::string& file) {
    return "#line " + std::to_string(line) + " \"" + file + "\"\n";
}

class Includer {
public:
    explicit Includer(std::vector<std::string> folders) : folders_(std::move(folders)) {}

    std::string expand(const std::string& text, const std::string& file, int first_line, const fs::path& folder) {
        std::string result;
        CommentBlanker blanked;
        int number = first_line - 1;
        for (const std::string& line : lines_of(text)) {
            ++number;
            const std::string code = blanked(line);
            const auto include = include_in(line, code);
            const auto path = include ? find(*include, folder) : std::nullopt;
            if (path) {
                result += included(*path, include->name) + line_mark(number + 1, file);
            } else {
                result += (open_.empty() || !is_pragma_once(code) ? line : "") + '\n';
            }
            if (result.size() > largest) too_much(file);
        }
        return result;
    }

    [[nodiscard]] bool found_any() const noexcept { return found_any_; }

private:
    [[nodiscard]] std::optional<fs::path> find(const IncludeLine& include, const fs::path& folder) const {
        std::vector<fs::path> candidates;
        if (include.quoted) candidates.push_back(folder / include.name);
        if (include.quoted || !is_of_cuda(include.name))
            for (const std::string& other : folders_) candidates.push_back(fs::path(other) / include.name);
        if (include.quoted) candidates.emplace_back(include.name);
        for (const fs::path& candidate : candidates) {
            std::error_code ignored;
            if (fs::is_regular_file(candidate, ignored)) return candidate;
        }
        return std::nullopt;
    }

    // A file that includes itself, by way of others, must guard against it, so that nothing is put in a second time.
    std::string included(const fs::path& path, const std::string& name) {
        std::error_code ignored;
        const fs::path real = fs::weakly_canonical(path, ignored);
        if (std::find(open_.begin(), open_.end(), real) != open_.end()) return {};
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        if (!in.good() && !in.eof())
            throw Error("the file " + path.string() + ", which a kernel includes, can't be read");
        if (open_.size() == deepest) too_much(name);
        found_any_ = true;
        open_.push_back(real);
        std::string result = line_mark(1, name) + expand(text, name, 1, path.parent_path());
        open_.pop_back();
        if (!once(text)) return result;
        const std::string guard =
            "GPU_INCLUDED_" + std::to_string(XXH3_64bits(real.native().data(), real.native().size()));
        return "#ifndef " + guard + "\n#define " + guard + '\n' + result + "#endif\n";
    }

    static bool once(const std::string& text) {
        CommentBlanker blanked;
        for (const std::string& line : lines_of(text))
            if (is_pragma_once(blanked(line))) return true;
        return false;
    }

    [[noreturn]] static void too_much(const std::string& file) {
        throw Error("kernel source " + file + ": what it includes is more than 4 MB, or more than 64 files deep");
    }

    std::vector<std::string> folders_;
    std::vector<fs::path> open_;
    bool found_any_ = false;
};

}  // namespace

std::vector<std::string> include_folders(const std::vector<std::string>& options) {
    std::vector<std::string> folders;
    for (std::size_t k = 0; k < options.size(); ++k) {
        const std::string& option = options[k];
        if ((option == "-I" || option == "--include-path") && k + 1 < options.size())
            folders.push_back(options[++k]);
        else if (option.starts_with("--include-path="))
            folders.push_back(option.substr(15));
        else if (option.starts_with("-I") && option.size() > 2)
            folders.push_back(option.substr(option[2] == '=' ? 3 : 2));
    }
    return folders;
}

Snippet with_includes(const Snippet& source, const std::string& folder, const std::vector<std::string>& options) {
    if (source.text.find("include") == std::string::npos) return source;
    Includer includer(include_folders(options));
    std::string text = includer.expand(source.text, source.file, source.line, folder);
    if (!includer.found_any()) return source;
    return {.text = std::move(text), .file = source.file, .line = source.line, .plain = source.text};
}

}  // namespace gpu::detail
