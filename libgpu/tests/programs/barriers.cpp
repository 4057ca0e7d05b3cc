// SPDX-License-Identifier: MIT
#include "barriers.hpp"

#include "codegen/kernel_tokens.hpp"

namespace programs {

using gpu::detail::Token;

std::vector<Barrier> barriers_in(const std::string& text) {
    const std::vector<Token> tokens = gpu::detail::tokens_of(text);
    std::vector<Barrier> barriers;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k + 1].text != "(") continue;
        const bool member = tokens[k].text == "sync" && k >= 2 && tokens[k - 1].text == "." && tokens[k - 2].is_name();
        if (!member && tokens[k].text != "__syncthreads" && tokens[k].text != "__syncwarp") continue;
        const std::size_t close = gpu::detail::closing(tokens, k + 1);
        if (close == tokens.size()) break;
        barriers.push_back({tokens[member ? k - 2 : k].offset, tokens[close].end(), tokens[k].line});
    }
    return barriers;
}

std::string with_removable_barriers(const std::string& text) {
    const std::vector<Barrier> barriers = barriers_in(text);
    std::string result = text;
    for (std::size_t k = barriers.size(); k-- > 0;) {
        const Barrier& barrier = barriers[k];
        const std::string call = text.substr(barrier.begin, barrier.end - barrier.begin);
        result.replace(barrier.begin, call.size(),
                       "(removed_barrier == " + std::to_string(k + 1) + " ? (void)0 : (void)" + call + ")");
    }
    return "__constant__ int removed_barrier; " + result;
}

std::string without_barrier(const std::string& text, std::size_t n) {
    const Barrier barrier = barriers_in(text).at(n - 1);
    return text.substr(0, barrier.begin) + "(void)0" + text.substr(barrier.end);
}

}  // namespace programs
