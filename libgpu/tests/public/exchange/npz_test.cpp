// SPDX-License-Identifier: MIT
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

// NumPy's archives of arrays, and loading with another type.
namespace {

// numpy.savez(file, x=numpy.array([1, -2, 300], "<i2"), y=numpy.array([[0.5, 0.25]], ">f8")) of NumPy 2.4
constexpr const char* saved_by_numpy =
    "504b03042d00000000000000210069173386ffffffffffffffff05001400782e6e707901001000860000000000000086000000000000"
    "00934e554d5059010076007b276465736372273a20273c6932272c2027666f727472616e5f6f72646572273a2046616c73652c202773"
    "68617065273a2028332c292c207d20202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "20202020202020202020202020202020202020200a0100feff2c01504b03042d000000000000002100f9158226ffffffffffffffff05"
    "001400792e6e70790100100090000000000000009000000000000000934e554d5059010076007b276465736372273a20273e6638272c"
    "2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028312c2032292c207d2020202020202020202020"
    "20202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020200a3fe000000000"
    "00003fd0000000000000504b01022d032d00000000000000210069173386860000008600000005000000000000000000000080010000"
    "0000782e6e7079504b01022d032d000000000000002100f915822690000000900000000500000000000000000000008001bd00000079"
    "2e6e7079504b0506000000000200020066000000840100000000";
// The same by numpy.savez_compressed.
constexpr const char* compressed_by_numpy =
    "504b03042d00000008000000210069173386ffffffffffffffff05001400782e6e70790100100086000000000000004a000000000000"
    "009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a4aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416"
    "a402f91ac63a9a3a0ab50a14002e46867fff751801504b03042d000000080000002100f9158226ffffffffffffffff05001400792e6e"
    "70790100100090000000000000004f000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9766a1aea3a09e965f54"
    "529498179f5f94920a12774bcc294e058a17672416a402f91a863a0a469a3a0ab50a64032efb070c60607f01420300504b01022d032d"
    "000000080000002100691733864a00000086000000050000000000000000000000800100000000782e6e7079504b01022d032d000000"
    "080000002100f91582264f00000090000000050000000000000000000000800181000000792e6e7079504b0506000000000200020066"
    "000000070100000000";

std::string bytes_of(const std::string& digits) {
    std::string bytes;
    for (std::size_t k = 0; k < digits.size(); k += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
    return bytes;
}

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The message about an archive with these bytes, without the file's name.
std::string refusal(const std::string& bytes) {
    const support::TemporaryFolder folder;
    folder.write("x.npz", bytes);
    return support::error_of([&] { (void)gpu::load_npz(folder / "x.npz"); });
}

}  // namespace

TEST_CASE("an archive is saved and loaded again") {
    const support::TemporaryFolder folder;
    const std::string path = folder / "data.npz";
    //! [npz]
    gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
    gpu::save_npz(path, {{"x", x}, {"sums", gpu::sum(x, {.axis = 1})}, {"twice", x * 2}});
    gpu::NamedArrays data = gpu::load_npz(path);  // numpy.load(path) reads it, too
    gpu::Array<float> again = data["x"];
    std::string shapes;
    for (const auto& [name, array] : data) shapes += name + gpu::to_string(array.shape()) + " ";  // x(2,3) sums(2,) ...
    bool has_bias = data.contains("bias");
    gpu::AnyArray sums = gpu::load_npz(path, "sums");  // only this one is read
    auto twice = gpu::load_npz<float>(path, "twice");  // with its type
    //! [npz]
    CHECK(shapes == "x(2,3) sums(2,) twice(2,3) ");
    CHECK_FALSE(has_bias);
    CHECK(gpu::to_host(again) == gpu::to_host(x));
    CHECK(again.shape() == gpu::Shape{2, 3});
    CHECK(sums.to_host<float>() == std::vector<float>{3, 12});
    CHECK(gpu::to_host(twice) == std::vector<float>{0, 2, 4, 6, 8, 10});
    CHECK(data.size() == 3);
    CHECK(data.begin()->name == "x");
    CHECK(data.contains("twice"));
    CHECK_FALSE(data.contains("thrice"));
    CHECK(support::says<gpu::FileError>("there is no array 'thrice'; there are 'x', 'sums' and 'twice'",
                                        [&] { (void)data["thrice"]; }));
    CHECK(support::says<gpu::FileError>("): there is no array 'y'; there are 'x', 'sums' and 'twice'",
                                        [&] { (void)gpu::load_npz(path, "y"); }));
    CHECK(support::says<gpu::DTypeError>("'x': the file has float32 elements, not int32",
                                         [&] { (void)gpu::load_npz<int>(path, "x"); }));
    CHECK(gpu::to_host(gpu::load_npz<int>(path, "twice", {.convert = true})) == std::vector<int>{0, 2, 4, 6, 8, 10});
    const std::size_t plain = read(path).size();
    gpu::save_npz(path, data, {.compress = true});
    CHECK(read(path).size() < plain);
    CHECK(gpu::load_npz(path)["twice"].to_host<float>() == std::vector<float>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("archives of all element types, layouts and sizes, stored and compressed") {
    const support::TemporaryFolder folder;
    const std::string path = folder / "data.npz";
    for (const bool compress : {false, true}) {
        CAPTURE(compress);
        for (int type = 0; type < gpu::detail::dtype_count; ++type) {
            if (static_cast<gpu::DType>(type) == gpu::DType::bfloat16) continue;  // NumPy has none
            const gpu::AnyArray x =
                gpu::AnyArray(gpu::arange<int>(12).reshape({3, 4})).astype(static_cast<gpu::DType>(type));
            gpu::save_npz(path, {{"x", x}}, {.compress = compress});
            const gpu::AnyArray y = gpu::load_npz(path, "x");
            CHECK(y.dtype() == x.dtype());
            CHECK(gpu::all(x == y).item());
        }
        const auto columns = gpu::to_device({2, 3}, {1., 2., 3., 4., 5., 6.}, gpu::Layout::column_major);
        gpu::save_npz(path,
                      {{"columns", columns},
                       {"backwards", columns(gpu::all, gpu::slice(gpu::none, gpu::none, -1))},
                       {"nothing", gpu::zeros<float>({0, 3})},
                       {"one", gpu::full<float>({}, 2.5f)}},
                      {.compress = compress});
        CHECK(gpu::load_npz<double>(path, "columns").strides() == gpu::Strides{1, 2});
        CHECK(gpu::to_host(gpu::load_npz<double>(path, "backwards")) == std::vector<double>{5, 3, 1, 6, 4, 2});
        CHECK(gpu::load_npz(path, "nothing").shape() == gpu::Shape{0, 3});
        CHECK(gpu::load_npz<float>(path, "one").item() == 2.5f);
        const auto large = gpu::arange<int>(300'000) * 7919;  // several pieces of zlib's buffers
        gpu::save_npz(path, {{"large", large}, {"zeros", gpu::zeros<double>({200'000})}}, {.compress = compress});
        CHECK(gpu::array_equal(gpu::load_npz<int>(path, "large"), large).item());
        CHECK(gpu::count_nonzero(gpu::load_npz(path)["zeros"]).item() == 0);
        gpu::save_npz(path, {}, {.compress = compress});
        CHECK(gpu::load_npz(path).size() == 0);
    }
    CHECK(support::says<gpu::FileError>("two arrays have the name 'x'", [&] {
        gpu::save_npz(path, {{"x", gpu::arange<int>(2)}, {"x", gpu::arange<int>(3)}});
    }));
    CHECK(support::says<gpu::FileError>("an array's name has from 1", [&] {
        gpu::save_npz(path, {{"", gpu::arange<int>(2)}});
    }));
    CHECK(support::says<gpu::FileError>("there are no arrays in it", [&] {
        gpu::save_npz(path, {});
        (void)gpu::load_npz(path, "x");
    }));
}

TEST_CASE("NumPy's archives are read") {
    const support::TemporaryFolder folder;
    for (const char* const digits : {saved_by_numpy, compressed_by_numpy}) {
        folder.write("x.npz", bytes_of(digits));
        const gpu::NamedArrays data = gpu::load_npz(folder / "x.npz");
        REQUIRE(data.size() == 2);
        CHECK(data["x"].to_host<std::int16_t>() == std::vector<std::int16_t>{1, -2, 300});
        CHECK(data["y"].shape() == gpu::Shape{1, 2});
        CHECK(data["y"].to_host<double>() == std::vector<double>{0.5, 0.25});
    }
    // What is written has the same parts in the same order, apart from NumPy's 64-bit sizes.
    const support::TemporaryFolder other;
    gpu::save_npz(other / "x.npz", {{"x", gpu::to_device(std::vector<std::int16_t>{1, -2, 300})}});
    const std::string bytes = read(other / "x.npz");
    CHECK(bytes.starts_with(std::string("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x21\x00", 14)));
    CHECK(bytes.find("x.npy\x93NUMPY") == 30);
    CHECK(bytes.size() == 30 + 5 + 134 + 46 + 5 + 22);
}

TEST_CASE("archives that are none, or are damaged, are refused") {
    const std::string good = bytes_of(saved_by_numpy);
    CHECK(support::contains(refusal(""), "not a complete archive of arrays (.npz)"));
    CHECK(support::contains(refusal("PK"), "not a complete archive of arrays (.npz)"));
    CHECK(support::contains(refusal(std::string(1000, 'x')), "not a complete archive of arrays (.npz)"));
    for (std::size_t length = 0; length < good.size(); length += 7)  // cut off anywhere
        CHECK(support::contains(refusal(good.substr(0, length)), "not a complete archive"));
    // Each byte changed in turn: an error of libgpu's own, or the same arrays.
    for (const char* const digits : {saved_by_numpy, compressed_by_numpy}) {
        const std::string whole = bytes_of(digits);
        int refused = 0;
        for (std::size_t k = 0; k < whole.size(); ++k) {
            for (const int change : {0x01, 0x80, 0xff}) {
                std::string bytes = whole;
                bytes[k] = static_cast<char>(bytes[k] ^ change);
                if (refusal(bytes) != "no error") ++refused;
            }
        }
        CHECK(refused > 500);
    }
    const auto changed = [&](std::size_t at, const std::string& to) {
        std::string bytes = good;
        return bytes.replace(at, to.size(), to);
    };
    const std::size_t directory = good.find("PK\x01\x02"), end = good.rfind("PK\x05\x06");
    CHECK(support::contains(refusal(changed(directory + 10, "\x0c")), "'x' is packed by method 12"));
    CHECK(support::contains(refusal(changed(directory + 8, "\x01")), "'x' is encrypted"));
    CHECK(support::contains(refusal(changed(directory + 16, "\xaa\xbb")), "their checksum differs"));
    CHECK(support::contains(refusal(changed(directory + 20, "\xff\xff\xff\x7f")), "after the file's last byte"));
    CHECK(support::contains(refusal(changed(directory + 24, "\xff\xff\xff\x7f")),
                            "is stored in another number of bytes"));
    CHECK(support::contains(refusal(changed(directory + 42, "\x05")), "no member begins where 'x' should"));
    CHECK(support::contains(refusal(changed(end + 10, "\x03")), "directory"));
    CHECK(support::contains(refusal(changed(end + 12, "\xff\xff\xff\x7f")), "its directory overlaps what follows it"));
    CHECK(support::contains(refusal(changed(end + 16, "\xff\xff\xff\x7f")), "its directory overlaps what follows it"));
    // A compressed member that says it has 2 GiB: no such memory is taken.
    std::string liar = bytes_of(compressed_by_numpy);
    liar.replace(liar.find("PK\x01\x02") + 24, 4, "\xff\xff\xff\x7f");
    CHECK(support::contains(refusal(liar), "aren't those that were saved"));
    liar.replace(liar.find("PK\x01\x02") + 24, 4, std::string("\x01\x00\x00\x00", 4));
    CHECK(support::contains(refusal(liar), "'x' unpacks to more bytes than its entry says"));
    const support::TemporaryFolder folder;
    CHECK(support::says<gpu::FileError>("No such file", [&] { (void)gpu::load_npz(folder / "none.npz"); }));
    CHECK(support::says<gpu::FileError>("No such file", [&] {
        gpu::save_npz(folder / "none/x.npz", {{"x", gpu::arange<int>(2)}});
    }));
    folder.write("x.npy", good);
    CHECK(support::says<gpu::FileError>("an archive of arrays (.npz): use gpu::load_npz(path)",
                                        [&] { (void)gpu::load_npy(folder / "x.npy"); }));
}

TEST_CASE("elements of another type are converted if that is asked for") {
    const support::TemporaryFolder folder;
    const std::string path = folder / "x.npy";
    //! [convert]
    gpu::save_npy(path, gpu::to_device({1.75, -2.5, 1e10}));   // doubles
    auto x = gpu::load_npy<float>(path, {.convert = true});    // without it: a DTypeError
    auto whole = gpu::load_npy<int>(path, {.convert = true});  // 1 -2 2147483647: as by astype()
    //! [convert]
    CHECK(gpu::to_host(x) == std::vector<float>{1.75f, -2.5f, 1e10f});
    CHECK(gpu::to_host(whole) == std::vector<int>{1, -2, 2147483647});
    CHECK(support::says<gpu::DTypeError>("the file has float64 elements, not float32: add {.convert = true}",
                                         [&] { (void)gpu::load_npy<float>(path); }));
    using Z = gpu::complex<float>;
    CHECK(gpu::to_host(gpu::load_npy<Z>(path, {.convert = true}))[1] == Z(-2.5f));
    gpu::save_npy(path, gpu::to_device(std::vector<Z>{{1, 2}}));
    CHECK(support::says<gpu::DTypeError>("complex numbers can't become real ones: load them as they are",
                                         [&] { (void)gpu::load_npy<float>(path, {.convert = true}); }));
    CHECK(gpu::load_npy<bool>(path, {.convert = true}).item());
    gpu::save_npy(path, gpu::to_device({2, 3}, {1., 2., 3., 4., 5., 6.}, gpu::Layout::column_major));
    const auto columns = gpu::load_npy<float>(path, {.convert = true});
    CHECK(columns.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(columns) == std::vector<float>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("an array that files can't hold leaves the archive that is there as it was") {
    const support::TemporaryFolder folder;
    const std::string path = folder / "x.npz";
    gpu::save_npz(path, {{"x", gpu::ones<float>({2})}});
    const std::string before = read(path);
    CHECK_THROWS_AS(gpu::save_npz(path, {{"x", gpu::ones<float>({3})}, {"y", gpu::ones<gpu::bfloat16>({3})}}),
                    gpu::DTypeError);
    CHECK(read(path) == before);
}
