// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/linalg.hpp"
#include "host/linalg_module.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// Where libgpu_host_linalg.so may lie: beside the file that libgpu is in, or where programs' libraries lie.
std::vector<std::string> linalg_module_candidates();

/// Opens the first of these that is of this libgpu's version; it stays open. @throws LibraryNotFound
const LinalgModule& open_linalg_module(const std::vector<std::string>& candidates);

/// Puts work into a stream.
using Submit = std::function<void(int device, void* stream, std::unique_ptr<Work> work)>;

/// While what it gives lives, this process may access arrays; null where that makes no difference.
using Open = std::function<std::shared_ptr<void>()>;

/// Linear algebra in the order of the host's streams: products are queued; the rest the calling thread does, in
/// its turn.
std::unique_ptr<LinearAlgebra> make_linear_algebra(const LinalgModule& module, Streams& streams, Submit submit,
                                                   Open open);

}  // namespace gpu::detail::host
