// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/host_memory.hpp"
#include "gpucc/runtime/occupancy.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/stream.hpp"
#include "gpucc/runtime/unit.hpp"
#include "gpucc/runtime/variables.hpp"
#include "gpucc/runtime/words.hpp"

namespace gpucc {

namespace {

namespace limits = gpu::detail::host::limits;

/// A kernel of the program.
struct KernelRecord {
    const Unit* unit = nullptr;
    std::size_t place = 0;  ///< in the unit's table
    std::size_t max_dynamic_shared = limits::shared;
    std::once_flag is_known;
    std::vector<gpu::detail::program::PointerParameter> pointers = {};  ///< parameters, known from the first launch on
    [[nodiscard]] const char* name() const { return unit->kernels[place].name; }
};

/// The program's files, kernels and variables.
struct Registry {
    std::mutex mutex;
    std::unordered_map<const Unit*, std::unique_ptr<UnitModule>> modules;
    std::list<KernelRecord> kernels;
    std::unordered_map<const void*, KernelRecord*> by_function;
    std::list<VariableRecord> variables;

    static Registry& get() {
        static Registry* const registry = new Registry;  // never destroyed
        return *registry;
    }

    UnitModule& module(const Unit& unit) {
        const std::lock_guard lock(mutex);
        std::unique_ptr<UnitModule>& module = modules[&unit];
        if (module == nullptr) {
            std::vector<NamedKernel> names;
            for (std::size_t k = 0; k < unit.kernel_count; ++k)
                names.push_back({unit.kernels[k].name, unit.kernels[k].signature});
            module =
                std::make_unique<UnitModule>(unit.source, unit.file, static_cast<int>(unit.line), unit.options, names);
        }
        return *module;
    }
};

/// The configuration between `<<<` and `>>>`.
struct Configuration {
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    Call call = {};
    bool is_cooperative = false;
};
// The last one's arguments are evaluated now; they may launch, too.
thread_local std::vector<Configuration> open_launches;

// "scale<float><<<16, 256>>>"
std::string shown(const std::string& kernel, const Configuration& launch) {
    const auto lengths = [](dim3 given) {
        const std::string x = std::to_string(given.x);
        if (given.y == 1 && given.z == 1) return x;
        return '(' + x + ", " + std::to_string(given.y) + (given.z == 1 ? "" : ", " + std::to_string(given.z)) + ')';
    };
    return kernel + "<<<" + lengths(launch.grid) + ", " + lengths(launch.block) +
           (launch.shared > 0 ? ", " + std::to_string(launch.shared) : "") + ">>>";
}

std::string shown(const char* what, dim3 lengths) {
    std::string text = std::string(what) + ' ' + std::to_string(lengths.x);
    if (lengths.y != 1 || lengths.z != 1) text += " x " + std::to_string(lengths.y);
    if (lengths.z != 1) text += " x " + std::to_string(lengths.z);
    return text;
}

/// Why a device refuses a launch; cudaSuccess if it doesn't. The codes are CUDA 13's, which says "invalid argument"
/// where older ones said "invalid configuration argument".
std::pair<cudaError_t, std::string> refusal(const Configuration& launch, const KernelRecord& kernel) {
    const dim3 grid = launch.grid, block = launch.block;
    const std::string invalid = "invalid configuration, ";
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return {cudaErrorInvalidValue, invalid + shown("grid", grid) + " (a length must be 1 or more)"};
    if (block.x == 0 || block.y == 0 || block.z == 0)
        return {cudaErrorInvalidValue, invalid + shown("block", block) + " (a length must be 1 or more)"};
    const unsigned long long threads = 1ULL * block.x * block.y * block.z;
    if (block.x > limits::block_xy || block.y > limits::block_xy || block.z > limits::block_z ||
        threads > limits::block_threads)
        return {cudaErrorInvalidValue, invalid + shown("block", block) + " (at most " +
                                           std::to_string(limits::block_threads) + " threads, and " +
                                           std::to_string(limits::block_z) + " along z)"};
    if (grid.x > limits::grid_x || grid.y > limits::grid_yz || grid.z > limits::grid_yz) {
        const std::string others = " x " + std::to_string(limits::grid_yz);
        return {cudaErrorInvalidValue, invalid + shown("grid", grid) + " (at most " + std::to_string(limits::grid_x) +
                                           others + others + " blocks)"};
    }
    if (launch.shared > kernel.max_dynamic_shared)
        return {cudaErrorInvalidValue, std::to_string(launch.shared) +
                                           " bytes of shared memory, and a launch has at most " +
                                           std::to_string(kernel.max_dynamic_shared) +
                                           " (beyond " + std::to_string(limits::shared) +
                                           ", cudaFuncSetAttribute() with "
                                           "cudaFuncAttributeMaxDynamicSharedMemorySize asks for up to " +
                                           std::to_string(limits::max_shared) + ")"};
    if (!is_stream(launch.stream)) return {cudaErrorInvalidResourceHandle, "its stream doesn't exist (any more)"};
    return {cudaSuccess, ""};
}

// Behind "the argument p": why a GPU's kernel can't follow this pointer; empty if it can, or if nobody knows.
std::string host_memory_at(const void* pointer) {
    Program& program = Program::get();
    const Allocation found = program.find_near(pointer);
    if (found.bytes > 0 || gpu::detail::program::is_on_kernels_heap(pointer) || is_in_variable(pointer)) return "";
    const std::string kind = host_memory_kind(pointer);
    if (kind.empty()) return "";
    return " points to host memory (" + kind +
           "), which kernels can't read: pass what cudaMalloc() or "
           "cudaMallocManaged() has given, and cudaMemcpy() the values (cudaMemcpyHostToDevice)";
}

// A pointer to the program's own memory among a launch's arguments; empty if there is none.
std::string host_pointer_among(KernelRecord& kernel, gpu::detail::RawKernelCore& core, void** values) {
    std::call_once(kernel.is_known, [&] { kernel.pointers = gpu::detail::program::pointer_parameters(core); });
    for (const auto& parameter : kernel.pointers) {
        const void* const pointer = *static_cast<void* const*>(values[parameter.place]);
        if (pointer == nullptr) continue;
        if (std::string why = host_memory_at(pointer); !why.empty())
            return "kernel " + std::string(kernel.name()) + ": the argument " + parameter.name + why;
    }
    return "";
}

/// Copies of a kernel's arguments, for a launch that comes later; each aligned as its type may ask for.
class KeptArguments {
public:
    KeptArguments(const std::vector<std::size_t>& sizes, void** values) {
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            pieces_.emplace_back((sizes[k] + sizeof(Piece) - 1) / sizeof(Piece) + 1);
            std::memcpy(pieces_.back().data(), values[k], sizes[k]);
            pointers_.push_back(pieces_.back().data());
        }
    }
    [[nodiscard]] void** pointers() { return pointers_.data(); }
    [[nodiscard]] int count() const { return static_cast<int>(pointers_.size()); }

private:
    struct alignas(64) Piece {
        std::byte bytes[64];
    };
    std::list<std::vector<Piece>> pieces_;
    std::vector<void*> pointers_;
};

cudaError_t launch_kernel(KernelRecord& kernel, const Configuration& launch, void** values, int count);

// The launch as a graph does it.
NodeWork later_launch(KernelRecord& kernel, const Configuration& launch, void** values) {
    const gpu::DeviceGuard guard(gpu::Device::host(Program::get().device()));
    UnitModule& module = Registry::get().module(*kernel.unit);
    const auto kept =
        std::make_shared<KeptArguments>(gpu::detail::program::parameter_sizes(*module.kernel(kernel.place)), values);
    return [&kernel, launch, kept](cudaStream_t stream) {
        Configuration now = launch;
        now.stream = stream;
        return launch_kernel(kernel, now, kept->pointers(), kept->count());
    };
}

cudaError_t launch_kernel(KernelRecord& kernel, const Configuration& launch, void** values, int count) {
    Program& program = Program::get();
    if (const auto [error, why] = refusal(launch, kernel); error != cudaSuccess)
        return program.fail_launch(error, kernel.name(), launch.call, why);
    if (is_any_capture_open()) {
        NodeWork work;
        const cudaError_t error = program.run(launch.call, [&] {
            work = later_launch(kernel, launch, values);
            return cudaSuccess;
        });
        if (error != cudaSuccess) return error;
        const auto noted = captured(launch.stream, cudaGraphNodeTypeKernel, launch.call, std::move(work));
        if (noted) return *noted;
    }
    return program.run(launch.call, [&] {
        UnitModule& module = Registry::get().module(*kernel.unit);
        const gpu::DeviceGuard guard(gpu::Device::host(program.device()));
        gpu::LaunchConfig config{.grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                                 .block = {launch.block.x, launch.block.y, launch.block.z},
                                 .shared = launch.shared};
        config.stream = gpu::StreamRef::from_native(native_stream(launch.stream), gpu::Device::host(program.device()));
        config.cooperative = launch.is_cooperative;
        try {
            gpu::detail::RawKernelCore& core = *module.kernel(kernel.place);
            if (!program.is_checked())
                if (const std::string why = host_pointer_among(kernel, core, values); !why.empty())
                    return program.end_all(cudaErrorIllegalAddress, launch.call, why);
            gpu::detail::launch_raw_kernel(core, config, values,
                                           count >= 0 ? count : gpu::detail::program::parameter_count(core));
        } catch (const gpu::detail::KernelFault&) {
            throw;
        } catch (const gpu::LaunchError& error) {  // it was refused; what a kernel does wrong is found by a later call
            return program.fail_launch(cudaErrorLaunchOutOfResources, kernel.name(), launch.call,
                                       in_cuda(error.what()));
        }
        note_call(launch.call, shown(kernel.name(), launch), 0,
                  native_stream(launch.stream) != nullptr ? "in a stream" : "");
        return cudaSuccess;
    });
}

KernelRecord* kernel_at(const void* function) {
    Registry& registry = Registry::get();
    const std::lock_guard lock(registry.mutex);
    const auto found = registry.by_function.find(function);
    return found == registry.by_function.end() ? nullptr : found->second;
}

cudaError_t launch_at(const void* function, const Configuration& launch, void** values) {
    KernelRecord* const kernel = kernel_at(function);
    if (kernel == nullptr)
        return Program::get().fail(cudaErrorInvalidDeviceFunction, launch.call, "this is the address of no kernel");
    return launch_kernel(*kernel, launch, values, -1);
}

// Calls `use(loaded kernel)`.
cudaError_t with_kernel(const void* function, const Call& call,
                        const std::function<cudaError_t(Program&, gpu::detail::LoadedKernel&)>& use) {
    Program& program = Program::get();
    KernelRecord* const kernel = kernel_at(function);
    if (kernel == nullptr)
        return program.fail(cudaErrorInvalidDeviceFunction, call, "this is the address of no kernel");
    return program.run(
        call,
        [&] {
            const gpu::DeviceGuard guard(gpu::Device::host(program.device()));
            UnitModule& module = Registry::get().module(*kernel->unit);
            return use(program, gpu::detail::program::loaded(*module.kernel(kernel->place)));
        },
        Effect::none);
}

int blocks_of(Program& program, gpu::detail::LoadedKernel& loaded, const KernelRecord& record, int threads,
              std::size_t shared) {
    if (shared > record.max_dynamic_shared) return 0;
    const gpu::KernelAttributes facts = program.backend().attributes(program.device(), loaded);
    return blocks_at_once({threads, facts.registers, shared + facts.static_shared});
}

}  // namespace

