// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gpucc_test {

/// A program in programs/, and what its compile and its run take.
struct Program {
    std::string name, files, options = "", arguments = "";
    int code = 0;
};

/// Those in folders by their subject; their names are the paths of their outputs in expected/.
inline const std::vector<Program>& programs_by_subject() {
    static const std::vector<Program> all = {
        {"algorithms/breadth_first", "algorithms/breadth_first.cu"},
        {"algorithms/compact", "algorithms/compact.cu", "-O1"},
        {"algorithms/convolution", "algorithms/convolution.cu"},
        {"algorithms/dot_product", "algorithms/dot_product.cu"},
        {"algorithms/elimination", "algorithms/elimination.cu", "-std=c++20"},
        {"algorithms/fractal", "algorithms/fractal.cu", "-std=c++14"},
        {"algorithms/hash_table", "algorithms/hash_table.cu"},
        {"algorithms/last_block", "algorithms/last_block.cu"},
        {"algorithms/longest_common", "algorithms/longest_common.cu", "", "'a longer text of its own' 'another text'"},
        {"algorithms/merge_sort", "algorithms/merge_sort.cu"},
        {"algorithms/radix_sort", "algorithms/radix_sort.cu"},
        {"algorithms/shortest_paths", "algorithms/shortest_paths.cu"},
        {"algorithms/sparse_product", "algorithms/sparse_product.cu"},
        {"algorithms/stencil_3d", "algorithms/stencil_3d.cu"},
        {"algorithms/text_search", "algorithms/text_search.cu"},
        {"algorithms/tiled_product", "algorithms/tiled_product.cu", "-O2"},
        {"algorithms/transpose", "algorithms/transpose.cu"},
        {"classes/constant_tables", "classes/constant_tables.cu"},
        {"classes/inheritance", "classes/inheritance.cu"},
        {"classes/managed_base", "classes/managed_base.cu"},
        {"classes/namespaces", "classes/namespaces.cu"},
        {"classes/particles", "classes/particles.cu"},
        {"classes/recursion", "classes/recursion.cu"},
        {"classes/specialised_kernels", "classes/specialised_kernels.cu"},
        {"classes/variadic_kernel", "classes/variadic_kernel.cu"},
        {"classes/vector_template", "classes/vector_template.cu"},
        {"files/filters", "files/main.cu files/filters.cu files/image.cpp", "-Ifiles/include"},
        {"launches/chosen_at_run_time", "launches/chosen_at_run_time.cu"},
        {"launches/grid_sync", "launches/grid_sync.cu"},
        {"launches/lambdas", "launches/lambdas.cu", "--extended-lambda"},
        {"launches/macros", "launches/macros.cu"},
        {"launches/pointers", "launches/pointers.cu"},
        {"memory/array_of_structures", "memory/array_of_structures.cu", "", "64"},
        {"memory/copies", "memory/copies.cu"},
        {"memory/dynamic_shared", "memory/dynamic_shared.cu"},
        {"memory/error_recovery", "memory/error_recovery.cu"},
        {"memory/pitched_image", "memory/pitched_image.cu"},
        {"threads/atomics", "threads/atomics.cu"},
        {"threads/callbacks", "threads/callbacks.cu"},
        {"threads/openmp", "threads/openmp.cu", "-Xcompiler -fopenmp"},
        {"threads/tiles", "threads/tiles.cu"},
        {"threads/warps", "threads/warps.cu"},
    };
    return all;
}

}  // namespace gpucc_test
