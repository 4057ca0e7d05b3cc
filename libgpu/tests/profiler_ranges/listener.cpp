// SPDX-License-Identifier: MIT
// What a profiler is for NVTX: a library that the program's first range loads, by NVTX_INJECTION64_PATH.
#include <string>

#include <nvtx3/nvToolsExt.h>

namespace {

std::string& names() {
    static auto* const all = new std::string;
    return *all;
}

int push(const char* name) {
    names() += std::string(name) + "\n";
    return 0;
}

}  // namespace

/// The names of all ranges so far, a line each.
extern "C" const char* ranges_so_far() { return names().c_str(); }

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0 ||
        size <= NVTX_CBID_CORE_RangePushA)
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&push);
    return 1;
}
