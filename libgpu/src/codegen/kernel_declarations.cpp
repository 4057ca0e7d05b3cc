// SPDX-License-Identifier: MIT
#include "codegen/kernel_declarations.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

std::string blanked_source(const std::string& source) {
    std::string text = source;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end = i;
        if (text.compare(i, 2, "//") == 0) {
            end = std::min(text.find('\n', i), text.size());
        } else if (text.compare(i, 2, "/*") == 0) {
            end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        } else if (text[i] == '"') {
            end = i + 1;
            while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        }
        if (end > i) {
            const auto from = text.begin() + static_cast<std::ptrdiff_t>(i);
            std::replace_if(from, from + static_cast<std::ptrdiff_t>(end - i), [](char c) { return c != '\n'; }, ' ');
            i = end - 1;
        }
    }
    return text;
}

namespace {

std::size_t closing(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i;
    }
    return std::string::npos;
}

std::string squeeze(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
    return result;
}

}  // namespace

std::vector<KernelDeclaration> find_kernels(const std::string& source) {
    constexpr std::string_view keyword = "__global__";
    const std::string text = blanked_source(source);
    std::vector<KernelDeclaration> kernels;
    for (auto at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + keyword.size())) {
        // The name is the word before the first "(" that isn't __launch_bounds__'s or an attribute's.
        auto open = text.find('(', at);
        while (open != std::string::npos) {
            auto end = open;
            while (end > at && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
            auto begin = end;
            while (begin > at && is_name_part(text[begin - 1])) --begin;
            const std::string name = text.substr(begin, end - begin);
            const auto close = closing(text, open);
            if (close == std::string::npos) return kernels;
            if (!name.empty() && name.rfind("__", 0) != 0) {
                kernels.push_back({name, squeeze(text.substr(open, close - open + 1))});
                break;
            }
            open = text.find('(', close);
        }
    }
    return kernels;
}

std::string unresolved_kernel(const std::string& source, const std::string& name, const std::string& signature) {
    std::string names, signatures;
    for (const KernelDeclaration& kernel : find_kernels(source)) {
        if (names.find(kernel.name) == std::string::npos) names += (names.empty() ? "" : ", ") + kernel.name;
        if (kernel.name == bare_name(name)) signatures += (signatures.empty() ? "" : " and ") + kernel.parameters;
    }
    if (signatures.empty()) return "libgpu:no-kernel: it has " + (names.empty() ? "none" : names);
    return "libgpu:signature: expected " + (signature.empty() ? name : signature) + ", the source has " + signatures;
}

}  // namespace gpu::detail
