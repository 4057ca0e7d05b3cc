// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace course {

/// How `course run` judges.
struct RunOptions {
    int number = 0;
    std::string from;                    ///< a folder to judge instead of work/NN-topic
    std::string pictures;                ///< with `from`: where the check's pictures go; empty: nowhere
    bool json = false;                   ///< result.json on stdout instead of the screen
    bool counts = false;                 ///< what each line of the kernels did, below the verdict
    bool watched = false;                ///< `course watch` runs it, and its keys say what comes next
    bool timings = false;                ///< where the seconds went, below the verdict; speed on the host backend too
    std::string device;                  ///< "host", "cuda:0"; empty: libgpu's own choice
    std::optional<std::uint64_t> seed;   ///< of the inputs; a new secret one each time if not given
    bool replays = false;                ///< counts that decide come from a replay; what can't be replayed is `review`
    double call_seconds = 0;             ///< limit of one call; 0: the manifest's
};

}  // namespace course
