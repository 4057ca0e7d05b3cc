// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <gpu/check.hpp>
#include <gpu/ledger.hpp>

#include "protocol/protocol.hpp"
#include "protocol/protocol_check.hpp"

namespace course::runner {

/// Writes a report into the output memory, behind what the reply's values use, and says so in the reply.
void write_check(const gpu::CheckReport& report, std::span<std::byte> memory, protocol::Reply& reply);

/// While one lives, what the process asks of the device is written down in the grader's memory, each entry at once.
class WrittenLedger {
public:
    explicit WrittenLedger(protocol::LedgerPage& page);

private:
    gpu::Ledger ledger_;
};

}  // namespace course::runner
