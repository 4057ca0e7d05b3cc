// SPDX-License-Identifier: MIT
// How pictures name elements, values, threads and lines.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <set>

#include <gpu/half.hpp>

#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

template <class T>
T bits_as(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::string short_number(double value) {
    char text[40];
    const auto [end, failure] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
    return failure == std::errc() ? std::string(text, end) : "?";
}

}  // namespace

std::string element_name(const TracedArray& array, std::int64_t index) {
    if (array.lengths.size() < 2 || index < 0 || index >= array.elements)
        return array.elements == 1 && index == 0 && array.lengths.empty() && array.shared
                   ? array.name
                   : array.name + '[' + std::to_string(index) + ']';
    std::string text;
    std::int64_t rest = index;
    for (std::size_t k = array.lengths.size(); k-- > 0;) {
        const std::int64_t length = std::max<std::int64_t>(array.lengths[k], 1);
        text = '[' + std::to_string(rest % length) + ']' + text;
        rest /= length;
    }
    return array.name + text;
}

std::string value_text(const TracedArray& array, const TracedAccess& access) {
    const std::string& type = array.type;
    const unsigned bytes = access.bytes;
    if (bytes == array.element || type == "float4" || type == "float2") {
        if (type == "float" || ((type == "float4" || type == "float2") && bytes >= 4))
            return short_number(static_cast<double>(bits_as<float>(access.bits)));
        if (type == "double") return short_number(bits_as<double>(access.bits));
        if (type == "half" || type == "__half")
            return short_number(
                static_cast<double>(static_cast<float>(half::from_bits(static_cast<std::uint16_t>(access.bits)))));
        if (type == "bool") return access.bits != 0 ? "true" : "false";
        const bool is_unsigned = type.find("unsigned") != std::string::npos || type.compare(0, 4, "uint") == 0;
        const bool is_integer = type.find("int") != std::string::npos || type.find("long") != std::string::npos ||
                                type.find("short") != std::string::npos || type.find("char") != std::string::npos;
        if (is_integer || is_unsigned) {
            const int shift = 64 - 8 * static_cast<int>(std::min(bytes, 8U));
            const std::uint64_t high = access.bits << shift;
            return is_unsigned ? std::to_string(high >> shift)
                               : std::to_string(static_cast<std::int64_t>(high) >> shift);
        }
    }
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, access.bits, 16).ptr;
    return "0x" + std::string(text, end);
}

std::string value_before(const TracedArray& array, const TracedAccess& access) {
    TracedAccess before = access;
    before.bits = access.bits_before;
    return value_text(array, before);
}

std::string index_text(int linear, const Dim3& of) {
    const auto x = static_cast<unsigned>(linear);
    return '(' + std::to_string(x % of.x) + ',' + std::to_string(x / of.x % of.y) + ',' +
           std::to_string(x / of.x / of.y) + ')';
}

std::string verb_of(MemoryOperation operation) {
    switch (operation) {
        case MemoryOperation::read: return "reads";
        case MemoryOperation::write: return "writes";
        case MemoryOperation::atomic: return "updates";
    }
    return "";
}

std::string line_text(const TracedLaunch& launch, int line) {
    std::size_t begin = 0;
    for (int at = launch.first_line; at < line && begin != std::string::npos; ++at) {
        begin = launch.source.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (line < launch.first_line || begin == std::string::npos || begin >= launch.source.size()) return "";
    std::string text = launch.source.substr(begin, launch.source.find('\n', begin) - begin);
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    return text;
}

std::vector<Window> windows_of(const TracedLaunch& launch) {
    std::set<std::pair<int, int>> places;
    for (const TracedAccess& access : launch.accesses) places.insert({access.block, access.thread / most_threads});
    for (const TracedStop& stop : launch.stops) places.insert({stop.block, stop.thread / most_threads});
    if (places.empty()) places.insert({0, 0});
    std::vector<Window> windows;
    for (const auto& [block, part] : places)
        windows.push_back({block, part * most_threads, std::min(most_threads, launch.threads() - part * most_threads)});
    // The one with the first finding comes first.
    if (!launch.findings.empty()) {
        const TracedFinding::Side& side = launch.findings.front().first;
        const auto found = std::find_if(windows.begin(), windows.end(),
                                        [&](const Window& w) { return w.holds(side.block, side.thread); });
        if (found != windows.end()) std::rotate(windows.begin(), found, found + 1);
    }
    return windows;
}

}  // namespace gpu::detail::trace
