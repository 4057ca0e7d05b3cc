// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/npy.hpp>

#include "array/csv_text.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

ArrayCore load_csv(const std::string& path, DType dtype, const CsvOptions& options) {
    const std::string where = "load_csv(" + path + ")";
    CsvReader reader(dtype, options, where);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    if (file.peek() == std::ifstream::traits_type::eof() && errno != 0)  // a folder opens, and can't be read
        throw FileError(where + ": the file can't be read: " + std::strerror(errno));
    for (std::string line; std::getline(file, line);) reader.line(line);
    if (file.bad()) throw FileError(where + ": the file can't be read: " + std::strerror(errno));
    const Shape shape = reader.columns() > 1 ? Shape{reader.rows(), reader.columns()} : Shape{reader.rows()};
    const ArrayCore array = make_array(dtype, shape);
    copy_from_host(array, reader.elements().data(), shape.size());
    return array;
}

void save_csv(const std::string& path, const ArrayCore& array, const SaveCsvOptions& options) {
    const std::string where = "save_csv(" + path + ")";
    check_delimiter(options.delimiter, where);
    const int rank = array.shape.rank();
    if (rank > 2) {
        throw ShapeError(where + ": a table has rows and columns; an array of shape " + to_string(array.shape) +
                         " has more axes: reshape it, or use save_npy");
    }
    const std::int64_t rows = rank == 0 ? 1 : array.shape[0], columns = rank == 2 ? array.shape[1] : 1;
    std::vector<std::byte> elements(bytes_of(array.shape, array.dtype));
    copy_to_host(array, elements.data(), array.shape.size());
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    if (!options.header.empty()) file << options.header << '\n';
    const std::size_t row_bytes = static_cast<std::size_t>(columns) * size_of(array.dtype);
    const std::int64_t at_once =
        std::max<std::int64_t>((std::int64_t{1} << 16) / std::max<std::int64_t>(columns, 1), 1);
    for (std::int64_t row = 0; row < rows; row += at_once) {
        file << csv_text(array.dtype, elements.data() + static_cast<std::size_t>(row) * row_bytes,
                         std::min(at_once, rows - row), columns, options.delimiter);
    }
    file.close();
    if (!file) throw FileError(where + ": the file can't be written: " + std::strerror(errno));
}

}  // namespace gpu::detail
