// SPDX-License-Identifier: MIT
#include <Eigen/QR>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

template <>
Info qr<Element>(std::int64_t m, std::int64_t n, void* data, std::int64_t q_columns, void* q_data) {
    Map a = map(data, m, n);
    const Eigen::HouseholderQR<Eigen::Ref<Dense>> factors(a);
    if (q_data == nullptr) return 0;
    Map q = map(q_data, m, q_columns);
    q.setIdentity();
    q.applyOnTheLeft(factors.householderQ());
    return 0;
}

}  // namespace gpu::host_linalg
