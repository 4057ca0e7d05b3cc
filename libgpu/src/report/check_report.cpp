// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gpu/check.hpp>

#include "counts.hpp"
#include "report/columns.hpp"
#include "report/json_text.hpp"

namespace gpu {

namespace {

using detail::report::bytes;
using detail::report::counted;
using detail::report::Style;
using detail::report::thousands;

std::string host_line(const Counts& host) {
    std::string line;
    const auto add = [&](std::uint64_t number, const std::string& text) {
        if (number > 0) line += (line.empty() ? "" : ", ") + text;
    };
    add(host.launches, counted(host.launches, "launch", "launches"));
    add(host.copies_to_device,
        counted(host.copies_to_device, "copy", "copies") + " to the device (" + bytes(host.bytes_to_device) + ")");
    add(host.copies_to_host,
        counted(host.copies_to_host, "copy", "copies") + " to the host (" + bytes(host.bytes_to_host) + ")");
    const std::uint64_t on_device = host.copies_on_device - host.copies_between_devices;
    add(on_device, counted(on_device, "copy", "copies") + " on the device (" +
                       bytes(host.bytes_on_device - host.bytes_between_devices) + ")");
    add(host.copies_between_devices, counted(host.copies_between_devices, "copy", "copies") + " between devices (" +
                                         bytes(host.bytes_between_devices) + ")");
    add(host.allocations,
        counted(host.allocations, "allocation", "allocations") + " (" + bytes(host.bytes_allocated) + ")");
    add(host.synchronizations, counted(host.synchronizations, "synchronisation", "synchronisations"));
    return "host: " + (line.empty() ? "nothing" : line) + '\n';
}

}  // namespace

std::string CheckReport::table() const {
    std::string text;
    if (!kernels.empty()) {
        std::vector<WorkCounts> rows;
        for (const KernelCounts& kernel : kernels) rows.push_back(kernel.work);
        const auto columns = detail::report::columns_for(rows, Style::full);
        std::vector<std::string_view> groups{"", "", "", ""}, names{"kernel", "launches", "blocks", "threads"};
        for (const auto& column : columns) {
            groups.push_back(column.group);
            names.push_back(column.name);
        }
        detail::report::TextTable table(1);
        for (const KernelCounts& kernel : kernels) {
            std::vector<std::string> cells{kernel.name, thousands(kernel.launches), thousands(kernel.blocks),
                                           thousands(kernel.threads)};
            for (const auto& column : columns) cells.push_back(cell(column, kernel.work, Style::full));
            table.row(std::move(cells));
        }
        table.head(groups, names);
        for (const std::string& line : table.lines(false)) text += line + '\n';
        text += '\n' + detail::report::legend(columns);
        for (const KernelCounts& kernel : kernels)
            if (kernel.approximate)
                text += "kernel " + kernel.name +
                        ": its threads accessed too many places between two synchronisations to " +
                        "keep them all, so sectors and ways are too high; fewer elements tell more\n";
    }
    return text + host_line(host);
}

std::string to_string(Rule rule) {
    return "rule " + std::to_string(static_cast<int>(rule)) + ": " + std::string(sentence(rule));
}

std::string CheckReport::to_text() const {
    std::string text;
    for (const Finding& finding : findings) {
        if (!text.empty()) text += '\n';
        text += finding.what + '\n' + finding.who;
        if (finding.times > 1)
            text += (finding.who.empty() ? "" : "; ") + detail::report::thousands(finding.times) + " times in all";
        text += '\n' + finding.advice + "\nbreaks " + to_string(finding.rule) + '\n';
    }
    return text;
}

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) noexcept {
    for (const auto& [name, value] : detail::work_counts) this->*value += more.*value;
    return *this;
}

