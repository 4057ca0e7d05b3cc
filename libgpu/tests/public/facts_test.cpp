// SPDX-License-Identifier: MIT
// What arrays, shapes, types, devices, streams and errors tell of themselves.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/gpu.hpp>

TEST_CASE("arrays and views say what they are") {
    //! [array_facts]
    gpu::Array<float> a = gpu::zeros<float>({2, 3});
    auto column = a(gpu::all, 1);
    bool plain = a.shape() == gpu::Shape{2, 3} && a.rank() == 2 && a.size() == 6;
    auto steps = column.strides();        // {3}: from row to row
    bool dense = column.is_contiguous();  // false
    gpu::Device where = a.device();
    float* address = a.data();  // for CUDA code of your own; counts as a write
    //! [array_facts]
    CHECK(plain);
    CHECK(steps == gpu::Strides{3});
    CHECK_FALSE(dense);
    CHECK(where == gpu::Device::current());
    CHECK(address != nullptr);
    CHECK(column.data() == address + 1);
    CHECK(column.rank() == 1);
    CHECK(column.size() == 2);
    CHECK(column.device() == where);

    //! [copy_from]
    std::vector<float> host{1, 2, 3, 4, 5, 6};
    a.copy_from(host);
    column.copy_to(std::span(host).first(2));  // 2 and 5
    float corner = a(0, 0).item();
    auto later = a + 1.f;  // an expression: nothing is computed yet
    gpu::Array<float> now = later.eval();
    //! [copy_from]
    CHECK(host == std::vector<float>{2, 5, 3, 4, 5, 6});
    CHECK(corner == 1);
    CHECK(gpu::to_host(now)[0] == 2);

    //! [any_array]
    gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "twice");
    gpu::AnyArray result = twice(a);  // the kernel's placeholder decides the type
    if (result.dtype() == gpu::DType::float32 && result.shape() == a.shape() && result.device() == a.device()) {
        gpu::Array<float> typed = result;  // another type would throw a DTypeError
        CHECK(gpu::to_host(typed) == std::vector<float>{2, 4, 6, 8, 10, 12});
    }
    //! [any_array]
    CHECK(result.dtype() == gpu::DType::float32);
}

TEST_CASE("shapes are lists of lengths") {
    //! [shapes]
    gpu::Shape shape{4, 1};
    shape.append(3);  // (4,1,3)
    std::int64_t product = 1;
    for (std::int64_t length : shape) product *= length;  // begin() and end()
    bool same = product == shape.size() && shape.rank() == 3 && shape[2] == 3;
    gpu::Shape both = gpu::broadcast(shape, {5, 1});  // (4,5,3), as NumPy
    gpu::Strides columns = gpu::dense_strides(both, gpu::Layout::column_major);
    columns.push_back(60);                    // one axis more
    std::string text = gpu::to_string(both);  // "(4,5,3)"
    //! [shapes]
    CHECK(same);
    CHECK(both == gpu::Shape{4, 5, 3});
    CHECK(columns == gpu::Strides{1, 4, 20, 60});
    CHECK(text == "(4,5,3)");
    CHECK(columns.rank() == 4);
}

TEST_CASE("element types say what they are") {
    //! [dtypes]
    gpu::DType type = gpu::promote(gpu::DType::int32, gpu::DType::float32);  // float64, as NumPy
    auto numpys = gpu::name(type);                                           // "float64"
    auto inside_a_kernel = gpu::kernel_name(type);                           // "double"
    bool wide = gpu::size_of(type) == 8 && gpu::is_floating(type) && !gpu::is_unsigned(type) && !gpu::is_complex(type);
    gpu::DType parts = gpu::real_dtype(gpu::DType::complex64);  // float32
    gpu::DType pairs = gpu::complex_dtype(type);                // complex128
    //! [dtypes]
    CHECK(numpys == "float64");
    CHECK(inside_a_kernel == "double");
    CHECK(wide);
    CHECK(parts == gpu::DType::float32);
    CHECK(pairs == gpu::DType::complex128);

    //! [half_bits]
    gpu::half one(1.0);
    bool exact = one.bits() == 0x3c00 && gpu::half::from_bits(0x3c00) == one;
    //! [half_bits]
    CHECK(exact);
    //! [complex_parts]
    gpu::complex<float> z{3, 4};
    bool mirrored = z.real() == gpu::real(z) && gpu::imag(gpu::conj(z)) == -z.imag();
    //! [complex_parts]
    CHECK(mirrored);
}

