// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include "array/csv_text.hpp"
#include "fuzz/fuzz_target.hpp"

namespace fuzz {

// The first byte is the element type and the second the delimiter.
FUZZ_TARGET(csv, std::size_t{1} << 16) {
    using namespace gpu::detail;
    const std::string where = "load_csv(x.csv)";
    if (input.size() < 2) return;
    const auto dtype = static_cast<gpu::DType>(static_cast<unsigned char>(input[0]) % dtype_count);
    const char delimiter = input[1];
    const auto read = [&](std::string_view text) {
        CsvReader reader(dtype, {.delimiter = delimiter, .comment = '#'}, where);
        for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
            end = std::min(text.find('\n'), text.size());
            reader.line(text.substr(0, end));
            if (end < text.size()) ++end;
        }
        return reader;
    };
    try {
        const CsvReader reader = read(input.substr(2));
        require(reader.elements().size() ==
                    static_cast<std::size_t>(reader.rows() * reader.columns()) * gpu::size_of(dtype),
                "elements that aren't rows of columns");
        if (delimiter == '#') return;  // what would be written is a comment
        const std::string again = csv_text(dtype, reader.elements().data(), reader.rows(), reader.columns(), delimiter);
        const CsvReader same = read(again);
        require(same.rows() == reader.rows() && same.columns() == reader.columns(), "another shape when read again");
        require(csv_text(dtype, same.elements().data(), same.rows(), same.columns(), delimiter) == again,
                "other numbers when read again");
    } catch (const gpu::FileError& error) {
        require(std::string_view(error.what()).starts_with(where), "an error that doesn't name the file");
    } catch (const gpu::Error& error) {
        require(std::string_view(error.what()).find("can't separate numbers") != std::string_view::npos,
                "an error about something else");
    }
}

}  // namespace fuzz
