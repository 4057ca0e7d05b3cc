// SPDX-License-Identifier: MIT
#include "launch/raw/raw_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <gpu/error.hpp>

#include "base.hpp"
#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"
#include "counts.hpp"
#include "jit/compile_error.hpp"
#include "jit/kernel_store.hpp"
#include "launch/source.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu {

namespace detail {

namespace {

/// A kernel with a source of its own; the kernel store holds what is loaded.
class SourceKernel final : public RawKernelCore {
public:
    SourceKernel(const Source& source, const std::string& name, const std::vector<KernelParameter>* parameters,
                 const RawKernelOptions& options)
        : RawKernelCore(snippet_of(source, options.options), name, parameters),
          options_(options.options),
          key_("w" + this->name() + '\0' + source.file() + '\0' + std::to_string(source.line()) + '\0') {
        for (const std::string& option : options_) key_ += std::to_string(option.size()) + ':' + option;
        key_ += '\0' + this->source().text + '\0';
        typed_key_ = key_ + signature().key;
        if (this->name().empty()) throw Error("a raw kernel of " + source.file() + " needs the name that it has there");
        if (source.text().find_first_not_of(" \t\r\n") == std::string::npos)
            throw Error("kernel " + this->name() + ": its source, " + source.file() + ", is empty");
    }

    [[nodiscard]] std::shared_ptr<LoadedKernel> load(Device device, Backend& backend,
                                                     const RawSignature& wanted) override {
        const bool own = &wanted == &signature();
        return find_kernel(device, backend, own ? typed_key_ : key_ + wanted.key,
                           [&] { return backend.generate(text(wanted)); });
    }

    [[nodiscard]] RawText text(const RawSignature& wanted) const override {
        return {.name = name(),
                .source = source(),
                .signature = wanted.text,
                .options = options_,
                .structs = wanted.structs};
    }

private:
    std::vector<std::string> options_;
    std::string key_, typed_key_;
};

std::uint32_t length(std::int64_t value, const char* what, const std::string& kernel) {
    if (value < 1) {
        const bool rounded = value == 0 && std::string_view(what).starts_with("a grid");
        throw LaunchError("kernel " + kernel + ": " + what + " " + std::to_string(value) + ": it must be 1 or more" +
                          (rounded      ? " (n / 256 rounds down, (n + 255) / 256 up; nothing to do? then don't launch)"
                           : value == 0 ? " (nothing to do? then don't launch)"
                                        : ""));
    }
    if (value > std::numeric_limits<std::uint32_t>::max())
        throw LaunchError("kernel " + kernel + ": " + what + " " + std::to_string(value) +
                          " is beyond any device's limit");
    return static_cast<std::uint32_t>(value);
}

Extent3 extent(const Dim3& dim, const char* what, const std::string& kernel) {
    return {length(dim.x, what, kernel), length(dim.y, what, kernel), length(dim.z, what, kernel)};
}

constexpr const char* texture_type = "cudaTextureObject_t";

// `which` names the argument, for messages only.
template <class Which>
void check_place(const ArrayCore& core, const Which& which) {
    if (core.storage == nullptr) throw_moved_from((which() + " of a raw kernel").c_str());
    const Device device = core.storage->device();
    if (device == current_device()) return;
    throw DeviceError(which() + " of a raw kernel is on " + device.to_string() + ", the kernel would run on " +
                      current_device().to_string() + ": move the array, as in x.to(" + spelled(current_device()) +
                      "), or launch under gpu::DeviceGuard guard(" + spelled(device) + ")");
}

// The type of a KernelParameter or a DeclaredParameter: "const float* const*".
template <class Type>
std::string spelled(const Type& type, const std::string& name) {
    std::string text = name;
    if (type.is_pointer) {
        text = (type.is_const ? "const " : "") + std::string(type.is_volatile ? "volatile " : "") + name + '*';
        if (type.points_to_pointers) text += type.has_const_pointers ? " const*" : "*";
    }
    return text;
}
std::string spelled_type(const KernelParameter& type) { return spelled(type, type.type); }
std::string spelled_type(const DeclaredParameter& type) { return spelled(type, type.words); }

std::string described(const LooseArgument& argument) {
    if (argument.array != nullptr) return "an array of " + argument.type.type;
    if (argument.pointers != nullptr)
        return "a PointerArray of " + std::string(argument.type.is_const ? "const " : "") + argument.type.type;
    if (argument.texture != nullptr) return "a gpu::Texture";
    return "of type " + spelled_type(argument.type);
}

bool takes_texture(const DeclaredParameter& declared) { return !declared.is_pointer && declared.words == texture_type; }

// A handle is a number to compilers: they can't distinguish a texture from other numbers.
void check_textures(const std::string& kernel, const std::vector<KernelParameter>& parameters,
                    const std::vector<DeclaredParameter>& declared) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const bool is_texture = parameters[k].type == texture_type;
        const bool takes = takes_texture(declared[k]);
        if (is_texture == takes || !(takes || declared[k].is_number)) continue;
        throw DTypeError("kernel " + kernel + ": parameter " + std::to_string(k + 1) +
                         (declared[k].name.empty() ? "" : " (" + declared[k].name + ")") + " is " +
                         (is_texture ? "gpu::Texture" : spelled_type(parameters[k])) +
                         " in the C++ signature, the source declares " + spelled_type(declared[k]) +
                         (is_texture ? ": there it must be cudaTextureObject_t" : ": write gpu::Texture"));
    }
}

