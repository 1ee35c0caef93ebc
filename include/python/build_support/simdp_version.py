"""The version of the library, from its header: in a clone, or in a source distribution."""
import os
import re

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def tree():
    """The root of the sources of the library."""
    inside = os.path.join(HERE, "tree")
    return inside if os.path.isdir(inside) else os.path.dirname(os.path.dirname(HERE))


def dynamic_metadata(field, settings):
    if field != "version" or settings:
        raise ValueError("only the version is known here, and without settings")
    with open(os.path.join(tree(), "include", "simdp", "simdp_base.h"), encoding="utf-8") as file:
        numbers = re.findall(r"#define SIMDP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read())
    return ".".join(numbers)
