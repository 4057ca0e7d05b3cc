// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Exchanges arrays with other libraries by DLPack, without copying. Needs DLPack's header (Debian's libdlpack-dev).
///
/// A tensor on the CPU is an array of the host backend's first device, and vice versa; one in CUDA memory is an array
/// of that GPU. Strides are in elements on both sides. DLPack says nothing about streams: see DlpackOptions.
///
/// A library that takes addresses and streams needs no DLPack:
/// @snippet public/eigen_test.cpp cublas

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <dlpack/dlpack.h>  // not found? find_package(gpu REQUIRED COMPONENTS dlpack), and link gpu::dlpack

#include <gpu/array.hpp>
#include <gpu/device.hpp>
#include <gpu/error.hpp>
#include <gpu/stream.hpp>
#include <gpu/transfer.hpp>

namespace gpu {

/// The stream that the other library uses; without one, that library orders its work and ours itself.
///
/// `to_dlpack(x, {.stream = s})`: work that is queued in `s` afterwards waits for what is queued in the current stream.
/// `from_dlpack<float>(tensor, {.stream = s})`: the current stream waits for what is queued in `s`.
/// CPU tensors have no streams: to_dlpack() waits until the elements are there.
struct DlpackOptions {
    StreamRef stream = {};
};

/// @cond internal
namespace detail {

inline constexpr std::uint8_t dlpack_bfloat = 4, dlpack_bool = 6;  // kDLBfloat, kDLBool: old headers lack them

inline DLDataType dlpack_type(DType type) noexcept {
    const auto code = type == DType::boolean    ? dlpack_bool
                      : type == DType::bfloat16 ? dlpack_bfloat
                      : is_complex(type)        ? std::uint8_t{kDLComplex}
                      : is_floating(type)       ? std::uint8_t{kDLFloat}
                      : is_unsigned(type)       ? std::uint8_t{kDLUInt}
                                                : std::uint8_t{kDLInt};
    return {code, static_cast<std::uint8_t>(8 * size_of(type)), 1};
}

inline DLDevice dlpack_device(Device device) noexcept {
    if (device.kind() == BackendKind::host) return {kDLCPU, 0};
    return {kDLCUDA, device.index()};
}

inline Device device_of(const DLTensor& tensor) {
    switch (tensor.device.device_type) {
        case kDLCPU:
        case kDLCUDAHost: return Device::host();
        case kDLCUDA:
        case kDLCUDAManaged: return Device::cuda(tensor.device.device_id);
        default:
            throw DeviceError("from_dlpack: a tensor on a device of DLPack's kind " +
                              std::to_string(static_cast<int>(tensor.device.device_type)) +
                              ": libgpu takes memory of the CPU (1) and of CUDA (2)");
    }
}

// Makes later work in one stream wait for what is queued in the other.
inline void order_streams(Device device, StreamRef before, StreamRef after) {
    const DeviceGuard guard(device);
    Event done;
    done.record(before);
    (after.is_current() ? Stream::current() : after).wait(done);
}

// An array that others hold: it is freed with the last of them.
template <class Managed>
struct DlpackExport {
    Managed managed{};
    ArrayCore core;

