// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "runtime/ledger/open_ledgers.hpp"

namespace gpu::detail {

namespace {

/// LIBGPU_LEDGER=1: from the program's start to its end.
class PrintedLedger {
public:
    PrintedLedger() {
        const char* const wanted = std::getenv("LIBGPU_LEDGER");
        if (wanted == nullptr || *wanted == '\0' || std::string(wanted) == "0") return;
        ledger_.emplace(LedgerOptions{.entries = 0, .on_entry = [this](const LedgerEntry& entry) { print(entry); }});
    }
    ~PrintedLedger() {
        if (ledger_) std::fputs((totals_text(ledger_->totals(), ledger_->from_pool()) + "\n").c_str(), stderr);
    }
    PrintedLedger(const PrintedLedger&) = delete;
    PrintedLedger& operator=(const PrintedLedger&) = delete;

private:
    void print(const LedgerEntry& entry) {
        if (entry.file.empty() && !advised_) {
            advised_ = true;
            std::fputs(
                "LIBGPU_LEDGER: no source line is known for \"?\"; compile the program with -g (clang: -gdwarf-4 -g)\n",
                stderr);
        }
        std::fputs((entry.to_string() + "\n").c_str(), stderr);
    }

    std::optional<Ledger> ledger_;
    bool advised_ = false;
};

PrintedLedger printed_ledger;

}  // namespace

}  // namespace gpu::detail
