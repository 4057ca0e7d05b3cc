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
            add_work(lines[kept - 1].work, lines[k].work);
        } else {
            if (kept != k) lines[kept] = std::move(lines[k]);
            ++kept;
        }
    }
    lines.resize(kept);
}

}  // namespace

void add_work(WorkCounts& to, const WorkCounts& more) noexcept {
    to.global_reads += more.global_reads;
    to.global_writes += more.global_writes;
    to.global_bytes_read += more.global_bytes_read;
    to.global_bytes_written += more.global_bytes_written;
    to.global_requests += more.global_requests;
    to.global_sectors += more.global_sectors;
    to.global_segments += more.global_segments;
    to.shared_reads += more.shared_reads;
    to.shared_writes += more.shared_writes;
    to.shared_bytes_read += more.shared_bytes_read;
    to.shared_bytes_written += more.shared_bytes_written;
    to.shared_requests += more.shared_requests;
    to.shared_wavefronts += more.shared_wavefronts;
    to.atomics += more.atomics;
    to.barriers += more.barriers;
    to.warp_operations += more.warp_operations;
    to.divergent_requests += more.divergent_requests;
}

WorkCounts total_work(const std::vector<SiteCounts>& sites) noexcept {
    WorkCounts total;
    for (const SiteCounts& site : sites) add_work(total, site.work);
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
