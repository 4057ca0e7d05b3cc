// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "jit/source_map.hpp"

namespace gpu::detail {

/// What a linker didn't find, and where the learner's text declares it.
struct UndefinedName {
    std::string message;  ///< "f(int) is declared, and defined nowhere"
    SourceSpot declared;
    std::string help;
};

/// The first of them, in the log of a compiler whose linker failed; none if the log is about something else, or if the
/// learner's text doesn't declare the name.
[[nodiscard]] std::optional<UndefinedName> undefined_name(const std::string& log, const SourceMap& map);

}  // namespace gpu::detail
