// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <string>

#include "gpucc/runtime/arrays/array.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/seam/seam.hpp"

// Texture objects: libgpu's textures over the program's own memory.
namespace gpucc {

namespace {

using gpu::DType;
using gpu::TextureAddressing;
using gpu::detail::TextureLayout;
using gpu::detail::program::TextureRows;

constexpr std::size_t max_linear = std::size_t{1} << 27;

struct Made {
    cudaResourceDesc resource;
    cudaTextureDesc options;
};
std::map<cudaTextureObject_t, Made> textures;  // under the program's mutex

DType elements_of(const cudaChannelFormatDesc& format) {
    if (format.f == cudaChannelFormatKindFloat) return DType::float32;
    const bool is_signed = format.f == cudaChannelFormatKindSigned;
    if (format.x == 8) return is_signed ? DType::int8 : DType::uint8;
    if (format.x == 16) return is_signed ? DType::int16 : DType::uint16;
    return is_signed ? DType::int32 : DType::uint32;
}

TextureAddressing addressing_of(cudaTextureAddressMode mode) {
    switch (mode) {
        case cudaAddressModeWrap: return TextureAddressing::wrap;
        case cudaAddressModeMirror: return TextureAddressing::mirror;
        case cudaAddressModeBorder: return TextureAddressing::border;
        default: return TextureAddressing::clamp;
    }
}

/// A texture as libgpu takes it, or why there is none.
struct Plan {
    TextureLayout layout;
    TextureRows rows;
    cudaError_t error = cudaSuccess;
    std::string why;
};

Plan refused(cudaError_t error, std::string why) {
    Plan plan;
    plan.error = error;
    plan.why = std::move(why);
    return plan;
}

// The texels' place and shape.
Plan memory_of(const cudaResourceDesc& resource) {
    Plan plan;
    const auto set = [&](const cudaChannelFormatDesc& format, void* texels) {
        plan.layout.elements = elements_of(format);
        plan.layout.channels = 1 + (format.y > 0) + (format.z > 0) + (format.w > 0);
        plan.rows.texels = texels;
    };
    const cudaChannelFormatDesc* format = nullptr;
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            const cudaArray_const_t array = resource.res.array.array;
            if (!is_array(array)) return refused(cudaErrorInvalidValue, "its array doesn't exist (any more)");
            set(array->format, array->memory);
            plan.layout.rank = array->height == 0 ? 1 : 2;
            plan.layout.width = static_cast<std::int64_t>(array->width);
            plan.layout.height = static_cast<std::int64_t>(array->rows());
            plan.rows.pitch = array->row_bytes();
            return plan;
        }
        case cudaResourceTypeLinear: format = &resource.res.linear.desc; break;
        case cudaResourceTypePitch2D: format = &resource.res.pitch2D.desc; break;
        default: return refused(cudaErrorNotSupported, "mipmaps aren't in gpucc: make a texture of one level");
    }
    if (const char* const why = wrong_format(*format); *why != '\0')
        return refused(cudaErrorInvalidChannelDescriptor, why);
    const bool is_linear = resource.resType == cudaResourceTypeLinear;
    set(*format, is_linear ? resource.res.linear.devPtr : resource.res.pitch2D.devPtr);
    const std::size_t texel = plan.layout.texel_bytes();
    std::size_t needed = 0;
    if (is_linear) {
        const std::size_t texels = resource.res.linear.sizeInBytes / texel;
        if (texels > max_linear)
            return refused(cudaErrorInvalidValue, "it has " + std::to_string(texels) +
                                                      " texels: at most 2^27 are "
                                                      "addressed");
        plan.layout.linear_memory = true;
        plan.layout.width = static_cast<std::int64_t>(texels);
        needed = resource.res.linear.sizeInBytes;
    } else {
        const auto& rows = resource.res.pitch2D;
        if (rows.pitchInBytes % 32 != 0 || rows.pitchInBytes < rows.width * texel || rows.height == 0)
            return refused(cudaErrorInvalidValue,
                           "its pitch is " + std::to_string(rows.pitchInBytes) +
                               " bytes: rows begin at multiples of 32 (texturePitchAlignment), and don't overlap; "
                               "cudaMallocPitch() gives such memory");
        plan.layout.rank = 2;
        plan.layout.width = static_cast<std::int64_t>(rows.width);
        plan.layout.height = static_cast<std::int64_t>(rows.height);
        plan.rows.pitch = rows.pitchInBytes;
        needed = (rows.height - 1) * rows.pitchInBytes + rows.width * texel;
    }
    const Allocation memory = Program::get().find(plan.rows.texels);
    if (memory.bytes == 0 || memory.is_freed)
        return refused(cudaErrorInvalidValue, "its memory is none of the device's: cudaMalloc() gives such");
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(plan.rows.texels) - memory.begin;
    if (offset % 512 != 0)
        return refused(cudaErrorInvalidValue, "its memory begins " + std::to_string(offset) +
                                                  " bytes into an allocation: it must be a multiple of 512 "
                                                  "(textureAlignment)");
    if (needed > memory.bytes - offset)
        return refused(cudaErrorInvalidValue, "it takes " + std::to_string(needed) + " bytes, and the memory of " +
                                                  to_text(memory.call) + " has " +
                                                  std::to_string(memory.bytes - offset));
    return plan;
}

