// SPDX-License-Identifier: MIT
#pragma once

// The function to port, as it is called on the device.

#include <gpu/gpu.hpp>

@SIGNATURE@;