NodeWork launch_work(const cudaKernelNodeParams& parameters, const Call& call) {
    KernelRecord* const kernel = kernel_at(parameters.func);
    if (kernel == nullptr || parameters.kernelParams == nullptr) return nullptr;
    NodeWork work;
    const Configuration launch{parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes, nullptr, call};
    const cudaError_t error = Program::get().run(call, [&] {
        work = later_launch(*kernel, launch, parameters.kernelParams);
        return cudaSuccess;
    });
    return error == cudaSuccess ? work : nullptr;
}

void register_unit(const Unit* unit) {
    Registry& registry = Registry::get();
    {
        const std::lock_guard lock(registry.mutex);
        for (std::size_t k = 0; k < unit->kernel_count; ++k) {
            KernelRecord& record = registry.kernels.emplace_back();
            record.unit = unit;
            record.place = k;
            unit->kernels[k].stub->state = &record;
            registry.by_function[unit->kernels[k].function] = &record;
        }
    }
    static std::once_flag once;
    std::call_once(once, begin_program);
}

Configured configure(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, const char* file, int line) {
    open_launches.push_back({grid, block, shared, stream, {"launch", file, line}});
    return {open_launches.size() - 1};
}
Configured::~Configured() {
    while (open_launches.size() > depth) open_launches.pop_back();
}

