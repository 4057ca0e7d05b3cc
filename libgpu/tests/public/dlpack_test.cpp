// SPDX-License-Identifier: MIT
// Arrays of other libraries by DLPack: in and out, on the host and on a GPU.
#ifdef GPU_TEST_WITH_DLPACK
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <gpu/dlpack.hpp>
#include <gpu/gpu.hpp>

namespace {

// Another library, as far as DLPack shows one: a tensor on memory of its own, which counts how often it is freed.
struct Other {
    gpu::Array<float> memory = gpu::arange<float>(24);  // stands for what the other library allocated
    std::int64_t shape[3] = {2, 3, 4}, strides[3] = {12, 4, 1};
    int freed = 0;
    DLManagedTensor tensor{};

    Other() {
        tensor.dl_tensor.data = memory.data();
        tensor.dl_tensor.device = gpu::detail::dlpack_device(memory.device());
        tensor.dl_tensor.ndim = 3;
        tensor.dl_tensor.dtype = {kDLFloat, 32, 1};
        tensor.dl_tensor.shape = shape;
        tensor.dl_tensor.strides = strides;
        tensor.manager_ctx = this;
        tensor.deleter = [](DLManagedTensor* self) { ++static_cast<Other*>(self->manager_ctx)->freed; };
    }
};

std::vector<std::int64_t> list(const std::int64_t* values, int count) { return {values, values + count}; }

}  // namespace

TEST_CASE("an array goes out by DLPack without a copy, and its memory stays until the deleter is called") {
    DLManagedTensor* tensor = nullptr;
    {
        gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
        const float* const address = std::as_const(x).data();
        //! [to_dlpack]
        tensor = gpu::to_dlpack(x);  // the other library calls tensor->deleter(tensor) in the end
        //! [to_dlpack]
        CHECK(tensor->dl_tensor.data == address);
    }
    const DLTensor& shown = tensor->dl_tensor;
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    CHECK(shown.device.device_type == (on_gpu ? kDLCUDA : kDLCPU));
    CHECK(shown.device.device_id == 0);
    CHECK(list(shown.shape, shown.ndim) == std::vector<std::int64_t>{2, 3});
    CHECK(list(shown.strides, shown.ndim) == std::vector<std::int64_t>{3, 1});
    CHECK(shown.byte_offset == 0);
    const auto* const first = static_cast<const float*>(shown.data);
    CHECK(gpu::to_host(gpu::wrap(first, {6})) == std::vector<float>{0, 1, 2, 3, 4, 5});
    if (!on_gpu) CHECK(first[5] == 5);  // a CPU tensor's elements are there
    tensor->deleter(tensor);
}

TEST_CASE("windows go out with their strides") {
    gpu::Array<int> x = gpu::arange<int>(12).reshape({3, 4});
    const auto check = [&](const auto& window, const std::vector<std::int64_t>& shape,
                           const std::vector<std::int64_t>& strides) {
        DLManagedTensor* const tensor = gpu::to_dlpack(window);
        CHECK(tensor->dl_tensor.data == window.data());
        CHECK(list(tensor->dl_tensor.shape, tensor->dl_tensor.ndim) == shape);
        CHECK(list(tensor->dl_tensor.strides, tensor->dl_tensor.ndim) == strides);
        tensor->deleter(tensor);
    };
    check(x.transpose(), {4, 3}, {1, 4});
    check(x(gpu::slice(1, 3), gpu::slice(gpu::none, gpu::none, -2)), {2, 2}, {4, -2});
    check(std::as_const(x)(1), {4}, {1});
    DLManagedTensor* const number = gpu::to_dlpack(gpu::sum(x));
    CHECK(number->dl_tensor.ndim == 0);
    CHECK(gpu::from_dlpack<std::int64_t>(number).item() == 66);  // and back: the array itself is gone
}

TEST_CASE("a tensor comes in by DLPack without a copy, and is freed after the last view") {
    Other other;
    {
        DLManagedTensor* const tensor = &other.tensor;
        //! [from_dlpack]
        auto x = gpu::from_dlpack<float>(tensor);  // a View<float>
        x(0, 0) = 7.f;
        const gpu::Array<float> total = gpu::sum(x);
        //! [from_dlpack]
        CHECK(x.shape() == gpu::Shape{2, 3, 4});
        CHECK(x.data() == std::as_const(other.memory).data());
        CHECK(total.item() == 276 - 6 + 28);
        const auto part = x(1, 2);
        x = gpu::zeros<float>({1});
        { const auto gone = std::move(x); }
        CHECK(other.freed == 0);
        CHECK(gpu::to_host(part) == std::vector<float>(4, 0.f));
    }
    gpu::synchronize();
    CHECK(other.freed == 1);
    CHECK(gpu::to_host(other.memory)[0] == 0);
}

