// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "protocol/protocol_canaries.hpp"
#include "run/caller.hpp"
#include "support/files.hpp"

namespace course {

/// A mapping of memory that unmaps itself.
class Mapping {
public:
    Mapping(int descriptor, std::size_t bytes);
    ~Mapping();
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_;
    std::size_t bytes_;
};

/// Arguments: written by the grader, read-only for the runner, even if it reopens the memory through /proc.
class InputMemory {
public:
    InputMemory();

    /// Copies the values in, one after the other, and returns where they are.
    /// @throws std::length_error if they don't fit.
    std::vector<protocol::ValueRecord> write(std::span<const Value> values);

    [[nodiscard]] std::span<std::byte> bytes() noexcept { return {mapping_.data(), protocol::input_bytes}; }

    /// The descriptor for the runner.
    [[nodiscard]] int reader() const noexcept { return reader_.get(); }

private:
    UniqueFd memory_;
    Mapping mapping_;
    UniqueFd reader_;
};

/// Results: written by the runner, read by the grader; nobody can change its size, so reading never faults.
class OutputMemory {
public:
    OutputMemory();

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {mapping_.data(), protocol::ledger_offset};
    }
    /// What the runner has recorded about a call so far, to be read with care.
    [[nodiscard]] std::span<const std::byte> ledger() const noexcept {
        return {mapping_.data() + protocol::ledger_offset, protocol::canary_offset - protocol::ledger_offset};
    }
    /// Clears the records.
    void clear_ledger() noexcept;
    [[nodiscard]] protocol::ClockPage& clock() const noexcept;
    [[nodiscard]] protocol::CanaryPage& canaries() const noexcept;

    /// Overwrites what an earlier reply used with a random pattern: old results can't be mistaken for new ones.
    void poison(std::size_t used_bytes);

    /// The descriptor for the runner.
    [[nodiscard]] int writer() const noexcept { return memory_.get(); }

private:
    UniqueFd memory_;
    Mapping mapping_;
};

/// 64 random bits from the kernel, never 0.
std::uint64_t random_bits();

/// Puts other values of the same array in up to 16 secret places of each numeric array with at least 32 elements, and
/// returns the true ones. The choice can't be predicted from what an earlier call has revealed.
/// @param input the input memory, which contains the arguments
std::vector<protocol::CanaryRecord> place_decoys(std::span<std::byte> input,
                                                 std::span<const protocol::ValueRecord> arguments);

}  // namespace course
