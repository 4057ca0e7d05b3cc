// SPDX-License-Identifier: MIT
#include "backend/host_access.hpp"

#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace gpu::detail {

namespace {

/// Builds text in a signal handler.
class FixedText {
public:
    FixedText(char* to, std::size_t room) : to_(to), room_(room) {}
    FixedText& operator<<(std::string_view text) noexcept {
        const std::size_t count = std::min(text.size(), room_ - length_);
        std::copy_n(text.data(), count, to_ + length_);
        length_ += count;
        return *this;
    }
    FixedText& operator<<(std::int64_t number) noexcept {
        char digits[24];
        char* first = digits + sizeof digits;
        auto rest = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
        do *--first = static_cast<char>('0' + rest % 10);
        while ((rest /= 10) > 0);
        if (number < 0) *--first = '-';
        return *this << std::string_view(first, static_cast<std::size_t>(digits + sizeof digits - first));
    }
    [[nodiscard]] std::size_t length() const noexcept { return length_; }

private:
    char* to_;
    std::size_t room_, length_ = 0;
};

std::int64_t width_of_elements(const AddressRange& range) noexcept {
    return range.elements < 0 ? 1 : static_cast<std::int64_t>(size_of(static_cast<DType>(range.elements)));
}

std::atomic<const AddressMap*> named_ranges{nullptr};
struct sigaction previous_action;

void handle_named(int signal, siginfo_t* info, void* context) {
    HostAccess access;
    access.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (info->si_code > 0 && named_ranges.load()->find(access.address, access.range)) {
        const int error = errno;
        access.kind = access_kind(context);
        char text[256];
        std::size_t length = write_sentence(text, sizeof text - 1, access, nullptr);
        text[length++] = '\n';
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, length);
        errno = error;
    }
    if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr)
        return previous_action.sa_sigaction(signal, info, context);
    if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN)
        return previous_action.sa_handler(signal);
    // The default action: the instruction faults again, or the signal that was sent is sent again.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    ::sigaction(signal, &standard, nullptr);
    if (info->si_code <= 0) ::raise(signal);
}

}  // namespace

// The groups are those of "Loads and Stores" in the Arm Architecture Reference Manual, C4.1. Instructions that both
// read and write, like atomics, count as writes.
HostAccessKind access_of_arm64(std::uint32_t instruction) noexcept {
    const auto bits = [instruction](int first, int count) { return instruction >> first & ((1U << count) - 1); };
    const auto write_if = [](bool writes) { return writes ? HostAccessKind::write : HostAccessKind::read; };
    if (bits(25, 4) == 0b0010 && bits(31, 1) == 1) return write_if(bits(29, 3) == 0b111);  // SVE
    if (bits(27, 1) == 0 || bits(25, 1) == 1) return HostAccessKind::unknown;
    const bool is_vector = bits(26, 1) == 1;
    switch (bits(28, 2)) {
        case 0: {  // exclusive, ordered, or of several vectors; compare and swap
            const bool swaps =
                !is_vector && bits(24, 1) == 0 && bits(21, 1) == 1 && (bits(23, 1) == 1 || bits(31, 1) == 0);
            return write_if(swaps || bits(22, 1) == 0);
        }
        case 1:  // beside the instruction; ordered, with an offset; a whole memset or memcpy
            if (bits(24, 1) == 1 && bits(10, 2) == 0b01)
                return bits(22, 2) == 0b11 ? HostAccessKind::write : HostAccessKind::unknown;
            return write_if(bits(24, 1) == 1 && bits(22, 2) == 0);
        case 2: return write_if(bits(22, 1) == 0);                      // pairs
        default: {
            const bool is_atomic = !is_vector && bits(24, 1) == 0 && bits(21, 1) == 1 && bits(10, 2) == 0;
            const bool only_reads = bits(12, 4) == 0b1100;
            return write_if(is_atomic ? !only_reads : is_vector ? bits(22, 1) == 0 : bits(22, 2) == 0);
        }
    }
}

HostAccessKind access_kind([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
    const auto* const user = static_cast<const ucontext_t*>(context);
    return (user->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? HostAccessKind::write : HostAccessKind::read;
#elif defined(__aarch64__)
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
    if (machine.fault_address == machine.pc) return HostAccessKind::unknown;  // the instruction can't be read, either
    return access_of_arm64(*reinterpret_cast<const std::uint32_t*>(machine.pc));
#else
    return HostAccessKind::unknown;
#endif
}

std::int64_t accessed_element(const HostAccess& access) noexcept {
    const auto offset = static_cast<std::int64_t>(access.address - access.range.array);
    const std::int64_t width = width_of_elements(access.range);
    return offset >= 0 ? offset / width : -((-offset + width - 1) / width);
}

std::size_t write_sentence(char* to, std::size_t room, const HostAccess& access, const char* name) noexcept {
    FixedText text(to, room);
    const bool typed = access.range.elements >= 0;
    const std::string_view verb = access.kind == HostAccessKind::read    ? "reads"
                                  : access.kind == HostAccessKind::write ? "writes"
                                                                         : "uses";
    text << "host code " << verb << " device memory (";
    if (name != nullptr && *name != '\0')
        text << "array " << name;
    else
        text << "an array of " << static_cast<std::int64_t>(access.range.bytes) / width_of_elements(access.range) << " "
             << (typed ? gpu::name(static_cast<DType>(access.range.elements)) : "bytes");
    text << (typed ? ", element " : ", byte ") << accessed_element(access) << "); "
         << (access.kind == HostAccessKind::write ? "send it with copy_from or gpu::to_device"
                                                  : "bring it over with gpu::to_host");
    return text.length();
}

std::string sentence(const HostAccess& access, const std::string& name) {
    std::string text(name.size() + 256, '\0');
    text.resize(write_sentence(text.data(), text.size(), access, name.c_str()));
    return text;
}

void name_host_accesses(const AddressMap& ranges) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (named_ranges.load() != nullptr) return;
    named_ranges.store(&ranges);
    struct sigaction ours {};
    ours.sa_sigaction = handle_named;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    ::sigaction(SIGSEGV, nullptr, &previous_action);
    ::sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace gpu::detail
