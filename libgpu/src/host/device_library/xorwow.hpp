// SPDX-License-Identifier: MIT
#pragma once

namespace gpu::detail::host {

/// Moves the five words of Marsaglia's xorwow generator on by `n` steps, or by `n` times 2^67 steps: so far cuRAND's
/// subsequences are apart. (Its sixth word is a plain counter.)
void skip_xorwow(unsigned* words, unsigned long long n, bool sequences) noexcept;

}  // namespace gpu::detail::host
