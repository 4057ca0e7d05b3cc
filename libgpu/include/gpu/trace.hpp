// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/export.hpp>
#include <gpu/kernel_options.hpp>

/// @file
/// What each thread of a kernel read and wrote, and pictures of it: gpu::trace().

namespace gpu {

/// The kind of an access.
enum class MemoryOperation : std::uint8_t { read, write, atomic };

/// Memory that a traced kernel accessed, or got as an argument.
struct TracedArray {
    std::string name;      ///< the kernel's name for it
    std::string type;      ///< of its elements, "float"; empty: not known
    bool shared = false;   ///< belongs to a block
    bool output = false;   ///< an argument that the kernel may write to
    unsigned element = 0;  ///< bytes of an element
    std::int64_t elements = 0;
    std::vector<std::int64_t> lengths;  ///< of its axes: {16, 17} for `float tile[16][17]`
};

/// One access of one thread, in the order in which they happened.
struct TracedAccess {
    int block = 0, thread = 0;  ///< counted with x fastest
    int array = 0;              ///< in TracedLaunch::arrays
    std::int64_t byte = 0;      ///< offset from the array's start; below 0 or beyond its end if out of bounds
    unsigned bytes = 0;
    MemoryOperation operation{};
    int line = 0;                   ///< 0: not known
    int instruction = 0;            ///< distinguishes the accesses of one line
    int interval = 0;               ///< how many barriers the block had passed
    int turn = 0;                   ///< with block, warp and instruction: the warp's request that it belongs to
    std::uint64_t bits = 0;         ///< the value read or written: its first 8 bytes
    std::uint64_t bits_before = 0;  ///< the value before; the same for reads
    bool out_of_bounds = false;     ///< the kernel ended here
};

/// How a thread's path through an interval between two barriers ends.
enum class StopKind : std::uint8_t {
    barrier,  ///< at a barrier that opened
    waits,    ///< at a barrier or warp operation that never opened
    ends      ///< its function returned
};

/// Where a thread stopped.
struct TracedStop {
    int block = 0, thread = 0;
    StopKind kind{};
    int line = 0;      ///< 0: not known
    int interval = 0;  ///< how many barriers the block had passed
};

/// The two sides of a finding, or its only one.
struct TracedFinding {
    struct Side {
        int block = -1, thread = -1;  ///< -1: nobody
        int line = 0;
        std::string verb;  ///< "reads", "writes", "updates"
        int access = -1;   ///< for a race, its access in TracedLaunch::accesses; -1: not recorded
    };
    FindingKind kind{};
    std::string variable, element;  ///< "part", "part[5]"; empty if there is none
    Side first, second;             ///< races: in the order in which they happened here
    std::string text;               ///< from the Finding
};

/// One launch of a kernel.
struct GPU_API TracedLaunch {
    std::string kernel, file;
    std::string source;  ///< the learner's text
    int first_line = 1;  ///< the number of its first line in `file`
    Dim3 grid, block;
    std::vector<TracedArray> arrays;
    std::vector<TracedAccess> accesses;
    std::vector<TracedStop> stops;
    std::vector<TracedFinding> findings;
    std::uint64_t left_out = 0;  ///< accesses that weren't recorded

    /// Of each block.
    [[nodiscard]] int threads() const noexcept { return static_cast<int>(block.x * block.y * block.z); }
};

/// Work that host code gave a device, or a wait for it. Times are those of a modelled GPU (docs/pictures.md), not
/// measured.
struct GPU_API TracedOperation {
    enum class Kind : std::uint8_t { copy_to_device, copy_to_host, copy_on_device, kernel, linear_algebra, wait };

    Kind kind = Kind::kernel;
    std::string name;  ///< the kernel's; "copy to device", "matmul", "wait"
    int device = 0;
    int stream = 0;              ///< 0: the default stream; others in the order of first use
    Dim3 grid = {}, block = {};  ///< of a kernel
    std::size_t bytes = 0;       ///< copied, or in matrices
    bool pageable = false;       ///< a copy between the device and memory that isn't page-locked
    bool host_waits = false;     ///< until the operation ends
    double asked_us = 0, start_us = 0, end_us = 0;

