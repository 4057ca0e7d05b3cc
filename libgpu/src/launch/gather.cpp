// SPDX-License-Identifier: MIT
#include "launch/gather.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/join.hpp>

#include "array/iteration.hpp"
#include "array/shape.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/index_faults.hpp"
#include "runtime/storage.hpp"

// The elements at an integer array's positions: the kernels' arguments.
namespace gpu::detail {

namespace {

// The array's strides along the result's axes: 0 along those of the index.
Strides array_strides(const ArrayCore& array, const IndexedAxes& axes, const Shape& index) {
    Strides strides;
    for (int axis = 0; axis < axes.first; ++axis) strides.push_back(array.strides[axis]);
    for (int axis = 0; axis < index.rank(); ++axis) strides.push_back(0);
    for (int axis = axes.first + axes.count; axis < array.shape.rank(); ++axis) strides.push_back(array.strides[axis]);
    return strides;
}

Strides index_strides(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index) {
    Strides strides;
    for (int axis = 0; axis < axes.first; ++axis) strides.push_back(0);
    for (std::int64_t step : index.strides) strides.push_back(step);
    for (int axis = axes.first + axes.count; axis < array.shape.rank(); ++axis) strides.push_back(0);
    return strides;
}

Iteration indexed_space(const ArrayCore& array, const IndexedAxes& axes) {
    Iteration space;
    space.strides.resize(1);
    for (int axis = axes.first; axis < axes.first + axes.count; ++axis) {
        space.shape.append(array.shape[axis]);
        space.strides[0].push_back(array.strides[axis]);
    }
    return space;
}

/// The kernels' Walk with its memory layout: consecutive 64-bit numbers.
class Walk {
public:
    /// An index array in the place of axes.
    Walk(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index, const ArrayCore* values,
         std::int64_t expected) {
        Iteration space;
        space.shape = gathered_shape(array.shape, axes, index.shape);
        space.strides = {array_strides(array, axes, index.shape), index_strides(array, axes, index)};
        space.strides.push_back(values != nullptr ? broadcast_strides(*values, space.shape) : space.strides[1]);
        fill(std::move(space), array, axes, index, expected);
    }
    /// An index for each element of `shape`, to which both arrays broadcast but for the array's axis `along`.
    Walk(const ArrayCore& array, int along, IndexMode mode, const ArrayCore& index, const Shape& shape) {
        Iteration space;
        space.shape = shape;
        ArrayCore others = array;
        others.shape[along] = 1;
        space.strides = {broadcast_strides(others, shape), broadcast_strides(index, shape)};
        space.strides.push_back(space.strides[1]);
        fill(std::move(space), array, {.first = along, .count = 1, .mode = mode}, index, 0);
    }

