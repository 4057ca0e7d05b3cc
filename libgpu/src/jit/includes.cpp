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

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_bytes = std::size_t{4} << 20, max_depth = 64;

struct IncludeLine {
    std::string name;
    bool quoted = true;
};

// The file that the preprocessor line with its '#' at k includes.
std::optional<IncludeLine> include_at(const std::vector<Token>& tokens, std::size_t k) {
    const Token* const named = included(tokens, k);
    if (named == nullptr) return std::nullopt;
    return IncludeLine{std::string(named->text.substr(1, named->text.size() - 2)), named->kind == TokenKind::string};
}

bool is_pragma_once(const std::vector<Token>& tokens, std::size_t k) {
    return tokens[k].text == "#" && tokens[k].starts_line && k + 2 < tokens.size() && tokens[k + 1].text == "pragma" &&
           tokens[k + 2].text == "once";
}

// Both backends have their own headers of these names.
bool is_of_cuda(const std::string& name) {
    for (const std::string_view start : {"cuda", "cooperative_groups", "math_constants.h", "device_launch_parameters.h",
                                         "cuComplex.h", "cupy/", "curand", "cub/", "thrust/", "mma.h", "nv/"})
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
        const std::vector<Token> all = tokens_and_comments_of(text);
        std::vector<Token> tokens = all;
        std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::comment; });
        std::size_t copied = 0;
        for (std::size_t k = 0, in_all = 0; k < tokens.size(); ++k) {
            if (!tokens[k].starts_line || tokens[k].text != "#") continue;
            const auto include = include_at(tokens, k);
            const auto path = include ? find(*include, folder) : std::nullopt;
            if (!path && (open_.empty() || !is_pragma_once(tokens, k))) continue;
            // The lines of the directive, and of a comment that begins there; a comment that ends there stays.
            while (all[in_all].offset < tokens[k].offset) ++in_all;
            std::size_t last = in_all;
            while (last + 1 < all.size() && all[last + 1].in_directive && !all[last + 1].starts_line) ++last;
            const std::size_t end = std::min(text.find('\n', all[last].end()), text.size());
            const std::size_t line_start = text.rfind('\n', tokens[k].offset) + 1;  // npos + 1 is 0
            const bool leads = text.find_first_not_of(" \t", line_start) == tokens[k].offset;
            const std::size_t begin = leads ? line_start : tokens[k].offset;
            const int next = first_line + tokens[k].line + lines_in(text, begin, end);
            result += text.substr(copied, begin - copied);
            copied = std::min(end + 1, text.size());
            if (!leads) result += '\n';
            if (path)
                result += included_text(*path, include->name) + line_mark(next, file);
            else
                result += std::string(static_cast<std::size_t>(lines_in(text, begin, end)) + 1, '\n');
            if (result.size() > max_bytes) too_much(file);
        }
        result += text.substr(copied);
        if (!result.empty() && result.back() != '\n') result += '\n';
        if (result.size() > max_bytes) too_much(file);
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

    static int lines_in(const std::string& text, std::size_t begin, std::size_t end) {
        return static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                           text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    }

    // A file that includes itself through others must have a guard, so the second time inserts nothing.
    std::string included_text(const fs::path& path, const std::string& name) {
        std::error_code ignored;
        const fs::path real = fs::weakly_canonical(path, ignored);
        if (std::find(open_.begin(), open_.end(), real) != open_.end()) return {};
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        if (!in.good() && !in.eof())
            throw Error("the file " + path.string() + ", which a kernel includes, can't be read");
        if (open_.size() == max_depth) too_much(name);
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
        const std::vector<Token> tokens = tokens_of(text);
        for (std::size_t k = 0; k < tokens.size(); ++k)
            if (is_pragma_once(tokens, k)) return true;
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

SourceText with_includes(const SourceText& source, const std::string& folder, const std::vector<std::string>& options) {
    if (source.text.find("include") == std::string::npos) return source;
    Includer includer(include_folders(options));
    std::string text = includer.expand(source.text, source.file, source.line, folder);
    if (!includer.found_any()) return source;
    return {.text = std::move(text), .file = source.file, .line = source.line, .plain = source.text};
}

}  // namespace gpu::detail
