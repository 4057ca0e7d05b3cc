// SPDX-License-Identifier: MIT
#pragma once

// Calls to a student's functions, from the judge's point of view. Session makes them in a runner; tests script the
// replies.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <course/bytes.hpp>

#include "protocol/protocol.hpp"
#include "run/check_report.hpp"

namespace course {

/// The result types of a call, from the manifest; a reply that differs is the student's error, never trusted.
using protocol::ValueType;

/// An argument or a result on the grader's side: its own copy of the bytes, row-major.
struct Value {
    protocol::Place place = protocol::Place::scalar;
    protocol::Type type = protocol::Type::float32;
    std::vector<std::int64_t> shape;
    Bytes bytes;
    std::span<const std::byte> lent = {};   ///< in place of `bytes`, of a large argument: somebody else's
    bool left_out = false;   ///< for a result: too large to copy its bytes; its shape is set
    [[nodiscard]] std::span<const std::byte> data() const noexcept {
        return lent.empty() ? std::span<const std::byte>(bytes.data(), bytes.size()) : lent;
    }
};

/// How a call to the student's function ended.
enum class Outcome {
    returned,
    kernel_does_not_compile,
    kernel_fault,
    exception,
    missing_function,   ///< unknown function, or argument types other than the manifest's
    bad_reply,          ///< the runner broke the protocol (a lying or damaged runner)
    crashed,            ///< died of a signal
    exited,             ///< ended itself: exit(0) in the student's code
    timed_out,
    out_of_memory,
    no_device,          ///< environment
    no_check,           ///< check mode has become unusable
    cannot_load,
    left_behind,        ///< the current device or stream isn't the same as before
};

struct CallResult {
    Outcome outcome = Outcome::returned;
    std::string message;             ///< for the student: sanitised, at most a few lines
    std::vector<Value> results;      ///< returned values, then in/out arguments, checked against the manifest's types
    /// call(): one per array argument, in order, as changed by the call. An in/out argument is in `results` and has an
    /// empty entry here (rank 0, no bytes); for one with a changed shape, the bytes are omitted. timed_call(): none.
    std::vector<Value> inputs_after;
    gpu::Counts counts{};   ///< by libgpu, in check mode too
    double seconds = 0;              ///< the grader's clock: go -> done for timed calls, else request -> reply
    double delivery_seconds = 0;     ///< timed_call(): from when it was said to be done until its results were there
    double copy_seconds = 0;         ///< what the grader took to write the arguments and to copy the results
    /// timed_call(): secret elements of its array arguments that held other values until the clock started.
    std::vector<std::int64_t> canaries = {};
    /// check_call(): check mode's report, also for a call that threw; none if the runner was lost.
    std::optional<CheckReport> check = {};
    /// check_call(), if its work must be replayed: what it asked of the device, recorded by the student's runner, for
    /// replay_call() only. Empty: `not_recorded` prevented it.
    Bytes recording = {};
    std::string not_recorded = {};
    /// call(): the kernels that it compiled, recorded by the student's runner, so that a process without student's code
    /// can compile them for check mode.
    Bytes kernels = {};
    /// For replayed work, bit k: result k equals, element by element, what host code sent to the device.
    std::uint32_t sent = 0;
    /// check_call(): the reply of a process without student's code that has replayed the work.
    std::shared_ptr<const CallResult> replay = {};
    /// ledger_call(): what the call asked of the device, up to its end.
    std::optional<LedgerReport> ledger = {};
};

/// The type and shape of a result.
struct ShapedType {
    ValueType type{};
    std::vector<std::int64_t> shape;
};

/// The work of the grader's own reference in place of a student's function: it copies on the device, reading and
/// writing this many bytes in total, and delivers results with these shapes.
struct ReferenceWork {
    double bytes = 0;
    std::vector<ShapedType> results;
};

/// Pictures of a checked call, which the runner writes to its working folder.
struct WantedPictures {
    std::string file;                ///< see protocol::Request::pictures; empty: none
    std::string title, subtitle;     ///< of the page
};

/// The limits of a checked call, and whether it is drawn.
struct CheckLimits {
    double seconds_per_block = 10;   ///< a block that takes longer counts as an endless loop
    double seconds = 30;             ///< the whole call
    WantedPictures pictures = {};
    bool replays = false;            ///< its work is replayed in another process, if possible
    bool spoiled_copies = false;     ///< copies to the host get values other than the device's
    std::string left_out = {};       ///< replay_call(): a kernel that isn't launched; empty: none
};

/// The interface for calling the student's functions.
class Caller {
public:
    virtual ~Caller() = default;

    /// Calls the student's function. `results` are the types that the reply must have.
    virtual CallResult call(const std::string& function, std::span<const Value> arguments,
                           std::span<const ValueType> results) = 0;

    /// The same, timing only the call: inputs are on the device before the clock starts. One call, with fresh inputs.
    virtual CallResult timed_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results) = 0;

    /// The same as call(), in check mode: slower, with every access checked; always on the host backend. It runs in a
    /// different process than call(), so nothing remains of earlier calls.
    virtual CallResult check_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results, const CheckLimits& limits) = 0;

    /// Replays a checked call's recording with other arguments of the same shapes, in a process without student's code.
    /// None: nothing is replayed here.
    virtual std::optional<CallResult> replay_call([[maybe_unused]] const Bytes& recording,
                                                 [[maybe_unused]] std::span<const Value> arguments,
                                                 [[maybe_unused]] std::span<const ValueType> results,
                                                 [[maybe_unused]] const CheckLimits& limits) {
        return {};
    }

    /// Compiles a kernel that no call has launched, for its compiler's messages.
    virtual CallResult compile_kernel([[maybe_unused]] const std::string& file,
                                      [[maybe_unused]] const std::string& name,
                                      [[maybe_unused]] std::string_view text) {
        return {};
    }

    /// The same as call(), for a function of the exercise's own: only there may gpu::check be used.
    virtual CallResult given_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results) {
        return call(function, arguments, results);
    }

    /// The same as call(), with its ledger, also if it threw, crashed or was killed. The pool is empty when it begins.
    virtual CallResult ledger_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
        return call(function, arguments, results);
    }

    /// A timed call of the reference, in a separate runner on the same device. None: there is no reference here.
    virtual std::optional<CallResult> reference_call([[maybe_unused]] const ReferenceWork& work) { return {}; }

    /// Announces a checked call of this kind: its needs, above all its kernels, may be prepared in the background.
    virtual void expect_check([[maybe_unused]] const std::string& function,
                              [[maybe_unused]] std::span<const Value> arguments,
                              [[maybe_unused]] std::span<const ValueType> results) {}
};

}  // namespace course
