// SPDX-License-Identifier: MIT
// Replays a recorded call. The recording may come from anybody: each number, place and size is checked before use.
// Check mode watches what kernels do.
#include <gpu/recording.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "counts.hpp"
#include "host/modules/kernel_module.hpp"
#include "jit/file_cache.hpp"
#include "jit/kernel_store.hpp"
#include "record/recording.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail::record {

namespace {

// The limits of everything that a recording may request.
constexpr std::uint64_t max_memory = std::uint64_t{1} << 30, max_copied = std::uint64_t{256} << 20;

[[noreturn]] void refuse(const std::string& what) { throw RecordingError("the recording " + what); }

Shape shape_of(const std::vector<std::int64_t>& lengths) {
    Shape shape;
    for (const std::int64_t length : lengths) {
        if (length < 0 || shape.rank() == max_rank) refuse("has a shape that doesn't exist");
        shape.append(length);
    }
    return shape;
}

/// Object k of a kind that a recording creates, numbered from 0 in ascending order: what isn't created can't be used.
template <class T>
class Numbered {
public:
    explicit Numbered(const char* name) : name_(name) {}
    void add(std::uint64_t number, T made) {
        if (number < made_.size() || number >= max_steps)
            refuse(std::string("makes a ") + name_ + " out of turn");
        made_.resize(static_cast<std::size_t>(number));
        made_.push_back(std::move(made));
    }
    T& operator[](std::uint64_t number) {
        if (number >= made_.size()) refuse(std::string("names a ") + name_ + " that isn't there");
        return made_[static_cast<std::size_t>(number)];
    }

private:
    const char* name_;
    std::vector<T> made_;
};

/// A piece of memory: an array's, the device's shared word, or a module's variable.
struct Memory {
    std::shared_ptr<Storage> storage;   ///< of an array or a variable
    std::byte* data = nullptr;          ///< null: freed
    std::uint64_t bytes = 0;
    bool is_array = false;
};

struct ReadyKernel {
    std::shared_ptr<LoadedKernel> kernel;
    enum class Kind { raw, elementwise, reduction } kind = Kind::raw;
    int rank = 0, reduced_rank = 0;
};

/// The kind of kernel that a text makes. Checks its axes; the compiler checks everything else.
void check_text(const KernelText& text, ReadyKernel& ready) {
    const auto are_right = [](const std::vector<Parameter>& parameters) {
        return std::all_of(parameters.begin(), parameters.end(),
                           [](const Parameter& one) { return one.rank >= 0 && one.rank <= max_rank; });
    };
    bool is_right = true;
    if (const auto* const elementwise = std::get_if<ElementwiseText>(&text)) {
        ready.kind = ReadyKernel::Kind::elementwise;
        ready.rank = elementwise->rank;
        is_right = are_right(elementwise->parameters) && ready.rank >= 1 && ready.rank <= max_rank;
    } else if (const auto* const reduction = std::get_if<ReductionText>(&text)) {
        ready.kind = ReadyKernel::Kind::reduction;
        ready.rank = reduction->kept_rank;
        ready.reduced_rank = reduction->reduced_rank;
        is_right = are_right(reduction->parameters) && ready.rank >= 0 && ready.reduced_rank >= 0 &&
                   ready.rank + ready.reduced_rank <= max_rank;
    }
    if (!is_right) refuse("has a kernel with more axes than there are");
}

KernelSource source_of(const KernelText& text, Backend& backend) {
    return std::visit([&](const auto& kind) { return backend.generate(kind); }, text);
}

class Replay {
public:
    Replay(std::vector<Step> steps, std::span<const HostBytes> arguments, std::string_view left_out)
        : steps_(std::move(steps)), arguments_(arguments), left_out_(left_out), backend_(backend(BackendKind::host)) {}

    ReplayedCall run(const CheckOptions& options) {
        const auto is = [](auto kind) {
            return [](const Step& step) { return std::holds_alternative<decltype(kind)>(step); };
        };
        const auto begin = std::find_if(steps_.begin(), steps_.end(), is(CheckBegan{}));
        const auto end = std::find_if(begin, steps_.end(), is(CheckEnded{}));
        if (end == steps_.end() || std::count_if(steps_.begin(), steps_.end(), is(CheckBegan{})) != 1 ||
            std::count_if(steps_.begin(), steps_.end(), is(CheckEnded{})) != 1)
            refuse("doesn't have one call");
        const DeviceGuard device(device_);
        do_steps(steps_.begin(), begin);
        ReplayedCall result;
        result.report = gpu::check(
            [&] {
                checking_ = true;
                do_steps(begin + 1, end);
                checking_ = false;
            },
            options);
        do_steps(end + 1, steps_.end());
        result.copies = std::move(copies_);
        result.sent = std::move(sent_);
        return result;
    }

private:
    using Position = std::vector<Step>::iterator;