namespace {

using detail::report::Column;
using detail::report::counted;
using detail::report::Style;

/// Kernels with one text, and the sum of their lines' work.
struct Sheet {
    std::vector<const KernelCounts*> kernels;
    std::vector<LineCounts> lines;
};

// A text is shown once, however many of its kernels ran.
std::vector<Sheet> sheets_of(const std::vector<KernelCounts>& kernels) {
    std::vector<Sheet> sheets;
    for (const KernelCounts& kernel : kernels) {
        const auto same = [&](const Sheet& sheet) {
            const KernelCounts& other = *sheet.kernels.front();
            return !kernel.source.empty() && other.file == kernel.file && other.first_line == kernel.first_line &&
                   other.source == kernel.source;
        };
        auto sheet = std::find_if(sheets.begin(), sheets.end(), same);
        if (sheet == sheets.end()) sheet = sheets.insert(sheets.end(), Sheet{});
        sheet->kernels.push_back(&kernel);
        for (const LineCounts& line : kernel.lines) {
            const auto there = std::find_if(sheet->lines.begin(), sheet->lines.end(), [&](const LineCounts& other) {
                return other.line == line.line && other.file == line.file;
            });
            if (there == sheet->lines.end())
                sheet->lines.push_back(line);
            else
                there->work += line.work;
        }
    }
    return sheets;
}

// The line for a screen: tabs as spaces, nothing after the last visible character.
std::string visible(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c == '\t')
            text.append(4 - text.size() % 4, ' ');
        else
            text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::string> lines_of(std::string_view source) {
    std::vector<std::string> lines;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(visible(source.substr(0, end)));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

std::string right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string title(const Sheet& sheet) {
    std::string text;
    for (const KernelCounts* kernel : sheet.kernels) {
        text += "kernel " + kernel->name;
        if (!kernel->file.empty() && kernel->file != kernel->name) text += " in " + kernel->file;
        text += ": " + counted(kernel->launches, "launch", "launches") + ", " +
                counted(kernel->blocks, "block", "blocks") + ", " + counted(kernel->threads, "thread", "threads") +
                '\n';
    }
    return text;
}

/// Writes numbers in a margin, line by line, each followed by the text beside it.
void show(std::string& text, const std::vector<Column>& columns, const std::vector<const WorkCounts*>& work,
          const std::vector<std::string>& beside) {
    std::vector<std::string_view> groups, names;
    for (const Column& column : columns) {
        groups.push_back(column.group);
        names.push_back(column.name);
    }
    detail::report::TextTable table(0);
    for (const WorkCounts* counts : work) {
        std::vector<std::string> cells;
        for (const Column& column : columns)
            cells.push_back(counts != nullptr ? cell(column, *counts, Style::margin) : "");
        table.row(std::move(cells));
    }
    table.head(groups, names);
    const std::vector<std::string> margin = table.lines(true);
    const std::size_t heads = margin.size() - work.size();
    for (std::size_t k = 0; k < margin.size(); ++k) {
        std::string line = margin[k] + " |";
        if (k >= heads && !beside[k - heads].empty()) line += ' ' + beside[k - heads];
        text += line + '\n';
    }
}

}  // namespace

std::string CheckReport::annotated() const {
    std::string text, legend;
    for (const Sheet& sheet : sheets_of(kernels)) {
        const KernelCounts& first = *sheet.kernels.front();
        const std::vector<std::string> source = lines_of(first.source);
        const int last_line = first.first_line + static_cast<int>(source.size()) - 1;
        std::vector<const WorkCounts*> work(source.size(), nullptr);
        std::vector<std::string> beside;
        const std::size_t digits = std::to_string(last_line).size();
        for (std::size_t k = 0; k < source.size(); ++k)
            beside.push_back(right(std::to_string(first.first_line + static_cast<int>(k)), digits) +
                             (source[k].empty() ? "" : "  " + source[k]));
        std::vector<WorkCounts> rows;
        for (const LineCounts& line : sheet.lines) {
            rows.push_back(line.work);
            if (line.file == first.file && line.line >= first.first_line && line.line <= last_line) {
                work[static_cast<std::size_t>(line.line - first.first_line)] = &line.work;
            } else {  // in an included file, or one that libgpu wrote around a learner's expression
                work.push_back(&line.work);
                beside.push_back(line.file + ':' + std::to_string(line.line));
            }
        }
        const std::vector<Column> columns = detail::report::columns_for(rows, Style::margin);
        if (!text.empty()) text += '\n';
        text += title(sheet);
        show(text, columns, work, beside);
        for (std::string line = detail::report::legend(columns); !line.empty();) {
            const std::string one = line.substr(0, line.find('\n') + 1);
            if (legend.find(one) == std::string::npos) legend += one;
            line.erase(0, one.size());
        }
    }
    return text.empty() ? text : text + (legend.empty() ? "" : "\n" + legend);
}

namespace {

using detail::report::Json;

// Members are named as in gpu/check.hpp; docs/internals/host-backend.md describes them.
Json json_of(const Dim3& lengths) { return Json::array({lengths.x, lengths.y, lengths.z}); }

Json json_of(const WorkCounts& work) {
    Json json;
    for (const auto& [name, value] : detail::work_counts) json[name] = work.*value;
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

Json json_of(const LaunchCounts& shape) {
    return {{"grid", json_of(shape.grid)}, {"block", json_of(shape.block)}, {"launches", shape.launches}};
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

Json json_of(const LineCounts& line) { return {{"file", line.file}, {"line", line.line}, {"work", json_of(line.work)}}; }

Json json_of(const KernelCounts& kernel) {
    const auto converted = [](const auto& part) { return json_of(part); };
    return {{"name", kernel.name},
            {"file", kernel.file},
            {"made_in", kernel.made_in},
            {"source", kernel.source},
            {"first_line", kernel.first_line},
            {"launches", kernel.launches},
            {"blocks", kernel.blocks},
            {"threads", kernel.threads},
            {"shapes", detail::report::json_list(kernel.shapes, converted)},
            {"approximate", kernel.approximate},
            {"work", json_of(kernel.work)},
            {"global_spread", json_of(kernel.global_spread)},
            {"shared_spread", json_of(kernel.shared_spread)},
            {"atomic_spread", json_of(kernel.atomic_spread)},
            {"accesses", kernel.accesses},
            {"span", kernel.span},
            {"lines", detail::report::json_list(kernel.lines, converted)},
            {"rewritten", kernel.rewritten}};
}

Json json_of(const Counts& host) {
    return {{"launches", host.launches},
            {"copies_to_device", host.copies_to_device},
            {"copies_to_host", host.copies_to_host},
            {"copies_on_device", host.copies_on_device},
            {"bytes_to_device", host.bytes_to_device},
            {"bytes_to_host", host.bytes_to_host},
            {"bytes_on_device", host.bytes_on_device},
            {"copies_between_devices", host.copies_between_devices},
            {"bytes_between_devices", host.bytes_between_devices},
            {"pageable_async_copies", host.pageable_async_copies},
            {"streams_at_once", host.streams_at_once},
            {"copies_not_awaited", host.copies_not_awaited},
            {"allocations", host.allocations},
            {"bytes_allocated", host.bytes_allocated},
            {"synchronizations", host.synchronizations}};
}

}  // namespace

std::string CheckReport::to_json() const {
    const auto converted = [](const auto& value) { return json_of(value); };
    const Json json = {{"schema", "libgpu check report"},
                       {"version", 1},
                       {"clean", clean()},
                       {"findings", detail::report::json_list(findings, converted)},
                       {"kernels", detail::report::json_list(kernels, converted)},
                       {"host", json_of(host)}};
    return detail::report::json_text(json, 2) + '\n';
}

}  // namespace gpu
