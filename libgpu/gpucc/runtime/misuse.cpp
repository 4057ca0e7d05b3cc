// SPDX-License-Identifier: MIT
#include "gpucc/runtime/misuse.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include <gpu/check.hpp>

namespace gpucc {

void note_misuse(std::vector<FoundMisuse>& found, const char* kind, gpu::Finding finding) {
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const FoundMisuse& one) { return one.finding.what == finding.what; });
    if (same != found.end())
        ++same->finding.times;
    else
        found.push_back({kind, std::move(finding)});
}

std::string json_of(gpu::CheckReport report, const std::vector<FoundMisuse>& misuses, int exit_code) {
    std::vector<gpu::Finding> all;
    for (const FoundMisuse& one : misuses) all.push_back(one.finding);
    report.findings.insert(report.findings.begin(), all.begin(), all.end());
    auto json = nlohmann::ordered_json::parse(report.to_json());
    for (std::size_t k = 0; k < misuses.size(); ++k) json["findings"][k]["kind"] = misuses[k].kind;
    json["exit_code"] = exit_code;
    return json.dump(2) + '\n';
}

}  // namespace gpucc