// The types of whole numbers and of floating-point numbers under the names that kernels have for them.
std::optional<DType> number_type(const std::string& name) {
    for (int k = 0; k < dtype_count; ++k) {
        const auto type = static_cast<DType>(k);
        if (kernel_name(type) == name && (is_integer(type) || is_floating(type))) return type;
    }
    return std::nullopt;
}

// The type that a whole number of the loose form is converted to; none if it stays, or if that is refused.
std::optional<DType> converted_type(const LooseArgument& argument, const DeclaredParameter& declared) {
    if (argument.value == nullptr || argument.type.is_pointer || declared.is_pointer || !declared.is_number ||
        takes_texture(declared) || declared.type == argument.type.type) {
        return std::nullopt;
    }
    const std::optional<DType> given = number_type(argument.type.type), wanted = number_type(declared.type);
    return given && is_integer(*given) ? wanted : std::nullopt;
}

// Calls `use` with the number at the address, which has this type.
template <class Use>
auto with_number(DType type, const void* address, const Use& use) {
    switch (type) {
        case DType::int8: return use(*static_cast<const std::int8_t*>(address));
        case DType::int16: return use(*static_cast<const std::int16_t*>(address));
        case DType::int32: return use(*static_cast<const std::int32_t*>(address));
        case DType::uint8: return use(*static_cast<const std::uint8_t*>(address));
        case DType::uint16: return use(*static_cast<const std::uint16_t*>(address));
        case DType::uint32: return use(*static_cast<const std::uint32_t*>(address));
        case DType::uint64: return use(*static_cast<const std::uint64_t*>(address));
        default: return use(*static_cast<const std::int64_t*>(address));
    }
}
template <class P>
void write_number(const LooseArgument& argument, int position, void* to) {
    const auto convert = [&](auto value) {
        const P fitted = fitted_number<P>(value, position);
        std::memcpy(to, &fitted, sizeof fitted);
    };
    with_number(*number_type(argument.type.type), argument.value, convert);
}
void write_number(DType type, const LooseArgument& argument, int position, void* to) {
    switch (type) {
        case DType::int8: return write_number<std::int8_t>(argument, position, to);
        case DType::int16: return write_number<std::int16_t>(argument, position, to);
        case DType::int32: return write_number<std::int32_t>(argument, position, to);
        case DType::int64: return write_number<std::int64_t>(argument, position, to);
        case DType::uint8: return write_number<std::uint8_t>(argument, position, to);
        case DType::uint16: return write_number<std::uint16_t>(argument, position, to);
        case DType::uint32: return write_number<std::uint32_t>(argument, position, to);
        case DType::uint64: return write_number<std::uint64_t>(argument, position, to);
        case DType::float16: return write_number<half>(argument, position, to);
        case DType::bfloat16: return write_number<bfloat16>(argument, position, to);
        case DType::float32: return write_number<float>(argument, position, to);
        default: return write_number<double>(argument, position, to);
    }
}

