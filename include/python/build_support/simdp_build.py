"""The build backend: scikit-build-core, but for source distributions, which must carry the C sources that lie outside of
this folder. One is made in a copy of the folder with those sources in tree/, so that a clone stays as it is."""
import os
import shutil
import tempfile

import scikit_build_core.build as build
from scikit_build_core.build import *  # noqa: F401,F403: wheels and what goes with them

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "kernels", "include/simdp", "bench/command", "tests/kernel_list"]


def _tree():
    """The root of the library's sources: in a source distribution, or in a clone."""
    inside = os.path.join(HERE, "tree")
    return inside if os.path.isdir(inside) else os.path.dirname(os.path.dirname(HERE))


def _copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def _copy_all(folder):
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("tree", "dist", "build", "__pycache__"))
    for part in PARTS:
        _copy(os.path.join(_tree(), part), os.path.join(folder, "tree", part))
    project = os.path.join(folder, "pyproject.toml")
    with open(project, encoding="utf-8") as file:
        text = file.read()
    with open(project, "w", encoding="utf-8") as file:
        file.write(text.replace('"../simdp/simdp_base.h"', '"tree/include/simdp/simdp_base.h"'))


def build_sdist(sdist_directory, config_settings=None):
    target, here = os.path.abspath(sdist_directory), os.getcwd()
    with tempfile.TemporaryDirectory() as work:
        _copy_all(os.path.join(work, "python"))
        os.chdir(os.path.join(work, "python"))
        try:
            return build.build_sdist(target, config_settings)
        finally:
            os.chdir(here)
