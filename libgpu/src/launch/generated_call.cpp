// SPDX-License-Identifier: MIT
#include "launch/generated_call.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "backend/backend.hpp"
#include "counts.hpp"
#include "jit/kernel_store.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

Binding output_binding(const char* name, const ArrayCore& array) {
    const std::string type(kernel_name(array.dtype));
    return {{.role = Parameter::Role::output, .type = type, .name = name, .strided = false},
            array.dtype,
            &array,
            nullptr};
}

Binding number_binding(const char* name, const Node& number) {
    return {{.role = Parameter::Role::scalar, .type = "double", .name = name, .strided = false},
            DType::float64,
            nullptr,
            &number};
}

namespace {

// True for an array that is iterated over element by element.
bool is_walked(const Binding& binding) { return binding.array != nullptr && !binding.parameter.is_raw; }
bool is_output(const Binding& binding) { return binding.parameter.role == Parameter::Role::output; }

std::vector<const Binding*> walked_arrays(const std::vector<Binding>& bindings) {
    std::vector<const Binding*> arrays;
    for (const Binding& binding : bindings) {
        if (is_walked(binding)) arrays.push_back(&binding);
    }
    return arrays;
}

std::vector<Parameter> parameters_of(const std::vector<Binding>& bindings) {
    std::vector<Parameter> parameters;
    for (const Binding& binding : bindings) parameters.push_back(binding.parameter);
    return parameters;
}

void count_launch(const std::vector<Binding>& bindings, Device device, const LoadedKernel& kernel,
                  std::int64_t elements) {
    count_work({.kind = LedgerEntry::Kind::launch, .device = device, .elements = elements, .kernel = &kernel.name()});
    for (const Binding& binding : bindings) {
        if (is_output(binding)) binding.array->storage->mark_written();
    }
}

// The bytes of all arrays; a broadcast one counts once.
std::size_t bytes_in(const std::vector<Binding>& bindings) {
    std::size_t bytes = 0;
    for (const Binding& binding : bindings) {
        if (binding.array != nullptr)
            bytes += static_cast<std::size_t>(binding.array->shape.size()) * size_of(binding.dtype);
    }
    return bytes;
}

// The size of the widest element that is iterated over.
std::size_t max_input_item(const std::vector<Binding>& bindings) {
    std::size_t max_item = 1;
    for (const Binding& binding : bindings) {
        if (is_walked(binding) && !is_output(binding)) max_item = std::max(max_item, size_of(binding.dtype));
    }
    return max_item;
}

// Gives every binding its flag, and the key what the flags and ranks make of the text.
std::string specialize_key(std::vector<Binding>& bindings, const std::vector<bool>& linear, std::string key, int rank,
                        int second_rank) {
    std::string full = std::move(key) + '|' + static_cast<char>('0' + rank) + static_cast<char>('0' + second_rank);
    std::size_t array = 0;
    for (Binding& binding : bindings) {
        Parameter& parameter = binding.parameter;
        if (parameter.is_raw) {
            parameter.rank = binding.array->shape.rank();
            parameter.is_dense = is_dense(*binding.array, Layout::row_major);
            full += parameter.is_dense ? 'd' : 'r';
            full += static_cast<char>('0' + parameter.rank);
            continue;
        }
        parameter.strided = is_walked(binding) && !linear[array++];
        full += parameter.strided ? 's' : 'l';
    }
    return full;
}

// Puts the axes with the longest strides first: memory neighbours are then neighbours in a loop.
void sort_by_steps(Iteration& iteration, std::size_t inputs) {
    const int rank = iteration.shape.rank();
    std::vector<std::int64_t> steps(static_cast<std::size_t>(rank), 0);
    std::vector<int> order;
    for (int axis = 0; axis < rank; ++axis) {
        order.push_back(axis);
        for (std::size_t k = 0; k < inputs; ++k) {
            steps[static_cast<std::size_t>(axis)] += std::abs(iteration.strides[k][axis]);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return steps[static_cast<std::size_t>(a)] > steps[static_cast<std::size_t>(b)];
    });
    iteration = with_axes(iteration, order);
}

// Marks the inputs of a reduction that stay at one element in the loop inside, and says which for the key.
std::string mark_repeated_inputs(std::vector<Binding>& bindings, const Iteration& kept, const Iteration& reduced) {
    std::string marks;
    std::size_t array = 0;
    for (Binding& binding : bindings) {
        if (binding.parameter.role != Parameter::Role::input || binding.parameter.is_raw) continue;
        const auto same = [&](const Iteration& axes) {
            const int rank = axes.shape.rank();
            return binding.parameter.strided && rank > 0 && axes.strides[array][rank - 1] == 0;
        };
        binding.parameter.broadcast_inner = same(reduced);
        binding.parameter.broadcast_outer = same(kept);
        marks += static_cast<char>('0' + (binding.parameter.broadcast_inner ? 1 : 0) +
                                   (binding.parameter.broadcast_outer ? 2 : 0));
        ++array;
    }
    return marks;
}

template <class T>
void store_as(const Node& number, unsigned char* to) {
    T value;
    if constexpr (is_complex(dtype_of<T>)) {
        using Part = typename T::value_type;
        value = T(static_cast<Part>(number.number), static_cast<Part>(number.imag));
    } else if constexpr (is_floating(dtype_of<T>)) {
        value = static_cast<T>(number.number);
    } else if (is_floating(number.dtype)) {
        value = static_cast<T>(saturated(dtype_of<T>, number.number));
    } else {
        value = static_cast<T>(number.integer);
    }
    std::memcpy(to, &value, sizeof value);
}

// The argument for a parameter: an array with these strides (a raw one with its own), or a number in the parameter's
// type.
Argument argument_of(const Binding& binding, const Strides* strides) {
    Argument argument;
    argument.is_array = binding.array != nullptr;
    argument.map_stage_only = binding.parameter.map_stage_only;
    if (binding.array == nullptr) {
        store_number(*binding.number, binding.dtype, argument.scalar);
        return argument;
    }
    // What a raw parameter points to, a kernel may keep.
    argument.array.data = binding.parameter.is_raw ? data_of(*binding.array) : address_of(*binding.array);
    if (binding.parameter.strided) argument.item = static_cast<std::uint8_t>(size_of(binding.dtype));
    argument.is_raw = binding.parameter.is_raw;
    if (argument.is_raw) strides = &binding.array->strides;
    std::copy(strides->begin(), strides->end(), argument.array.strides);
    if (argument.is_raw) {
        std::copy(binding.array->shape.begin(), binding.array->shape.end(), argument.array.lengths);
    }
    return argument;
}

// Caches a call if it uses only the operands that it was made for, and no copies of them.
void keep(const CachePolicy& wanted, const std::vector<Binding>& bindings, CachedLaunch made) {
    if (wanted.signature == nullptr || !wanted.signature->fits()) return;
    for (const Binding& binding : bindings) {
        std::size_t k = 0;
        while (k < wanted.operands.size() && !(wanted.operands[k].array == binding.array &&
                                               wanted.operands[k].number == binding.number)) {
            ++k;
        }
        if (k == wanted.operands.size()) return;
        made.sources.push_back({k, binding.dtype, is_output(binding)});
    }
    made.signature = wanted.signature->bytes();
    made.kept = wanted.kept;
    made.result = wanted.result;
    made.dtype = wanted.dtype;
    remember(std::make_shared<const CachedLaunch>(std::move(made)));
}

// The end of a call, whichever kind of kernel it is: launched, counted, and kept for the next one like it.
template <class Call>
void launch(const Call& call, const std::vector<Binding>& bindings, std::shared_ptr<LoadedKernel> kernel, Launch made,
            std::int64_t elements) {
    backend(call.device).launch(call.device.index(), *kernel, Launch(made), native_stream({}, call.device));
    count_launch(bindings, call.device, *kernel, elements);
    keep(call.keep, bindings,
         {.device = call.device, .kernel = std::move(kernel), .launch = std::move(made), .elements = elements});
}

}  // namespace

