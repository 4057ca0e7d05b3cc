// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ledger.hpp>

#include "protocol/protocol_ledger.hpp"

namespace course::runner {

/// While one lives, what the process asks of the device is written down in the grader's memory, each entry at once.
class WrittenLedger {
public:
    explicit WrittenLedger(protocol::LedgerPage& page);

private:
    gpu::Ledger ledger_;
};

}  // namespace course::runner
