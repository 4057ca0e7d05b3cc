# SPDX-License-Identifier: MIT
from ipykernel.kernelapp import IPKernelApp

from .kernel import GpuKernel

IPKernelApp.launch_instance(kernel_class=GpuKernel)
