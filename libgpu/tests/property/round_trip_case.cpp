// SPDX-License-Identifier: MIT
// There and back: Eigen, and random numbers drawn whole and in pieces.
#include <gpu/eigen.hpp>

#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;

template <class T>
constexpr bool eigen_holds = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>;

void through_eigen(Trial& trial, Random& plan, Random& draw, int size) {
    const DType types[] = {DType::float32, DType::float64, DType::int32};
    const DType type = types[plan.below(3)];
    const gpu::Shape shape = draw_shape(2, draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(20), false, false}, plan, draw);
    const bool row_major = plan.chance(50);
    trial.program = "  " + x.definition + "\n  auto matrix = gpu::to_eigen" + (row_major ? "<row-major matrix>" : "") +
                    "(gpu::Array(" + x.spelling + "));\n  auto z = gpu::to_device(matrix);";
    trial.want = x.elements;
    with_type(type, [&]<class T>(Type<T>) {
        if constexpr (eigen_holds<T>) {
            using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            const gpu::Array<T> array{gpu::View<const T>(x.window)};
            const gpu::Array<T> z =
                row_major ? gpu::to_device(gpu::to_eigen<Rows>(array)) : gpu::to_device(gpu::to_eigen(array));
            trial.got = to_elements(z.core());
        }
    });
}

void random_pieces(Trial& trial, Random& plan, Random& draw, int size) {
    const DType type = plan.chance(50) ? DType::float32 : DType::float64;
    const bool integers = plan.chance(50);
    const std::uint64_t seed = draw.next() % 1000;
    const std::int64_t count = draw.between(0, size == 3 ? 3000 : 20), cut = draw.between(0, count);
    trial.program = "  gpu::random::Generator rng(" + std::to_string(seed) + ");  // " + std::to_string(count) +
                    (integers ? " integers<std::int32_t> in [-7, 100)" : " uniform<" + cpp_name(type) + ">") +
                    ", whole, and in two pieces of which the first has " + std::to_string(cut);
    const auto draw_piece = [&](gpu::random::Generator& rng, std::int64_t length) {
        const gpu::Shape shape{length};
        if (integers) return to_elements(rng.integers<std::int32_t>(shape, -7, 100).core());
        if (type == DType::float32) return to_elements(rng.uniform<float>(shape, -1, 3).core());
        return to_elements(rng.uniform<double>(shape, -1, 3).core());
    };
    gpu::random::Generator whole(seed), pieces(seed);
    trial.want = draw_piece(pieces, cut);
    const Elements rest = draw_piece(pieces, count - cut);
    trial.want.values.insert(trial.want.values.end(), rest.values.begin(), rest.values.end());
    trial.want.shape = gpu::Shape{count};
    trial.got = draw_piece(whole, count);
}

}  // namespace

void round_trip_case(Trial& trial, Random& plan, Random& draw, int size) {
    if (plan.chance(50))
        through_eigen(trial, plan, draw, size);
    else
        random_pieces(trial, plan, draw, size);
}

}  // namespace property
