// SPDX-License-Identifier: MIT
#include "record/recorder.hpp"

#include <cstring>
#include <iterator>
#include <utility>

#include "counts.hpp"
#include "host/modules/kernel_module.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu::detail::record {

namespace {

std::string bytes_at(const void* data, std::size_t bytes) {
    return bytes == 0 ? std::string() : std::string(static_cast<const char*>(data), bytes);
}

// The limit for all arrays that existed before a call: scratch memory, tables.
constexpr std::size_t max_kept = std::size_t{8} << 20;

std::vector<std::int64_t> lengths_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// What was loaded of an image: of its kernels and variables the recorder is to know where they come from.
class RecordedModule final : public LoadedModule {
public:
    RecordedModule(Recorder& recorder, std::shared_ptr<LoadedModule> module)
        : recorder_(recorder), module_(std::move(module)) {}

    std::shared_ptr<LoadedKernel> kernel(const std::string& entry, const std::string& name) override {
        auto kernel = module_->kernel(entry, name);
        if (kernel != nullptr) recorder_.found(*this, entry, name, *kernel);
        return kernel;
    }
    ModuleSymbol symbol(const std::string& name) override {
        const ModuleSymbol symbol = module_->symbol(name);
        if (symbol.data != nullptr) recorder_.found(*this, name, symbol);
        return symbol;
    }
    std::vector<std::string> symbols() const override { return module_->symbols(); }
    void written_by_host(const std::string& name) override { module_->written_by_host(name); }

private:
    Recorder& recorder_;
    std::shared_ptr<LoadedModule> module_;
};

}  // namespace

Recorder& Recorder::of_this_process() {
    static auto& instance = []() -> Recorder& {
        auto* const made = new Recorder(backend(BackendKind::host));   // leaked: memory is freed after main
        replace_host_backend(*made);
        return *made;
    }();
    return instance;
}

void Recorder::begin(std::vector<HostBytes> arguments) {
    const std::lock_guard lock(mutex_);
    arguments_ = std::move(arguments);
    steps_.clear();
    copies_.clear();
    why_not_.clear();
    bytes_ = 0;
    kernel_numbers_.clear();
    module_numbers_.clear();
    keep_memory();
    in_check_ = false;
    recording_ = true;
}

void Recorder::begin_check() {
    guarded([&] {
        add(CheckBegan{});
        in_check_ = true;
    });
}
void Recorder::end_check() {
    guarded([&] {
        add(CheckEnded{});
        in_check_ = false;
    });
}

std::optional<std::uint64_t> Recorder::copy_that_gave(HostBytes bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = copies_.size(); k-- > 0;)
        if (copies_[k].size() == bytes.size() && std::memcmp(copies_[k].data(), bytes.data(), bytes.size()) == 0)
            return k;
    return {};
}

std::string Recorder::end(std::string& why_not) {
    const std::lock_guard lock(mutex_);
    recording_ = in_check_ = false;
    std::vector<Step> steps = steps_with_kept_memory();
    std::string bytes = why_not_.empty() ? to_bytes(steps) : std::string();
    if (bytes.size() > max_bytes) give_up("more work than a recording holds");
    kept_.clear();
    copies_.clear();
    why_not = why_not_;
    return why_not_.empty() ? bytes : std::string();
}

std::string Recorder::new_kernels() {
    const std::lock_guard lock(mutex_);
    std::string bytes = new_kernels_.empty() ? std::string() : to_bytes(new_kernels_);
    new_kernels_.clear();
    new_bytes_ = 0;
    return bytes.size() <= max_bytes ? bytes : std::string();
}

// What there is to know between calls as well; without memory for it something isn't recorded later.
template <class F>
void Recorder::learn(F&& note) const noexcept {
    if (!is_awake_ && !keeps_texts_) return;
    try {
        const std::lock_guard lock(mutex_);
        note();
    } catch (...) {
    }
}

// What a call has asked for, under the lock, unless nothing is recorded or the call has done what can't be.
template <class F>
void Recorder::guarded(F&& tell) noexcept {
    if (!is_awake_) return;
    const std::lock_guard lock(mutex_);
    try {
        if (recording_ && why_not_.empty()) tell();
    } catch (...) {  // no memory
        give_up("more work than a recording holds");
    }
}

