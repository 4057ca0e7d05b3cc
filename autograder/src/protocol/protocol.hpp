// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <gpu/facts.hpp>

// What the trusted grader and the untrusted runner say to each other: fixed-size records over a SOCK_SEQPACKET socket,
// array data in two pieces of sealed memory. The runner's side includes this file and nothing else of the grader.
namespace course::protocol {

inline constexpr std::uint32_t magic = 0x43525345;  // "ESRC"
inline constexpr std::uint32_t version = 12;

// The runner's fixed descriptors; all higher ones are closed before it starts.
inline constexpr int socket_fd = 3;  ///< requests in, replies out
inline constexpr int input_fd = 4;   ///< arguments: read-only for the runner
inline constexpr int output_fd = 5;  ///< results: sealed against shrinking and growing

inline constexpr int max_values = 16;          ///< arguments of a call, or values in a reply
inline constexpr int max_rank = 8;
inline constexpr std::size_t name_bytes = 64;
inline constexpr std::size_t message_bytes = 16 * 1024;
inline constexpr std::size_t input_bytes = std::size_t{1} << 32;   ///< sparse: only written pages take memory
inline constexpr std::size_t output_bytes = std::size_t{1} << 32;

/// Where a value is while the student's function uses it.
enum class Place : std::uint32_t { scalar, host_vector, device_array };

/// Element types, in the order of course/bind.hpp (the runner's device.cpp compares them).
enum class Type : std::uint32_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64
};

/// A value's type in a manifest.
struct ValueType {
    Place place;
    Type type;
    friend bool operator==(const ValueType&, const ValueType&) = default;
};

/// The ValueRecord::argument of a returned value.
inline constexpr std::uint32_t no_argument = ~std::uint32_t{0};

/// One argument or result; its bytes are row-major at `offset` in the input or output memory.
struct ValueRecord {
    Place place;
    Type type;
    std::uint32_t rank;
    std::uint32_t argument;   ///< in a reply: the call's argument that this is, or no_argument
    std::int64_t shape[max_rank];
    std::uint64_t offset, bytes;
};

enum class Order : std::uint32_t {
    call,     ///< copy the arguments in, call, wait for the device, copy the results out, reply
    prepare,  ///< the same timed: copy the arguments in, wake the device, reply `ready`, wait for ClockPage::go, ...
    check,    ///< like `call`, inside gpu::check: the reply includes a CheckRecord (protocol_check.hpp)
    given,    ///< like `call`, for a function of the exercise's own; only these may use gpu::check themselves
    replay,   ///< for a runner without an object: replays the recording in the last argument, like `check`
    load,     ///< the first order: the object exists now. The reply is `started`, or why it can't be loaded
    /// A runner without an object compiles a list of kernels, its only argument, for check mode. One with an object
    /// compiles the kernel named in `function` after its file; the file's text is the only argument.
    compile
};

struct Request {
    std::uint32_t magic, version;
    std::uint64_t sequence;                ///< random; the reply must carry it
    Order order;
    std::uint32_t argument_count;
    std::uint32_t return_inputs;           ///< 1: append the input arrays, as changed by the call, to the results
    std::uint32_t ledger;                  ///< for `call`, 1: record what it asks of the device
    /// 1: the reply includes a recording: for `check` the call's work, for `call` the kernels compiled since the last
    /// one.
    std::uint32_t record;
    std::uint32_t spoiled_copies;          ///< for `check`, 1: see gpu::CheckOptions
    double seconds_per_block;              ///< of `check` and `replay`: a block that takes longer is an endless loop
    /// For `check`, the file in the runner's working folder for pictures of the call: page.html, trace.json,
    /// pictures.txt, or PICTURE.svg or PICTURE.txt with one of gpu::Picture's names. Empty: none.
    char pictures[name_bytes];
    char title[name_bytes * 2], subtitle[name_bytes * 2];
    char left_out[name_bytes];             ///< for `replay`: a kernel that isn't launched; empty: none
    char function[name_bytes];
    ValueRecord arguments[max_values];
};

