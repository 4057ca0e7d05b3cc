// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/npy.hpp>
#include <gpu/print.hpp>

#include "array/npy_header.hpp"
#include "array/print_text.hpp"
#include "launch/transfer/npy_source.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

NpyHeader NpySource::header() {
    const std::string start = left_ < 8 ? std::string() : text(8);
    if (start.starts_with("PK\x03\x04")) {
        throw FileError(where_ +
                        ": an archive of arrays (.npz): use gpu::load_npz(path), or load_npz(path, name) for "
                        "one of them");
    }
    if (!start.starts_with(npy_magic)) {
        throw FileError(where_ + ": not a .npy file: it doesn't begin with \\x93NUMPY");
    }
    const int version = start[6];
    if (version < 1 || version > 3) {
        throw FileError(where_ + ": format " + std::to_string(version) + "." + std::to_string(start[7]) +
                        " of .npy files isn't known; 1.0, 2.0 and 3.0 are");
    }
    std::size_t length = 0;
    const std::string digits = text(version == 1 ? 2 : 4);
    for (std::size_t k = digits.size(); k-- > 0;) length = length << 8 | static_cast<unsigned char>(digits[k]);
    return parse_npy_header(text(length), where_);
}

std::byte* NpySource::elements(std::size_t bytes) {
    check(bytes, "elements");
    left_ -= bytes;
    return next(bytes);
}

std::string NpySource::text(std::size_t bytes) {
    check(bytes, "header's bytes");
    left_ -= bytes;
    const std::byte* const from = next(bytes);
    return {reinterpret_cast<const char*>(from), bytes};
}

void NpySource::check(std::size_t bytes, const char* what) const {
    if (bytes > left_) {
        throw FileError(where_ + ": the file is truncated: its " + what + " need " + std::to_string(bytes) +
                        " bytes, and " + std::to_string(left_) + " are left");
    }
}

namespace {

std::string said(const std::string& operation, const std::string& path) { return operation + "(" + path + ")"; }

// A file that is read sequentially.
class NpyFile : public NpySource {
public:
    explicit NpyFile(const std::string& path) : NpySource(said("load_npy", path)) {
        errno = 0;
        file_.open(path, std::ios::binary | std::ios::ate);
        if (!file_) throw FileError(where() + ": " + std::strerror(errno));
        const auto bytes = static_cast<std::int64_t>(file_.tellg());
        if (bytes < 0 || !file_.seekg(0)) throw FileError(where() + ": not a file that can be read");
        set_left(static_cast<std::size_t>(bytes));
    }

private:
    std::byte* next(std::size_t bytes) override {
        memory_.reset(new std::byte[bytes]);
        if (bytes > 0 && !file_.read(reinterpret_cast<char*>(memory_.get()), static_cast<std::streamsize>(bytes))) {
            throw FileError(where() + ": the file can't be read: " + std::strerror(errno));
        }
        return memory_.get();
    }

    std::ifstream file_;
    std::unique_ptr<std::byte[]> memory_;
};

void make_usable(std::byte* elements, std::size_t bytes, const NpyHeader& header) {
    if (header.dtype == DType::boolean) {
        std::transform(elements, elements + bytes, elements, [](std::byte b) { return std::byte{b != std::byte{0}}; });
    }
    if (!header.big_endian) return;
    const std::size_t width = size_of(real_dtype(header.dtype));  // the parts of complex numbers, each by itself
    for (std::size_t at = 0; at < bytes; at += width) std::reverse(elements + at, elements + at + width);
}

void check_type(const std::string& where, DType own, DType wanted, bool convert) {
    if (own == wanted) return;
    const std::string begin =
        where + ": the file has " + std::string(name(own)) + " elements, not " + std::string(name(wanted));
    if (!convert) {
        throw DTypeError(begin +
                         ": add {.convert = true} to convert them, or leave out the type to load them as they "
                         "are");
    }
    if (is_complex(own) && !is_complex(wanted) && wanted != DType::boolean) {
        throw DTypeError(begin +
                         ", and complex numbers can't become real ones: load them as they are, and take "
                         "gpu::real(z), gpu::imag(z) or gpu::abs(z)");
    }
}

}  // namespace

