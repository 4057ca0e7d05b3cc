// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "verdict/verdict.hpp"

namespace course {

/// The predictions of one task. One that is asked for several times must be right each time: so it is an expression
/// that holds for every drawn variant, and not a number that was read off an earlier verdict.
class Predictions {
public:
    /// So many must be right; without it all of them.
    void need(int at_least) { at_least_ = at_least; }

    /// @param predicted NaN: none yet
    void take(const Shown& shown, double predicted, const std::string& case_name);

    /// What came of them; none if nothing was asked. @throws CheckError if more must be right than there are.
    [[nodiscard]] std::optional<PredictionResult> result() const;

private:
    struct One {
        std::string what;
        std::optional<WrongPrediction> wrong;   // the first time that it was
    };
    std::vector<One> asked_;
    std::optional<int> at_least_;
};

}  // namespace course
