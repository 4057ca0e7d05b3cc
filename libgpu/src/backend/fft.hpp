// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

namespace gpu::detail {

/// What a discrete Fourier transform makes of what. Of a real array's transform only the first n / 2 + 1 numbers along
/// the last axis are kept, as the others are their conjugates.
enum class FourierKind : std::uint8_t { forward, inverse, real_to_complex, complex_to_real };

/// A batch of transforms of one kind, over arrays with one to three axes.
///
/// Items are dense row-major arrays one after another; `interleaved` ones have the batch as their last axis instead.
struct FourierProblem {
    int device = 0;
    void* stream = nullptr;
    DType real = DType::float32;  ///< the type of real numbers and of the parts of complex ones: float32 or float64
    FourierKind kind = FourierKind::forward;
    Shape lengths;  ///< all at least 1; of a real transform, those of the real array
    std::int64_t batch = 1;
    bool interleaved = false;

    [[nodiscard]] bool is_real() const noexcept {
        return kind == FourierKind::real_to_complex || kind == FourierKind::complex_to_real;
    }
    /// The lengths of an item's complex array.
    [[nodiscard]] Shape complex_lengths() const noexcept {
        Shape shape = lengths;
        if (is_real()) shape[shape.rank() - 1] = shape[shape.rank() - 1] / 2 + 1;
        return shape;
    }
};

/// A backend's Fourier transforms, loaded on first use. All pointers are to the device's memory; those to real numbers
/// are aligned as complex ones are.
class FourierTransforms {
public:
    virtual ~FourierTransforms() = default;

    /// to = the sums of the definition, without a factor; queued in the stream. `from` and `to` may be one array if
    /// both are complex, and don't overlap otherwise. `from` stays as it is, unless the kind is complex_to_real; then
    /// it must be half of a real array's transform, also in the planes that are their own conjugates.
    virtual void transform(const FourierProblem& problem, void* from, void* to) = 0;
};

}  // namespace gpu::detail