ArrayCore read_npy(NpySource& source, const WantedType& wanted) {
    const NpyHeader header = source.header();
    const DType dtype = wanted.given ? wanted.dtype : header.dtype;
    check_type(source.where(), header.dtype, dtype, wanted.convert);
    const std::size_t bytes = bytes_of(header.shape, header.dtype);
    std::byte* const elements = source.elements(bytes);
    make_usable(elements, bytes, header);
    const ArrayCore array = make_array(header.dtype, header.shape, header.layout);
    copy_from_host_dense(array, elements, header.shape.size());
    return dtype == header.dtype ? array : cast_copy(array, dtype);
}

NpyBytes npy_bytes(const ArrayCore& array) {
    const NpyHeader header{
        .dtype = array.dtype, .big_endian = false, .layout = own_layout(array), .shape = array.shape};
    const std::size_t bytes = bytes_of(array.shape, array.dtype);
    NpyBytes made{
        .start = npy_start(header), .elements = std::unique_ptr<std::byte[]>(new std::byte[bytes]), .bytes = bytes};
    copy_to_host_as(array, made.elements.get(), array.shape.size(), header.layout);
    return made;
}

ArrayCore load_npy(const std::string& path, const WantedType& wanted) {
    NpyFile file(path);
    return read_npy(file, wanted);
}

void save_npy(const std::string& path, const ArrayCore& array) {
    const NpyBytes made = npy_bytes(array);
    const std::string where = said("save_npy", path);
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    file.write(made.start.data(), static_cast<std::streamsize>(made.start.size()));
    file.write(reinterpret_cast<const char*>(made.elements.get()), static_cast<std::streamsize>(made.bytes));
    file.close();
    if (!file) throw FileError(where + ": the file can't be written: " + std::strerror(errno));
}

namespace {

// Splits an axis into two: its ends, and the positions in each.
void split_ends(ArrayCore& array, int axis, std::int64_t edge) {
    const std::int64_t length = array.shape[axis], stride = array.strides[axis];
    array.shape.append(1);
    array.strides.push_back(0);
    for (int k = array.shape.rank() - 1; k > axis + 1; --k) {
        array.shape[k] = array.shape[k - 1];
        array.strides[k] = array.strides[k - 1];
    }
    array.shape[axis] = 2;
    array.strides[axis] = (length - edge) * stride;
    array.shape[axis + 1] = edge;
    array.strides[axis + 1] = stride;
}

ArrayCore end_of(const ArrayCore& array, int axis, std::int64_t edge, bool second) {
    ArrayCore window = array;
    if (second) window.offset += (array.shape[axis] - edge) * array.strides[axis];
    window.shape[axis] = edge;
    return window;
}

// Copies both ends of all long axes in one kernel, if the rank allows it.
void copy_ends(ArrayCore source, ArrayCore target) {
    for (int axis = 0; axis < source.shape.rank(); ++axis) {
        if (source.shape[axis] == target.shape[axis]) continue;
        const std::int64_t edge = target.shape[axis] / 2;
        if (source.shape.rank() == max_rank) {
            for (const bool second : {false, true}) {
                copy_ends(end_of(source, axis, edge, second), end_of(target, axis, edge, second));
            }
            return;
        }
        split_ends(source, axis, edge);
        split_ends(target, axis, edge);
        ++axis;
    }
    assign(target, leaf(source), false);
}

}  // namespace

std::string text_of(const ArrayCore& array, const PrintOptions& options) {
    const Shape shown = shown_shape(array.shape, options);
    std::vector<std::byte> elements(bytes_of(shown, array.dtype));
    if (shown == array.shape) {
        copy_to_host(array, elements.data(), shown.size());
    } else if (array.shape.rank() == 1) {  // two small copies, without a kernel if the elements are contiguous
        const std::int64_t edge = shown[0] / 2;
        copy_to_host(end_of(array, 0, edge, false), elements.data(), edge);
        copy_to_host(end_of(array, 0, edge, true), elements.data() + elements.size() / 2, edge);
    } else {
        const ArrayCore ends = make_array_on(array.storage->device(), array.dtype, shown, Layout::row_major);
        copy_ends(array, ends);
        copy_to_host(ends, elements.data(), shown.size());
    }
    return print_text(array.dtype, array.shape, elements.data(), options);
}

}  // namespace gpu::detail
