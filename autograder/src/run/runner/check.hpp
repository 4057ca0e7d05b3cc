// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <gpu/check.hpp>
#include <gpu/ledger.hpp>

#include "protocol/protocol.hpp"
#include "protocol/protocol_check.hpp"

namespace course::runner {

/// Writes a report to the output memory, after the reply's values, and records this in the reply.
void write_check(const gpu::CheckReport& report, std::span<std::byte> memory, protocol::Reply& reply);

/// While one exists, what the process asks of the device is recorded in the grader's memory, each entry immediately.
class WrittenLedger {
public:
    explicit WrittenLedger(protocol::LedgerPage& page);

private:
    gpu::Ledger ledger_;
};

}  // namespace course::runner
