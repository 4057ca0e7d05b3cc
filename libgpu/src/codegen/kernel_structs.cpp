// SPDX-License-Identifier: MIT
#include "codegen/kernel_structs.hpp"

namespace gpu::detail {

namespace {

// The layout of gpu::StridedView.
constexpr const char* strided_view = R"(template <class T, int Rank> struct StridedView {
    T* data;
    long long shape[Rank], strides[Rank];
    template <class... Index> __device__ T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank, "a StridedView takes an index for each of its axes");
        const long long at[] = {(long long)index...};
        long long offset = 0;
        for (int axis = 0; axis < Rank; ++axis) offset += at[axis] * strides[axis];
        return data[offset];
    }
};
)";

}  // namespace

std::string layout_checks(const std::vector<StructLayout>& structs) {
    std::string text;
    for (const StructLayout& layout : structs) {
        const std::string bytes = std::to_string(layout.bytes), alignment = std::to_string(layout.alignment);
        text += "#line 1 \"libgpu:struct\"\nstatic_assert(sizeof(" + layout.name + ") == " + bytes + " && alignof(" +
                layout.name + ") == " + alignment + ", \"" + layout.name + " has " + bytes +
                " bytes and an alignment of " + alignment +
                " in the C++ code, and others here: declare the same members in the same order\");\n";
    }
    return text;
}

std::string strided_view_text(const std::vector<Token>& tokens) {
    bool named = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "StridedView") continue;
        if (k > 0 && tokens[k - 1].text == "struct") return {};
        named = true;
    }
    return named ? strided_view : "";
}

}  // namespace gpu::detail