// Checks without a compiler, which will verify the signature anyway.
void check_argument(const std::string& kernel, std::size_t position, const LooseArgument& argument,
                    const DeclaredParameter& declared) {
    const std::string which = "kernel " + kernel + ": argument " + std::to_string(position) +
                              (declared.name.empty() ? "" : " (" + declared.name + ")");
    const std::string wanted = spelled_type(declared), given = described(argument);
    const bool takes_any = declared.is_pointer && declared.type == "void";
    const auto refuse = [&](const std::string& advice) {
        throw DTypeError(which + " is " + given + ", the source declares " + wanted + advice);
    };
    if (takes_texture(declared) && argument.texture == nullptr) refuse(": make a gpu::Texture for it");
    if (argument.texture != nullptr && (declared.is_number || declared.is_pointer))
        refuse(": a texture goes where it is a cudaTextureObject_t");
    if (declared.is_number || takes_any || declared.points_to_pointers) {
        const bool is_void_pointer = takes_any && !declared.points_to_pointers;
        if (argument.type.is_pointer != declared.is_pointer) refuse("");
        if (declared.points_to_pointers && !argument.type.points_to_pointers && argument.type.type != "void")
            refuse(": pass a gpu::PointerArray of the arrays that it points to");
        if (!declared.points_to_pointers && argument.type.points_to_pointers && !is_void_pointer)
            refuse(": that is one array, not pointers to several");
    }
    if (declared.is_number && declared.type != argument.type.type && argument.type.type != "void" &&
        argument.type.struct_bytes == 0) {
        const bool is_pair = declared.type != standard_type(declared.words);
        refuse(argument.array != nullptr && is_pair ? ": that is what an array of " + declared.type + " has"
               : argument.array != nullptr          ? ": convert the array by astype"
               : !declared.is_pointer ? ": the loose form converts whole numbers only, so write one of that type"
                                      : "");
    }
    const bool may_not_write = argument.array != nullptr ? argument.read_only : argument.type.is_const;
    if (declared.is_pointer && !declared.is_const && may_not_write)
        throw Error(which + " is const, and the kernel may write to it: the source declares " + wanted);
    if (declared.is_pointer && argument.type.is_volatile && !declared.is_volatile)
        throw Error(which + " is volatile: the source declares " + wanted);
}

}  // namespace

RawKernelCore::RawKernelCore(SourceText source, const std::string& name, const std::vector<KernelParameter>* parameters)
    : source_(std::move(source)), name_(tidy_name(name)) {
    if (parameters != nullptr) signature_ = make_signature(source_.text, name_, *parameters);
}

RawKernelCore::~RawKernelCore() {
    for (const Handle* handle = handles_.load(std::memory_order_relaxed); handle != nullptr;)
        delete std::exchange(handle, handle->next);
}

LoadedKernel& RawKernelCore::loaded(Device device, Backend& backend, const RawSignature& signature) {
    const std::string variant = backend.variant();
    const Handle* const known = handles_.load(std::memory_order_acquire);
    for (const Handle* handle = known; handle != nullptr; handle = handle->next)
        if (handle->signature == &signature && handle->device == device && handle->variant == variant)
            return *handle->kernel;
    // Two threads may get here at once: both load the same kernel, and both handles are right.
    auto* const made = new Handle{device, variant, &signature, load(device, backend, signature), known};
    while (!handles_.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {}
    return *made->kernel;
}

std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                               const std::vector<KernelParameter>* parameters,
                                               const RawKernelOptions& options) {
    return std::make_shared<SourceKernel>(source, name, parameters, options);
}

