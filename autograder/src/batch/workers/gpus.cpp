// SPDX-License-Identifier: MIT
#include "batch/workers/gpus.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace course {

SharedGpus gpus_to_share(const char* visible, int count, const std::string& device) {
    std::vector<std::string> gpus;
    std::string_view list = visible != nullptr ? visible : "";
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (end > 0) gpus.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    if (gpus.empty())
        for (int k = 0; k < count; ++k) gpus.push_back(std::to_string(k));
    if (static_cast<int>(gpus.size()) > count) gpus.resize(static_cast<std::size_t>(std::max(0, count)));
    constexpr std::string_view kind = "cuda:";
    std::size_t index = 0;
    const char* const end = device.data() + device.size();
    if (!device.starts_with(kind) || std::from_chars(device.data() + kind.size(), end, index).ec != std::errc() ||
        index >= gpus.size())
        return {std::move(gpus), device};
    return {{gpus[index]}, "cuda:0"};
}

}  // namespace course
