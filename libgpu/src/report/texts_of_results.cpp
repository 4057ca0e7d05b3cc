// SPDX-License-Identifier: MIT
// What was measured, counted or found, as text for people.
#include <cstdio>
#include <string>

#include <gpu/check.hpp>
#include <gpu/error.hpp>
#include <gpu/kernel_cache.hpp>
#include <gpu/ledger.hpp>
#include <gpu/print.hpp>
#include <gpu/profiler.hpp>
#include <gpu/trace.hpp>

#include "facts/columns.hpp"
#include "facts/texts.hpp"

namespace gpu {

namespace {

using facts::bytes;
using facts::counted;

std::string with_one_digit(double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f", number);
    return text;
}

}  // namespace

std::string to_string(DType type) { return std::string(name(type)); }

std::string to_string(Layout layout) { return layout == Layout::row_major ? "row-major" : "column-major"; }

std::string to_string(const Counts& counts) {
    const std::string text = facts::totals_text(counts, 0);
    return text.substr(text.find(' ') + 1);  // without "totals:"
}

std::string to_string(const KernelCounts& counts) { return facts::kernel_table({&counts, 1}); }

std::string to_string(const Finding& finding) {
    return finding.what + '\n' + facts::who_text(finding) + '\n' + finding.advice;
}

std::string to_string(const CheckReport& report) {
    return (report.clean() ? "no findings\n" : report.to_text()) + "\n" + report.table();
}

std::string to_string(const Timings& timings) {
    return "median " + with_one_digit(timings.median_us) + " us, " + with_one_digit(timings.min_us) + " to " +
           with_one_digit(timings.max_us) + ", mean " + with_one_digit(timings.mean_us) + ", standard deviation " +
           with_one_digit(timings.stddev_us) + " (" + counted(timings.samples_us.size(), "repeat", "repeats") + ")";
}

std::string to_string(const DeviceProperties& properties) {
    const int capability = properties.compute_capability;
    return properties.name +
           (capability == 0
                ? ": " + counted(static_cast<std::uint64_t>(properties.multiprocessors), "worker", "workers")
                : ", compute capability " + std::to_string(capability / 10) + "." + std::to_string(capability % 10) +
                      ": " +
                      counted(static_cast<std::uint64_t>(properties.multiprocessors), "multiprocessor",
                              "multiprocessors")) +
           ", " + bytes(properties.total_memory);
}

std::string to_string(const MemoryUse& memory) {
    return bytes(memory.used) + " used, " + bytes(memory.held) + " held, " + bytes(memory.free) + " free" +
           (memory.total > 0 ? " of " + bytes(memory.total) : "") +
           (memory.limit > 0 ? ", limit " + bytes(memory.limit) : "");
}

std::string to_string(const CacheStatistics& statistics) {
    return counted(statistics.hits, "hit", "hits") + ", " + counted(statistics.misses, "miss", "misses") + ", " +
           counted(statistics.evictions, "eviction", "evictions") + "; " + counted(statistics.files, "file", "files") +
           " (" + bytes(statistics.bytes) + ")";
}

std::string to_string(const KernelAttributes& attributes) {
    return (attributes.registers == 0
                ? std::string()
                : counted(static_cast<std::uint64_t>(attributes.registers), "register", "registers") + ", ") +
           bytes(attributes.static_shared) + " of shared, " + bytes(attributes.local_bytes) + " of local and " +
           bytes(attributes.constant_bytes) + " of constant memory; blocks of up to " +
           std::to_string(attributes.max_threads_per_block) + " threads";
}

std::string to_string(const Ledger& ledger) { return ledger.text(); }

std::string to_string(const Trace& trace) { return trace.to_text(); }

}  // namespace gpu