void launch_core(RawKernelCore& kernel, const RawSignature& signature, const LaunchConfig& config,
                 void* const* arguments, int count) {
    const LaunchShape shape{.grid = extent(config.grid, "a grid length of", kernel.name()),
                            .block = extent(config.block, "a block length of", kernel.name()),
                            .shared_bytes = config.shared,
                            .cooperative = config.cooperative};
    const Device device = current_device();
    void* const stream = native_stream(config.stream, device);
    Backend& where = backend(device);
    LoadedKernel& loaded = kernel.loaded(device, where, signature);
    kernel.before_launch(device, where, stream);
    where.launch(device.index(), loaded, {.over = shape, .values = {arguments, static_cast<std::size_t>(count)}},
                 stream);
    kernel.after_launch(device, where, stream);
    count_work({.kind = LedgerEntry::Kind::launch,
                .device = device,
                .kernel = &loaded.name(),
                .grid = config.grid,
                .block = config.block});
}

void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count) {
    launch_core(kernel, kernel.signature(), config, arguments, count);
}

// The arguments of a kernel.

void throw_unfit_number(int position, DType parameter, std::int64_t value, bool is_unsigned) {
    const std::string text = is_unsigned ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
    const std::string type(kernel_name(parameter)), start = "argument " + std::to_string(position) +
                                                            " of a raw kernel is " + text +
                                                            ", its parameter is of type " + type;
    if (is_floating(parameter)) {
        throw DTypeError(start + ", which holds whole numbers exactly up to " +
                         std::to_string(std::int64_t{1} << digits_of(parameter)) + ": to round it, write " +
                         (parameter == DType::float16    ? "gpu::half"
                          : parameter == DType::bfloat16 ? "gpu::bfloat16"
                                                         : type) +
                         "(n)");
    }
    if (gpu::is_unsigned(parameter) && value < 0 && !is_unsigned)
        throw DTypeError(start + ", which holds no negative numbers");
    const int bits = static_cast<int>(8 * size_of(parameter)) - (gpu::is_unsigned(parameter) ? 0 : 1);
    const std::uint64_t max_value = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    throw DTypeError(start + ", which holds " +
                     (gpu::is_unsigned(parameter) ? "0" : "-" + std::to_string(max_value + 1)) + " to " +
                     std::to_string(max_value));
}

std::string unqualified_name(std::string_view pretty) {
    const std::size_t at = pretty.find("T = ");
    if (at == std::string_view::npos) return {};
    std::string_view name = pretty.substr(at + 4);
    // g++ continues with "; std::string_view = ...", both end with "]".
    int depth = 0;
    std::size_t begin = 0, end = 0;
    for (; end < name.size(); ++end) {
        const char c = name[end];
        depth += c == '<' || c == '(' || c == '{' ? 1 : 0;
        depth -= c == '>' || c == ')' || c == '}' ? 1 : 0;
        if (depth == 0 && (c == ';' || c == ']')) break;
        if (depth == 0 && c == ':') begin = end + 1;
    }
    return std::string(name.substr(begin, end - begin));
}

void* dense_data(const ArrayCore& core, int parameter, bool written, bool is_window) {
    const auto which = [&] { return "argument " + std::to_string(parameter); };
    check_place(core, which);
    const bool by_rows = is_dense(core, Layout::row_major);
    const bool by_columns = !by_rows && is_dense(core, Layout::column_major);
    if (by_columns && is_window) {
        throw ShapeError(which() + " of a raw kernel is a window in column-major order, as after transpose(): a " +
                         "kernel gets an address only and wouldn't know; pass its copy(gpu::Layout::row_major), its " +
                         "data() if the kernel counts so, or let the kernel take a StridedView, see gpu::strided");
    }
    if (!by_columns && !by_rows) {
        throw ShapeError(which() + " of a raw kernel is a window with strides " + to_string(core.strides) +
                         ": a kernel gets an address only; make a gpu::Array of it first, or let the kernel take a "
                         "StridedView, see gpu::strided");
    }
    if (written) core.storage->mark_written();
    return data_of(core);
}

