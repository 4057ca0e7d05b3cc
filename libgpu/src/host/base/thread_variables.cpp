// SPDX-License-Identifier: MIT
#include "host/base/thread_variables.hpp"

namespace gpu::detail::host {

__thread Worker* this_worker = nullptr;
__thread BlockScheduler* running_scheduler = nullptr;
__thread BlockWatch* this_watch = nullptr;
__thread bool passing_on_signal = false;

}  // namespace gpu::detail::host