void launch(Kernel& kernel, void** values, int count) {
    auto* const record = static_cast<KernelRecord*>(kernel.state);
    if (open_launches.empty()) {
        (void)Program::get().fail(cudaErrorMissingConfiguration, {record->name(), record->unit->file, 0},
                                  "a kernel was called like a function: launch it, kernel<<<grid, block>>>(...)");
        return;
    }
    const Configuration configuration = open_launches.back();
    open_launches.pop_back();
    (void)launch_kernel(*record, configuration, values, count);
}

void* managed_variable(const Unit* unit, const char* name, std::size_t bytes) {
    const VariableRecord variable{.unit = unit, .bytes = bytes, .name = name};
    void* const memory = variable_memory(variable);
    Program& program = Program::get();
    program.backend().pinned_given(memory, bytes);  // check mode watches what both sides use
    program.add(memory, bytes, Space::managed, {name, unit->file, 0}, true);
    return memory;
}

Variable::Variable(const Unit* unit, const void* stand_in, std::size_t bytes, const char* name) {
    Registry& registry = Registry::get();
    const std::lock_guard lock(registry.mutex);
    registry.variables.push_back({unit, stand_in, bytes, name});
}

const VariableRecord* find_variable(const void* stand_in) {
    Registry& registry = Registry::get();
    const std::lock_guard lock(registry.mutex);
    const auto found = std::find_if(registry.variables.begin(), registry.variables.end(),
                                    [&](const VariableRecord& one) { return one.stand_in == stand_in; });
    return found == registry.variables.end() ? nullptr : &*found;
}

