// SPDX-License-Identifier: MIT
#include "gpucc/runtime/see/ledger.hpp"

#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

#include <gpu/device.hpp>
#include <gpu/ledger.hpp>

#include "base.hpp"
#include "gpucc/seam/seam.hpp"

// What the program asks of the device, line by line, in its own words: GPUCC_LEDGER=1.
namespace gpucc {

namespace {

std::unique_ptr<gpu::Ledger> totals;  // libgpu keeps the totals; the lines are printed here

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string file_of(const Call& call) {
    const std::string path = call.file;
    return path.empty() ? "?" : path.substr(path.rfind('/') + 1) + ':' + std::to_string(call.line);
}

const char* direction(Work::Kind kind) {
    switch (kind) {
        case Work::Kind::copy_to_device: return "host to device";
        case Work::Kind::copy_to_host: return "device to host";
        case Work::Kind::copy_on_device: return "device to device";
        default: return "";
    }
}

}  // namespace

void note_call(const Call& call, const std::string& what, std::size_t bytes, const std::string& detail) {
    if (totals == nullptr) return;
    std::string line = padded(file_of(call), 20) + "  " + padded(what, 24) + "  " +
                       right(bytes > 0 ? gpu::detail::bytes_text(bytes) : "", 8) + "  " + detail;
    line.resize(line.find_last_not_of(' ') + 1);
    std::fprintf(stderr, "%s\n", line.c_str());
}

void note_work(const Call& call, const Work& work, const std::string& detail) {
    gpu::detail::program::count(gpu::Device::host(Program::get().device()), work);
    if (totals == nullptr) return;
    std::string text = direction(work.kind);
    for (const std::string& more : {std::string(work.pageable_async ? "asynchronous, of pageable memory" : ""),
                                    std::string(work.waits ? "waits" : ""), detail})
        if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
    note_call(call, call.name, work.bytes, text);
}

void begin_ledger() {
    if (is_set("GPUCC_LEDGER")) totals = std::make_unique<gpu::Ledger>(gpu::LedgerOptions{.entries = 0});
}

void finish_ledger() {
    if (const auto ended = std::exchange(totals, nullptr)) std::fputs(ended->text().c_str(), stderr);
}

}  // namespace gpucc