Backend& Recorder::unrecorded(const char* what) noexcept {
    guarded([&] { give_up(what); });
    return host_;
}

void Recorder::give_up(const char* what) noexcept {
    try {
        why_not_ = what;
    } catch (...) {
    }
}

void Recorder::add(Step step, std::size_t bytes) {
    bytes_ += bytes + 64;
    if (bytes_ > max_bytes || steps_.size() >= max_steps) return give_up("more work than a recording holds");
    steps_.push_back(std::move(step));
}

bool Recorder::is_plain(int device, void* stream) {
    if (device == 0 && stream == nullptr) return true;
    give_up(device != 0 ? "several devices" : "streams");
    return false;
}

// --- memory ---------------------------------------------------------------------------------------------------------

void* Recorder::allocate(int device, std::size_t bytes, void* stream) {
    void* const data = host_.allocate(device, bytes, stream);
    allocated(device, data, bytes, false);
    return data;
}

void* Recorder::allocate_shared(int device, std::size_t bytes) {
    void* const data = host_.allocate_shared(device, bytes);
    allocated(device, data, bytes, true);
    return data;
}

void Recorder::allocated(int device, const void* data, std::size_t bytes, bool is_shared) noexcept {
    if (!is_awake_) return;
    try {
        const std::lock_guard lock(mutex_);
        Memory& memory = live_[reinterpret_cast<std::uintptr_t>(data)];
        memory = {.bytes = bytes, .number = none, .is_shared = is_shared};
        if (!recording_ || !why_not_.empty()) return;
        if (device != 0) return give_up("several devices");
        if (is_shared) return;   // recorded on first use
        memory.number = next_memory_++;
        add(Allocated{memory.number, bytes, false});
    } catch (...) {
        give_up("more work than a recording holds");
    }
}

// Before its place is another array's.
void Recorder::deallocate(int device, void* data, std::size_t bytes) noexcept {
    std::uint64_t number = none;
    learn([&] {
        const auto found = live_.find(reinterpret_cast<std::uintptr_t>(data));
        if (found == live_.end()) return;
        number = found->second.number;
        live_.erase(found);
        if (number < kept_.size() && !kept_[number].is_used) number = none;
    });
    if (number != none) guarded([&] { add(Freed{number}); });
    host_.deallocate(device, data, bytes);
}

// Copies the contents of existing memory: the call may write to it. Within a check, arrays are inaccessible to the
// host.
void Recorder::keep_memory() {
    kept_.clear();
    std::size_t bytes = 0;
    for (auto& [address, memory] : live_) {
        memory.number = none;   // of an earlier call
        if (in_check_ || memory.module != nullptr || memory.is_shared || memory.bytes > max_kept - bytes) continue;
        bytes += memory.bytes;
        memory.number = kept_.size();
        kept_.push_back({bytes_at(reinterpret_cast<const void*>(address), memory.bytes)});
    }
    next_memory_ = kept_.size();
}

void Recorder::use(std::uint64_t memory) {
    if (memory >= kept_.size() || kept_[memory].is_used) return;
    KeptMemory& kept = kept_[memory];
    kept.is_used = true;
    bytes_ += kept.content.size();
    if (bytes_ > max_bytes) give_up("more work than a recording holds");
    if (looks_like_addresses(std::as_bytes(std::span(kept.content)))) give_up("addresses of arrays in memory");
}

// Existing contents come first, before the check begins, so that they aren't counted.
std::vector<Step> Recorder::steps_with_kept_memory() {
    std::vector<Step> steps;
    for (std::uint64_t number = 0; number < kept_.size(); ++number) {
        KeptMemory& kept = kept_[number];
        if (!kept.is_used) continue;
        steps.push_back(Allocated{number, kept.content.size(), false});
        if (kept.content.empty()) continue;
        CopiedUp up;
        up.to = {number, 0};
        up.bytes = kept.content.size();
        up.is_counted = false;
        up.other = std::move(kept.content);
        steps.push_back(std::move(up));
    }
    steps.insert(steps.end(), std::make_move_iterator(steps_.begin()), std::make_move_iterator(steps_.end()));
    steps_.clear();
    return steps;
}

