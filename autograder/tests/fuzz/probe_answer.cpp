// SPDX-License-Identifier: MIT
// What course-probe and the driver beside it print.
#include <cmath>

#include "fuzz/course_fixture.hpp"
#include "kit/probe.hpp"

namespace fuzz {

FUZZ_TARGET(probe_answer, std::size_t{1} << 18) {
    const course::ProbeAnswer answer = course::parse_probe(std::string(input));
    require(answer.error.size() <= 1000, "a long error");
    for (const std::string* text : {&answer.error, &answer.backend, &answer.device, &answer.name, &answer.why_no_gpu,
                                    &answer.canary, &answer.cache.folder})
        require_plain(*text, "a fact");
    require_plain(course::cache_text(answer.cache), "the cache's line");
    for (const double rate : {answer.copy_bytes_per_second, answer.host_bytes_per_second, answer.link_bytes_per_second,
                              answer.peer_bytes_per_second})
        require(std::isfinite(rate) && rate >= 0, "a rate that can't be");
    require(answer.devices >= 0 && answer.multiprocessors >= 0 && answer.compute_capability >= 0, "a negative number");
}

}  // namespace fuzz
