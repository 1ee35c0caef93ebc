#!/usr/bin/env python3
"""Makes a DuckDB extension of a shared library: python3 footer.py LIBRARY EXTENSION VERSION

DuckDB reads the last 512 bytes of an extension before it loads it: eight fields of 32 bytes, the last one first, and 256
bytes for a signature, which stay 0 here. The fields say for which platform and which interface the code was built."""
import platform
import sys

API = "v1.2.0"   # as extension.h asks for it


def footer(version):
    machine = {"x86_64": "linux_amd64", "aarch64": "linux_arm64"}[platform.machine()]
    fields = ["4", machine, API, version, "C_STRUCT", "", "", ""]   # 4: the number of this layout
    return b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)


def main(library, extension, version):
    with open(library, "rb") as source:
        code = source.read()
    end = footer(version)
    assert len(end) == 512
    with open(extension, "wb") as out:
        out.write(code + end)


if __name__ == "__main__":
    main(*sys.argv[1:])
