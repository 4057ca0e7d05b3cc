// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backend/observers.hpp"
#include "counts.hpp"

// The hooks by which a GraphCapture of this thread learns of work.
namespace gpu::detail {

class Storage;

/// The graph keeps the buffer for its lifetime. Only while this thread captures.
void keep_for_graph(const std::shared_ptr<Storage>& storage);
/// Each replay writes to it.
void written_by_graph(Storage& storage);
/// Each replay does this work; false if it can't be part of a graph and is done now.
bool counted_by_graph(const CountedWork& work);

/// @throws Error if work for this stream wouldn't be in the graph. Only while this thread captures.
void check_captured_stream(Device device, const void* stream);

/// @throws Error while this thread captures: "item(): ... "
void refuse_in_capture(const char* operation, const char* advice = "do it before the capture, or after a replay");

}  // namespace gpu::detail