    void do_steps(Position from, Position to) {
        for (; from != to; ++from) std::visit([this](auto& step) { do_step(step); }, *from);
    }

    // --- memory

    void do_step(const Allocated& step) {
        if (step.bytes > max_memory - allocated_) refuse("asks for too much memory");
        allocated_ += step.bytes;
        if (step.is_shared) {
            auto* const data = static_cast<std::byte*>(backend_.allocate_shared(0, step.bytes));
            return memory_.add(step.memory, {nullptr, data, step.bytes, false});
        }
        auto storage = std::make_shared<Storage>(device_, static_cast<std::size_t>(step.bytes), DType::uint8);
        auto* const data = static_cast<std::byte*>(storage->data());
        memory_.add(step.memory, {std::move(storage), data, step.bytes, true});
    }
    void do_step(const Freed& step) {
        Memory& memory = memory_[step.memory];
        if (!memory.is_array) refuse("frees memory that isn't an array's");
        allocated_ -= memory.bytes;
        memory = {};
    }
    void do_step(const Described& step) {
        const Memory& memory = memory_[step.memory];
        if (!memory.is_array) refuse("describes memory that isn't an array's");
        std::uint64_t bytes = size_of(step.elements);
        const Shape shape = shape_of(step.lengths);
        for (const std::int64_t length : shape)
            if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(length), &bytes))
                refuse("has too large a shape");
        if (bytes > memory.bytes) refuse("describes an array as larger than it is");
        backend_.describe(0, memory.data, step.elements, shape);
    }

    std::byte* at(const MemoryOffset& place, std::uint64_t bytes) {
        const Memory& memory = memory_[place.memory];
        if (memory.data == nullptr) refuse("uses memory that it has freed");
        if (place.offset > memory.bytes || bytes > memory.bytes - place.offset)
            refuse("goes beyond the end of an array");
        return memory.data + place.offset;
    }

    void count_copy(LedgerEntry::Kind kind, std::uint64_t bytes, bool waits, bool is_counted) const {
        if (is_counted)
            count_work({.kind = kind, .device = device_, .bytes = static_cast<std::size_t>(bytes), .waits = waits});
    }

    void do_step(const CopiedUp& step) {
        const std::byte* from = nullptr;
        if (step.is_argument) {
            if (step.argument >= arguments_.size()) refuse("reads an argument that the call doesn't have");
            const HostBytes argument = arguments_[static_cast<std::size_t>(step.argument)];
            if (step.offset > argument.size() || step.bytes > argument.size() - step.offset)
                refuse("reads beyond the end of an argument");
            from = argument.data() + step.offset;
        } else {
            if (step.other.size() != step.bytes) refuse("copies other bytes than it says");
            from = reinterpret_cast<const std::byte*>(step.other.data());
        }
        std::byte* const to = at(step.to, step.bytes);
        backend_.copy(0, to, from, static_cast<std::size_t>(step.bytes), CopyKind::host_to_device, nullptr);
        count_copy(LedgerEntry::Kind::copy_to_device, step.bytes, true, step.is_counted);
        if (checking_ && step.is_counted) note_sent(step);
    }
    void note_sent(const CopiedUp& step) {
        const bool goes_on = !step.is_argument && end_of_sent_ && end_of_sent_->memory == step.to.memory &&
                             end_of_sent_->offset == step.to.offset;
        end_of_sent_.reset();
        if (step.is_argument) return;
        if (goes_on) sent_.back() += step.other;
        else sent_.push_back(step.other);
        end_of_sent_ = MemoryOffset{step.to.memory, step.to.offset + step.bytes};
    }
    void do_step(const CopiedDown& step) {
        const std::byte* const from = at(step.from, step.bytes);
        copied_ += step.bytes;
        if (copied_ > max_copied) refuse("copies too much to the host");
        std::string& copy = copies_.emplace_back(static_cast<std::size_t>(step.bytes), '\0');
        backend_.copy(0, copy.data(), from, copy.size(), CopyKind::device_to_host, nullptr);
        count_copy(LedgerEntry::Kind::copy_to_host, step.bytes, true, step.is_counted);
    }
    void do_step(const CopiedOnDevice& step) {
        const std::byte* const from = at(step.from, step.bytes);
        std::byte* const to = at(step.to, step.bytes);
        if (from < to + step.bytes && to < from + step.bytes) refuse("copies an array onto itself");
        backend_.copy(0, to, from, static_cast<std::size_t>(step.bytes), CopyKind::device_to_device, nullptr);
        count_copy(LedgerEntry::Kind::copy_on_device, step.bytes, false, step.is_counted);
    }
    void do_step(const Filled& step) {
        backend_.fill(0, at(step.to, step.bytes), step.byte, static_cast<std::size_t>(step.bytes), nullptr);
    }
    void do_step(const Waited&) {
        backend_.synchronize_device(0);
        count_work({.kind = LedgerEntry::Kind::wait, .device = device_, .name = "all work on the device"});
    }
    void do_step(const CheckBegan&) {}
    void do_step(const CheckEnded&) {}

    // --- kernels: only those that check mode watches

    void require_check_mode() const {
        if (!checking_) refuse("uses a kernel outside check mode");
    }
    void do_step(const Kernel& step) {
        require_check_mode();
        ReadyKernel ready;
        check_text(step.text, ready);
        const KernelSource source = source_of(step.text, backend_);
        std::vector<std::string> parts{source.text};
        parts.insert(parts.end(), source.options.begin(), source.options.end());
        ready.kernel = find_kernel(device_, backend_, "replayed" + make_cache_key(source.name, parts).digest,
                                   [&] { return source; });
        kernels_.add(step.kernel, std::move(ready));
    }
    void do_step(const Module& step) {
        require_check_mode();
        modules_.add(step.module, load_image(device_, backend_, backend_.generate(step.text)));
    }
    void do_step(const ModuleKernel& step) {
        const LoadedImage& image = modules_[step.module];
        const bool is_there = std::find(image.entries.begin(), image.entries.end(), step.entry) != image.entries.end();
        ReadyKernel ready;
        if (is_there) ready.kernel = image.module->kernel(step.entry, step.name);
        if (ready.kernel == nullptr) refuse("names a module's kernel that isn't there");
        kernels_.add(step.kernel, std::move(ready));
    }
    void do_step(const ModuleVariable& step) {
        const ModuleSymbol symbol = modules_[step.module].module->symbol(step.name);
        if (symbol.data == nullptr) refuse("names a module's variable that isn't there");
        modules_[step.module].module->written_by_host(step.name);
        auto borrowed = std::make_shared<Storage>(device_, symbol.data, symbol.bytes, nullptr);
        memory_.add(step.memory, {std::move(borrowed), static_cast<std::byte*>(symbol.data), symbol.bytes, false});
    }

    ReadyKernel& kernel(std::uint64_t number, ReadyKernel::Kind kind) {
        require_check_mode();
        ReadyKernel& ready = kernels_[number];
        if (ready.kind != kind) refuse("launches a kernel as one of another kind");
        return ready;
    }
    static const host::gpu_module& module_of(const ReadyKernel& ready) {
        return static_cast<const host::KernelModule&>(*ready.kernel).module();
    }
    void count_launch(const ReadyKernel& ready) const {
        count_work({.kind = LedgerEntry::Kind::launch, .device = device_, .kernel = &ready.kernel->name()});
    }

    void put_addresses(const std::vector<Address>& addresses, std::byte* bytes, std::size_t size) {
        for (const Address& one : addresses) {
            if (one.at > size || sizeof(void*) > size - one.at) refuse("has an address beyond an argument's end");
            const std::byte* const address = at(one.to, 0);
            std::memcpy(bytes + one.at, &address, sizeof address);
        }
    }

    [[nodiscard]] bool is_left_out(std::string_view name) const noexcept {
        return !left_out_.empty() && name.starts_with(left_out_) &&
               (name.size() == left_out_.size() || name[left_out_.size()] == '<');
    }
    void do_step(RawLaunch& step) {
        const ReadyKernel& ready = kernel(step.kernel, ReadyKernel::Kind::raw);
        const host::gpu_module& module = module_of(ready);
        if (static_cast<int>(step.arguments.size()) != module.parameter_count)
            refuse("launches a kernel with another number of arguments");
        std::vector<void*> values;
        for (std::size_t k = 0; k < step.arguments.size(); ++k) {
            RawArgument& argument = step.arguments[k];
            if (argument.bytes.size() != module.parameters[k].size) refuse("has an argument of another size");
            auto* const bytes = reinterpret_cast<std::byte*>(argument.bytes.data());
            put_addresses(argument.addresses, bytes, argument.bytes.size());
            values.push_back(bytes);
        }
        if (is_left_out(ready.kernel->name())) return;
        backend_.launch(0, *ready.kernel, {.over = step.shape, .values = values}, nullptr);
        count_launch(ready);
    }

    std::vector<Argument> arguments_of(std::vector<GeneratedArgument>& given, const host::gpu_module& module) {
        if (static_cast<int>(given.size()) != module.parameter_count)
            refuse("launches a kernel with another number of arguments");
        std::vector<Argument> arguments;
        for (std::size_t k = 0; k < given.size(); ++k) {
            Argument argument = given[k].argument;
            if (argument.is_array != module.parameters[k].is_pointer) refuse("has an argument of another kind");
            if (argument.is_array)
                argument.array.data = given[k].is_null ? nullptr : at(given[k].array, 0);
            else
                put_addresses(given[k].addresses, reinterpret_cast<std::byte*>(argument.scalar),
                              sizeof argument.scalar);
            arguments.push_back(argument);
        }
        return arguments;
    }
    static std::int64_t product(const Shape& shape) {
        try {
            return shape.size();
        } catch (const ShapeError&) {
            refuse("has a shape that doesn't exist");
        }
    }
    void do_step(ElementwiseLaunch& step) {
        const ReadyKernel& ready = kernel(step.kernel, ReadyKernel::Kind::elementwise);
        const Shape shape = shape_of(step.lengths);
        if (shape.rank() != ready.rank || product(shape) != step.size) refuse("launches a kernel in another shape");
        backend_.launch(0, *ready.kernel,
                        {.over = ElementwiseSpace{step.size, shape, static_cast<std::size_t>(step.bytes)},
                         .arguments = arguments_of(step.arguments, module_of(ready))},
                        nullptr);
        count_launch(ready);
    }
    void do_step(ReductionLaunch& step) {
        const ReadyKernel& ready = kernel(step.kernel, ReadyKernel::Kind::reduction);
        ReductionSpace space{.outputs = step.outputs,
                             .reduced = step.reduced,
                             .kept = shape_of(step.kept_lengths),
                             .reduced_shape = shape_of(step.reduced_lengths),
                             .bytes = static_cast<std::size_t>(step.bytes),
                             .results = step.results};
        std::vector<Argument> arguments = arguments_of(step.arguments, module_of(ready));
        const bool is_right = space.kept.rank() == ready.rank && space.reduced_shape.rank() == ready.reduced_rank &&
                              product(space.kept) == space.outputs && product(space.reduced_shape) == space.reduced &&
                              space.results >= 1 && space.results <= static_cast<int>(arguments.size()) &&
                              space.outputs <= static_cast<std::int64_t>(max_memory);
        if (!is_right) refuse("launches a kernel in another shape");
        backend_.launch(0, *ready.kernel, {.over = space, .arguments = std::move(arguments)}, nullptr);
        count_launch(ready);
    }

    std::vector<Step> steps_;
    std::span<const HostBytes> arguments_;
    std::string_view left_out_;
    Backend& backend_;
    const Device device_ = Device::host(0);
    Numbered<LoadedImage> modules_{"module"};
    Numbered<ReadyKernel> kernels_{"kernel"};
    Numbered<Memory> memory_{"piece of memory"};   // declared last: freed before modules and kernels
    std::vector<std::string> copies_, sent_;
    std::optional<MemoryOffset> end_of_sent_;   ///< where the last one ends
    std::uint64_t allocated_ = 0, copied_ = 0;
    bool checking_ = false;
};

}  // namespace

}  // namespace gpu::detail::record

namespace gpu::detail {

ReplayedCall replay_call(std::string_view recording, std::span<const HostBytes> arguments,
                         const CheckOptions& options, std::string_view left_out) {
    return record::Replay(record::from_bytes(recording), arguments, left_out).run(options);
}

void compile_for_check(std::string_view kernels) {
    const std::vector<record::Step> steps = record::from_bytes(kernels);
    Backend& host = backend(BackendKind::host);
    const Device device = Device::host(0);
    const auto compile = [&] {
        for (const record::Step& step : steps) {
            const auto* const kernel = std::get_if<record::Kernel>(&step);
            if (kernel == nullptr) record::refuse("does more than make kernels");
            record::ReadyKernel ignored;
            record::check_text(kernel->text, ignored);
            try {
                (void)compiled_entry(device, host, record::source_of(kernel->text, host));
            } catch (const CompileError&) {  // its launch reports it
            }
        }
    };
    (void)gpu::check(compile, {.only_cuda = true});
}

}  // namespace gpu::detail