enum class Status : std::uint32_t {
    loading,           ///< sent first: the device is open, none of the student's code has run yet
    started,           ///< sent second, before any request: the object is loaded
    ready,             ///< answers `prepare`: now spins on ClockPage::go
    done,              ///< results are in the output memory
    kernel_does_not_compile,  ///< gpu::CompileError; the message is its text
    kernel_fault,      ///< gpu::LaunchError
    exception,         ///< another exception; the message is "type: text"
    unknown_function,  ///< bind.cpp doesn't have this function
    wrong_arguments,   ///< the function takes other types or a different number of arguments
    cannot_load,       ///< the student's object can't be loaded; the message says why
    no_device,         ///< the requested device is unusable (an environment fault, not the student's)
    no_check,          ///< answers `check`: check mode itself can't be used here
    left_behind,       ///< the function returned with a different current device or stream
};

struct Reply {
    std::uint32_t magic, version;
    std::uint64_t sequence;
    Status status;
    std::uint32_t value_count;      ///< results, then in/out arguments, then (if requested) the input arrays
    std::uint32_t result_count;     ///< how many of them the function returned
    std::uint32_t message_size;
    gpu::Counts counts;             ///< by libgpu, during the call. Advisory: the runner is untrusted
    double device_us;               ///< events around the call; advisory
    std::uint64_t check_offset;     ///< of a CheckRecord in the output memory; valid if `checked` is 1
    std::uint32_t checked;          ///< 1 in answers to `check` and `replay` that reached the call, otherwise 0
    /// After `replay`, bit k: value k equals, element by element, what host code sent to the device.
    std::uint32_t sent;
    /// If requested, in the output memory: for `check` a recording of the call's work (RecordingHeader), 0 bytes if
    /// `not_recorded` prevented it; for `call` new kernels, 0 bytes if there are none.
    std::uint64_t recording_offset, recording_bytes;
    char not_recorded[name_bytes];
    ValueRecord values[max_values];
    char message[message_bytes];
};

/// The runner's exit code when it can't reach the grader any more: its descriptors were closed or written to.
inline constexpr int connection_lost = 112;

/// The last page of the output memory: the grader's clock runs from setting `go` until it sees `done`.
struct ClockPage {
    std::uint64_t go, done;         ///< accessed atomically; both hold the request's sequence number when set
};
inline constexpr std::size_t clock_offset = output_bytes - 4096;

/// Before it lies a CanaryPage (protocol_canaries.hpp), and before that a LedgerPage (protocol_check.hpp); results end
/// where that begins.
inline constexpr std::size_t canary_offset = clock_offset - 8192;
inline constexpr std::size_t ledger_offset = canary_offset - (std::size_t{2} << 20);

// `course-runner --reference` loads no object: it has one function of its own. Called by Order::prepare, it creates
// results of the given shapes, copies on the device while the clock runs, and delivers those results.

inline constexpr const char* reference_option = "--reference";
inline constexpr const char* reference_name = "reference";

/// Its arguments: the number of bytes to read and write in total; and for each result its place, type, rank and
/// lengths.
inline constexpr ValueType reference_bytes{Place::scalar, Type::uint64};
inline constexpr ValueType reference_shapes{Place::host_vector, Type::int64};

// The work that a checked call asked of the device, as recorded by the student's runner and replayed by a runner
// without an object: the grader passes it on without examining it.

/// The header of libgpu's recording: the values of the call's reply, and which copy to the host delivered each.
struct RecordingHeader {
    std::uint32_t value_count, result_count;
    ValueRecord values[max_values];   ///< without offsets
    std::uint64_t copies[max_values];
};

/// More than libgpu records, plus the header.
inline constexpr std::size_t max_recording_bytes = std::size_t{40} << 20;

/// `replay` has it as an additional last argument; `compile` has a list of kernels in the same form.
inline constexpr ValueType recording_type{Place::host_vector, Type::uint8};

}  // namespace course::protocol
