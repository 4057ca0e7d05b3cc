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

/// A mapped piece of memory; unmaps itself.
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

/// Arguments: the grader writes, the runner can only read, even if it opens the memory again by /proc.
class InputMemory {
public:
    InputMemory();

    /// Copies the values in, one after the other, and says where they lie.
    /// @throws std::length_error if they don't fit.
    std::vector<protocol::ValueRecord> write(std::span<const Value> values);

    [[nodiscard]] std::span<std::byte> bytes() noexcept { return {mapping_.data(), protocol::input_bytes}; }

    /// The descriptor for the runner.
    [[nodiscard]] int reader() const noexcept { return reader_.get(); }

private:
    OpenFile memory_;
    Mapping mapping_;
    OpenFile reader_;
};

/// Results: the runner writes, the grader reads; nobody can change its size, so reading it never faults.
class OutputMemory {
public:
    OutputMemory();

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {mapping_.data(), protocol::ledger_offset};
    }
    /// What the runner has written down of a call so far, to be read with care.
    [[nodiscard]] std::span<const std::byte> ledger() const noexcept {
        return {mapping_.data() + protocol::ledger_offset, protocol::canary_offset - protocol::ledger_offset};
    }
    /// Nothing is written down yet.
    void clear_ledger() noexcept;
    [[nodiscard]] protocol::ClockPage& clock() const noexcept;
    [[nodiscard]] protocol::CanaryPage& canaries() const noexcept;

    /// Overwrites what an earlier reply used with a random pattern: old results can't be taken for new ones.
    void poison(std::size_t used_bytes);

    /// The descriptor for the runner.
    [[nodiscard]] int writer() const noexcept { return memory_.get(); }

private:
    OpenFile memory_;
    Mapping mapping_;
};

/// 64 random bits of the kernel's, never 0.
std::uint64_t random_bits();

/// Puts other values of the same array in up to 16 secret places of each array of numbers that has 32 elements or more,
/// and says what stood there. What is drawn can't be computed from what an earlier call has shown.
/// @param input the input memory, in which the arguments lie
std::vector<protocol::CanaryRecord> place_decoys(std::span<std::byte> input,
                                                 std::span<const protocol::ValueRecord> arguments);

}  // namespace course
