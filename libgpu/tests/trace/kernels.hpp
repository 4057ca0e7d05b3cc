// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

// Small programs whose pictures are known.
namespace pictures {

/// A kernel, right or wrong, and a launch of it that shows what it is about.
struct Program {
    std::string name;
    gpu::Trace (*trace)();
    gpu::Picture picture;  ///< the one that shows it best
};
const std::vector<Program>& programs();

}  // namespace pictures