    /// Makes neighbours that move together, those of whole rows, one element of up to 16 bytes: a type of its size.
    /// The other array is dense, or has the walk's strides.
    DType widened(DType element, const void* array, const void* other, bool has_strides) {
        const int last = space_.shape.rank() - 1;
        if (space_.strides[0][last] != 1 || space_.strides[1][last] != 0) return element;
        if (has_strides && space_.strides[2][last] != 1) return element;
        std::vector<std::int64_t*> counts{&size_, &space_.shape[last]};
        for (int axis = 0; axis < last; ++axis) {
            counts.push_back(&space_.strides[0][axis]);
            if (has_strides) counts.push_back(&space_.strides[2][axis]);
        }
        for (int axis = 0; axis < along_.shape.rank(); ++axis) counts.push_back(&along_.strides[0][axis]);
        const auto bytes = static_cast<std::int64_t>(size_of(element));
        const auto fits = [&](std::int64_t many) {
            for (const void* address : {array, other})
                if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(many * bytes) != 0)
                    return false;
            return std::all_of(counts.begin(), counts.end(), [&](auto* count) { return *count % many == 0; });
        };
        std::int64_t many = 16 / bytes;
        while (many > 1 && !fits(many)) many /= 2;
        if (many == 1) return element;
        for (std::int64_t* count : counts) *count /= many;
        switch (many * bytes) {
            case 2: return DType::uint16;
            case 4: return DType::uint32;
            case 8: return DType::uint64;
            default: return DType::complex128;
        }
    }

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    /// Consecutive 64-bit numbers: the kernels' Walk.
    [[nodiscard]] std::vector<std::int64_t> numbers() const {
        std::vector<std::int64_t> made{size_};
        const auto append = [&](const Extents& list) { made.insert(made.end(), list.begin(), list.end()); };
        append(space_.shape);
        for (const Strides& strides : space_.strides) append(strides);
        made.push_back(length_);
        append(along_.shape);
        append(along_.strides[0]);
        made.insert(made.end(), last_, last_ + 3);
        return made;
    }
    [[nodiscard]] GatherTypes types(DType element, DType index) const noexcept {
        return {.element = element,
                .index = index,
                .result_rank = space_.shape.rank(),
                .axis_rank = along_.shape.rank()};
    }

private:
    // The strides in `space` are those of the array, the index and the values.
    void fill(Iteration space, const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index,
              std::int64_t expected) {
        size_ = space.shape.size();
        space_ = collapsed(std::move(space), false);
        along_ = indexed_space(array, axes);
        length_ = along_.shape.size();
        along_ = collapsed(std::move(along_), false);
        // Messages about several axes at once call them axis 0: the flat array has no other.
        const std::int64_t axis = axes.count == 1 ? axes.first : 0;
        last_[0] = expected;
        last_[1] = static_cast<std::int64_t>(axes.mode);
        last_[2] = axis;
        if (size_ > 0 && length_ == 0) {
            throw IndexError("an index array of shape " + to_string(index.shape) + " for an array of shape " +
                             to_string(array.shape) + ": the axis has no element");
        }
    }

    std::int64_t size_ = 0, length_ = 0, last_[3] = {};
    Iteration space_, along_;
};

std::string key_of(const char* name, char element, const GatherTypes& types) {
    return std::string(name) + element + static_cast<char>('a' + static_cast<int>(types.index)) +
           static_cast<char>('0' + types.result_rank) + static_cast<char>('0' + types.axis_rank);
}

// Elements are moved by size.
char size_letter(DType element) { return static_cast<char>('0' + static_cast<int>(size_of(element))); }

IndexFault* fault_word(Device device, IndexMode mode, bool counted) {
    return mode == IndexMode::raise || counted ? index_fault_of(device) : nullptr;
}

}  // namespace

IndexedAxes indexed_axes(const Shape& shape, const IndexOptions& options) {
    const int rank = shape.rank();
    if (!options.axis.given()) return {.first = 0, .count = rank, .mode = options.mode};
    const int wanted = options.axis.value(), axis = wanted < 0 ? wanted + rank : wanted;
    if (axis < 0 || axis >= rank) {
        throw AxisError("axis " + std::to_string(wanted) + " is out of bounds for an array of shape " +
                        to_string(shape));
    }
    return {.first = axis, .count = 1, .mode = options.mode};
}

Shape gathered_shape(const Shape& array, const IndexedAxes& axes, const Shape& index) {
    Shape result;
    for (int axis = 0; axis < axes.first; ++axis) result.append(array[axis]);
    for (std::int64_t length : index) result.append(length);
    for (int axis = axes.first + axes.count; axis < array.rank(); ++axis) result.append(array[axis]);
    return result;
}

namespace {

// The elements that the walk leads to, in a dense array of this shape.
ArrayCore gathered(const ArrayCore& array, const ArrayCore& index, Walk walk, IndexMode mode, const Shape& shape) {
    const Device device = array.storage->device();
    const ArrayCore result = make_array(array.dtype, shape);
    void* const pointers[] = {address_of(array), address_of(index), address_of(result)};
    const GatherTypes types = walk.types(walk.widened(array.dtype, pointers[0], pointers[2], false), index.dtype);
    std::vector<std::int64_t> numbers = walk.numbers();
    IndexFault* fault = fault_word(device, mode, false);
    void* arguments[] = {const_cast<void**>(&pointers[0]), const_cast<void**>(&pointers[1]),
                         const_cast<void**>(&pointers[2]), numbers.data(), &fault};
    const std::int64_t each = taken_each(types.element), threads = (walk.size() + each - 1) / each;
    launch_builtin(
        device, key_of("take", size_letter(types.element), types), [&] { return take_text(types); }, threads, arguments,
        5, walk.size());
    result.storage->mark_written();
    if (fault != nullptr) throw_index_fault_if_blocking(device);
    return result;
}

}  // namespace