TEST_CASE("devices and streams say what they are") {
    //! [device_facts]
    gpu::Device device = gpu::Device::current();
    std::string which = device.to_string();  // "cuda:0", "host:0"
    bool on_cpu = device.kind() == gpu::BackendKind::host;
    bool known = device.index() < gpu::Device::count() && !device.properties().name.empty();
    std::string reason = gpu::why_no_gpu();  // empty if there is a usable GPU
    gpu::Device by_name = on_cpu ? gpu::Device::host(device.index()) : gpu::Device::cuda(device.index());
    //! [device_facts]
    CHECK(known);
    CHECK(by_name == device);
    CHECK(which == (on_cpu ? "host:" : "cuda:") + std::to_string(device.index()));
    CHECK((on_cpu || reason.empty()));

    //! [stream_ref]
    gpu::Stream stream;
    gpu::StreamRef same = stream.ref();  // owns nothing; what launches take
    gpu::StreamRef again = gpu::StreamRef::from_native(same.native(), stream.device());
    gpu::StreamGuard guard(again);
    bool here = gpu::Stream::current().device() == device && !again.is_current();
    //! [stream_ref]
    CHECK(here);
    CHECK(gpu::Stream::current().native() == stream.ref().native());
    CHECK(gpu::Event().device() == device);
}

TEST_CASE("errors carry what a program may want to know") {
    //! [compile_error]
    try {
        gpu::ElementwiseKernel("T x", "T y", "y = x +", "broken")(gpu::ones<float>({1}));
    } catch (const gpu::CompileError& error) {
        std::string first_error = error.what(), everything = error.log();
        std::string text = error.source(), options = error.options();
        CHECK(error.kernel() == "broken");
        CHECK(first_error.find("broken") != std::string::npos);
        CHECK_FALSE(everything.empty());
        CHECK(text.find("y = x +") != std::string::npos);
        CHECK(options.find("-std=c++17") != std::string::npos);
    }
    //! [compile_error]
    //! [out_of_memory]
    try {
        (void)gpu::empty<double>({std::int64_t{1} << 50});
        FAIL("no machine has that much");
    } catch (const gpu::OutOfMemory& error) {
        CHECK(error.requested() >= std::size_t{1} << 53);
        CHECK(error.held() + error.free() < error.requested());
        CHECK(error.used() <= error.held());
        CHECK((error.total() == 0 || error.total() < error.requested()));
        CHECK(error.limit() == error.memory().limit);
    }
    //! [out_of_memory]
    //! [memory_limits]
    gpu::MemoryPool pool = gpu::memory_pool();
    gpu::PinnedPool pinned = gpu::pinned_pool();
    const std::size_t limits[] = {pool.limit(), pinned.limit()};
    pool.set_limit(pool.use().used + (64u << 20));  // 64 MiB more than now
    pinned.set_limit(pinned.used_bytes() + (1u << 20));
    auto scratch = gpu::Pinned<float>::uninitialized(1000);
    gpu::LaunchLog log;
    log.clear();
    pool.set_limit(limits[0]);
    pinned.set_limit(limits[1]);
    //! [memory_limits]
    CHECK(scratch.size() == 1000);
    CHECK(log.entries().empty());
    CHECK(pool.limit() == limits[0]);
    //! [source]
    gpu::Source source("extern \"C\" __global__ void nothing() {}", "nothing.cu", 10);
    std::string place = source.file() + ":" + std::to_string(source.line());  // "nothing.cu:10"
    bool has_text = source.text().find("nothing") != std::string::npos;
    //! [source]
    CHECK(place == "nothing.cu:10");
    CHECK(has_text);
    //! [axes]
    gpu::Axes axes{0, -1};
    bool two = axes.count() == 2 && axes[1] == -1 && !axes.all();
    //! [axes]
    CHECK(two);
}