    static Managed* make(const ArrayCore& core, const DlpackOptions& options) {
        const Device device = detail::device_of(core);
        if (device.kind() == BackendKind::host) {
            const DeviceGuard guard(device);
            Stream::current().synchronize();
        } else if (!options.stream.is_current()) {
            order_streams(device, {}, options.stream);
        }
        lend_to_host(core);
        auto made = std::make_unique<DlpackExport>();
        made->core = core;
        made->managed.manager_ctx = made.get();
        made->managed.deleter = [](Managed* self) { delete static_cast<DlpackExport*>(self->manager_ctx); };
        DLTensor& tensor = made->managed.dl_tensor;
        tensor.data = core.shape.size() == 0 ? nullptr : data_of(core);
        tensor.device = dlpack_device(device);
        tensor.ndim = core.shape.rank();
        tensor.dtype = dlpack_type(core.dtype);
        tensor.shape = core.shape.rank() == 0 ? nullptr : &made->core.shape[0];
        tensor.strides = core.shape.rank() == 0 ? nullptr : &made->core.strides[0];
        tensor.byte_offset = 0;
        return &made.release()->managed;
    }
};

}  // namespace detail
/// @endcond

/// The type of a tensor's elements. @throws DTypeError if arrays don't have that type
/// @snippet public/dlpack_test.cpp dtype
[[nodiscard]] inline DType dtype_of_dlpack(const DLTensor& tensor) {
    const DLDataType wanted = tensor.dtype;
    for (int k = 0; k < detail::dtype_count; ++k) {
        const DLDataType type = detail::dlpack_type(static_cast<DType>(k));
        if (wanted.lanes == 1 && type.code == wanted.code && type.bits == wanted.bits) return static_cast<DType>(k);
    }
    throw DTypeError("from_dlpack: elements of DLPack's type code " + std::to_string(wanted.code) + " with " +
                     std::to_string(wanted.bits) + " bits and " + std::to_string(wanted.lanes) +
                     " lanes: no array has such elements");
}

/// @cond internal
namespace detail {

template <class Managed>
ArrayCore from_dlpack(Managed* managed, DType wanted, const DlpackOptions& options) {
    if (managed == nullptr) throw Error("from_dlpack: a null pointer instead of a tensor");
    const DLTensor& tensor = managed->dl_tensor;
    const DType dtype = dtype_of_dlpack(tensor);
    if (dtype != wanted) {
        throw DTypeError("from_dlpack: the tensor's elements are " + std::string(name(dtype)) + ", not " +
                         std::string(name(wanted)));
    }
    const Device device = device_of(tensor);
    Shape shape;
    WrapOptions window;
    for (int axis = 0; axis < tensor.ndim; ++axis) {
        shape.append(tensor.shape[axis]);
        if (tensor.strides != nullptr) window.strides.push_back(tensor.strides[axis]);
    }
    auto* const first = static_cast<char*>(tensor.data) + (tensor.data == nullptr ? 0 : tensor.byte_offset);
    if (shape.size() > 0 && reinterpret_cast<std::uintptr_t>(first) % size_of(dtype) != 0) {
        throw Error("from_dlpack: the tensor's memory isn't aligned for elements of type " + std::string(name(dtype)));
    }
    (void)wrapped(first, dtype, shape, window, device);  // whatever is wrong is thrown while the caller owns the tensor
    if (device.kind() == BackendKind::cuda && !options.stream.is_current()) order_streams(device, options.stream, {});
    window.owner = std::shared_ptr<void>(managed, [](void* owned) {
        auto* const tensor_owned = static_cast<Managed*>(owned);
        if (tensor_owned->deleter != nullptr) tensor_owned->deleter(tensor_owned);
    });
    return wrapped(first, dtype, shape, window, device);
}

}  // namespace detail
/// @endcond

/// An array for another library, which calls the tensor's deleter when it is done; until then the memory stays valid,
/// whatever happens to the array. As with a view, each side sees the other's writes. A const array must only be read.
/// @snippet public/dlpack_test.cpp to_dlpack
template <Element T>
[[nodiscard]] DLManagedTensor* to_dlpack(const Array<T>& array, const DlpackOptions& options = {}) {
    return detail::DlpackExport<DLManagedTensor>::make(array.core("to_dlpack"), options);
}
template <Element T>
[[nodiscard]] DLManagedTensor* to_dlpack(Array<T>& array, const DlpackOptions& options = {}) {
    detail::mark_written(array.core("to_dlpack"));
    return detail::DlpackExport<DLManagedTensor>::make(array.core("to_dlpack"), options);
}
/// The same for a view, with its strides, which may be negative or 0: some libraries reject these.
template <class T>
[[nodiscard]] DLManagedTensor* to_dlpack(const View<T>& view, const DlpackOptions& options = {}) {
    if constexpr (!std::is_const_v<T>) detail::mark_written(view.core());
    return detail::DlpackExport<DLManagedTensor>::make(view.core(), options);
}

/// A view on another library's tensor, whose deleter is called when the last view is gone and the work on it is done.
/// If this throws, the caller still owns the tensor.
///
/// T is the type of its elements, see dtype_of_dlpack(); `from_dlpack<const float>` gives a read-only view.
/// @throws DTypeError for other elements; DeviceError for memory that libgpu can't use; ShapeError beyond 8 axes
/// @snippet public/dlpack_test.cpp from_dlpack
template <class T>
    requires Element<std::remove_const_t<T>>
[[nodiscard]] View<T> from_dlpack(DLManagedTensor* tensor, const DlpackOptions& options = {}) {
    return View<T>(detail::from_dlpack(tensor, dtype_of<std::remove_const_t<T>>, options));
}

#ifdef DLPACK_MAJOR_VERSION
/// Like to_dlpack(), in the form that DLPack has had since 1.0; a const array's tensor is marked read-only.
template <class A>
    requires requires(const A& array) { array.core(); }
[[nodiscard]] DLManagedTensorVersioned* to_dlpack_versioned(A&& array, const DlpackOptions& options = {}) {
    constexpr bool reads_only = std::is_const_v<std::remove_pointer_t<decltype(array.data())>>;
    if constexpr (!reads_only) detail::mark_written(array.core("to_dlpack"));
    auto* const tensor = detail::DlpackExport<DLManagedTensorVersioned>::make(array.core("to_dlpack"), options);
    tensor->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    tensor->flags = reads_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    return tensor;
}

/// Like from_dlpack() for a versioned tensor. @throws Error for a version that libgpu can't read, and for a read-only
/// tensor unless T is const
template <class T>
    requires Element<std::remove_const_t<T>>
[[nodiscard]] View<T> from_dlpack(DLManagedTensorVersioned* tensor, const DlpackOptions& options = {}) {
    if (tensor != nullptr && tensor->version.major != DLPACK_MAJOR_VERSION) {
        throw Error("from_dlpack: a tensor of DLPack " + std::to_string(tensor->version.major) +
                    ", where libgpu was compiled with DLPack " + std::to_string(DLPACK_MAJOR_VERSION));
    }
    if (!std::is_const_v<T> && tensor != nullptr && (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        throw Error("from_dlpack: the tensor is read-only: write from_dlpack<const T>");
    }
    return View<T>(detail::from_dlpack(tensor, dtype_of<std::remove_const_t<T>>, options));
}
#endif

}  // namespace gpu
