"""Noise of this library in Opacus's optimizers. The accountant "simdp" is known to Opacus once this is imported."""
import types

import torch
from opacus.optimizers import DPOptimizer
from opacus.optimizers.optimizer import _check_processed_flag, _mark_as_processed

from .. import Rng, release
from .opacus_accountant import Accountant

__all__ = ["Accountant", "use"]


def use(optimizer, *, rng=None, exact=False):
    """Makes a DPOptimizer draw from this library, and returns it. exact: sums of gradients are released on a grid, which
    is safe from attacks on floating-point noise; without, Gaussian noise of the cipher is added to them."""
    if type(optimizer).add_noise is not DPOptimizer.add_noise:
        raise TypeError(f"{type(optimizer).__name__} adds noise in a way of its own")
    if optimizer.secure_mode:
        raise ValueError("secure_mode is another defence: leave it out and say exact=True")
    source = Rng() if rng is None else rng

    def noisy(gradient, sigma):
        """In place where memory and type allow; else through a float32 copy on the CPU."""
        plain = gradient.detach()
        ready = plain.device.type == "cpu" and plain.dtype in (torch.float32, torch.float64) and plain.is_contiguous()
        ours = plain if ready else plain.to("cpu", torch.promote_types(plain.dtype, torch.float32)).contiguous()
        array, threads = ours.numpy(), torch.get_num_threads()
        if exact:
            release.gaussian(array, sigma=sigma, rng=source, out=array, threads=threads)
        else:
            source.add_gaussian(array, sigma, threads=threads)
        return plain if ready else ours.to(plain.device, plain.dtype)

    def add_noise(self):
        sigma = self.noise_multiplier * self.max_grad_norm
        for p in self.params:
            _check_processed_flag(p.summed_grad)
            p.grad = (noisy(p.summed_grad, sigma) if sigma else p.summed_grad).view_as(p)
            _mark_as_processed(p.summed_grad)

    optimizer.add_noise = types.MethodType(add_noise, optimizer)
    return optimizer
