// SPDX-License-Identifier: MIT

// Room for an accumulator, which may have no default constructor.
union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };
