// SPDX-License-Identifier: MIT
// .npy files: the bytes that NumPy writes are read, what we write has the form that NumPy reads, and broken files are
// refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/temporary_folder.hpp"

using namespace std::string_literals;

namespace {

// A file of this test's own, gone at its end.
class Scratch {
public:
    explicit Scratch(const std::string& bytes = {}) { folder_.write("array.npy", bytes); }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::string path() const { return folder_ / "array.npy"; }

private:
    support::TemporaryFolder folder_;
};

// As numpy.save writes it: the header ends with a newline at a multiple of 64.
std::string npy(std::string dictionary, const std::string& data, int version = 1) {
    const std::size_t before = version == 1 ? 10 : 12;
    dictionary.append(63 - (before + dictionary.size()) % 64, ' ');
    dictionary += '\n';
    std::string file = "\x93NUMPY"s + static_cast<char>(version) + '\0';
    std::size_t length = dictionary.size();
    for (std::size_t k = 0; k < before - 8; ++k, length >>= 8) file += static_cast<char>(length & 0xff);
    return file + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

template <class Error>
std::string refusal(const std::string& file) {
    const Scratch scratch(file);
    try {
        (void)gpu::load_npy<float>(scratch.path());
    } catch (const Error& error) {
        const std::string text = error.what();
        const std::string where = "load_npy(" + scratch.path() + "): ";
        CHECK(text.starts_with(where));
        return text.substr(std::min(where.size(), text.size()));
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("what is saved is loaded again") {
    const Scratch scratch;
    const std::string path = scratch.path();
    //! [npy]
    auto x = gpu::arange<float>(6).reshape({2, 3});
    gpu::save_npy(path, x);  // numpy.load(path) reads it
    gpu::Array<float> y = gpu::load_npy<float>(path);
    //! [npy]
    CHECK(y.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    //! [any]
    gpu::AnyArray any = gpu::load_npy(path);  // with the elements that the file has
    bool is_float = any.dtype() == gpu::DType::float32;
    //! [any]
    CHECK(is_float);
    gpu::save_npy(path, x.transpose() * 2.f);  // an expression
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == std::vector<float>{0, 6, 2, 8, 4, 10});
    gpu::save_npy(path, x(gpu::all, gpu::slice(gpu::none, gpu::none, -2)));
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == std::vector<float>{2, 0, 5, 3});
    gpu::save_npy(path, any);
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == gpu::to_host(x));
}

TEST_CASE("the bytes of a file are NumPy's") {
    const Scratch scratch;
    gpu::save_npy(scratch.path(), gpu::to_device(std::vector<std::int16_t>{1, -2, 300}));
    CHECK(scratch.bytes() == npy(header("<i2", "(3,)"), "\x01\x00\xfe\xff\x2c\x01"s));
    gpu::save_npy(scratch.path(), gpu::arange<std::uint8_t>(6).reshape({2, 3}).copy(gpu::Layout::column_major));
    CHECK(scratch.bytes() == npy(header("|u1", "(2, 3)", true), "\x00\x03\x01\x04\x02\x05"s));
    gpu::save_npy(scratch.path(), gpu::full<bool>({}, true));
    CHECK(scratch.bytes() == npy(header("|b1", "()"), "\x01"));
    gpu::save_npy(scratch.path(), gpu::zeros<double>({0, 3}));
    CHECK(scratch.bytes() == npy(header("<f8", "(0, 3)"), ""));
}

TEST_CASE("files in NumPy's three formats, in both orders and of both byte orders are read") {
    const std::string three = "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40"s;  // 1, 2, 3
    for (const int version : {1, 2, 3}) {
        const Scratch scratch(npy(header("<f4", "(3,)"), three, version));
        CHECK(gpu::to_host(gpu::load_npy<float>(scratch.path())) == std::vector<float>{1, 2, 3});
    }
    const Scratch big(npy(header(">f4", "(2,)"), "\x3f\x80\x00\x00\x40\x00\x00\x00"s));
    CHECK(gpu::to_host(gpu::load_npy<float>(big.path())) == std::vector<float>{1, 2});
    const Scratch fortran(npy(header("<f4", "(1, 3)", true), three));
    CHECK(gpu::load_npy<float>(fortran.path()).shape() == gpu::Shape{1, 3});
    const Scratch columns(npy(header("|i1", "(2, 3)", true), "\x01\x04\x02\x05\x03\x06"));
    const auto read = gpu::load_npy<std::int8_t>(columns.path());
    CHECK(read.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(read) == std::vector<std::int8_t>{1, 2, 3, 4, 5, 6});
    const Scratch other_order(
        npy("{\"shape\":(1,),\"descr\":\"=f4\",\"fortran_order\":False}", three));  // more may follow
    CHECK(gpu::load_npy<float>(other_order.path()).shape() == gpu::Shape{1});
    const Scratch truth(npy(header("|b1", "(3,)"), "\x00\x01\x07"s));
    CHECK(gpu::to_host(gpu::load_npy<bool>(truth.path())) == std::vector<std::uint8_t>{0, 1, 1});
    const Scratch single(npy(header("<f4", "()"), three.substr(0, 4)));
    CHECK(gpu::load_npy<float>(single.path()).item() == 1);
}

TEST_CASE_TEMPLATE("every element type goes there and back", T, bool, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double) {
    const Scratch scratch;
    const gpu::Array<T> x = gpu::arange<int>(-2, 4).reshape({3, 2}).template astype<T>();
    gpu::save_npy(scratch.path(), x);
    const gpu::Array<T> y = gpu::load_npy<T>(scratch.path());
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    CHECK(y.shape() == x.shape());
    CHECK(gpu::load_npy(scratch.path()).dtype() == gpu::dtype_of<T>);
}

TEST_CASE("halves and complex numbers in files") {
    const Scratch scratch;
    const auto z = gpu::to_device(std::vector<gpu::complex<float>>{{1, 2}, {3, -1}});
    gpu::save_npy(scratch.path(), z);
    CHECK(scratch.bytes() ==
          npy(header("<c8", "(2,)"), "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\xbf"s));
    CHECK(gpu::to_host(gpu::load_npy<gpu::complex<float>>(scratch.path())) == gpu::to_host(z));
    // Big-endian: each part is turned round by itself.
    const Scratch big(npy(header(">c8", "(1,)"), "\x3f\x80\x00\x00\x40\x00\x00\x00"s));
    CHECK(gpu::load_npy<gpu::complex<float>>(big.path()).item() == gpu::complex<float>(1, 2));
    const auto w = gpu::to_device(std::vector<gpu::complex<double>>{{0.5, -2}});
    gpu::save_npy(scratch.path(), w);
    CHECK(scratch.bytes().find("'<c16'") != std::string::npos);
    CHECK(gpu::load_npy<gpu::complex<double>>(scratch.path()).item() == gpu::complex<double>(0.5, -2));
    const Scratch halves(npy(header("<f2", "(2,)"), "\x00\x3c\x00\xc0"s));
    CHECK(gpu::to_host(gpu::load_npy<gpu::half>(halves.path()).astype<float>()) == std::vector<float>{1, -2});
    gpu::save_npy(scratch.path(), gpu::load_npy<gpu::half>(halves.path()));
    CHECK(scratch.bytes() == halves.bytes());
}

TEST_CASE("files that are none, or are broken, are refused") {
    const std::string two = "\x00\x00\x80\x3f\x00\x00\x00\x40"s;
    CHECK(refusal<gpu::FileError>("") == "not a .npy file: it doesn't begin with \\x93NUMPY");
    CHECK(refusal<gpu::FileError>("PK\x03\x04 an archive of several arrays") ==
          "an archive of arrays (.npz): unzip it, and load the .npy files in it");
    CHECK(refusal<gpu::FileError>("PNG is no array") == "not a .npy file: it doesn't begin with \\x93NUMPY");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x04\x00"s) ==
          "format 4.0 of .npy files isn't known; 1.0, 2.0 and 3.0 are");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x01\x00\x76"s) ==
          "the file is truncated: its header's bytes need 2 bytes, and 1 are left");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x01\x00\x76\x00{'descr'"s) ==
          "the file is truncated: its header's bytes need 118 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy(header("<f4", "(3,)"), two)) ==
          "the file is truncated: its elements need 12 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy(header("<f4", "(1000000, 1000000)"), two)) ==
          "the file is truncated: its elements need 4000000000000 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy("{'descr': '<f4', 'shape': (2,)}   \n", two)) ==
          "the file's header is broken: one of descr, fortran_order and shape is missing in "
          "{'descr': '<f4', 'shape': (2,)}");
    for (const char* broken : {"", "[]", "{", "{'descr'}", "{'descr: 1}", "{'descr': 4}", "{'shape': (2}",
                               "{'shape': (-2,)}", "{'shape': 2}", "{'fortran_order': 1}", "{'other': True}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1"}) {
        CAPTURE(broken);
        CHECK(refusal<gpu::FileError>(npy(broken, two)).starts_with("the file's header is broken: "));
    }
}

TEST_CASE("files of elements or shapes that an array can't have are refused") {
    const std::string eight(8, '\0');
    CHECK(refusal<gpu::DTypeError>(npy(header("<f8", "(1,)"), eight)) == "the file has float64 elements, not float32");
    CHECK(refusal<gpu::DTypeError>(npy(header("|O", "(1,)"), eight)) ==
          "the file has elements of NumPy's type '|O', pickled Python objects; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy(header("<U3", "(1,)"), eight)) ==
          "the file has elements of NumPy's type '<U3'; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy(header("", "(1,)"), eight)) ==
          "the file has elements of NumPy's type ''; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", eight)) ==
          "the file has structured elements; an array can't hold them");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), eight)) ==
          "an array has at most 8 axes");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(4294967296, 4294967296)"), eight)) ==
          "shape (4294967296,4294967296) has more than 2^63 - 1 elements");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(99999999999999999999,)"), eight))
              .starts_with("a length of the file's shape doesn't fit 63 bits: "));
}

TEST_CASE("files that aren't there or can't be written") {
    CHECK_THROWS_WITH_AS((void)gpu::load_npy<float>("/nowhere/x.npy"),
                         "load_npy(/nowhere/x.npy): No such file or directory", gpu::FileError);
    CHECK_THROWS_AS((void)gpu::load_npy<float>("/tmp"), gpu::FileError);
    CHECK_THROWS_WITH_AS(gpu::save_npy("/nowhere/x.npy", gpu::ones<float>({2})),
                         "save_npy(/nowhere/x.npy): No such file or directory", gpu::FileError);
    if (::access("/dev/full", W_OK) == 0) {
        CHECK_THROWS_AS(gpu::save_npy("/dev/full", gpu::ones<float>({2})), gpu::FileError);
    }
}
