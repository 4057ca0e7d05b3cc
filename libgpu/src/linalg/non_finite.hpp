// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "linalg/matrix_stack.hpp"

namespace gpu::detail {

/// The matrices of a stack that have a NaN or an infinity. No solver gets to see them: what comes out would depend on
/// the library, and some of it would be finite.
class NonFinite {
public:
    /// Puts the identity in their place. Waits.
    explicit NonFinite(const MatrixStack& matrices);

    /// What is to be given for the batch: all of it is NaN where the matrix was one of these.
    [[nodiscard]] ArrayCore marked(const ArrayCore& result) const;

private:
    std::optional<ArrayCore> finite_;  // of each matrix; none if all are
};

}  // namespace gpu::detail
