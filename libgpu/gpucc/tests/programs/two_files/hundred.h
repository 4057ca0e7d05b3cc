// SPDX-License-Identifier: MIT
#pragma once

constexpr int hundred = 100;
