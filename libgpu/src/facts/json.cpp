// SPDX-License-Identifier: MIT
#include "facts/json.hpp"

namespace gpu::facts {

Json json_of(const Dim3& lengths) { return Json::array({lengths.x, lengths.y, lengths.z}); }

Json json_of(const Counts& counts) {
    Json json;
    for (const CountFacts& facts : count_facts)
        if (facts.value != &Counts::prints) json[facts.name] = counts.*facts.value;
    return json;
}

Json json_of(const WorkCounts& work) {
    Json json;
    for (const auto& [name, value] : work_facts) json[name] = work.*value;
    return json;
}

Json json_of(const Finding& finding) {
    return {{"kind", to_string(finding.kind)},
            {"kernel", finding.kernel},
            {"file", finding.file},
            {"line", finding.line},
            {"variable", finding.variable},
            {"what", finding.what},
            {"who", finding.who},
            {"advice", finding.advice},
            {"rule", static_cast<std::uint64_t>(finding.rule)},
            {"times", finding.times}};
}

Json json_of(const WorkSpread& spread) {
    return {{"total", spread.total},
            {"busiest_thread", spread.busiest_thread},
            {"busiest_warp", spread.busiest_warp},
            {"busiest_block", spread.busiest_block},
            {"working_threads", spread.working_threads},
            {"working_warps", spread.working_warps},
            {"working_blocks", spread.working_blocks},
            {"grid", json_of(spread.grid)},
            {"block", json_of(spread.block)}};
}

Json json_of(const KernelCounts& kernel) {
    const auto shape_json = [](const LaunchCounts& shape) -> Json {
        return {{"grid", json_of(shape.grid)}, {"block", json_of(shape.block)}, {"launches", shape.launches}};
    };
    const auto line_json = [](const LineCounts& line) -> Json {
        return {{"file", line.file}, {"line", line.line}, {"work", json_of(line.work)}};
    };
    return {{"name", kernel.name},
            {"file", kernel.file},
            {"made_in", kernel.made_in},
            {"launches", kernel.launches},
            {"blocks", kernel.blocks},
            {"threads", kernel.threads},
            {"shapes", json_list(kernel.shapes, shape_json)},
            {"work", json_of(kernel.work)},
            {"lines", json_list(kernel.lines, line_json)}};
}

}  // namespace gpu::facts
