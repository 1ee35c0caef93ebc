# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Simdp(CMakePackage):
    """SIMD kernels for differential privacy: noise, exactly rounded releases, private selection, privacy loss and its
    accounting, with the same bits on every instruction set."""

    license("Apache-2.0")

    # no place to fetch from: spack develop --path TREE simdp@0.1.0
    version("0.1.0")

    variant("shared", default=True, description="simdp::simdp is the shared library")
    variant("command", default=True, description="the simdp command and its manual page")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("cmocka", type="test")
    depends_on("mpfr", type="test")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("SIMDP_BUILD_COMMAND", "command"),
            self.define("SIMDP_BUILD_TESTS", self.run_tests),
            self.define("SIMDP_BUILD_BENCH", False),
            self.define("SIMDP_WITH_MKL", False),
        ]