bool Recorder::looks_like_addresses(HostBytes bytes) const {
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes.size(); at += sizeof(std::uintptr_t)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        const auto next = live_.upper_bound(word);
        if (word != 0 && next != live_.begin() && word - std::prev(next)->first <= std::prev(next)->second.bytes)
            return true;
    }
    return false;
}

void Recorder::describe(int device, const void* data, DType elements, const Shape& shape) noexcept {
    host_.describe(device, data, elements, shape);
    guarded([&] {
        const auto found = live_.find(reinterpret_cast<std::uintptr_t>(data));
        if (found == live_.end() || found->second.number == none) return;
        use(found->second.number);
        add(Described{found->second.number, elements, lengths_of(shape)});
    });
}

std::optional<MemoryOffset> Recorder::place_of(std::uintptr_t address) {
    auto found = live_.upper_bound(address);
    if (found == live_.begin()) return {};
    --found;
    Memory& memory = found->second;
    if (address - found->first > memory.bytes) return {};
    if (memory.number == none && memory.is_shared) {
        memory.number = next_memory_++;
        add(Allocated{memory.number, memory.bytes, true});
    }
    if (memory.number == none && memory.module != nullptr) {
        const std::uint64_t module = number_of(*memory.module);
        memory.number = next_memory_++;
        add(ModuleVariable{memory.number, module, memory.name});
    }
    if (memory.number == none) give_up("arrays that were there before the call");
    use(memory.number);
    return MemoryOffset{memory.number, address - found->first};
}

MemoryOffset Recorder::known_place_of(const void* data) {
    if (const std::optional<MemoryOffset> place = place_of(reinterpret_cast<std::uintptr_t>(data))) return *place;
    give_up("memory that isn't libgpu's");
    return {};
}

// Finds array addresses by their values: they are 47 bits wide and far apart, so others don't look like them.
std::vector<Address> Recorder::addresses_in(HostBytes bytes) {
    std::vector<Address> found;
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes.size(); at += sizeof(std::uintptr_t)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (word == 0) continue;
        if (const std::optional<MemoryOffset> place = place_of(word)) found.push_back({at, *place});
    }
    return found;
}

// --- copies ---------------------------------------------------------------------------------------------------------

CopiedUp Recorder::upload(const void* from, std::size_t bytes) const {
    CopiedUp up;
    up.bytes = bytes;
    const auto* const data = static_cast<const std::byte*>(from);
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
        const HostBytes argument = arguments_[k];
        const bool is_inside = data >= argument.data() && data + bytes <= argument.data() + argument.size();
        // A few bytes may be equal by chance.
        const bool is_equal = bytes >= 64 && argument.size() == bytes && std::memcmp(argument.data(), data, bytes) == 0;
        if (!is_inside && !is_equal) continue;
        up.is_argument = true;
        up.argument = k;
        up.offset = is_inside ? static_cast<std::uint64_t>(data - argument.data()) : 0;
        return up;
    }
    up.other = bytes_at(from, bytes);
    return up;
}

void Recorder::copy(int device, void* to, const void* from, std::size_t bytes, CopyKind kind, void* stream) {
    host_.copy(device, to, from, bytes, kind, stream);
    const std::shared_ptr<void> access = host_.host_access();   // the host's side may lie in an array
    guarded([&] {
        if (bytes == 0 || !is_plain(device, stream)) return;
        const bool is_counted = !is_printing();
        if (kind == CopyKind::host_to_device) {
            CopiedUp up = upload(from, bytes);
            if (!up.is_argument && !addresses_in({static_cast<const std::byte*>(from), bytes}).empty())
                return give_up("addresses of arrays in memory");
            up.to = known_place_of(to);
            up.is_counted = is_counted;
            const std::size_t size = up.other.size();
            return add(std::move(up), size);
        }
        const MemoryOffset source = known_place_of(from);
        if (kind == CopyKind::device_to_device)
            return add(CopiedOnDevice{known_place_of(to), source, bytes, is_counted});
        if (bytes > max_bytes) return give_up("more work than a recording holds");
        copies_.push_back(bytes_at(to, bytes));
        add(CopiedDown{source, bytes, is_counted}, bytes);
    });
}

