// SPDX-License-Identifier: MIT
#include "jit/similar_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

constexpr std::array<std::string_view, 76> known{"threadIdx",
                                                 "blockIdx",
                                                 "blockDim",
                                                 "gridDim",
                                                 "warpSize",
                                                 "__syncthreads",
                                                 "__syncwarp",
                                                 "__threadfence",
                                                 "__shared__",
                                                 "__global__",
                                                 "__device__",
                                                 "__constant__",
                                                 "__restrict__",
                                                 "__ldg",
                                                 "atomicAdd",
                                                 "atomicSub",
                                                 "atomicMax",
                                                 "atomicMin",
                                                 "atomicExch",
                                                 "atomicCAS",
                                                 "atomicAnd",
                                                 "atomicOr",
                                                 "atomicXor",
                                                 "__shfl_sync",
                                                 "__shfl_down_sync",
                                                 "__shfl_up_sync",
                                                 "__shfl_xor_sync",
                                                 "__ballot_sync",
                                                 "__any_sync",
                                                 "__all_sync",
                                                 "printf",
                                                 "assert",
                                                 "float",
                                                 "double",
                                                 "unsigned",
                                                 "bool",
                                                 "void",
                                                 "const",
                                                 "return",
                                                 "while",
                                                 "size_t",
                                                 "sqrt",
                                                 "sqrtf",
                                                 "rsqrt",
                                                 "exp",
                                                 "log",
                                                 "log2",
                                                 "log10",
                                                 "pow",
                                                 "sin",
                                                 "cos",
                                                 "tan",
                                                 "asin",
                                                 "acos",
                                                 "atan",
                                                 "atan2",
                                                 "sinh",
                                                 "cosh",
                                                 "tanh",
                                                 "fabs",
                                                 "fabsf",
                                                 "abs",
                                                 "fmin",
                                                 "fmax",
                                                 "min",
                                                 "max",
                                                 "floor",
                                                 "ceil",
                                                 "round",
                                                 "trunc",
                                                 "fmod",
                                                 "hypot",
                                                 "cbrt",
                                                 "isnan",
                                                 "isinf",
                                                 "INFINITY"};

// What is left of a name without case and leading or trailing underscores.
std::string core_of(const std::string& name) {
    const auto first = name.find_first_not_of('_'), last = name.find_last_not_of('_');
    if (first == std::string::npos) return {};
    std::string core = name.substr(first, last - first + 1);
    std::transform(core.begin(), core.end(), core.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return core;
}

// Letters to change, add, leave out or swap with their neighbour.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

// The number of slips between two names, or npos if they have nothing to do with each other.
std::size_t slips(const std::string& name, const std::string& other) {
    const std::string a = core_of(name), b = core_of(other);
    if (a.empty() || name == other) return std::string::npos;
    const std::size_t longer = std::max(a.size(), b.size()), allowed = longer < 3 ? 0 : longer < 6 ? 1 : 2;
    const std::size_t found = distance(a, b);
    return found <= allowed ? found : std::string::npos;
}

// Names that stand where a declaration has them: behind a type, before what ends a declarator.
std::vector<std::string> declared_names(const std::string& code) {
    std::vector<std::string> names;
    const std::vector<Token> tokens = tokens_of(code);
    for (std::size_t k = 1; k < tokens.size(); ++k) {
        if (!tokens[k].is_name()) continue;
        const Token& before = tokens[k - 1];
        const bool type_before = before.is_name() || before.text == "*" || before.text == "&" || before.text == ">";
        const bool ends =
            k + 1 == tokens.size() || std::string_view(";=,)[({").find(tokens[k + 1].text) != std::string_view::npos;
        if (type_before && ends) names.emplace_back(tokens[k].text);
    }
    return names;
}

}  // namespace

bool are_similar(const std::string& name, const std::string& other) { return slips(name, other) != std::string::npos; }

std::string similar_name(const std::string& name, const std::string& code) {
    std::string best;
    std::size_t least = std::string::npos;
    const auto consider = [&](const std::string& candidate) {
        const std::size_t found = slips(name, candidate);
        if (found < least) {
            least = found;
            best = candidate;
        }
    };
    for (const std::string& candidate : declared_names(code)) consider(candidate);
    for (const std::string_view candidate : known) consider(std::string(candidate));
    return best;
}

}  // namespace gpu::detail
