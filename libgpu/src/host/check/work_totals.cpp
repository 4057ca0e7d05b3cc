// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "host/check/work_counter.hpp"

namespace gpu::detail::host {

namespace {

bool same_place(const LineCounts& a, const LineCounts& b) { return a.line == b.line && a.file == b.file; }

// Sorts by place and makes one of those that stand at the same.
void gather(std::vector<LineCounts>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const LineCounts& a, const LineCounts& b) {
        return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (kept > 0 && same_place(lines[kept - 1], lines[k])) {
            lines[kept - 1].work += lines[k].work;
        } else {
            if (kept != k) lines[kept] = std::move(lines[k]);
            ++kept;
        }
    }
    lines.resize(kept);
}

}  // namespace

WorkCounts total_work(const std::vector<SiteCounts>& sites) noexcept {
    WorkCounts total;
    for (const SiteCounts& site : sites) total += site.work;
    return total;
}

std::vector<LineCounts> work_by_line(const std::vector<SiteCounts>& sites, const std::vector<SourcePlace>& places) {
    std::vector<LineCounts> lines;
    for (std::size_t k = 0; k < sites.size() && k < places.size(); ++k)
        if (!places[k].file.empty()) lines.push_back({places[k].file, places[k].line, sites[k].work});
    gather(lines);
    return lines;
}

void add_lines(std::vector<LineCounts>& to, const std::vector<LineCounts>& more) {
    to.insert(to.end(), more.begin(), more.end());
    gather(to);
}

}  // namespace gpu::detail::host
