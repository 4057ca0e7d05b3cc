// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

#include "facts/columns.hpp"
#include "facts/json.hpp"
#include "facts/texts.hpp"

namespace gpu {

namespace {

using facts::bytes;
using facts::counted;

std::string host_line(const Counts& host) {
    std::string line;
    const auto add = [&](std::uint64_t number, const std::string& text) {
        if (number > 0) line += (line.empty() ? "" : ", ") + text;
    };
    add(host.launches, counted(host.launches, "launch", "launches"));
    add(host.copies_to_device,
        counted(host.copies_to_device, "copy", "copies") + " to the device (" + bytes(host.bytes_to_device) + ")");
    add(host.copies_to_host,
        counted(host.copies_to_host, "copy", "copies") + " to the host (" + bytes(host.bytes_to_host) + ")");
    const std::uint64_t on_device = host.copies_on_device - host.copies_between_devices;
    add(on_device, counted(on_device, "copy", "copies") + " on the device (" +
                       bytes(host.bytes_on_device - host.bytes_between_devices) + ")");
    add(host.copies_between_devices, counted(host.copies_between_devices, "copy", "copies") + " between devices (" +
                                         bytes(host.bytes_between_devices) + ")");
    add(host.allocations,
        counted(host.allocations, "allocation", "allocations") + " (" + bytes(host.bytes_allocated) + ")");
    add(host.synchronizations, counted(host.synchronizations, "synchronisation", "synchronisations"));
    return "host: " + (line.empty() ? "nothing" : line) + '\n';
}

}  // namespace

std::string CheckReport::table() const {
    return (kernels.empty() ? "" : facts::kernel_table(kernels)) + host_line(host);
}

std::string CheckReport::to_text() const {
    std::string text;
    for (const Finding& finding : findings)
        text += (text.empty() ? "" : "\n") + finding.what + '\n' + facts::who_text(finding) + '\n' + finding.advice +
                "\nbreaks " + to_string(finding.rule) + '\n';
    return text;
}

std::string CheckReport::annotated() const { return facts::annotated(kernels); }

// docs/internals/host-backend.md describes the members.
std::string CheckReport::to_json() const {
    using facts::Json;
    using facts::json_of;
    const auto kernel_json = [](const KernelCounts& kernel) {
        Json json = json_of(kernel);
        json.update({{"source", kernel.source},
                     {"first_line", kernel.first_line},
                     {"approximate", kernel.approximate},
                     {"global_spread", json_of(kernel.global_spread)},
                     {"shared_spread", json_of(kernel.shared_spread)},
                     {"atomic_spread", json_of(kernel.atomic_spread)},
                     {"accesses", kernel.accesses},
                     {"span", kernel.span},
                     {"rewritten", kernel.rewritten}});
        return json;
    };
    const Json json = {{"schema", "libgpu check report"},
                       {"version", 1},
                       {"clean", clean()},
                       {"findings", facts::json_list(findings, [](const Finding& one) { return json_of(one); })},
                       {"kernels", facts::json_list(kernels, kernel_json)},
                       {"host", json_of(host)}};
    return facts::json_text(json, 2) + '\n';
}

}  // namespace gpu
