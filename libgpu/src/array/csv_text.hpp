// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/npy.hpp>

namespace gpu::detail {

/// @throws Error for a character that numbers are written with
void check_delimiter(char delimiter, const std::string& where);

/// A table that is read line by line: its elements as bytes of an array, row by row.
class CsvReader {
public:
    /// @param where for messages: "load_csv(data.csv)"
    CsvReader(DType dtype, const CsvOptions& options, std::string where);

    /// The next line, without its '\n'. @throws FileError
    void line(std::string_view text);

    [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
    /// 0 without rows.
    [[nodiscard]] std::int64_t columns() const noexcept { return columns_; }
    [[nodiscard]] const std::vector<unsigned char>& elements() const noexcept { return elements_; }

private:
    void word(std::string_view text, std::int64_t column);
    [[noreturn]] void refuse(std::int64_t column, std::string_view word, const std::string& rule) const;

    DType dtype_;
    CsvOptions options_;
    std::string where_;
    std::int64_t lines_ = 0, rows_ = 0, columns_ = 0, first_row_ = 0;
    std::vector<unsigned char> elements_;
};

/// The elements of so many columns as lines. @param elements row by row, dense
std::string csv_text(DType dtype, const void* elements, std::int64_t rows, std::int64_t columns, char delimiter);

}  // namespace gpu::detail
