// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "report/numbers.hpp"
#include "trace/pictures.hpp"

namespace gpu::detail::trace {

Drawing source_counts(const TracedLaunch& launch, const CheckReport& report) {
    Drawing drawing;
    const KernelCounts* counts = nullptr;
    for (const KernelCounts& kernel : report.kernels)
        if (kernel.name == launch.kernel && kernel.file == launch.file) counts = &kernel;
    WorkCounts work;
    if (counts != nullptr) work = counts->work;
    drawing.title = report::counted(work.global_requests + work.shared_requests, "request", "requests") + ", " +
                    report::counted(work.global_sectors, "sector", "sectors") + ", " +
                    report::counted(work.barriers, "barrier", "barriers");
    drawing.question = "Which line costs most, and must it?";
    const auto cost = [](const WorkCounts& w) { return w.global_sectors + w.shared_wavefronts; };
    std::uint64_t most = 1;
    if (counts != nullptr)
        for (const LineCounts& line : counts->lines) most = std::max(most, cost(line.work));
    drawing.label(0, 12, "requests", "s");
    drawing.label(72, 12, "sectors", "s");
    drawing.label(136, 12, "bank turns", "s");
    drawing.text.push_back("requests  sectors  bank turns");
    std::istringstream lines(launch.source);
    int number = launch.first_line;
    double y = 18;
    for (std::string text; std::getline(lines, text) && number < launch.first_line + 400; ++number, y += 15) {
        WorkCounts here;
        bool found = false;
        for (std::size_t k = 0; counts != nullptr && k < counts->lines.size(); ++k)
            if (counts->lines[k].line == number && counts->lines[k].file == launch.file) {
                here += counts->lines[k].work;
                found = true;
            }
        std::string shown;
        for (const char c : text) shown += c == '\t' ? std::string(4, ' ') : std::string(1, c);
        const std::uint64_t requests = here.global_requests + here.shared_requests;
        const auto column = [](std::uint64_t value) {
            return value == 0 ? std::string() : report::short_number(value);
        };
        if (found && cost(here) > 0)
            drawing.box(206, y, 6.0 + 40.0 * static_cast<double>(cost(here)) / static_cast<double>(most), 12, "x",
                        {{"opacity", "0.35"}}, "line " + std::to_string(number));
        drawing.label(0, y + 11, column(requests), "s");
        drawing.label(72, y + 11, column(here.global_sectors), "s");
        drawing.label(136, y + 11, column(here.shared_wavefronts), "s");
        drawing.label(262, y + 11, std::to_string(number), "s");
        drawing.label(292, y + 11, shown, "l", {{"xml:space", "preserve"}, {"data-line", std::to_string(number)}});
        std::string row = column(requests);
        row.resize(10, ' ');
        row += column(here.global_sectors);
        row.resize(19, ' ');
        row += column(here.shared_wavefronts);
        row.resize(31, ' ');
        drawing.text.push_back(row + std::to_string(number) + "  " + shown);
    }
    return drawing;
}

}  // namespace gpu::detail::trace
