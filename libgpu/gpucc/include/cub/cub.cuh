// SPDX-License-Identifier: MIT
#pragma once

// CUB's algorithms for whole arrays: those for a block or a warp, in kernels, aren't in gpucc.

#include <gpucc/cub.h>