void store_number(const Node& number, DType as, unsigned char* to) {
    if (is_complex(number.dtype) && !is_complex(as)) {
        throw DTypeError("a complex number is passed where a kernel takes " + std::string(name(as)));
    }
    switch (as) {
        case DType::boolean: return store_as<bool>(number, to);
        case DType::int8: return store_as<std::int8_t>(number, to);
        case DType::int16: return store_as<std::int16_t>(number, to);
        case DType::int32: return store_as<std::int32_t>(number, to);
        case DType::int64: return store_as<std::int64_t>(number, to);
        case DType::uint8: return store_as<std::uint8_t>(number, to);
        case DType::uint16: return store_as<std::uint16_t>(number, to);
        case DType::uint32: return store_as<std::uint32_t>(number, to);
        case DType::uint64: return store_as<std::uint64_t>(number, to);
        case DType::float16: return store_as<half>(number, to);
        case DType::bfloat16: return store_as<bfloat16>(number, to);
        case DType::float32: return store_as<float>(number, to);
        case DType::float64: return store_as<double>(number, to);
        case DType::complex64: return store_as<complex<float>>(number, to);
        case DType::complex128: return store_as<complex<double>>(number, to);
    }
}

void launch_elementwise(const ElementwiseCall& call) {
    const std::int64_t size = call.shape.size();
    if (size == 0) return;
    std::vector<Binding> bindings = call.bindings;
    // The output comes first, so that its memory order determines the order of the axes.
    std::stable_partition(bindings.begin(), bindings.end(), is_output);
    Iteration iteration;
    iteration.shape = call.shape;
    iteration.strides.reserve(bindings.size() + 1);
    std::vector<WalkedArray> arrays;
    arrays.reserve(bindings.size());
    for (const Binding* binding : walked_arrays(bindings)) {
        iteration.strides.push_back(broadcast_strides(*binding->array, call.shape));
        arrays.push_back({.address = reinterpret_cast<std::uintptr_t>(address_of(*binding->array)),
                          .item = size_of(binding->dtype), .is_output = is_output(*binding)});
    }
    Backend& where = backend(call.device);
    ElementwisePlan plan = where.plan(std::move(iteration), arrays, call.needs);
    const int rank = plan.iteration.shape.rank();
    const std::string key = specialize_key(bindings, plan.is_linear, 'e' + std::string(call.key), rank, 0) + plan.key;
    auto kernel = find_kernel(call.device, where, key, [&] {
        ElementwiseText text = call.text();
        text.parameters = parameters_of(bindings);
        text.rank = rank;
        text.plan = plan.plan;
        return where.generate(text);
    });
    std::vector<Argument> arguments;
    std::size_t array = 0;
    for (const Binding& binding : bindings) {
        arguments.push_back(argument_of(binding, is_walked(binding) ? &plan.iteration.strides[array++] : nullptr));
    }
    launch(call, bindings, std::move(kernel),
           {.over = ElementwiseSpace{size, plan.iteration.shape, bytes_in(bindings)},
            .arguments = std::move(arguments),
            .plan = std::move(plan.plan)},
           size);
}

