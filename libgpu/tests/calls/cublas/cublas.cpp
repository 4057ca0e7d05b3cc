// SPDX-License-Identifier: MIT
// Stands in for cuBLAS where only the calls of CUDA's runtime are looked at: it does nothing, and says that it
// succeeded. None of its arguments matters, so none is declared.
extern "C" {

int cublasCreate_v2(void** handle) {
    static char one;
    *handle = &one;
    return 0;
}
const char* cublasGetStatusName(int) { return "CUBLAS_STATUS_STAND_IN"; }
const char* cublasGetStatusString(int) { return "the stand-in never fails"; }

#define SUCCEEDS(name) \
    int name(...) { return 0; }

SUCCEEDS(cublasDestroy_v2)
SUCCEEDS(cublasSetStream_v2)
SUCCEEDS(cublasSetWorkspace_v2)
SUCCEEDS(cublasSetMathMode)
SUCCEEDS(cublasGemmEx_64)
SUCCEEDS(cublasGemmStridedBatchedEx_64)
SUCCEEDS(cublasSgetrfBatched)
SUCCEEDS(cublasDgetrfBatched)
SUCCEEDS(cublasCgetrfBatched)
SUCCEEDS(cublasZgetrfBatched)
SUCCEEDS(cublasSgetrsBatched)
SUCCEEDS(cublasDgetrsBatched)
SUCCEEDS(cublasCgetrsBatched)
SUCCEEDS(cublasZgetrsBatched)
SUCCEEDS(cublasStrsm_v2_64)
SUCCEEDS(cublasDtrsm_v2_64)
SUCCEEDS(cublasCtrsm_v2_64)
SUCCEEDS(cublasZtrsm_v2_64)
SUCCEEDS(cublasStrsv_v2_64)
SUCCEEDS(cublasDtrsv_v2_64)
SUCCEEDS(cublasCtrsv_v2_64)
SUCCEEDS(cublasZtrsv_v2_64)

}  // extern "C"
