// SPDX-License-Identifier: MIT
#pragma once

// Calls to a student's functions, as the judge sees them. Session makes them in a runner; tests script the replies.

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

/// What a call may give back, from the manifest; a reply that differs is the student's error, never trusted.
using protocol::ValueType;

/// An argument or a result on the grader's side: its own copy of the bytes, row-major.
struct Value {
    protocol::Place place = protocol::Place::scalar;
    protocol::Type type = protocol::Type::float32;
    std::vector<std::int64_t> shape;
    Bytes bytes;
    std::span<const std::byte> lent = {};   ///< in place of `bytes`, of a large argument: somebody else's
    bool left_out = false;   ///< of a result: it is so large that its bytes weren't taken; its shape is there
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
    missing_function,   ///< unknown function, or other argument types than the manifest's
    bad_reply,          ///< the runner broke the protocol (a lying or damaged runner)
    crashed,            ///< died of a signal
    exited,             ///< ended itself: exit(0) in the student's code
    timed_out,
    out_of_memory,
    no_device,          ///< environment
    no_check,           ///< check mode can't be used any more
    cannot_load,
    left_behind,        ///< another device or stream is current than before
};

struct CallReply {
    Outcome outcome = Outcome::returned;
    std::string message;             ///< what to tell the student: sanitised, at most a few lines
    std::vector<Value> results;      ///< returned values, then in/out arguments, validated against the manifest's types
    /// call(): one for each array argument, in order, as it was after the call. An in/out argument is among `results`
    /// and has an empty entry here (rank 0, no bytes), and of one with another shape than before the bytes are left
    /// out. timed_call(): none.
    std::vector<Value> inputs_after;
    gpu::Counts counts{};   ///< by libgpu, in check mode too
    double seconds = 0;              ///< the grader's clock: go -> done for timed calls, else request -> reply
    double delivery_seconds = 0;     ///< timed_call(): from when it was said to be done until its results were there
    double copy_seconds = 0;         ///< what the grader took to write the arguments and to copy the results
    /// timed_call(): secret elements of its array arguments that held other values until the clock started.
    std::vector<std::int64_t> canaries = {};
    /// check_call(): what check mode saw, also of a call that threw; none if the runner was lost.
    std::optional<CheckReport> check = {};
    /// check_call(), if its work is to be replayed: what it asked of the device, written down by the student's runner,
    /// for replay_call() alone. Empty: it can't be, because of what `not_recorded` names.
    Bytes recording = {};
    std::string not_recorded = {};
    /// call(): the kernels that it made, written down by the student's runner, so that a process without student's code
    /// can compile them for check mode.
    Bytes kernels = {};
    /// For recorded work that was done again, bit k: result k is, element by element, what host code has sent up.
    std::uint32_t sent = 0;
    /// check_call(): the reply of a process without student's code that has done the recorded work.
    std::shared_ptr<const CallReply> replay = {};
    /// ledger_call(): what the call asked of the device, up to where it ended.
    std::optional<LedgerReport> ledger = {};
};

/// A result without its elements.
struct ShapedType {
    ValueType type{};
    std::vector<std::int64_t> shape;
};

/// What the grader's own reference does in place of a student's function: it copies on the device, so many bytes read
/// and written together, and delivers results like those.
struct ReferenceWork {
    double bytes = 0;
    std::vector<ShapedType> results;
};

/// Pictures of a checked call, which the runner leaves in its working folder.
struct WantedPictures {
    std::string file;                ///< see protocol::Request::pictures; empty: none
    std::string title, subtitle;     ///< of the page
};

/// How long a checked call may take, and whether it is drawn.
struct CheckLimits {
    double seconds_per_block = 10;   ///< a block that takes longer is found to be an endless loop
    double seconds = 30;             ///< the whole call
    WantedPictures pictures = {};
    bool replays = false;            ///< its work is done again in another process, if it can be
    bool spoiled_copies = false;     ///< copies bring the host other values than the device's
    std::string left_out = {};       ///< replay_call(): a kernel that isn't launched; empty: none
};

/// Something that can call the student's functions.
class Caller {
public:
    virtual ~Caller() = default;

    /// Calls the student's function. `results` are the types that the reply must have.
    virtual CallReply call(const std::string& function, std::span<const Value> arguments,
                           std::span<const ValueType> results) = 0;

    /// The same with the clock on the call alone: inputs are on the device before it starts. One call, fresh inputs.
    virtual CallReply timed_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results) = 0;

    /// The same as call(), in check mode: slower, and watched; always on the host backend. It runs in another process
    /// than call(), so nothing is left of earlier calls.
    virtual CallReply check_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results, const CheckLimits& limits) = 0;

    /// Does the work of a checked call's recording with other arguments of the same shapes, in a process without
    /// student's code. None: nothing is replayed here.
    virtual std::optional<CallReply> replay_call([[maybe_unused]] const Bytes& recording,
                                                 [[maybe_unused]] std::span<const Value> arguments,
                                                 [[maybe_unused]] std::span<const ValueType> results,
                                                 [[maybe_unused]] const CheckLimits& limits) {
        return {};
    }

    /// Compiles a kernel that no call has launched, for what its compiler says.
    virtual CallReply compile_kernel([[maybe_unused]] const std::string& file, [[maybe_unused]] const std::string& name,
                                     [[maybe_unused]] std::string_view text) {
        return {};
    }

    /// The same as call(), of a function of the exercise's own: only there gpu::check may be used.
    virtual CallReply given_call(const std::string& function, std::span<const Value> arguments,
                                 std::span<const ValueType> results) {
        return call(function, arguments, results);
    }

    /// The same as call(), with its ledger: also of a call that threw, crashed or was killed. The pool is empty when it
    /// begins.
    virtual CallReply ledger_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
        return call(function, arguments, results);
    }

    /// A timed call of the reference, in a runner of its own on the same device. None: there is no reference here.
    virtual std::optional<CallReply> reference_call([[maybe_unused]] const ReferenceWork& work) { return {}; }

    /// Says that a checked call of this kind will follow: what it needs may be made ready in the background, its
    /// kernels above all.
    virtual void expect_check([[maybe_unused]] const std::string& function,
                              [[maybe_unused]] std::span<const Value> arguments,
                              [[maybe_unused]] std::span<const ValueType> results) {}
};

}  // namespace course