bool is_in_variable(const void* address) {
    Registry& registry = Registry::get();
    const std::lock_guard lock(registry.mutex);
    return std::any_of(registry.variables.begin(), registry.variables.end(), [&](const VariableRecord& one) {
        if (!registry.modules.contains(one.unit)) return false;
        const auto memory = reinterpret_cast<std::uintptr_t>(
            gpu::detail::program::variable_of(registry.modules[one.unit]->module(), one.name).data);
        return reinterpret_cast<std::uintptr_t>(address) - memory < one.bytes;
    });
}

void* variable_memory(const VariableRecord& variable) {
    const gpu::DeviceGuard guard(gpu::Device::host(Program::get().device()));
    UnitModule& module = Registry::get().module(*variable.unit);
    const gpu::detail::ModuleSymbol symbol = gpu::detail::program::variable_of(module.module(), variable.name);
    if (symbol.data == nullptr) throw gpu::Error("the device has no variable " + variable.name);
    return symbol.data;
}

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return launch_at(kernel, {grid, block, shared, stream, call}, arguments);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return launch_at(kernel, {grid, block, shared, stream, call, true}, arguments);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel, const char* file, int line) {
    GPUCC_CALL;
    return with_kernel(kernel, call, [&](Program& program, gpu::detail::LoadedKernel& loaded) {
        const gpu::KernelAttributes facts = program.backend().attributes(program.device(), loaded);
        *attributes = {};
        attributes->sharedSizeBytes = facts.static_shared;
        attributes->maxThreadsPerBlock = facts.max_threads_per_block;
        attributes->numRegs = facts.registers;
        attributes->ptxVersion = attributes->binaryVersion = 90;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel_at(kernel)->max_dynamic_shared);
        return cudaSuccess;
    });
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value, const char* file,
                                 int line) {
    GPUCC_CALL;
    KernelRecord* const record = kernel_at(kernel);
    if (record == nullptr)
        return Program::get().fail(cudaErrorInvalidDeviceFunction, call, "this is the address of no kernel");
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || static_cast<std::size_t>(value) > limits::max_shared)
        return Program::get().fail(cudaErrorInvalidValue, call,
                                   std::to_string(value) + " bytes of shared memory: a block has at most " +
                                       std::to_string(limits::max_shared));
    record->max_dynamic_shared = std::max(limits::shared, static_cast<std::size_t>(value));
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

// A kernel's blocks at once. The host backend's kernels have no registers; blocks whose launch is refused are 0.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads, size_t shared,
                                                          const char* file, int line) {
    GPUCC_CALL;
    return with_kernel(kernel, call, [&](Program& program, gpu::detail::LoadedKernel& loaded) {
        if (threads <= 0) return program.fail(cudaErrorInvalidValue, call, "a block has 1 thread or more");
        *blocks = blocks_of(program, loaded, *kernel_at(kernel), threads, shared);
        return cudaSuccess;
    });
}
cudaError_t gpuccSuggestedBlock(int* min_grid, int* block, const void* kernel, size_t shared, int limit,
                                const char* file, int line) {
    const Call call{"cudaOccupancyMaxPotentialBlockSize", file, line};
    return with_kernel(kernel, call, [&](Program& program, gpu::detail::LoadedKernel& loaded) {
        const SuggestedBlock best = suggested_block(
            limit, [&](int threads) { return blocks_of(program, loaded, *kernel_at(kernel), threads, shared); });
        *block = best.threads;
        *min_grid = best.blocks * program.backend().properties(program.device()).multiprocessors;
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks, int threads,
                                                      const char* file, int line) {
    GPUCC_CALL;
    return with_kernel(kernel, call, [&](Program& program, gpu::detail::LoadedKernel& loaded) {
        if (blocks <= 0 || threads <= 0) return program.fail(cudaErrorInvalidValue, call);
        const KernelRecord& record = *kernel_at(kernel);
        const int most = blocks_of(program, loaded, record, threads, 0);
        if (most < blocks)
            return program.fail(cudaErrorInvalidValue, call,
                                "at most " + std::to_string(most) + " such blocks fit, without any dynamic memory");
        const std::size_t piece =
            limits::multiprocessor_shared / static_cast<std::size_t>(blocks) / shared_unit * shared_unit;
        const std::size_t used =
            program.backend().attributes(program.device(), loaded).static_shared + limits::reserved_shared;
        *bytes = std::min(piece - used, record.max_dynamic_shared);
        return cudaSuccess;
    });
}
