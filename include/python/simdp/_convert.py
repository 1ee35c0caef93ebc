"""What the C module asks NumPy for: new arrays, and arrays made of other objects. Kinds are letters of struct: d, f, q,
Q, I, B, and ? for bool."""
import sys

import numpy
from numpy import ndarray   # pylint: disable=unused-import

from . import _simdp

_TYPES = {kind: numpy.dtype(name) for kind, name in zip("dfqQIB?", "float64 float32 int64 uint64 uint32 uint8 bool".split())}
_EMPTY = numpy.empty


def empty(shape, kind):
    return _EMPTY(shape, _TYPES[kind])


def kind_of_dtype(dtype):
    wanted = numpy.dtype(dtype)
    return next((kind for kind, known in _TYPES.items() if known == wanted), "x")


def is_masked(object):
    masks = sys.modules.get("numpy.ma")
    return masks is not None and isinstance(object, masks.MaskedArray)


def without_mask(object):
    """The object; NumPy would take what is under a mask for an answer, without a word."""
    if is_masked(object):
        raise TypeError("an array with a mask: take its filled() or compressed()")
    return object


def clipped(array):
    """An array of integers as int64, C-contiguous. What is beyond is cut, as data never raise."""
    if array.dtype == numpy.uint64:
        array = numpy.minimum(array, numpy.uint64(2**63 - 1))
    return numpy.asarray(array, dtype="int64", order="C")


def _array(object):
    """An array of NumPy that shares memory with the object where that is possible."""
    chunks = hasattr(object, "__arrow_c_stream__") and not hasattr(object, "iloc")   # pandas has arrays of NumPy inside
    if chunks or hasattr(object, "__arrow_c_array__"):
        return _simdp.ArrowArray(object)
    if getattr(object, "requires_grad", False):   # a tensor of PyTorch
        object = object.detach()
    return numpy.asarray(object)


def view(object, kinds):
    """To be read: also of lists, whose numbers are converted. Bytes of a list of truths."""
    array = _array(object)
    if isinstance(object, (list, tuple)) and array.dtype.char not in kinds:
        return copied(array, kinds)
    return array


def copied(object, kinds):
    """In the type of `kinds` that comes next: integers and truths as int64, floats as float64. What does not fit is cut,
    since data never raise; among values, below some k, it becomes 2^32 - 1, which is none."""
    array = numpy.asarray(_array(without_mask(object)))
    char = array.dtype.char
    if "l" == char or "q" == char:
        char = "q"
    if char in kinds or char == "?" and "B" in kinds:
        return numpy.array(array, dtype=array.dtype.newbyteorder("="), order="C")
    if array.dtype.kind in "biu" and "q" in kinds:
        return numpy.array(clipped(array), order="C")
    if array.dtype.kind in "biu" and "I" in kinds:
        fits = (array >= 0) & (array < 2**32)
        return numpy.array(numpy.where(fits, array, 2**32 - 1), dtype="I", order="C")
    if array.dtype.kind in "biu" and "B" in kinds:
        return numpy.array(array != 0, dtype="B", order="C")
    if array.dtype.kind in "biuf" and "d" in kinds:
        return numpy.array(array, dtype="d", order="C")
    raise TypeError(f"an array of {array.dtype} cannot be taken for numbers of this function")


def shared(object, kinds):
    """To be written: only objects whose array is their memory, as that of PyTorch's tensors on the CPU."""
    first, again = numpy.asarray(object), numpy.asarray(object)
    if isinstance(object, (list, tuple)) or not numpy.shares_memory(first, again):
        if first.size or isinstance(object, (list, tuple)):
            raise TypeError(f"out: {type(object).__name__} has no memory to write to")
    return first