void* strided_data(const ArrayCore& core, int rank, bool written, long long* shape, long long* strides) {
    check_place(core, [] { return std::string("a strided argument"); });
    if (core.shape.rank() != rank) {
        throw ShapeError("a raw kernel's StridedView has " + std::to_string(rank) + " axes, the array has shape " +
                         to_string(core.shape));
    }
    std::copy(core.shape.begin(), core.shape.end(), shape);
    std::copy(core.strides.begin(), core.strides.end(), strides);
    if (written) core.storage->mark_written();
    return data_of(core);
}

RawSignature make_signature(const std::string& source, const std::string& name,
                            const std::vector<KernelParameter>& parameters) {
    bool found = false;
    const auto declared = declared_parameters(source, name, parameters.size(), found);
    if (found && declared.size() == parameters.size()) check_textures(name, parameters, declared);
    RawSignature signature;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const KernelParameter& parameter = parameters[k];
        std::string type = parameter.type;
        // long, long long, size_t and int64_t are alike to us, and so are complex<float>, float2 and cuFloatComplex; to
        // a compiler they are different types.
        const bool has_names =
            is_one_of(type, {"long long", "unsigned long long", "complex<float>", "complex<double>"});
        if (has_names && found && declared.size() == parameters.size() && declared[k].type == type)
            type = declared[k].words;
        signature.text += (k == 0 ? "" : ", ") + spelled(parameter, type);
        if (parameter.struct_bytes == 0) continue;
        const StructLayout layout{parameter.type, parameter.struct_bytes, parameter.struct_alignment};
        if (std::find(signature.structs.begin(), signature.structs.end(), layout) == signature.structs.end())
            signature.structs.push_back(layout);
    }
    signature.text = "(" + signature.text + ")";
    signature.key = signature.text;
    for (const StructLayout& layout : signature.structs)
        signature.key +=
            ';' + layout.name + ',' + std::to_string(layout.bytes) + ',' + std::to_string(layout.alignment);
    return signature;
}

// The loose form: the source determines the parameters.

std::shared_ptr<const RawKernelCore::Resolved> RawKernelCore::resolve(const LooseArgument* arguments,
                                                                      std::size_t count) {
    std::string key;
    for (std::size_t k = 0; k < count; ++k)
        key += spelled_type(arguments[k].type) + (arguments[k].pointers != nullptr ? "p" : "") +
               (arguments[k].array != nullptr ? arguments[k].read_only ? "r" : "a" : "") + ',' +
               std::to_string(arguments[k].type.struct_bytes) + ';';
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Resolved>& known = resolved_[key];
    if (known != nullptr) return known;

    bool found = false;
    const auto declared = declared_parameters(source_.text, name_, count, found);
    if (found && declared.size() != count) {
        throw Error("kernel " + name_ + " takes " + plural(declared.size(), "argument") + ", but " +
                    std::to_string(count) + (count == 1 ? " was given" : " were given"));
    }
    auto resolved = std::make_shared<Resolved>();
    std::vector<KernelParameter> parameters;
    for (std::size_t k = 0; k < count; ++k) {
        KernelParameter parameter = arguments[k].type;
        const std::optional<DType> converted =
            found ? converted_type(arguments[k], declared[k]) : std::optional<DType>();
        resolved->converted.push_back(converted);
        if (converted)
            parameter.type = declared[k].type;
        else if (found)
            check_argument(name_, k + 1, arguments[k], declared[k]);
        if (found && declared[k].is_pointer && declared[k].type == "void") {
            parameter.type = "void";
            parameter.struct_bytes = 0;
            parameter.points_to_pointers = declared[k].points_to_pointers;
        }
        if (parameter.is_pointer) {
            if (found) parameter.has_const_pointers = declared[k].has_const_pointers;
            parameter.is_const = found ? declared[k].is_const : parameter.is_const || arguments[k].read_only;
            parameter.is_volatile = found ? declared[k].is_volatile : parameter.is_volatile;
        }
        resolved->is_const.push_back(parameter.is_const);
        parameters.push_back(std::move(parameter));
    }
    if (!source_.text.empty()) resolved->signature = make_signature(source_.text, name_, parameters);
    known = std::move(resolved);
    return known;
}