ArrayCore gather(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index) {
    const DeviceGuard guard(common_device({&array, &index}, "take"));
    return gathered(array, index, Walk(array, axes, index, nullptr, 0), axes.mode,
                    gathered_shape(array.shape, axes, index.shape));
}

void scatter(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index, const ArrayCore& values,
             const Scatter& how) {
    const Device device = common_device({&array, &index, &values}, how.function);
    const DeviceGuard guard(device);
    const Shape result = gathered_shape(array.shape, axes, index.shape);
    if (!broadcasts_to(values.shape, result)) {
        throw ShapeError(std::string(how.function) + ": values of shape " + to_string(values.shape) +
                         " can't be broadcast to the indexed places, of shape " + to_string(result) +
                         (axes.count == 1 ? ", along .axis = " + std::to_string(axes.first) : ""));
    }
    Walk walk(array, axes, index, &values, how.expected);
    const bool adds = how.kind == Scatter::Kind::add;
    void* const pointers[] = {address_of(array), address_of(index), address_of(values), const_cast<void*>(how.count)};
    const DType element = adds ? array.dtype : walk.widened(array.dtype, pointers[0], pointers[2], true);
    const GatherTypes types = walk.types(element, index.dtype);
    std::vector<std::int64_t> numbers = walk.numbers();
    const std::string key = adds ? key_of("add_at", static_cast<char>('a' + static_cast<int>(array.dtype)), types)
                                 : key_of("put", size_letter(element), types);
    IndexFault* fault = fault_word(device, axes.mode, how.count != nullptr);
    void* arguments[] = {const_cast<void**>(&pointers[0]), const_cast<void**>(&pointers[1]),
                         const_cast<void**>(&pointers[2]), numbers.data(),
                         &fault,                           const_cast<void**>(&pointers[3])};
    // At least one thread checks the count.
    const std::int64_t threads = how.count != nullptr && walk.size() == 0 ? 1 : walk.size();
    launch_builtin(
        device, key, [&] { return adds ? add_at_text(types) : put_text(types); }, threads, arguments, 6,
        threads);
    array.storage->mark_written();
    if (fault != nullptr) throw_index_fault_if_blocking(device);
}

// Integer arrays as indices.

namespace {

void write(const ArrayCore& target, const NodePointer& index, const NodePointer& values, const IndexOptions& options,
           const Scatter& how) {
    check_owned(target);
    const IndexedAxes axes = indexed_axes(target.shape, options);
    const DeviceGuard guard(target.storage->device());  // where a number becomes an array
    const ArrayCore places = apart_from(target, dense_value(index, index->dtype));
    const int rank = gathered_shape(target.shape, axes, places.shape).rank();
    const ArrayCore elements = values->op == Op::scalar ? full(target.dtype, Shape{}, values)
                                                        : array_value(without_leading_ones(values, rank));
    scatter(target, axes, places, apart_from(target, elements), how);
}

}  // namespace

ArrayCore take(const NodePointer& source, const NodePointer& index, const IndexOptions& options) {
    const IndexedAxes axes = indexed_axes(source->shape, options);
    return gather(array_value(source), axes, dense_value(index, index->dtype));
}

ArrayCore take_along_axis(const NodePointer& source, const NodePointer& index, const TakeAlongOptions& options) {
    const Shape &of_array = source->shape, &of_index = index->shape;
    const auto refuse = [&](const std::string& why) {
        throw ShapeError("take_along_axis: an index array of shape " + to_string(of_index) + " for an array of shape " +
                         to_string(of_array) + ": " + why);
    };
    if (of_array.rank() != of_index.rank()) refuse("both must have the same number of axes");
    const int along = checked_axis(options.axis, of_array.rank(), of_array, "take_along_axis");
    Shape shape = of_index;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (axis == along || of_array[axis] == of_index[axis]) continue;
        if (of_array[axis] != 1 && of_index[axis] != 1) {
            refuse("axis " + std::to_string(axis) + " must have the same length in both, or length 1 in one");
        }
        if (of_index[axis] == 1) shape[axis] = of_array[axis];
    }
    const ArrayCore array = array_value(source), positions = array_value(index);
    const DeviceGuard guard(common_device({&array, &positions}, "take_along_axis"));
    return gathered(array, positions, Walk(array, along, options.mode, positions, shape), options.mode, shape);
}

