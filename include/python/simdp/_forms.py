"""How the modules call the table of the C module: arrays of NumPy in and out, structs by their layout in C, names for
the numbers of enumerations."""
from typing import Any, NamedTuple, Union

import numpy

from . import _simdp
from ._convert import clipped, without_mask

Numbers = Union[float, numpy.ndarray, Any]   # a number, an array, or what NumPy makes one of
Result = Any                                 # a float for numbers, an array for arrays


def _types():
    """NumPy's types of the structs of C, from their offsets there."""
    sizes = {of: size for of, member, _, _, size in _simdp.structs if member is None}
    made = {}
    for of, size in sizes.items():
        names, formats, offsets = [], [], []
        for struct, member, kind, offset, bytes_of in _simdp.structs:
            if struct != of or member is None:
                continue
            single = kind.removesuffix("[]")
            element = made[single] if single in made else numpy.dtype(single)
            formats.append((element, bytes_of // element.itemsize) if kind.endswith("[]") else element)
            names.append(member)
            offsets.append(offset)
        made[of] = numpy.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
    return made


TYPES = _types()
_CHOICES = {(prefix, name.removeprefix(prefix).lower()): value for prefix, name, value in _simdp.choices}


def choice(prefix, name):
    """The number of a name, for example 'laplace' among MECHANISM_."""
    found = _CHOICES.get((prefix, name))
    if found is None:
        known = ", ".join(sorted(word for other, word in _CHOICES if other == prefix))
        raise ValueError(f"{name!r} is none of {known}")
    return found


def name_of(prefix, value):
    return next(name for (other, name), number in _CHOICES.items() if other == prefix and number == value)


def struct(kind, /, **members):
    """One struct, as an array of one element."""
    made = numpy.zeros(1, TYPES[kind])
    for name, value in members.items():
        made[name] = value
    return made


def structs(kind, /, **members):
    """Arrays of members, broadcast against each other, as one array of structs; and whether all of them were numbers."""
    arrays = numpy.broadcast_arrays(*[known(x) for x in members.values()])
    made = numpy.zeros(arrays[0].size, TYPES[kind])
    for name, array in zip(members, arrays):
        made[name] = array.ravel()
    return made, arrays[0].shape


def join(kind, rows):
    """Structs that were made one by one as one array. (numpy.concatenate would lay them out anew.)"""
    made = numpy.zeros(len(rows), TYPES[kind])
    for i, row in enumerate(rows):
        made[i] = row[0]
    return made


def law(mechanism, parameter=0.0, leak=0.0, sensitivity=1):
    return struct("law", mechanism=choice("MECHANISM_", mechanism), parameter=parameter, leak=leak,
                  sensitivity=sensitivity)


def known(x, kinds="biufO"):
    """The array of x. NumPy would make numbers of complex ones, of texts and of dates, and whole ones of others, silently."""
    array = numpy.asarray(without_mask(x))
    if array.dtype.kind not in kinds and array.size:
        raise TypeError(f"{'whole ' if 'f' not in kinds else ''}numbers are wanted, not an array of {array.dtype}")
    return array


def aligned(x, dtype=None):
    """C-contiguous, and where the C library may read it: a part of some bytes may begin anywhere."""
    return numpy.require(x, dtype, ["C", "A"])


def real(x):
    return numpy.require(known(x), "d", "A")


def whole(x):
    return aligned(clipped(known(x, "biu")))


def doubles(x):
    return aligned(real(x)).ravel()


def indices(x):
    return whole(x).ravel().view("uint64")


def truths(x):
    """Bytes 0 and 1 of truths; other bytes as they are."""
    array = numpy.ascontiguousarray(known(x, "biu"))
    return (array if array.dtype in ("B", "?") else array.astype("B")).ravel()


def each(function, *inputs, rest=(), outputs=1, kind="d"):
    """function(outputs..., inputs..., rest...), element by element; numbers for numbers."""
    arrays = numpy.broadcast_arrays(*[real(x) for x in inputs])
    made = [numpy.empty(arrays[0].size, TYPES.get(kind, kind)) for _ in range(outputs)]
    function(*made, *[doubles(array) for array in arrays], *rest)
    shaped = [shape_like(one, arrays[0].shape) for one in made]
    return shaped[0] if outputs == 1 else tuple(shaped)


def shape_like(made, shape):
    if shape == ():
        return made[0] if made.dtype.names else made[0].item()
    return made.reshape(shape)


def single(function, *rest, kind="d", leading=()):
    """function(leading..., out, rest...) with one number or struct as output."""
    made = numpy.empty(1, TYPES.get(kind, kind))
    function(*leading, made, *rest)
    return made[0] if made.dtype.names else made[0].item()


def record(cls, made):
    """A struct, or an array of structs, as a named tuple of numbers or arrays."""
    values = []
    for name in cls._fields:
        value = made[name]
        if value.dtype.names:
            value = record(Estimate, value)
        elif isinstance(value, numpy.generic):
            value = value.item()
        values.append(value)
    return cls(*values)


class Estimate(NamedTuple):
    """An estimate and its interval."""
    value: Result
    low: Result
    high: Result
