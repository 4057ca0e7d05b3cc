// SPDX-License-Identifier: MIT
#include "host/check/copy_conflicts.hpp"

#include <algorithm>

namespace gpu::detail::host {

namespace {

/// The cells of a piece of an array.
struct PieceOfCells {
    CheckedArray* array = nullptr;
    Cell* first = nullptr;
    std::size_t count = 0;
};

PieceOfCells cells_of(CheckedMemory& memory, const CopiedPiece& piece) {
    CheckedArray* const array = memory.find(*piece.memory, piece.start);
    if (array == nullptr) return {};
    const std::size_t offset = piece.start - array->start, bytes = std::min(piece.bytes, array->bytes - offset);
    Cell* const first = array->cells(offset, bytes);
    return {array, first, bytes >> array->shift()};
}

}  // namespace

void remember_copies(CheckedMemory& memory, StreamOrder& order, const UnorderedOperations& operations) {
    for (const auto& [serial, piece] : order.take_pieces(operations)) {
        const PieceOfCells cells = cells_of(memory, piece);
        const Stamp now = time_of(serial, 0);
        for (Cell* cell = cells.first; cell != cells.first + cells.count; ++cell) {
            Stamp& stamp = piece.writes ? cell->write : *std::min_element(std::begin(cell->read), std::end(cell->read));
            stamp = std::max(stamp, now);
            cells.array->forget_vetted(cell);
        }
    }
}

std::optional<RawFinding> conflict_of(CheckedMemory& memory, const CopiedPiece& piece,
                                      const UnorderedOperations& operations, std::uintptr_t& array) {
    const PieceOfCells cells = cells_of(memory, piece);
    const Stamp floor = time_of(operations.front()->first_serial, 0);
    for (const Cell* cell = cells.first; cell != cells.first + cells.count; ++cell) {
        for (const Stamp stamp : {cell->write, piece.writes ? cell->read[0] : 0, piece.writes ? cell->read[1] : 0}) {
            if (stamp < floor) continue;
            const StreamOperation* const other = operation_of(operations, serial_of(stamp));
            if (other == nullptr) continue;
            array = cells.array->start;
            RawFinding finding;
            finding.kind = FindingKind::missing_event;
            finding.action.verb = piece.writes ? "writes" : "reads";
            describe_other(finding, *other, stamp, stamp == cell->write);
            return finding;
        }
    }
    return std::nullopt;
}

void describe_other(RawFinding& finding, const StreamOperation& operation, Stamp stamp, bool wrote) {
    finding.other.verb = !wrote ? "reads" : is_atomic(stamp) ? "updates" : "writes";
    finding.other_work = operation.name;
    finding.other_stream = operation.stream_name;
    finding.other_module = operation.module;
    if (operation.module != nullptr) finding.other.site = operation.module->site_offset(site_of(stamp));
}

}  // namespace gpu::detail::host
