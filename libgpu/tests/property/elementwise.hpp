// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "property/trial.hpp"

/// Every way to a window. A step is drawn backwards: from the wanted shape to one that it can be cut from.
namespace property {

using Position = std::vector<std::int64_t>;

/// One step from a larger window to a smaller one.
struct Step {
    gpu::Shape from;  ///< the shape that it is applied to
    std::function<gpu::detail::ArrayCore(const gpu::detail::ArrayCore&)> apply;
    std::function<Position(const Position&)> place;  ///< where a position of the result lies in `from`
    std::string spelling;                            ///< ".transpose()"
};

struct StepKind {
    const char* name;
    int weight;
    bool read_only;  ///< several places share an element
    bool dense;      ///< must be the first step on a whole row-major array
    Step (*draw)(const gpu::Shape& wanted, Random& plan, Random& draw);
};
[[nodiscard]] const std::vector<StepKind>& step_kinds();

}  // namespace property
