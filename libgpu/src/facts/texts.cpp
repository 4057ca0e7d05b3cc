// SPDX-License-Identifier: MIT
#include "facts/texts.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "facts/columns.hpp"

namespace gpu::facts {

std::string who_text(const Finding& finding) {
    if (finding.times <= 1) return finding.who;
    return finding.who + (finding.who.empty() ? "" : "; ") + thousands(finding.times) + " times in all";
}

std::string kernel_table(std::span<const KernelCounts> kernels) {
    std::vector<WorkCounts> rows;
    for (const KernelCounts& kernel : kernels) rows.push_back(kernel.work);
    const auto columns = columns_for(rows, Style::full);
    std::vector<std::string_view> groups{"", "", "", ""}, names{"kernel", "launches", "blocks", "threads"};
    for (const auto& column : columns) {
        groups.push_back(column.group);
        names.push_back(column.name);
    }
    TextTable table(1);
    for (const KernelCounts& kernel : kernels) {
        std::vector<std::string> cells{kernel.name, thousands(kernel.launches), thousands(kernel.blocks),
                                       thousands(kernel.threads)};
        for (const auto& column : columns) cells.push_back(cell(column, kernel.work, Style::full));
        table.row(std::move(cells));
    }
    table.head(groups, names);
    std::string text;
    for (const std::string& line : table.lines(false)) text += line + '\n';
    text += '\n' + legend(columns);
    for (const KernelCounts& kernel : kernels)
        if (kernel.approximate)
            text += "kernel " + kernel.name +
                    ": its threads accessed too many places between two synchronisations to " +
                    "keep them all, so sectors and ways are too high; fewer elements tell more\n";
    return text;
}

namespace {

/// Kernels of one text, and what its lines did for all of them.
struct Sheet {
    std::vector<const KernelCounts*> kernels;
    std::vector<LineCounts> lines;
};

// A text is shown once, however many of its kernels ran.
std::vector<Sheet> sheets_of(std::span<const KernelCounts> kernels) {
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

// As it stands on a screen: tabs as spaces, nothing behind the last visible character.
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

/// Numbers in a margin, a line each; then what they stand beside.
void show(std::string& text, const std::vector<Column>& columns, const std::vector<const WorkCounts*>& work,
          const std::vector<std::string>& beside) {
    std::vector<std::string_view> groups, names;
    for (const Column& column : columns) {
        groups.push_back(column.group);
        names.push_back(column.name);
    }
    TextTable table(0);
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

std::string annotated(std::span<const KernelCounts> kernels) {
    std::string text, meanings;
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
            } else {  // in a file that it includes, or in one that libgpu wrote around a learner's expression
                work.push_back(&line.work);
                beside.push_back(line.file + ':' + std::to_string(line.line));
            }
        }
        const std::vector<Column> columns = columns_for(rows, Style::margin);
        if (!text.empty()) text += '\n';
        text += title(sheet);
        show(text, columns, work, beside);
        for (std::string line = legend(columns); !line.empty();) {
            const std::string one = line.substr(0, line.find('\n') + 1);
            if (meanings.find(one) == std::string::npos) meanings += one;
            line.erase(0, one.size());
        }
    }
    return text.empty() ? text : text + (meanings.empty() ? "" : "\n" + meanings);
}

namespace {

std::string lengths_text(const Dim3& lengths) {
    if (lengths.y == 1 && lengths.z == 1) return thousands(static_cast<std::uint64_t>(lengths.x));
    std::string text = "(" + std::to_string(lengths.x) + "," + std::to_string(lengths.y);
    return text + (lengths.z == 1 ? ")" : "," + std::to_string(lengths.z) + ")");
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

std::string elements_text(const LedgerLine& line) {
    return "(" + thousands(static_cast<std::uint64_t>(line.elements)) + " " + line.type + ")";
}

std::string detail_text(const LedgerLine& line) {
    using Kind = LedgerLine::Kind;
    switch (line.kind) {
        case Kind::allocation: return elements_text(line) + (line.pooled ? ", from the pool" : "");
        case Kind::free: return line.pooled ? "back to the pool" : "";
        case Kind::copy_to_device:
        case Kind::copy_to_host:
        case Kind::copy_on_device:
            return elements_text(line) + (line.waits             ? ", waits"
                                          : line.pageable_async  ? ", asynchronous, of pageable memory"
                                          : line.between_devices ? ", from another device"
                                                                 : "");
        case Kind::launch:
            if (line.elements > 0)
                return line.name + ", " + counted(static_cast<std::uint64_t>(line.elements), "element", "elements");
            if (line.bytes > 0) return line.name;  // a product of matrices
            return line.name + ", grid " + lengths_text(line.grid) + " x block " + lengths_text(line.block);
        case Kind::linear_algebra: return line.name;
        case Kind::wait: return "for " + line.name;
        case Kind::print: return "not counted";
    }
    return {};
}

}  // namespace

std::string place_text(const LedgerLine& line) {
    return line.file.empty() ? "?" : line.file + ":" + std::to_string(line.line);
}

std::string ledger_row(const LedgerLine& line, std::size_t place_width) {
    constexpr std::size_t kind_width = 15, size_width = 8;
    const bool has_size = line.bytes > 0 || line.kind == LedgerLine::Kind::allocation;
    const std::string size = has_size ? detail::bytes_text(line.bytes) : "";
    return padded(place_text(line), place_width) + "  " +
           padded(std::string(ledger_kinds[static_cast<std::size_t>(line.kind)]), kind_width) +
           std::string(size_width - std::min(size.size(), size_width), ' ') + size + "  " + detail_text(line);
}

std::string totals_text(const Counts& totals, std::uint64_t from_pool) {
    std::vector<std::string> parts;
    const auto copies = [&](std::uint64_t count, std::uint64_t bytes, const std::string& where) {
        if (count > 0)
            parts.push_back(counted(count, "copy", "copies") + " " + where + " (" + detail::bytes_text(bytes) + ")");
    };
    if (totals.allocations > 0)
        parts.push_back(counted(totals.allocations, "allocation", "allocations") + " (" +
                        detail::bytes_text(totals.bytes_allocated) +
                        (from_pool > 0 ? ", " + thousands(from_pool) + " from the pool)" : ")"));
    copies(totals.copies_to_device, totals.bytes_to_device, "to the device");
    copies(totals.copies_to_host, totals.bytes_to_host, "to the host");
    copies(totals.copies_on_device - totals.copies_between_devices,
           totals.bytes_on_device - totals.bytes_between_devices, "on the device");
    copies(totals.copies_between_devices, totals.bytes_between_devices, "between devices");
    if (totals.launches > 0) parts.push_back(counted(totals.launches, "launch", "launches"));
    if (totals.synchronizations > 0) parts.push_back(counted(totals.synchronizations, "wait", "waits"));
    if (totals.prints > 0) parts.push_back(counted(totals.prints, "print", "prints"));
    return "totals: " + (parts.empty() ? "nothing was asked of a device" : detail::joined(parts));
}

}  // namespace gpu::facts
