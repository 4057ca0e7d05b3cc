// SPDX-License-Identifier: MIT
#include <gpu/pointer_array.hpp>

#include <string>

#include <gpu/error.hpp>
#include <gpu/transfer.hpp>

#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

struct PointerTable {
    std::vector<ArrayCore> arrays;
    ArrayCore addresses;  ///< as 64-bit numbers
};

namespace {

// Checks the array at `k`: it must be described by its address alone, and be on the first one's device.
void check_pointed(const std::vector<PointedCore>& arrays, std::size_t k) {
    const ArrayCore& core = arrays[k].core;
    const std::string which = "PointerArray: array " + std::to_string(k) + " of " + std::to_string(arrays.size());
    if (core.storage == nullptr) throw_moved_from(which.c_str());
    const Device device = core.storage->device(), first = arrays.front().core.storage->device();
    if (device != first) {
        throw DeviceError(which + " is on " + device.to_string() + ", the first one on " + first.to_string() +
                          ": a kernel runs on one device; move the array, as in x.to(" + spelled(first) + ")");
    }
    if (is_dense(core, Layout::row_major) || (!arrays[k].is_window && is_dense(core, Layout::column_major))) return;
    throw ShapeError(which + " is a window of shape " + to_string(core.shape) + " with strides " +
                     to_string(core.strides) + ": a kernel gets its address only, and takes the elements for dense in "
                     "row-major order; make a gpu::Array of it first");
}

void keep(const PointerTable& table, bool written) {
    for (const ArrayCore& array : table.arrays) {
        (void)data_of(array);  // a graph being captured keeps it alive
        if (written) array.storage->mark_written();
    }
}

}  // namespace

std::shared_ptr<const PointerTable> make_table(const std::vector<PointedCore>& arrays) {
    auto table = std::make_shared<PointerTable>();
    std::vector<std::uint64_t> addresses;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        check_pointed(arrays, k);
        table->arrays.push_back(arrays[k].core);
        addresses.push_back(reinterpret_cast<std::uintptr_t>(data_of(arrays[k].core)));
    }
    const DeviceGuard guard(arrays.empty() ? current_device() : arrays.front().core.storage->device());
    table->addresses = to_device(DType::uint64, Shape{addresses.size()}, addresses.data(), addresses.size(),
                                 Layout::row_major);
    return table;
}

std::int64_t size_of_table(const PointerTable& table) noexcept { return std::ssize(table.arrays); }

Device device_of_table(const PointerTable& table) noexcept { return table.addresses.storage->device(); }

void* table_data(const PointerTable& table, int parameter, bool written) {
    const Device device = device_of_table(table);
    if (device != current_device()) {
        throw DeviceError("argument " + std::to_string(parameter) + " of a raw kernel is a PointerArray on " +
                          device.to_string() + ", the kernel would run on " + current_device().to_string() +
                          ": launch under gpu::DeviceGuard guard(" + spelled(device) + ")");
    }
    keep(table, written);
    return data_of(table.addresses);
}

void* table_data(const PointerTable& table, bool written) {
    keep(table, false);
    for (const ArrayCore& array : table.arrays)
        if (written) mark_written(array);
    return data_of(table.addresses);
}

}  // namespace gpu::detail
