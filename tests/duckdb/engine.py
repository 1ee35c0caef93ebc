"""What the tests of the DuckDB extension share: connections, keys, and the C library itself to compare with."""
import ctypes
import os
import tempfile

import duckdb
import numpy

KEY = bytes(range(7, 39))
EXTENSION = os.environ["SIMDP_EXTENSION"]


def connect(threads=2):
    connection = duckdb.connect(config={"allow_unsigned_extensions": True, "threads": threads})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


def key_file(content, mode=0o600):
    handle, path = tempfile.mkstemp()
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
    return path


def set_key(connection, key=KEY):
    path = key_file(key)
    try:
        connection.execute("SELECT simdp_set_key_file(?)", [path]).fetchall()
    finally:
        os.unlink(path)


def connect_keyed(threads=2):
    connection = connect(threads)
    set_key(connection)
    return connection


def column(connection, query, parameters=None):
    return [row[0] for row in connection.execute(query, parameters).fetchall()]


class Target(ctypes.Structure):
    _fields_ = [("epsilon", ctypes.c_double), ("delta", ctypes.c_double), ("sensitivity", ctypes.c_double)]


class Planned(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("scale", "standard_deviation", "epsilon", "delta")]


class SgdRun(ctypes.Structure):
    _fields_ = [("noise", ctypes.c_double), ("rate", ctypes.c_double), ("steps", ctypes.c_uint64)]


LAPLACE, GAUSSIAN = 1, 2   # of simdp_mechanism
C = ctypes.CDLL(os.environ["SIMDP_SHARED"])
C.simdp_release_grid.restype = C.simdp_select_scale.restype = ctypes.c_double
C.simdp_release_grid.argtypes = [ctypes.c_double]
C.simdp_select_scale.argtypes = [ctypes.c_double, ctypes.c_double, ctypes.c_int]


def call(name, *arguments):
    """Calls a function of the library that returns a status: arrays by their memory, floats as doubles, integers as words."""
    kinds = {float: ctypes.c_double, int: ctypes.c_uint64}
    converted = [a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, numpy.ndarray) else
                 kinds[type(a)](a) if type(a) in kinds else a for a in arguments]
    status = getattr(C, name)(*converted)
    assert status == 0, (name, status)


def plan(mechanism, epsilon, delta, sensitivity):
    planned = Planned()
    call("simdp_account_plan", ctypes.byref(planned), ctypes.byref(Target(epsilon, delta, sensitivity)), 1, mechanism)
    return planned.scale


def stream(key=KEY):
    rng = ctypes.create_string_buffer(8192)
    call("simdp_rng_init_deterministic", rng, key, 0)
    return rng


def ids_of(rng, names):
    """The ids of a list of bytes, as an array of pairs of words."""
    ids = numpy.zeros((len(names), 2), numpy.uint64)
    for i, name in enumerate(names):
        call("simdp_rng_id", rng, ctypes.c_void_p(ids.ctypes.data + 16 * i), name, len(name))
    return ids
