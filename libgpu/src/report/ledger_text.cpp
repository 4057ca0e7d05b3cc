// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <gpu/ledger.hpp>

#include "counts.hpp"
#include "report/columns.hpp"

namespace gpu {

namespace detail {

namespace {

constexpr std::size_t place_width = 20, kind_width = 15, bytes_width = 8;

const char* text_of(LedgerEntry::Kind kind) {
    using Kind = LedgerEntry::Kind;
    switch (kind) {
        case Kind::allocation: return "allocation";
        case Kind::free: return "free";
        case Kind::copy_to_device: return "copy to device";
        case Kind::copy_to_host: return "copy to host";
        case Kind::copy_on_device: return "copy on device";
        case Kind::launch: return "launch";
        case Kind::linear_algebra: return "linear algebra";
        case Kind::wait: return "wait";
        case Kind::print: return "print";
    }
    return "";
}

std::string lengths_text(const Dim3& lengths) {
    if (lengths.y == 1 && lengths.z == 1) return report::thousands(static_cast<std::uint64_t>(lengths.x));
    std::string text = "(" + std::to_string(lengths.x) + "," + std::to_string(lengths.y);
    return text + (lengths.z == 1 ? ")" : "," + std::to_string(lengths.z) + ")");
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string elements_text(const LedgerEntry& entry) {
    return "(" + report::thousands(static_cast<std::uint64_t>(entry.elements)) + " " + entry.type + ")";
}

std::string detail_text(const LedgerEntry& entry) {
    using Kind = LedgerEntry::Kind;
    switch (entry.kind) {
        case Kind::allocation: return elements_text(entry) + (entry.pooled ? ", from the pool" : "");
        case Kind::free: return entry.pooled ? "back to the pool" : "";
        case Kind::copy_to_device:
        case Kind::copy_to_host:
        case Kind::copy_on_device:
            return elements_text(entry) + (entry.waits             ? ", waits"
                                           : entry.pageable_async  ? ", asynchronous, of pageable memory"
                                           : entry.between_devices ? ", from another device"
                                                                   : "");
        case Kind::launch:
            if (entry.elements > 0)
                return entry.name + ", " +
                       report::counted(static_cast<std::uint64_t>(entry.elements), "element", "elements");
            if (entry.bytes > 0) return entry.name;  // a product of matrices
            return entry.name + ", grid " + lengths_text(entry.grid) + " x block " + lengths_text(entry.block);
        case Kind::linear_algebra: return entry.name;
        case Kind::wait: return "for " + entry.name;
        case Kind::print: return "not counted";
    }
    return {};
}

}  // namespace

std::string totals_text(const Counts& totals, std::uint64_t from_pool) {
    std::vector<std::string> parts;
    const auto copies = [&](std::uint64_t count, std::uint64_t bytes, const std::string& where) {
        if (count > 0)
            parts.push_back(report::counted(count, "copy", "copies") + " " + where + " (" + bytes_text(bytes) + ")");
    };
    if (totals.allocations > 0)
        parts.push_back(report::counted(totals.allocations, "allocation", "allocations") + " (" +
                        bytes_text(totals.bytes_allocated) +
                        (from_pool > 0 ? ", " + report::thousands(from_pool) + " from the pool)" : ")"));
    copies(totals.copies_to_device, totals.bytes_to_device, "to the device");
    copies(totals.copies_to_host, totals.bytes_to_host, "to the host");
    copies(totals.copies_on_device - totals.copies_between_devices,
           totals.bytes_on_device - totals.bytes_between_devices, "on the device");
    copies(totals.copies_between_devices, totals.bytes_between_devices, "between devices");
    if (totals.launches > 0) parts.push_back(report::counted(totals.launches, "launch", "launches"));
    if (totals.synchronizations > 0) parts.push_back(report::counted(totals.synchronizations, "wait", "waits"));
    if (totals.prints > 0) parts.push_back(report::counted(totals.prints, "print", "prints"));
    std::string text = "totals: ";
    for (const std::string& part : parts) text += (&part == &parts.front() ? "" : ", ") + part;
    return parts.empty() ? text + "nothing was asked of a device" : text;
}

}  // namespace detail

std::string LedgerEntry::to_string() const {
    const std::string place = file.empty() ? "?" : file + ":" + std::to_string(line);
    const std::string size = bytes > 0 || kind == Kind::allocation ? detail::bytes_text(bytes) : "";
    std::string text = detail::padded(place, detail::place_width) + "  " +
                       detail::padded(detail::text_of(kind), detail::kind_width) +
                       std::string(detail::bytes_width - std::min(size.size(), detail::bytes_width), ' ') + size +
                       "  " + detail::detail_text(*this);
    if (device.index() > 0) text += ", " + device.to_string();
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace gpu
