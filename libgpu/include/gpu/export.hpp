// SPDX-License-Identifier: MIT
#pragma once

/// Marks what libgpu.so exports; everything else is hidden.
#define GPU_API __attribute__((visibility("default")))