void put(const ArrayCore& target, const NodePointer& index, const NodePointer& values, const IndexOptions& options) {
    if (!options.axis.given() && !options.axis.is_none() && target.shape.rank() > 1) {
        throw AxisError("put: an array of shape " + to_string(target.shape) +
                        " has several axes: name one, {.axis = 0} for rows, or write {.axis = gpu::none} for positions "
                        "in the flat array");
    }
    write(target, index, values, options, {.kind = Scatter::Kind::put, .function = "put"});
}

void put_elements(const ArrayCore& target, const NodePointer& index, const NodePointer& values, int axis) {
    write(target, index, values, {.axis = axis}, {.kind = Scatter::Kind::put, .function = "x[index] = values"});
}

void add_at(const ArrayCore& target, const NodePointer& index, const NodePointer& values, const IndexOptions& options) {
    switch (target.dtype) {
        case DType::int32:
        case DType::uint32:
        case DType::int64:
        case DType::uint64:
        case DType::float32:
        case DType::float64: break;
        default:
            throw DTypeError("add_at: there is no atomic addition for " + std::string(name(target.dtype)) +
                             ": use integers of 32 or 64 bits, float or double");
    }
    const bool by_rows = !options.axis.given() && !options.axis.is_none() && target.shape.rank() > 0;
    write(target, index, values, {.axis = by_rows ? OptionalAxis(0) : options.axis, .mode = options.mode},
          {.kind = Scatter::Kind::add, .function = "add_at"});
}

ArrayCore positions_array(Device device, std::initializer_list<std::int64_t> positions) {
    return array_of(device, DType::int64, positions.begin(), positions.size());
}

ArrayCore array_of(Device device, DType dtype, const void* from, std::size_t count) {
    const DeviceGuard guard(device);
    const ArrayCore made = make_array(dtype, Shape{count});
    copy_from_host(made, from, static_cast<std::int64_t>(count));
    return made;
}

ArrayCore roll(const NodePointer& value, std::int64_t shift, OptionalAxis axis) {
    ArrayCore source = array_value(value);
    const Shape shape = source.shape;
    const DeviceGuard guard(source.storage->device());
    int along = 0;
    if (axis.given())
        along = checked_axis(axis.value(), shape.rank(), shape, "roll");
    else
        source = reshaped_or_copied(source, TargetShape{-1}, Layout::row_major);
    const ArrayCore result = make_array(source.dtype, source.shape);
    if (source.shape.size() == 0) return reshaped(result, shape);
    const std::int64_t n = source.shape[along], start = (shift % n + n) % n;
    // The elements before the break, and those after it.
    const std::int64_t firsts[] = {0, n - start}, places[] = {start, 0}, counts[] = {n - start, start};
    for (int part = 0; part < 2; ++part) {
        if (counts[part] == 0) continue;
        ArrayCore target = window_of(result, along, places[part], counts[part]);
        assign(target, leaf(window_of(source, along, firsts[part], counts[part])), false);
    }
    return reshaped(result, shape);
}

ArrayCore diff(const NodePointer& value, std::int64_t n, int axis) {
    const int along = checked_axis(axis, value->shape.rank(), value->shape, "diff");
    if (n < 0) throw ShapeError("diff: n is " + std::to_string(n) + ": differences are taken 0 times or more");
    const DType type = value->dtype;
    ArrayCore array = array_value(value);
    if (n == 0) return copy_of(array, Layout::row_major);
    for (std::int64_t k = 0; k < n && (k == 0 || array.shape[along] > 0); ++k) {
        const std::int64_t count = std::max<std::int64_t>(array.shape[along] - 1, 0);
        const NodePointer later = leaf(window_of(array, along, 1, count)),
                          earlier = leaf(window_of(array, along, 0, count));
        array = evaluate(node(type == DType::boolean ? Op::not_equal : Op::subtract, type, type, later, earlier));
    }
    return array;
}

}  // namespace gpu::detail
