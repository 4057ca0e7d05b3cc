// SPDX-License-Identifier: MIT
#include "host/memory/fault.hpp"

#include <cstdio>

#include "base.hpp"
#include "host/base/shown.hpp"

namespace gpu::detail::host {

namespace {

std::string verb(Fault::Access access) {
    switch (access) {
        case Fault::Access::read: return "reads";
        case Fault::Access::write: return "writes";
        case Fault::Access::unknown: break;
    }
    return "accesses";
}

std::string seconds(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g s", value);
    return digits;
}

// "kernel add: block (1,0,0) thread (244,0,0)"
std::string place(const FaultReport& report) {
    std::string result = "kernel " + report.kernel + ':';
    if (report.has_block) result += " block " + shown(report.block);
    if (report.has_thread) result += " thread " + shown(report.fault.thread);
    if (report.has_element) result += " element " + std::to_string(report.element);
    if (!report.has_block && !report.has_element) result += " it";
    return result;
}

// "257 elements"; "1028 bytes" if the element type isn't known.
std::string size_of(const NearArray& array) {
    if (array.element == 0 || array.bytes % array.element != 0) return plural(array.bytes, "byte");
    return plural(array.bytes / array.element, "element");
}

// How far outside an access is, `bytes` from the array's edge; the nearest element outside is `nearest` from it.
std::string distance(const NearArray& array, std::size_t bytes, std::size_t nearest) {
    if (bytes == nearest) return "just";
    if (array.element == 0 || bytes % array.element != 0) return plural(bytes, "byte");
    return plural((bytes - nearest) / array.element + 1, "element");
}

std::string stuck(const FaultReport& report) {
    std::string result = place(report) + " is stuck for ever:";
    for (std::size_t k = 0; k < report.waiting.size(); ++k) {
        const WaitingThreads& group = report.waiting[k];
        result += (k == 0 ? " " : ", ") + plural(group.count, "thread") +
                  (group.count == 1 ? " waits at " : " wait at ") + group.at;
    }
    if (report.ended > 0)
        result += ", " + plural(report.ended, "thread") +
                  (report.ended == 1 ? " has ended" : " have ended");
    return result + ". All threads of a block (or of a mask) that are still running must reach the same one.";
}

}  // namespace

std::string describe_impossible_address() {
    return "accesses an address that no memory can have, or that is not aligned for its type (a float4 needs a "
           "multiple of "
           "16 bytes); is a pointer uninitialised or cast to a wider type, or an index far out of range?";
}

std::string describe_address(std::uintptr_t address, Fault::Access access, const NearArray* array) {
    const std::string does = verb(access);
    if (address < 4096) return does + " through a null pointer (address " + hexadecimal(address) + ")";
    if (array == nullptr)
        return does + " an address that belongs to no array (" + hexadecimal(address) +
               "); is an index far out of range, or an argument not a device pointer?";
    const std::string size = " (" + size_of(*array) + ")";
    const std::string name = array->name.empty() ? "an array that isn't an argument of this kernel" : array->name;
    if (array->freed)
        return does + " an address that belongs to no array: an array of " + plural(array->bytes, "byte") +
               " was there and has been freed";
    const std::uintptr_t end = array->start + array->bytes;
    if (address >= end)
        return does + ' ' + distance(*array, address - end, 0) + " past the end of " + name + size +
               "; is there a guard such as if (i < n)?";
    if (address < array->start)
        return does + ' ' + distance(*array, array->start - address, array->element) + " before the start of " + name +
               size + "; is an index negative?";
    return does + " byte " + std::to_string(address - array->start) + " of " + name + size + ", which is not allowed";
}

std::string underrun_message(const std::string& kernel, const NearArray& array, std::size_t bytes_before) {
    return "kernel " + kernel + ": it writes " + plural(bytes_before, "byte") + " before the start of " +
           (array.name.empty() ? "an array" : array.name) + " (" + size_of(array) + "); is an index negative?";
}

std::string overrun_message(const std::string& kernel, const NearArray& array, std::size_t bytes_past) {
    return "kernel " + kernel + ": it writes " + plural(bytes_past, "byte") + " past the end of " +
           (array.name.empty() ? "an array" : array.name) + " (" + size_of(array) +
           "); is there a guard such as if (i < n)?";
}

std::string message(const FaultReport& report) {
    const Fault& fault = report.fault;
    switch (fault.kind) {
        case Fault::Kind::none: break;
        case Fault::Kind::bad_address: return place(report) + ' ' + report.where;
        case Fault::Kind::stack_overflow:
            return place(report) +
                   ": thread stack overflow; a thread's local arrays and calls have 64 KiB on the host "
                   "backend (1 MiB in a kernel without barriers); does a function call itself for ever, or is a local "
                   "array too large?";
        case Fault::Kind::division_by_zero:
            return place(report) + " divides an integer by zero (a GPU would give a meaningless number)";
        case Fault::Kind::arithmetic: return place(report) + " does an invalid arithmetic operation";
        case Fault::Kind::illegal_instruction:
            return place(report) + " reaches code that can't be executed; does a function end without return?";
        case Fault::Kind::shared_overrun:
            return place(report) + " wrote past the end of its shared memory; gpu::check says which line does";
        case Fault::Kind::null_call:
            return place(report) + " calls a function through a null pointer; set the pointer, on the device, first";
        case Fault::Kind::failed:
            if (fault.line == 0) return place(report) + ": " + (fault.what != nullptr ? fault.what : "failed");
            return place(report) + ": " + (fault.what != nullptr ? fault.what : "failed") + " (" +
                   (fault.file != nullptr ? fault.file : "?") + ':' + std::to_string(fault.line) + ')';
        case Fault::Kind::stuck:
        case Fault::Kind::divergent: return stuck(report);
        case Fault::Kind::endless:
            return place(report) + " did not end within " + seconds(report.seconds) +
                   "; does a loop never end, or wait for a thread that can't come? LIBGPU_HOST_TIMEOUT=SECONDS sets "
                   "the "
                   "limit (0: none)";
        case Fault::Kind::checked: break;
        case Fault::Kind::wrong_mask:
            return place(report) + " calls a warp operation on line " + std::to_string(fault.line) + " with the mask " +
                   hexadecimal(fault.mask) + ", which does not name its own lane";
        case Fault::Kind::stuck_grid:
            return "kernel " + report.kernel + ": block " + shown(report.block) +
                   " waits for ever at grid.sync() on line " + std::to_string(fault.line) +
                   ", for a block that doesn't come: all blocks of the grid must reach the same grid.sync()s";
        case Fault::Kind::given_up: break;
        case Fault::Kind::uneven_barrier:
            return place(report) + " reaches barrier " + std::to_string(fault.mask) + " on line " +
                   std::to_string(fault.line) +
                   " with another number of threads than those that wait there: __barrier_sync_count() needs the same "
                   "number from all of them";
    }
    return place(report) + " failed";
}

}  // namespace gpu::detail::host
