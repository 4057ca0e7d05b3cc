// SPDX-License-Identifier: MIT
#include "host/check/request_walk.hpp"

#include <algorithm>
#include <bit>

#include "host/check/request_cost.hpp"

namespace gpu::detail::host {

namespace {

/// Walks through what the lanes did at a site, request by request, or by as many at once as cost the same.
class RequestWalk {
public:
    GPU_ON_KERNEL_STACK explicit RequestWalk(const RequestRecord& record) noexcept : record_(record) {
        for (std::uint32_t rest = record.present; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            chunk_[lane] = (record.spilled >> lane & 1) != 0 ? record.first[lane] : nullptr;
            next_[lane] = 0;
            active_ |= std::uint32_t{1} << lane;
            refill(lane);
        }
    }

    GPU_ON_KERNEL_STACK void charge_all(std::uint32_t running) noexcept {
        while (active_ != 0) {
            std::uint64_t steps = ~std::uint64_t{0};
            const std::uint64_t stride = stride_[std::countr_zero(active_)];
            bool together = true;
            for (std::uint32_t rest = active_; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                steps = std::min<std::uint64_t>(steps, left_[lane]);
                together = together && stride_[lane] == stride;
            }
            charge_some(steps, together ? stride : 0, together, (running & ~active_) != 0);
        }
    }

private:
    // Takes a lane's next run; a lane without one is no longer active. The newest run comes last.
    GPU_ON_KERNEL_STACK void refill(int lane) noexcept {
        const std::uint32_t bit = std::uint32_t{1} << lane;
        const RunChunk* chunk = chunk_[lane];
        if (chunk != nullptr) {
            const AddressRun& run = chunk->runs[next_[lane]];
            at_[lane] = run.base;
            stride_[lane] = run.stride;
            left_[lane] = run.count;
            if (++next_[lane] < chunk->used) return;
            next_[lane] = 0;
            chunk_[lane] = chunk == record_.newest[lane] ? nullptr : chunk->next;
        } else if ((newest_done_ & bit) == 0) {
            newest_done_ |= bit;
            const bool repeated = (record_.repeated & bit) != 0;
            left_[lane] = repeated ? static_cast<std::uint32_t>(record_.run[lane].count) : 1;
            stride_[lane] = repeated ? record_.run[lane].stride : 0;
            at_[lane] = record_.base[lane];
        } else {
            active_ &= ~bit;
        }
    }

    GPU_ON_KERNEL_STACK void charge_some(std::uint64_t steps, std::uint64_t stride, bool together,
                                         bool divergent) noexcept {
        SiteRecord& site = *record_.site;
        if (together) {
            const std::uint64_t period =
                std::min(steps, is_global(site) ? global_period(stride) : shared_period(stride));
            for (std::uint64_t k = 0; k < period; ++k) {
                charge_requests(site, at_, active_, divergent, (steps - k + period - 1) / period);
                advance(1);
            }
            advance(steps - period);
        } else {
            for (std::uint64_t k = 0; k < steps; ++k) {
                charge_requests(site, at_, active_, divergent, 1);
                advance(1);
            }
        }
        for (std::uint32_t rest = active_; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            left_[lane] -= static_cast<std::uint32_t>(steps);
            if (left_[lane] == 0) refill(lane);
        }
    }

    GPU_HOT_ON_KERNEL_STACK void advance(std::uint64_t steps) noexcept {
        for (int lane = 0; lane < 32; ++lane) at_[lane] += stride_[lane] * steps;
    }

    const RequestRecord& record_;
    std::uint32_t active_ = 0, newest_done_ = 0;
    const RunChunk* chunk_[32];
    std::uint32_t next_[32], left_[32];
    std::uint64_t at_[32] = {}, stride_[32] = {};
};

}  // namespace

GPU_ON_KERNEL_STACK void charge_requests(SiteRecord& site, const std::uint64_t* addresses, std::uint32_t lanes,
                                         bool divergent, std::uint64_t times) noexcept {
    std::uint64_t requests = times;
    if (is_global(site)) {
        const GlobalCost cost = global_cost(addresses, lanes, site.size());
        site.sectors += cost.sectors * times;
        site.segments += cost.segments * times;
        const std::uint64_t asked = static_cast<unsigned>(std::popcount(lanes)) * std::uint64_t{site.size()};
        site.bytes_used += std::min(asked, std::uint64_t{32} * cost.sectors) * times;
    } else {
        const SharedCost cost = shared_cost(addresses, lanes, site.size(), is_atomic(site));
        requests = cost.requests * times;
        site.wavefronts += cost.wavefronts * times;
    }
    if (is_atomic(site)) {
        site.atomic_requests += times;
        site.atomic_turns += most_on_one_address(addresses, lanes) * times;
    }
    site.requests += requests;
    if (divergent) site.divergent += requests;
    site.events += times * static_cast<unsigned>(std::popcount(lanes));
}

GPU_ON_KERNEL_STACK void charge_record(const RequestRecord& record, std::uint32_t running) noexcept {
    if ((record.repeated | record.spilled) == 0)
        charge_requests(*record.site, record.base, record.present, (running & ~record.present) != 0, 1);
    else
        RequestWalk(record).charge_all(running);
}

}  // namespace gpu::detail::host
