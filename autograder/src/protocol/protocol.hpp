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

// The runner's fixed descriptors; everything above is closed before it starts.
inline constexpr int socket_fd = 3;  ///< requests in, replies out
inline constexpr int input_fd = 4;   ///< arguments: the runner can only read it
inline constexpr int output_fd = 5;  ///< results: sealed against shrinking and growing

inline constexpr int max_values = 16;          ///< arguments of a call, or values of a reply
inline constexpr int max_rank = 8;
inline constexpr std::size_t name_bytes = 64;
inline constexpr std::size_t message_bytes = 16 * 1024;
inline constexpr std::size_t input_bytes = std::size_t{1} << 32;   ///< sparse: only what is written takes memory
inline constexpr std::size_t output_bytes = std::size_t{1} << 32;

/// Where a value lives while the student's function works on it.
enum class Place : std::uint32_t { scalar, host_vector, device_array };

/// Element types, numbered as course/bind.hpp numbers them (the runner's device.cpp compares them).
enum class Type : std::uint32_t {
    boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64
};

/// What a value is: all that a manifest says of one.
struct ValueType {
    Place place;
    Type type;
    friend bool operator==(const ValueType&, const ValueType&) = default;
};

/// ValueRecord::argument of what the function returned.
inline constexpr std::uint32_t no_argument = ~std::uint32_t{0};

/// One argument or result; its bytes lie row-major at `offset` of the input or output memory.
struct ValueRecord {
    Place place;
    Type type;
    std::uint32_t rank;
    std::uint32_t argument;   ///< in a reply: which argument of the call this is, or no_argument
    std::int64_t shape[max_rank];
    std::uint64_t offset, bytes;
};

enum class Order : std::uint32_t {
    call,     ///< copy the arguments in, call, wait for the device, copy the results out, reply
    prepare,  ///< the same timed: copy the arguments in, wake the device, reply `ready`, wait for ClockPage::go, ...
    check,    ///< as `call`, inside gpu::check: the reply comes with a CheckRecord (protocol_check.hpp)
    given,    ///< as `call`, of a function of the exercise's own, which alone may use gpu::check itself
    replay,   ///< of a runner without an object: the work of a recording, the last argument, as `check` does it
    load,     ///< the first order: the object is there now. The reply is `started`, or says why it can't be loaded
    /// A runner without an object compiles for check mode the kernels of a list, its only argument. One with an object
    /// compiles the kernel that `function` names after its file; the file's text is the only argument.
    compile
};

struct Request {
    std::uint32_t magic, version;
    std::uint64_t sequence;                ///< random; the reply must carry it
    Order order;
    std::uint32_t argument_count;
    std::uint32_t return_inputs;           ///< 1: append the input arrays, as they are after the call, to the results
    std::uint32_t ledger;                  ///< of `call`, 1: write down what it asks of the device
    /// 1: the reply has a recording, of `check` the call's work, of `call` the kernels made since the last one.
    std::uint32_t record;
    std::uint32_t spoiled_copies;          ///< of `check`, 1: see gpu::CheckOptions
    double seconds_per_block;              ///< of `check` and `replay`: a block that takes longer is an endless loop
    /// In a `check`, pictures of the call go to this file of the runner's working folder. page.html, trace.json,
    /// pictures.txt, or PICTURE.svg or PICTURE.txt with one of gpu::Picture's names. Empty: none are drawn.
    char pictures[name_bytes];
    char title[name_bytes * 2], subtitle[name_bytes * 2];
    char left_out[name_bytes];             ///< of `replay`: a kernel that isn't launched; empty: none
    char function[name_bytes];
    ValueRecord arguments[max_values];
};

enum class Status : std::uint32_t {
    loading,           ///< sent first: the device is open, no line of the student's code has run yet
    started,           ///< sent second, before any request: the object is loaded
    ready,             ///< answers `prepare`: spins on ClockPage::go now
    done,              ///< results are in the output memory
    kernel_does_not_compile,  ///< gpu::CompileError; the message is its text
    kernel_fault,      ///< gpu::LaunchError
    exception,         ///< another exception; the message is "type: text"
    unknown_function,  ///< bind.cpp has no such function
    wrong_arguments,   ///< the function takes other types or another number of arguments
    cannot_load,       ///< the student's object can't be loaded; the message says why
    no_device,         ///< the device asked for can't be used (an environment fault, not the student's)
    no_check,          ///< answers `check`: check mode itself can't be used here
    left_behind,       ///< the function has returned with another device or stream than it was called with
};

struct Reply {
    std::uint32_t magic, version;
    std::uint64_t sequence;
    Status status;
    std::uint32_t value_count;      ///< results, then in/out arguments, then (if asked) the input arrays
    std::uint32_t result_count;     ///< how many of them the function returned
    std::uint32_t message_size;
    gpu::Counts counts;             ///< by libgpu, during the call. Advisory: the runner is untrusted
    double device_us;               ///< events around the call; advisory
    std::uint64_t check_offset;     ///< of a CheckRecord in the output memory; read if `checked` is 1
    std::uint32_t checked;          ///< 1 in answers to `check` and `replay` that got as far as the call, else 0
    /// After `replay`, bit k: value k is, element by element, what host code has sent to the device.
    std::uint32_t sent;
    /// If the request says so, in the output memory: of `check` the call's work, written down (RecordingHeader),
    /// 0 bytes if it can't be because of what `not_recorded` names; of `call` new kernels, 0 bytes if there are none.
    std::uint64_t recording_offset, recording_bytes;
    char not_recorded[name_bytes];
    ValueRecord values[max_values];
    char message[message_bytes];
};

/// The runner's exit code when it can't reach the grader any more: its descriptors were closed or written to.
inline constexpr int connection_lost = 112;

/// The last page of the output memory: the grader's clock runs from its store to `go` until it sees `done`.
struct ClockPage {
    std::uint64_t go, done;         ///< accessed atomically; both hold the request's sequence number when set
};
inline constexpr std::size_t clock_offset = output_bytes - 4096;

/// Before it lies a CanaryPage (protocol_canaries.hpp), and before that a LedgerPage (protocol_check.hpp); results end
/// where that begins.
inline constexpr std::size_t canary_offset = clock_offset - 8192;
inline constexpr std::size_t ledger_offset = canary_offset - (std::size_t{2} << 20);

// `course-runner --reference` loads no object: it has one function of its own. Called by Order::prepare, it makes
// results of the given shapes, copies on the device while the clock runs, and delivers those results.

inline constexpr const char* reference_option = "--reference";
inline constexpr const char* reference_name = "reference";

/// Its arguments: how many bytes are read and written together; and of each result its place, its type, its rank and
/// its lengths.
inline constexpr ValueType reference_bytes{Place::scalar, Type::uint64};
inline constexpr ValueType reference_shapes{Place::host_vector, Type::int64};

// The work that a checked call asked of the device, as the student's runner wrote it down, and as a runner without an
// object does it again: the grader passes it on and looks at none of it.

/// What stands in front of libgpu's recording: the values of the call's reply, and which copy to the host gave each.
struct RecordingHeader {
    std::uint32_t value_count, result_count;
    ValueRecord values[max_values];   ///< without offsets
    std::uint64_t copies[max_values];
};

/// More than libgpu records, and the header.
inline constexpr std::size_t max_recording_bytes = std::size_t{40} << 20;

/// `replay` has it as one more argument, the last one; `compile` has a list of kernels, which is written likewise.
inline constexpr ValueType recording_type{Place::host_vector, Type::uint8};

}  // namespace course::protocol
