// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "protocol/protocol.hpp"
#include "protocol/protocol_canaries.hpp"
#include "protocol/protocol_check.hpp"

namespace course::runner {

/// The runner's end of the protocol: the three descriptors that it was started with.
class Connection {
public:
    /// Maps both memories. Ends the program if the descriptors are missing.
    Connection();

    /// Waits for the next request. False if the grader has gone.
    bool receive(protocol::Request& request);

    /// Ends the program if the grader can't be reached: nothing else is left to do.
    void send(const protocol::Reply& reply);

    [[nodiscard]] std::span<const std::byte> input() const noexcept { return input_; }
    [[nodiscard]] std::span<std::byte> output() const noexcept { return output_.first(protocol::ledger_offset); }
    [[nodiscard]] protocol::ClockPage& clock() const noexcept;
    [[nodiscard]] const protocol::CanaryPage& canaries() const noexcept;
    [[nodiscard]] protocol::LedgerPage& ledger() const noexcept;

private:
    std::span<const std::byte> input_;
    std::span<std::byte> output_;
};

/// A reply to a request (sequence 0: to none) with a text, truncated if it doesn't fit.
protocol::Reply make_reply(std::uint64_t sequence, protocol::Status status, std::string_view message = {});
void set_message(protocol::Reply& reply, std::string_view message);

/// What went wrong, for a reply.
struct Failure {
    protocol::Status status;
    std::string message;
};

/// The exception being handled: a compile error, a kernel's fault, or "type: text" for any other.
Failure current_failure() noexcept;

/// "gpu::ShapeError" for "N3gpu10ShapeErrorE"; the name itself if it isn't mangled.
std::string demangle(const char* name);

}  // namespace course::runner