void Recorder::fill(int device, void* data, unsigned char byte, std::size_t bytes, void* stream) {
    host_.fill(device, data, byte, bytes, stream);
    guarded([&] {
        if (bytes > 0 && is_plain(device, stream)) add(Filled{known_place_of(data), bytes, byte});
    });
}

void Recorder::synchronize_stream(int device, void* stream) {
    host_.synchronize_stream(device, stream);
    waited(device, stream);
}

void Recorder::synchronize_device(int device) {
    host_.synchronize_device(device);
    waited(device, nullptr);
}

void Recorder::waited(int device, void* stream) noexcept {
    guarded([&] {
        if (is_plain(device, stream)) add(Waited{});
    });
}

// --- kernels --------------------------------------------------------------------------------------------------------

KernelSource Recorder::generate(const ElementwiseText& text) const { return kept(text); }
KernelSource Recorder::generate(const ReductionText& text) const { return kept(text); }
KernelSource Recorder::generate(const RawText& text) const { return kept(text); }

template <class Text>
KernelSource Recorder::kept(const Text& text) const {
    KernelSource source = host_.generate(text);
    learn([&] { keep(text, source); });
    return source;
}

void Recorder::keep(KernelText text, const KernelSource& source) const {
    auto& kept = texts_[source.text];
    const bool is_new = kept == nullptr;
    kept = std::make_shared<const KernelText>(std::move(text));
    if (!keeps_texts_ || !is_new || source.mode == KernelMode::check) return;
    if ((new_bytes_ += source.text.size()) <= max_bytes) new_kernels_.push_back(Kernel{new_kernels_.size(), *kept});
}

std::shared_ptr<const KernelText> Recorder::text_of(const KernelSource& source) const {
    const auto text = texts_.find(source.text);
    return text != texts_.end() ? text->second : nullptr;
}

std::shared_ptr<LoadedKernel> Recorder::load(int device, const Image& image, const KernelSource& source) {
    auto kernel = host_.load(device, image, source);
    learn([&] { kernels_[kernel.get()] = {.text = text_of(source)}; });
    return kernel;
}

std::shared_ptr<LoadedModule> Recorder::load_module(int device, const Image& image, const KernelSource& source) {
    auto module = std::make_shared<RecordedModule>(*this, host_.load_module(device, image, source));
    learn([&] { modules_[module.get()] = text_of(source); });
    return module;
}

void Recorder::found(const LoadedModule& module, const std::string& entry, const std::string& name,
                     const LoadedKernel& kernel) noexcept {
    learn([&] { kernels_[&kernel] = {.text = nullptr, .module = &module, .entry = entry, .name = name}; });
}

void Recorder::found(const LoadedModule& module, const std::string& name, const ModuleSymbol& symbol) noexcept {
    learn([&] {
        Memory& memory = live_[reinterpret_cast<std::uintptr_t>(symbol.data)];
        if (memory.module == &module && memory.name == name) return;
        memory = {.bytes = symbol.bytes, .number = none, .is_shared = false, .module = &module, .name = name};
    });
}

std::uint64_t Recorder::number_of(const LoadedModule& module) {
    if (!in_check_) give_up("kernels outside check mode");
    const auto known = module_numbers_.find(&module);
    if (known != module_numbers_.end()) return known->second;
    const auto text = modules_.find(&module);
    const auto* const raw = text == modules_.end() || text->second == nullptr ? nullptr
                                                                              : std::get_if<RawText>(&*text->second);
    if (raw == nullptr) {
        give_up("machine code that somebody else compiled");
        return none;
    }
    const std::uint64_t number = module_numbers_.size();
    module_numbers_.emplace(&module, number);
    add(Module{number, *raw}, raw->source.text.size() + raw->source.plain.size());
    return number;
}

