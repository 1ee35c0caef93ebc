"""Events of dp_accounting as laws of this library's privacy-loss distributions."""
from dp_accounting import dp_event

from ..account import Pld

__all__ = ["laws"]


def laws(event, times):
    """(event, what of Pld adds it or None, its arguments) for each event of which this one is composed."""
    if isinstance(event, dp_event.SelfComposedDpEvent):
        yield from laws(event.event, times * event.count)
    elif isinstance(event, dp_event.ComposedDpEvent):
        for inner in event.events:
            yield from laws(inner, times)
    elif isinstance(event, dp_event.PoissonSampledDpEvent) and isinstance(event.event, dp_event.GaussianDpEvent):
        yield event, Pld.add_gaussian_sampled, (event.event.noise_multiplier, event.sampling_probability, times)
    elif isinstance(event, dp_event.GaussianDpEvent):
        yield event, Pld.add_gaussian, (event.noise_multiplier, times)
    elif isinstance(event, dp_event.LaplaceDpEvent) and event.noise_multiplier > 0:
        yield event, Pld.add_laplace, (1 / event.noise_multiplier, times)
    elif not isinstance(event, dp_event.NoOpDpEvent):
        yield event, None, ()
