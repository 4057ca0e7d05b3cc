// SPDX-License-Identifier: MIT
#pragma once

// The part of Thrust that programs use. Algorithms run in the calling thread, over the device's memory where it lies,
// after all work that was queued before: functors are called by host code, also those marked __device__ alone.

#include <gpucc/thrust/algorithms.h>
#include <gpucc/thrust/by_key.h>
#include <gpucc/thrust/iterators.h>
#include <gpucc/thrust/random.h>
#include <gpucc/thrust/sorting.h>
#include <gpucc/thrust/vectors.h>
