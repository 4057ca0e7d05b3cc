// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

#include "report/numbers.hpp"

namespace gpu {

std::string_view to_string(FindingKind kind) noexcept {
    switch (kind) {
        case FindingKind::out_of_bounds: return "out of bounds";
        case FindingKind::missing_barrier: return "missing barrier";
        case FindingKind::missing_syncwarp: return "missing syncwarp";
        case FindingKind::inter_block_race: return "inter-block race";
        case FindingKind::uninitialized_read: return "uninitialized read";
        case FindingKind::divergent_barrier: return "divergent barrier";
        case FindingKind::deadlock: return "deadlock";
        case FindingKind::misaligned_access: return "misaligned access";
        case FindingKind::division_by_zero: return "division by zero";
        case FindingKind::endless_loop: return "endless loop";
        case FindingKind::stack_overflow: return "stack overflow";
        case FindingKind::failed_assertion: return "failed assertion";
    }
    return "unknown";
}

std::string CheckReport::to_text() const {
    std::string text;
    for (const Finding& finding : findings) {
        if (!text.empty()) text += '\n';
        text += finding.what + '\n' + finding.who;
        if (finding.times > 1)
            text += (finding.who.empty() ? "" : "; ") + detail::report::thousands(finding.times) + " times in all";
        text += '\n' + finding.advice + '\n';
    }
    return text;
}

}  // namespace gpu
