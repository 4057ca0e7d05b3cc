// SPDX-License-Identifier: MIT
#pragma once

#include "run/session.hpp"

namespace course {

/// One timed call of the reference. @param session of a runner without an object (SessionOptions::object is empty)
CallReply call_reference(Session& session, const ReferenceWork& work);

}  // namespace course