TEST_CASE("tensors without strides, with an offset, of strange strides, and without elements") {
    Other other;
    DLTensor& tensor = other.tensor.dl_tensor;
    tensor.strides = nullptr;
    tensor.byte_offset = 4 * 4;
    other.shape[2] = 3;
    other.shape[1] = 2;
    tensor.device = gpu::detail::dlpack_device(other.memory.device());
    CHECK(gpu::to_host(gpu::from_dlpack<const float>(&other.tensor)) ==
          std::vector<float>{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    tensor.strides = other.strides;
    other.strides[0] = 0;
    other.strides[1] = -2;
    other.strides[2] = 5;
    CHECK(gpu::to_host(gpu::from_dlpack<const float>(&other.tensor)) ==
          std::vector<float>{4, 9, 14, 2, 7, 12, 4, 9, 14, 2, 7, 12});
    other.shape[1] = 0;
    tensor.data = nullptr;
    CHECK(gpu::from_dlpack<float>(&other.tensor).shape() == gpu::Shape{2, 0, 3});
    CHECK(other.freed == 3);
}

TEST_CASE("every element type goes out and comes back") {
    const auto check = [](const auto& array, std::uint8_t code, int bits) {
        using T = typename std::remove_cvref_t<decltype(array)>::value_type;
        DLManagedTensor* const tensor = gpu::to_dlpack(array);
        CHECK(tensor->dl_tensor.dtype.code == code);
        CHECK(tensor->dl_tensor.dtype.bits == bits);
        CHECK(tensor->dl_tensor.dtype.lanes == 1);
        //! [dtype]
        const gpu::DType dtype = gpu::dtype_of_dlpack(tensor->dl_tensor);
        //! [dtype]
        CHECK(dtype == gpu::dtype_of<T>);
        const gpu::View<T> back = gpu::from_dlpack<T>(tensor);
        CHECK(gpu::all(back == array).item());
    };
    const gpu::Array<int> x = gpu::arange<int>(5);
    check(gpu::Array<bool>(x > 2), 6, 8);
    check(x.astype<std::int8_t>(), kDLInt, 8);
    check(x.astype<std::int16_t>(), kDLInt, 16);
    check(x, kDLInt, 32);
    check(x.astype<std::int64_t>(), kDLInt, 64);
    check(x.astype<std::uint8_t>(), kDLUInt, 8);
    check(x.astype<std::uint16_t>(), kDLUInt, 16);
    check(x.astype<std::uint32_t>(), kDLUInt, 32);
    check(x.astype<std::uint64_t>(), kDLUInt, 64);
    check(x.astype<gpu::half>(), kDLFloat, 16);
    check(x.astype<gpu::bfloat16>(), kDLBfloat, 16);
    check(x.astype<float>(), kDLFloat, 32);
    check(x.astype<double>(), kDLFloat, 64);
    check(x.astype<gpu::complex<float>>(), kDLComplex, 64);
    check(x.astype<gpu::complex<double>>(), kDLComplex, 128);
}

TEST_CASE("what an array can't be is refused by name, and the tensor stays the caller's") {
    Other other;
    DLTensor& tensor = other.tensor.dl_tensor;
    CHECK_THROWS_WITH_AS((void)gpu::from_dlpack<double>(&other.tensor),
                         "from_dlpack: the tensor's elements are float32, not float64", gpu::DTypeError);
    tensor.dtype = {kDLOpaqueHandle, 16, 1};
    CHECK_THROWS_WITH_AS(
        (void)gpu::from_dlpack<float>(&other.tensor),
        "from_dlpack: elements of DLPack's type code 3 with 16 bits and 1 lanes: no array has such elements",
        gpu::DTypeError);
    tensor.dtype = {kDLFloat, 32, 4};
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::DTypeError);
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.device.device_type = kDLVulkan;
    CHECK_THROWS_WITH_AS(
        (void)gpu::from_dlpack<float>(&other.tensor),
        "from_dlpack: a tensor on a device of DLPack's kind 7: libgpu takes memory of the CPU (1) and of "
        "CUDA (2)",
        gpu::DeviceError);
    tensor.device = {kDLCUDA, 99};
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::DeviceError);
    tensor.device = gpu::detail::dlpack_device(other.memory.device());
    tensor.byte_offset = 2;
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::Error);
    tensor.byte_offset = 0;
    tensor.data = nullptr;
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::DeviceError);
    tensor.data = other.memory.data();
    other.shape[1] = -1;
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::ShapeError);
    other.shape[1] = 3;
    std::int64_t nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    tensor.ndim = 9;
    tensor.shape = tensor.strides = nine;
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(&other.tensor), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::from_dlpack<float>(static_cast<DLManagedTensor*>(nullptr)), gpu::Error);
    CHECK(other.freed == 0);
}

TEST_CASE("a CPU tensor is an array of the host backend") {
    std::vector<double> memory{1, 2, 3, 4};
    std::int64_t shape[] = {2, 2};
    DLManagedTensor tensor{};
    tensor.dl_tensor.data = memory.data();
    tensor.dl_tensor.device = {kDLCPU, 0};
    tensor.dl_tensor.ndim = 2;
    tensor.dl_tensor.dtype = {kDLFloat, 64, 1};
    tensor.dl_tensor.shape = shape;
    {
        const auto x = gpu::from_dlpack<double>(&tensor);  // nobody to tell: no deleter
        CHECK(x.device() == gpu::Device::host());
        const gpu::Array<double> here = gpu::Array<double>(x).to(gpu::Device::current());
        CHECK(gpu::to_host(here * 2.) == std::vector<double>{2, 4, 6, 8});
        const gpu::DeviceGuard guard(gpu::Device::host());
        gpu::View<double> writes = x;
        writes = x.transpose() + 0.;
        gpu::synchronize();
    }
    CHECK(memory == std::vector<double>{1, 3, 2, 4});
}

TEST_CASE("a stream of the other library is ordered with ours") {
    gpu::Stream theirs;
    gpu::Array<float> x = gpu::zeros<float>({100000});
    x = x + 3.f;
    DLManagedTensor* const tensor = gpu::to_dlpack(x, {.stream = theirs});
    {
        const gpu::StreamGuard guard(theirs);  // the other library: waits for ours, then writes
        auto seen = gpu::from_dlpack<float>(tensor);
        seen = seen * 2.f;
        DLManagedTensor* const back = gpu::to_dlpack(seen);
        const gpu::StreamGuard ours(gpu::StreamRef::from_native(nullptr, x.device()));
        const auto result = gpu::from_dlpack<const float>(back, {.stream = theirs});
        CHECK(gpu::sum<double>(result).item() == 600000);
    }
}
#endif