void launch_loose(RawKernelCore& kernel, const LaunchConfig& config, const LooseArgument* arguments, int count) {
    const auto size = static_cast<std::size_t>(count);
    const auto resolved = kernel.resolve(arguments, size);
    std::vector<void*> addresses(size), pointers(size + 1);
    static_assert(sizeof(void*) >= sizeof(double));  // an address' place holds a converted number, too
    for (std::size_t k = 0; k < size; ++k) {
        pointers[k] = const_cast<void*>(arguments[k].value);
        const int number = static_cast<int>(k) + 1;
        const bool is_written = !resolved->is_const[k];
        if (arguments[k].array != nullptr)
            addresses[k] = dense_data(*arguments[k].array, number, is_written, arguments[k].is_window);
        else if (arguments[k].pointers != nullptr)
            addresses[k] = table_data(*arguments[k].pointers, number, is_written);
        else if (arguments[k].texture != nullptr)
            addresses[k] = reinterpret_cast<void*>(texture_handle(*arguments[k].texture, number));
        else if (resolved->converted[k])
            write_number(*resolved->converted[k], arguments[k], number, &addresses[k]);
        else
            continue;
        pointers[k] = &addresses[k];
    }
    launch_core(kernel, resolved->signature, config, pointers.data(), count);
}

}  // namespace detail

const std::string& RawKernelFacts::name() const noexcept { return core_->name(); }

KernelAttributes RawKernelFacts::attributes() const {
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    return where.attributes(device.index(), core_->loaded(device, where, core_->signature()));
}

int RawKernelFacts::active_blocks(const Dim3& block, std::size_t shared) const {
    const detail::Extent3 lengths = detail::extent(block, "a block length of", name());
    constexpr std::uint64_t max_threads = 1U << 20;  // beyond any device's limit, which the backend reports
    const std::uint64_t area = std::min(std::uint64_t{lengths.x} * lengths.y, max_threads), threads = area * lengths.z;
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    return where.active_blocks(device.index(), core_->loaded(device, where, core_->signature()),
                               static_cast<int>(threads < max_threads ? threads : max_threads), shared);
}

LaunchConfig RawKernelFacts::suggested_config(std::int64_t threads, std::size_t shared) const {
    const Device device = detail::current_device();
    detail::Backend& where = detail::backend(device);
    const int block = where.suggested_block(device.index(), core_->loaded(device, where, core_->signature()), shared);
    return {.grid = threads > 0 ? (threads - 1) / block + 1 : 0, .block = block, .shared = shared};
}

std::string RawKernelFacts::source() const {
    return detail::backend(detail::current_device()).generate(core_->text(core_->signature())).text;
}

std::string RawKernelFacts::ptx(int compute_capability) const {
    const Device device = detail::current_device();
    const int capability = compute_capability != 0 ? compute_capability : device.properties().compute_capability;
    if (capability == 0) {
        throw DeviceError("kernel " + name() + ": PTX is GPUs' language, and the current device is " +
                          device.to_string() + ": name a GPU's compute capability, as in ptx(90) for 9.0");
    }
    const detail::KernelSource source = detail::source_for_ptx(core_->text(core_->signature()));
    try {
        return detail::ptx_of(source, capability);
    } catch (const detail::CompileFailure& failure) {
        detail::fail_to_compile(source, failure);
    }
}

}  // namespace gpu
