// SPDX-License-Identifier: MIT
#include <cmath>
#include <string_view>

#include "report/json_writer.hpp"
#include "trace/pictures.hpp"

namespace gpu {

namespace {

using detail::report::JsonWriter;

void dims(JsonWriter& json, std::string_view name, const Dim3& d) {
    json.key(name).begin_array();
    for (const std::uint64_t length : {d.x, d.y, d.z}) json.value(length);
    json.end_array();
}

void side(JsonWriter& json, std::string_view name, const TracedFinding::Side& who) {
    if (who.block < 0) return;
    json.key(name).begin_object();
    json.key("block").value(who.block);
    json.key("thread").value(who.thread);
    json.key("line").value(who.line);
    json.key("verb").value(who.verb);
    if (who.access >= 0) json.key("access").value(who.access);
    json.end_object();
}

std::string_view name_of(StopKind kind) {
    switch (kind) {
        case StopKind::barrier: return "barrier";
        case StopKind::waits: return "waits";
        case StopKind::ends: return "ends";
    }
    return "";
}

void launch(JsonWriter& json, const TracedLaunch& of) {
    json.begin_object();
    json.key("kernel").value(of.kernel);
    json.key("file").value(of.file);
    json.key("first_line").value(of.first_line);
    json.key("source").value(of.source);
    dims(json, "grid", of.grid);
    dims(json, "block", of.block);
    json.key("arrays").begin_array();
    for (const TracedArray& array : of.arrays) {
        json.begin_object();
        json.key("name").value(array.name);
        json.key("type").value(array.type);
        json.key("shared").value(array.shared);
        json.key("output").value(array.output);
        json.key("element_bytes").value(static_cast<std::uint64_t>(array.element));
        json.key("elements").value(array.elements);
        json.key("lengths").begin_array();
        for (const std::int64_t length : array.lengths) json.value(length);
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.key("accesses").begin_array();
    for (const TracedAccess& access : of.accesses) {
        json.begin_object();
        json.key("block").value(access.block);
        json.key("thread").value(access.thread);
        json.key("operation").value(detail::trace::verb_of(access.operation));
        json.key("array").value(access.array);
        json.key("byte").value(access.byte);
        json.key("bytes").value(static_cast<std::uint64_t>(access.bytes));
        json.key("line").value(access.line);
        json.key("instruction").value(access.instruction);
        json.key("interval").value(access.interval);
        json.key("turn").value(access.turn);
        json.key("bits").value(access.bits);
        json.key("bits_before").value(access.bits_before);
        if (access.array >= 0) {
            const TracedArray& array = of.arrays[static_cast<std::size_t>(access.array)];
            json.key("value").value(detail::trace::value_text(array, access));
            json.key("value_before").value(detail::trace::value_before(array, access));
        }
        json.key("out_of_bounds").value(access.out_of_bounds);
        json.end_object();
    }
    json.end_array();
    json.key("stops").begin_array();
    for (const TracedStop& stop : of.stops) {
        json.begin_object();
        json.key("block").value(stop.block);
        json.key("thread").value(stop.thread);
        json.key("kind").value(name_of(stop.kind));
        json.key("line").value(stop.line);
        json.key("interval").value(stop.interval);
        json.end_object();
    }
    json.end_array();
    json.key("findings").begin_array();
    for (const TracedFinding& finding : of.findings) {
        json.begin_object();
        json.key("kind").value(to_string(finding.kind));
        json.key("variable").value(finding.variable);
        json.key("element").value(finding.element);
        side(json, "first", finding.first);
        side(json, "second", finding.second);
        json.key("text").value(finding.text);
        json.end_object();
    }
    json.end_array();
    json.key("left_out").value(of.left_out);
    json.end_object();
}

std::string_view name_of(TracedOperation::Kind kind) {
    using Kind = TracedOperation::Kind;
    switch (kind) {
        case Kind::copy_to_device: return "copy to device";
        case Kind::copy_to_host: return "copy to host";
        case Kind::copy_on_device: return "copy on device";
        case Kind::kernel: return "kernel";
        case Kind::linear_algebra: return "linear algebra";
        case Kind::wait: return "wait";
    }
    return "";
}

void operation(JsonWriter& json, const TracedOperation& of) {
    json.begin_object();
    json.key("kind").value(name_of(of.kind));
    json.key("name").value(of.name);
    if (of.kind != TracedOperation::Kind::wait) {
        json.key("device").value(of.device);
        json.key("stream").value(of.stream);
    }
    if (of.kind == TracedOperation::Kind::kernel) {
        dims(json, "grid", of.grid);
        dims(json, "block", of.block);
    }
    json.key("bytes").value(static_cast<std::uint64_t>(of.bytes));
    json.key("pageable").value(of.pageable);
    json.key("host_waits").value(of.host_waits);
    json.key("modelled_asked_ns").value(static_cast<std::int64_t>(std::llround(of.asked_us * 1000)));
    json.key("modelled_start_ns").value(static_cast<std::int64_t>(std::llround(of.start_us * 1000)));
    json.key("modelled_end_ns").value(static_cast<std::int64_t>(std::llround(of.end_us * 1000)));
    json.key("text").value(of.to_string());
    json.end_object();
}

}  // namespace

std::string Trace::to_json() const {
    JsonWriter json;
    json.begin_object();
    json.key("version").value(2);
    json.key("launches").begin_array();
    for (const TracedLaunch& each : launches) launch(json, each);
    json.end_array();
    json.key("launches_left_out").value(launches_left_out);
    json.key("operations").begin_array();
    for (const TracedOperation& each : operations) operation(json, each);
    json.end_array();
    json.key("operations_left_out").value(operations_left_out);
    json.end_object();
    return json.text();
}

}  // namespace gpu
