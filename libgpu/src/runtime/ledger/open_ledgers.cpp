// SPDX-License-Identifier: MIT
#include "runtime/ledger/open_ledgers.hpp"

#include <execinfo.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "facts/texts.hpp"

namespace gpu {

namespace detail {

// Here, so that a program that links libgpu's archive gets this object, whose PrintedLedger nobody calls.
std::atomic<WorkListener*> open_ledgers{nullptr};

namespace {

thread_local bool is_noting = false;

std::string named(const CountedWork& work) {
    if (work.problem != nullptr) return *work.kernel + " (" + *work.problem + ")";
    return work.kernel != nullptr ? *work.kernel : std::string(work.name != nullptr ? work.name : "");
}

LedgerEntry entry_of(const CountedWork& work) {
    const LedgerWork asked{.kind = work.kind,
                           .bytes = work.bytes,
                           .elements = work.elements,
                           .grid = work.grid,
                           .block = work.block,
                           .waits = work.waits,
                           .pooled = work.pooled,
                           .pageable_async = work.pageable_async,
                           .between_devices = work.between_devices};
    LedgerEntry entry{{asked}, work.device};
    if (work.dtype != nullptr) entry.type = name(*work.dtype);
    entry.name = named(work);
    return entry;
}

}  // namespace

void OpenLedgers::place(Ledger::State::Noted& noted) {
    if (std::exchange(noted.is_placed, true)) return;
    const ProgramPlace place = places_.find(noted.stack.span());
    noted.entry.file = place.file;
    noted.entry.line = place.line;
}

void OpenLedgers::counted(const CountedWork& work) noexcept {
    if (is_noting) return;
    is_noting = true;
    try {
        Ledger::State::Noted noted{.entry = entry_of(work), .stack = call_stack()};
        const std::lock_guard lock(mutex);
        for (Ledger::State* const ledger : open_) {
            add_work(ledger->totals, noted.entry);
            if (work.kind == LedgerEntry::Kind::allocation && work.pooled) ++ledger->from_pool;
            if (ledger->options.on_entry) {
                place(noted);
                ledger->options.on_entry(noted.entry);
            }
            if (ledger->noted.size() < ledger->options.entries) ledger->noted.push_back(noted);
        }
    } catch (...) {  // out of memory for a note, or its reader threw: the work matters more
    }
    is_noting = false;
}

std::vector<LedgerEntry> OpenLedgers::entries_of(Ledger::State& ledger) {
    const std::lock_guard lock(mutex);
    std::vector<LedgerEntry> entries;
    for (Ledger::State::Noted& noted : ledger.noted) {
        place(noted);
        entries.push_back(noted.entry);
    }
    return entries;
}

}  // namespace detail

std::string LedgerEntry::to_string() const {
    std::string text = facts::ledger_row(*this, 20);
    if (device.index() > 0) text += ", " + device.to_string();
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

Ledger::Ledger(const LedgerOptions& options) : state_(new State{.options = options, .noted = {}, .totals = {}}) {
    detail::OpenLedgers::instance().open(state_);
}

Ledger::~Ledger() {
    detail::OpenLedgers::instance().close(state_);
    delete state_;
}

std::vector<LedgerEntry> Ledger::entries() const { return detail::OpenLedgers::instance().entries_of(*state_); }

Counts Ledger::totals() const {
    const std::lock_guard lock(detail::OpenLedgers::instance().mutex);
    return state_->totals;
}

std::uint64_t Ledger::from_pool() const {
    const std::lock_guard lock(detail::OpenLedgers::instance().mutex);
    return state_->from_pool;
}

std::string Ledger::text() const {
    std::string text;
    for (const LedgerEntry& entry : entries()) text += entry.to_string() + "\n";
    return text + facts::totals_text(totals(), from_pool()) + "\n";
}

}  // namespace gpu

namespace gpu::detail {

namespace {

/// The address range of libgpu's shared library; empty if libgpu is part of the program.
struct OwnLibrary {
    std::uintptr_t begin = 0, end = 0;
};

int look_at(dl_phdr_info* info, std::size_t, void* result) {
    if (info->dlpi_name == nullptr || *info->dlpi_name == '\0') return 0;
    const auto here = reinterpret_cast<std::uintptr_t>(&call_stack);
    OwnLibrary object{.begin = ~std::uintptr_t{0}, .end = 0};
    bool is_ours = false;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const auto& header = info->dlpi_phdr[k];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
        object.begin = begin < object.begin ? begin : object.begin;
        object.end = end > object.end ? end : object.end;
        is_ours = is_ours || (here >= begin && here < end);
    }
    if (is_ours) *static_cast<OwnLibrary*>(result) = object;
    return is_ours ? 1 : 0;
}

const OwnLibrary& own_library() noexcept {
    static const OwnLibrary library = [] {
        OwnLibrary found;
        ::dl_iterate_phdr(look_at, &found);
        return found;
    }();
    return library;
}

}  // namespace

CallStack call_stack() noexcept {
    std::array<void*, 64> frames;
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    const OwnLibrary& library = own_library();
    CallStack stack;
    bool is_outside = false;
    for (int k = 0; k < count && stack.size < stack.instructions.size(); ++k) {
        const std::uintptr_t within = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(k)]) - 1;
        is_outside = is_outside || within < library.begin || within >= library.end;
        if (is_outside) stack.instructions[stack.size++] = within;
    }
    return stack;
}

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
        if (ledger_) std::fputs((facts::totals_text(ledger_->totals(), ledger_->from_pool()) + "\n").c_str(), stderr);
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
