// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/on_host.hpp"

using support::on_host;

/// Whether all tests run within one gpu::check, where no other can.
inline bool in_check_mode = false;

/// A kernel text of ours: a raw string's lines count from its first.
template <class Signature>
gpu::RawKernel<Signature> kernel(const char* text, const std::string& name) {
    return gpu::RawKernel<Signature>(gpu::Source(text), name);
}

template <class T>
gpu::Array<T> filled(std::int64_t n, T value = T()) {
    return gpu::full<T>({n}, value);
}
