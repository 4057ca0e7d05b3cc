// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <gpu/check.hpp>

#include "protocol/protocol.hpp"

namespace course::runner {

/// Writes a report into the output memory, behind what the reply's values use, and says so in the reply.
void write_check(const gpu::CheckReport& report, std::span<std::byte> memory, protocol::Reply& reply);

}  // namespace course::runner
