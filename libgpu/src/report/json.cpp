// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

#include "counts_of_work.hpp"
#include "report/json_writer.hpp"

namespace gpu {

namespace {

using detail::report::JsonWriter;

// Members are named as in gpu/check.hpp; docs/internals/host-backend.md describes them.
void write(JsonWriter& json, const WorkCounts& work) {
    json.begin_object();
    for (const auto& [name, value] : detail::work_counts) json.key(name).value(work.*value);
    json.end_object();
}

void write(JsonWriter& json, const Finding& finding) {
    json.begin_object();
    json.key("kind").value(to_string(finding.kind));
    json.key("kernel").value(finding.kernel);
    json.key("file").value(finding.file);
    json.key("line").value(finding.line);
    json.key("variable").value(finding.variable);
    json.key("what").value(finding.what);
    json.key("who").value(finding.who);
    json.key("advice").value(finding.advice);
    json.key("rule").value(static_cast<std::uint64_t>(finding.rule));
    json.key("times").value(finding.times);
    json.end_object();
}

void write(JsonWriter& json, const Dim3& lengths) {
    json.begin_array();
    for (const std::int64_t length : {lengths.x, lengths.y, lengths.z}) json.value(static_cast<std::uint64_t>(length));
    json.end_array();
}

void write(JsonWriter& json, const LaunchCounts& shape) {
    json.begin_object();
    write(json.key("grid"), shape.grid);
    write(json.key("block"), shape.block);
    json.key("launches").value(shape.launches);
    json.end_object();
}

void write(JsonWriter& json, const WorkSpread& spread) {
    json.begin_object();
    json.key("total").value(spread.total);
    json.key("busiest_thread").value(spread.busiest_thread);
    json.key("busiest_warp").value(spread.busiest_warp);
    json.key("busiest_block").value(spread.busiest_block);
    json.key("working_threads").value(spread.working_threads);
    json.key("working_warps").value(spread.working_warps);
    json.key("working_blocks").value(spread.working_blocks);
    write(json.key("grid"), spread.grid);
    write(json.key("block"), spread.block);
    json.end_object();
}

void write(JsonWriter& json, const LineCounts& line) {
    json.begin_object();
    json.key("file").value(line.file);
    json.key("line").value(line.line);
    write(json.key("work"), line.work);
    json.end_object();
}

void write(JsonWriter& json, const KernelCounts& kernel);

template <class T>
void write_all(JsonWriter& json, const std::vector<T>& values) {
    json.begin_array();
    for (const T& value : values) write(json, value);
    json.end_array();
}

void write(JsonWriter& json, const KernelCounts& kernel) {
    json.begin_object();
    json.key("name").value(kernel.name);
    json.key("file").value(kernel.file);
    json.key("made_in").value(kernel.made_in);
    json.key("source").value(kernel.source);
    json.key("first_line").value(kernel.first_line);
    json.key("launches").value(kernel.launches);
    json.key("blocks").value(kernel.blocks);
    json.key("threads").value(kernel.threads);
    write_all(json.key("shapes"), kernel.shapes);
    json.key("approximate").value(kernel.approximate);
    write(json.key("work"), kernel.work);
    write(json.key("global_spread"), kernel.global_spread);
    write(json.key("shared_spread"), kernel.shared_spread);
    write(json.key("atomic_spread"), kernel.atomic_spread);
    json.key("accesses").value(kernel.accesses);
    json.key("span").value(kernel.span);
    write_all(json.key("lines"), kernel.lines);
    json.key("rewritten").value(kernel.rewritten);
    json.end_object();
}

void write(JsonWriter& json, const Counts& host) {
    json.begin_object();
    json.key("launches").value(host.launches);
    json.key("copies_to_device").value(host.copies_to_device);
    json.key("copies_to_host").value(host.copies_to_host);
    json.key("copies_on_device").value(host.copies_on_device);
    json.key("bytes_to_device").value(host.bytes_to_device);
    json.key("bytes_to_host").value(host.bytes_to_host);
    json.key("bytes_on_device").value(host.bytes_on_device);
    json.key("copies_between_devices").value(host.copies_between_devices);
    json.key("bytes_between_devices").value(host.bytes_between_devices);
    json.key("pageable_async_copies").value(host.pageable_async_copies);
    json.key("streams_at_once").value(host.streams_at_once);
    json.key("copies_not_awaited").value(host.copies_not_awaited);
    json.key("allocations").value(host.allocations);
    json.key("bytes_allocated").value(host.bytes_allocated);
    json.key("synchronizations").value(host.synchronizations);
    json.end_object();
}

}  // namespace

std::string CheckReport::to_json() const {
    JsonWriter json;
    json.begin_object();
    json.key("schema").value("libgpu check report");
    json.key("version").value(1);
    json.key("clean").value(clean());
    write_all(json.key("findings"), findings);
    write_all(json.key("kernels"), kernels);
    write(json.key("host"), host);
    json.end_object();
    return json.text();
}

}  // namespace gpu