void launch_reduction(const ReductionCall& call) {
    std::vector<Binding> bindings = call.bindings;
    for (Binding& binding : bindings)
        if (is_walked(binding) && !is_output(binding)) binding.parameter.map_stage_only = true;
    Iteration kept, reduced;
    for (int axis = 0; axis < call.shape.rank(); ++axis) {
        (call.reduced[static_cast<std::size_t>(axis)] ? reduced : kept).shape.append(call.shape[axis]);
    }
    const std::vector<const Binding*> arrays = walked_arrays(bindings);
    const auto outputs = static_cast<std::size_t>(std::count_if(bindings.begin(), bindings.end(), is_output));
    const std::size_t inputs = arrays.size() - outputs;
    kept.strides.resize(arrays.size());
    reduced.strides.resize(inputs);
    for (std::size_t k = 0; k < inputs; ++k) {
        const Strides strides = broadcast_strides(*arrays[k]->array, call.shape);
        for (int axis = 0; axis < call.shape.rank(); ++axis) {
            (call.reduced[static_cast<std::size_t>(axis)] ? reduced : kept).strides[k].push_back(strides[axis]);
        }
    }
    for (std::size_t k = inputs; k < arrays.size(); ++k) kept.strides[k] = arrays[k]->array->strides;
    ReductionSpace space;
    space.results = static_cast<int>(outputs);
    space.outputs = kept.shape.size();
    if (space.outputs == 0) return;
    space.reduced = reduced.shape.size();

    const bool one_output = space.outputs == 1;
    sort_by_steps(kept, inputs);
    if (!call.in_order) sort_by_steps(reduced, inputs);
    kept = collapsed(std::move(kept), false);
    reduced = collapsed(std::move(reduced), false);
    if (one_output) {  // no kept axis at all
        kept.shape = {};
        for (auto& strides : kept.strides) strides = {};
    }
    std::vector<bool> linear;
    for (std::size_t k = 0; k < inputs; ++k) linear.push_back(one_output && reduced.is_linear(k));
    linear.insert(linear.end(), outputs, one_output);
    space.kept = kept.shape;
    space.reduced_shape = reduced.shape;
    space.bytes = bytes_in(bindings);

    std::vector<Argument> arguments;
    std::size_t array = 0;
    for (const Binding& binding : bindings) {
        Strides strides;
        if (is_walked(binding)) {
            strides = kept.strides[array];
            if (array < inputs) {
                for (std::int64_t step : reduced.strides[array]) strides.push_back(step);
            }
            ++array;
        }
        arguments.push_back(argument_of(binding, &strides));
    }
    Backend& where = backend(call.device);
    const ReducingPlan plan = where.plan(space, arguments, max_input_item(bindings), call.accumulator);
    std::string key =
        specialize_key(bindings, linear, 'r' + std::string(call.key), kept.shape.rank(), reduced.shape.rank());
    key += mark_repeated_inputs(bindings, kept, reduced) + plan.key;
    const auto text = [&] {
        ReductionText made = call.text();
        made.parameters = parameters_of(bindings);
        made.kept_rank = kept.shape.rank();
        made.reduced_rank = reduced.shape.rank();
        made.plan = plan.plan;
        return made;
    };
    const auto generate = [&] { return where.generate(text()); };
    KernelPair kernels;
    if (plan.needs_join)
        kernels = find_kernels(call.device, where, key, generate, [&] { return where.generate_join(text()); });
    else
        kernels.first = find_kernel(call.device, where, key, generate);
    launch(call, bindings, std::move(kernels.first),
           {.over = space, .arguments = std::move(arguments), .plan = plan.plan, .join = std::move(kernels.second)},
           space.outputs * space.reduced);
}

