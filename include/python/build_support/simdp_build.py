"""The build backend: scikit-build-core, but for source distributions, which must carry the C sources that lie outside of
this folder. One is made in a copy of the folder with those sources in tree/, so that a clone stays as it is."""
import os
import shutil
import tempfile

import scikit_build_core.build as build
import simdp_version
from scikit_build_core.build import *  # noqa: F401,F403: wheels and what goes with them

PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "kernels", "include/simdp", "bench/command", "tests/kernel_list"]


def _copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def build_sdist(sdist_directory, config_settings=None):
    target, here = os.path.abspath(sdist_directory), os.getcwd()
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "python")
        shutil.copytree(simdp_version.HERE, folder, ignore=shutil.ignore_patterns("tree", "dist", "build", "__pycache__"))
        for part in PARTS:
            _copy(os.path.join(simdp_version.tree(), part), os.path.join(folder, "tree", part))
        os.chdir(folder)
        try:
            return build.build_sdist(target, config_settings)
        finally:
            os.chdir(here)
