// SPDX-License-Identifier: MIT
#include "judge/kept_case.hpp"

#include <memory>

#include <fmt/format.h>

#include "judge/values/elements.hpp"

namespace course {

Expected keep(const Expected& expected) {
    struct Values {
        std::vector<double> want, bound;
    };
    const auto size = static_cast<std::size_t>(size_of(expected.shape));
    const auto values = std::make_shared<Values>();
    for (std::size_t i = 0; i < size; ++i) values->want.push_back(expected.at(static_cast<std::int64_t>(i)));
    for (std::size_t i = 0; expected.bound && i < size; ++i)
        values->bound.push_back(expected.bound(static_cast<std::int64_t>(i)));
    Expected kept{
        .shape = expected.shape, .at = {}, .bound = {}, .absolute = expected.absolute, .relative = expected.relative};
    kept.at = [values](std::int64_t i) { return values->want[static_cast<std::size_t>(i)]; };
    if (expected.bound) kept.bound = [values](std::int64_t i) { return values->bound[static_cast<std::size_t>(i)]; };
    return kept;
}

Comparison compare_result(const KeptCase& one, const CallReply& reply, std::size_t k, FreshMemory fresh) {
    const bool single = one.expected.size() == 1;
    if (k >= reply.results.size())
        return {.passed = false, .message = "a result is missing", .difference = {}};
    return compare(single ? "result" : fmt::format("result {}", k + 1), reply.results[k], *one.expected[k],
                   one.arguments, {}, fresh);
}

}  // namespace course