namespace {

/// One slot for all signatures with its hash: the latest call.
struct CacheSlot {
    std::mutex mutex;
    std::shared_ptr<const CachedLaunch> call;
    bool was_used = false;   // the last time, while keys are checked
};
using CacheSlots = std::array<CacheSlot, 1024>;

CacheSlot& slot_of(std::string_view signature) {
    static auto* const slots = new CacheSlots;  // leaked: kernels must not be unloaded after the driver has gone
    return (*slots)[XXH3_64bits(signature.data(), signature.size()) % slots->size()];
}

void check_same_call(const CachedLaunch* before, const CachedLaunch& now) {
    if (before == nullptr || before->signature != now.signature) return;
    if (before->kernel == now.kernel && before->launch.join == now.launch.join && before->elements == now.elements &&
        before->dtype == now.dtype && before->kept == now.kept && before->result == now.result)
        return;
    throw std::logic_error("internal error: two calls of one signature launch " + before->kernel->name() + " and " +
                           now.kernel->name() + ", or make different results");
}

}  // namespace

CallSignature& CallSignature::add(Device device) {
    return add(device.kind()).add(device.index()).add(backend(device).variant());
}

CallSignature& CallSignature::add_long(const void* from, std::size_t count) {
    if (fits_) long_.assign(bytes_, size_);
    fits_ = false;
    long_.append(static_cast<const char*>(from), count);
    return *this;
}

// A thread that would have to wait searches the kernel store instead: so does a forked child whose parent held a slot.
std::shared_ptr<const CachedLaunch> find_cached(const CallSignature& signature) {
    if (!signature.fits() || notes_kernels()) return nullptr;
    CacheSlot& slot = slot_of(signature.bytes());
    const std::unique_lock lock(slot.mutex, std::try_to_lock);
    if (!lock.owns_lock() || slot.call == nullptr || slot.call->signature != signature.bytes()) return nullptr;
    // Every other time, the call goes the whole way: the kernel store compares its text, and remember() what it makes.
    if (checks_kernel_keys() && std::exchange(slot.was_used, !slot.was_used)) return nullptr;
    return slot.call;
}

void remember(std::shared_ptr<const CachedLaunch> call) {
    CacheSlot& slot = slot_of(call->signature);
    const std::unique_lock lock(slot.mutex, std::try_to_lock);
    if (!lock.owns_lock()) return;
    if (checks_kernel_keys()) check_same_call(slot.call.get(), *call);
    slot.call.swap(call);  // the previous one is destroyed after unlocking
}

void launch_cached(const CachedLaunch& call, std::span<const CallOperand> operands) {
    const Device device = call.device;
    Launch launch = call.launch;
    std::vector<Argument>& arguments = launch.arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const CachedLaunch::Source& source = call.sources[k];
        const CallOperand& operand = operands[source.operand];
        if (operand.array != nullptr)
            arguments[k].array.data = arguments[k].is_raw ? data_of(*operand.array) : address_of(*operand.array);
        else
            store_number(*operand.number, source.dtype, arguments[k].scalar);
    }
    backend(device).launch(device.index(), *call.kernel, std::move(launch), native_stream({}, device));
    count_work({.kind = LedgerEntry::Kind::launch,
           .device = device,
           .elements = call.elements,
           .kernel = &call.kernel->name()});
    for (const CachedLaunch::Source& source : call.sources)
        if (source.is_output) operands[source.operand].array->storage->mark_written();
}

}  // namespace gpu::detail