std::uint64_t Recorder::number_of(const LoadedKernel& kernel) {
    if (!in_check_) give_up("kernels outside check mode");
    const auto known = kernel_numbers_.find(&kernel);
    if (known != kernel_numbers_.end()) return known->second;
    const auto found = kernels_.find(&kernel);
    if (found == kernels_.end() || (found->second.module == nullptr && found->second.text == nullptr)) {
        give_up("a kernel whose text isn't known");
        return none;
    }
    const KernelNote& note = found->second;
    const std::uint64_t module = note.module != nullptr ? number_of(*note.module) : none;
    const std::uint64_t number = kernel_numbers_.size();
    kernel_numbers_.emplace(&kernel, number);
    if (note.module != nullptr) {
        add(ModuleKernel{number, module, note.entry, note.name});
    } else {
        const auto* const raw = std::get_if<RawText>(&*note.text);
        add(Kernel{number, *note.text}, raw != nullptr ? raw->source.text.size() + raw->source.plain.size() : 1024);
    }
    return number;
}

// --- launches -------------------------------------------------------------------------------------------------------

std::vector<GeneratedArgument> Recorder::arguments_of(const std::vector<Argument>& arguments) {
    std::vector<GeneratedArgument> made;
    for (const Argument& argument : arguments) {
        GeneratedArgument& one = made.emplace_back();
        one.argument = argument;
        if (!argument.is_array) {
            one.addresses = addresses_in(std::as_bytes(std::span(argument.scalar)));
            continue;
        }
        one.is_null = argument.array.data == nullptr;
        if (!one.is_null) one.array = known_place_of(argument.array.data);
        one.argument.array.data = nullptr;
    }
    return made;
}

void Recorder::do_launch(int device, LoadedKernel& kernel, Launch&& launch, void* stream) {
    if (!is_awake_) return host_.do_launch(device, kernel, std::move(launch), stream);
    const Launch asked = launch;
    host_.do_launch(device, kernel, std::move(launch), stream);
    guarded([&] {
        if (!is_plain(device, stream)) return;
        std::visit([&](const auto& over) { add_launch(kernel, over, asked); }, asked.over);
    });
}

void Recorder::add_launch(const LoadedKernel& kernel, const ElementwiseSpace& space, const Launch& launch) {
    add(ElementwiseLaunch{number_of(kernel), space.size, lengths_of(space.shape), space.bytes,
                          arguments_of(launch.arguments)},
        256 * launch.arguments.size());
}

void Recorder::add_launch(const LoadedKernel& kernel, const ReductionSpace& space, const Launch& launch) {
    add(ReductionLaunch{number_of(kernel), space.outputs, space.reduced, lengths_of(space.kept),
                        lengths_of(space.reduced_shape), space.bytes, space.results, arguments_of(launch.arguments)},
        256 * launch.arguments.size());
}

void Recorder::add_launch(const LoadedKernel& kernel, const LaunchShape& shape, const Launch& launch) {
    if (shape.cooperative) return give_up("cooperative launches");
    RawLaunch noted{number_of(kernel), shape, {}};
    std::size_t bytes = 0;
    const auto& parameters = static_cast<const host::KernelModule&>(kernel).module().parameters;
    for (std::size_t k = 0; k < launch.values.size(); ++k) {
        const HostBytes argument(static_cast<const std::byte*>(launch.values[k]), parameters[k].size);
        noted.arguments.push_back({bytes_at(argument.data(), argument.size()), addresses_in(argument)});
        bytes += argument.size() + 64;
    }
    add(std::move(noted), bytes);
}

}  // namespace gpu::detail::record

namespace gpu::detail {

using record::Recorder;

void CallRecorder::prepare() { Recorder::of_this_process().prepare(); }
void CallRecorder::begin(std::vector<HostBytes> arguments) {
    Recorder::of_this_process().begin(std::move(arguments));
}
void CallRecorder::begin_check() { Recorder::of_this_process().begin_check(); }
void CallRecorder::end_check() { Recorder::of_this_process().end_check(); }
std::optional<std::uint64_t> CallRecorder::copy_that_gave(HostBytes bytes) {
    return Recorder::of_this_process().copy_that_gave(bytes);
}
std::string CallRecorder::end(std::string& why_not) { return Recorder::of_this_process().end(why_not); }
void CallRecorder::keep_texts() { Recorder::of_this_process().keep_texts(); }
std::string CallRecorder::new_kernels() { return Recorder::of_this_process().new_kernels(); }

}  // namespace gpu::detail