    /// "kernel blur: 2 blocks of 32 threads"
    [[nodiscard]] std::string to_string() const;
};

/// What a picture shows; docs/pictures.md explains each.
enum class Picture : std::uint8_t { map, requests, banks, lanes, races, schedule, source };

/// "map", "requests", ...
[[nodiscard]] GPU_API std::string_view to_string(Picture picture) noexcept;

/// The part of a trace that a picture shows.
struct PictureOptions {
    std::size_t launch = 0;
    int block = 0;
    int first_thread = 0;  ///< of at most 64 that are drawn
    int line = 0;          ///< for requests and banks; 0: the worst line
    int request = 0;       ///< the number of the line's request
};

/// The options of a page.
struct PageOptions {
    std::string title = "gpu::trace";
    std::string subtitle = {};                ///< the case: "n = 33"
    const struct Trace* beside = nullptr;     ///< another trace, drawn next to it
    std::string name = {}, beside_name = {};  ///< names of the two traces
};

/// The result of gpu::trace: gpu::check's report, and for each launch every access of its first blocks.
/// @snippet trace/trace_test.cpp trace
struct GPU_API Trace {
    CheckReport report;
    std::vector<TracedLaunch> launches;
    std::uint64_t launches_left_out = 0;
    std::vector<TracedOperation> operations;  ///< in the order in which host code issued them
    std::uint64_t operations_left_out = 0;

    /// A picture as an SVG document.
    /// @throws Error if there is no such launch or block
    [[nodiscard]] std::string svg(Picture picture, const PictureOptions& options = {}) const;
    /// Writes that document to a file. @throws Error if it can't be written
    void write_svg(const std::string& path, Picture picture, const PictureOptions& options = {}) const;
    /// All pictures on one self-contained page: it needs no network and no server.
    [[nodiscard]] std::string html(const PageOptions& options = {}) const;
    /// Writes that page to a file, completely or not at all. @throws Error if it can't be written
    void write_html(const std::string& path, const PageOptions& options = {}) const;
    /// A picture in characters, for terminals; a trace without launches has only the schedule.
    [[nodiscard]] std::string to_text(Picture picture, const PictureOptions& options = {}) const;
    /// All pictures in characters.
    [[nodiscard]] std::string to_text(const PictureOptions& options = {}) const;
    /// Everything as JSON; docs/pictures.md lists its members.
    [[nodiscard]] std::string to_json() const;
};

/// The limits of what gpu::trace records.
struct TraceOptions {
    CheckOptions check = {};
    std::string kernel = {};  ///< only its launches: "scale", or "scale<float>"; empty: those of all kernels
    int first_launch = 1;     ///< of those, from which one on: 2 is the second
    int launches = 16;        ///< the first ones from there on
    int blocks = 4;           ///< of each launch: the first ones, and the first ones with a finding
    int threads = 256;        ///< of each block: the first ones
    int accesses = 20'000;    ///< of each launch
};

namespace detail {

/// Traces from its constructor to finish(), or to its destructor if an exception is thrown before.
class GPU_API TraceScope {
public:
    explicit TraceScope(const TraceOptions& options);

    [[nodiscard]] Trace finish();

private:
    CheckScope scope_;
};

}  // namespace detail

/// Calls `f()` as gpu::check does, and records what each thread reads and writes. Memory and time grow with the number
/// of accesses: use a small case.
/// @throws DeviceError if the current device isn't of the host backend; Error for options that can't be understood
/// @snippet trace/trace_test.cpp trace
template <class F>
Trace trace(F&& f, const TraceOptions& options = {}) {
    detail::TraceScope scope(options);
    f();
    return scope.finish();
}

}  // namespace gpu