Plan plan_of(const cudaResourceDesc& resource, const cudaTextureDesc& options) {
    Plan plan = memory_of(resource);
    if (plan.error != cudaSuccess) return plan;
    TextureLayout& layout = plan.layout;
    const bool is_float = layout.elements == DType::float32;
    layout.normalized_values = options.readMode == cudaReadModeNormalizedFloat && !is_float;
    if (layout.normalized_values && gpu::size_of(layout.elements) == 4)
        return refused(cudaErrorInvalidNormSetting, "cudaReadModeNormalizedFloat makes floats of 8 and 16 bits alone");
    if (layout.linear_memory) return plan;  // an index, and nothing between texels
    layout.filter =
        options.filterMode == cudaFilterModeLinear ? gpu::TextureFilter::linear : gpu::TextureFilter::nearest;
    if (options.filterMode == cudaFilterModeLinear && !is_float && !layout.normalized_values)
        return refused(cudaErrorInvalidFilterSetting,
                       "a linear filter makes floats: take float texels, or cudaReadModeNormalizedFloat");
    if (options.sRGB != 0 || options.maxAnisotropy > 1)
        return refused(cudaErrorNotSupported, "sRGB and anisotropic filters aren't in gpucc");
    layout.normalized_coordinates = options.normalizedCoords != 0;
    layout.addressing = addressing_of(options.addressMode[0]);
    plan.rows.along_y = addressing_of(options.addressMode[1]);
    const bool has_border = layout.addressing == TextureAddressing::border ||
                            (layout.rank == 2 && plan.rows.along_y == TextureAddressing::border);
    for (const float part : options.borderColor)
        if (has_border && part != 0) return refused(cudaErrorNotSupported, "borders are 0 in gpucc, not borderColor");
    return plan;
}

std::optional<Made> find(cudaTextureObject_t texture) {
    const std::lock_guard lock(Program::get().mutex);
    const auto found = textures.find(texture);
    return found == textures.end() ? std::nullopt : std::optional(found->second);
}

constexpr const char* no_texture = "this texture doesn't exist (any more)";

}  // namespace

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* options, const cudaResourceViewDesc* view, const char* file,
                                    int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (texture == nullptr || resource == nullptr || options == nullptr)
        return program.fail(cudaErrorInvalidValue, call, "an argument is null");
    if (view != nullptr) return program.fail(cudaErrorNotSupported, call, "views of textures aren't in gpucc: null");
    const Plan plan = plan_of(*resource, *options);
    if (plan.error != cudaSuccess) return program.fail(plan.error, call, plan.why);
    return program.run(call, [&] {
        *texture = gpu::detail::program::begin_texture(plan.layout, plan.rows);
        const std::lock_guard lock(program.mutex);
        textures[*texture] = {*resource, *options};
        return cudaSuccess;
    });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (texture == 0) return cudaSuccess;
    if (!find(texture)) return program.fail(cudaErrorInvalidValue, call, no_texture);
    return program.run(call, [&] {
        program.backend().synchronize_device(program.device());
        gpu::detail::program::end_texture(texture);
        const std::lock_guard lock(program.mutex);
        textures.erase(texture);
        return cudaSuccess;
    });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture, const char* file,
                                             int line) {
    GPUCC_CALL;
    const std::optional<Made> found = find(texture);
    if (!found) return Program::get().fail(cudaErrorInvalidValue, call, no_texture);
    *resource = found->resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* options, cudaTextureObject_t texture, const char* file,
                                            int line) {
    GPUCC_CALL;
    const std::optional<Made> found = find(texture);
    if (!found) return Program::get().fail(cudaErrorInvalidValue, call, no_texture);
    *options = found->options;
    return cudaSuccess;
}
