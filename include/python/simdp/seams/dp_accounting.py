"""This library's privacy-loss distributions behind the interface PrivacyAccountant of dp_accounting. get_epsilon and
get_delta give the upper ends; bracket() gives both."""
from dp_accounting import dp_event, privacy_accountant

from ..account import Pld

__all__ = ["PldAccountant"]

Relation = privacy_accountant.NeighboringRelation


class PldAccountant(privacy_accountant.PrivacyAccountant):
    """grid: of the losses, in nats. sharp: the range of deltas in which bounds are sharp."""

    def __init__(self, neighboring_relation=Relation.ADD_OR_REMOVE_ONE, *, grid=1e-3, sharp=(1e-12, 1e-2)):
        super().__init__(neighboring_relation)
        self._pld, self._sharp, self._fresh = Pld(grid), sharp, False

    @property
    def supported_neighboring_relations(self):
        return {Relation.ADD_OR_REMOVE_ONE}

    def _maybe_compose(self, event, count, do_compose):
        """None, or why an event is not supported."""
        if isinstance(event, dp_event.NoOpDpEvent):
            return None
        if isinstance(event, dp_event.SelfComposedDpEvent):
            return self._maybe_compose(event.event, count * event.count, do_compose)
        if isinstance(event, dp_event.ComposedDpEvent):
            found = [self._maybe_compose(inner, count, do_compose) for inner in event.events]
            return next((problem for problem in found if problem), None)
        add = self._adding(event)
        if add is None:
            return self.CompositionErrorDetails(invalid_event=event, error_message="this event has no law here")
        if do_compose:
            add(count)
            self._fresh = False
        return None

    def _adding(self, event):
        pld = self._pld
        if isinstance(event, dp_event.GaussianDpEvent):
            return lambda n: pld.add_gaussian(event.noise_multiplier, n)
        if isinstance(event, dp_event.LaplaceDpEvent):
            return lambda n: pld.add_laplace(1 / event.noise_multiplier, n)
        if isinstance(event, dp_event.PoissonSampledDpEvent) and isinstance(event.event, dp_event.GaussianDpEvent):
            return lambda n: pld.add_gaussian_sampled(event.event.noise_multiplier, event.sampling_probability, n)
        return None

    def _composed(self):
        if not self._fresh:
            self._pld.compose(*self._sharp)
            self._fresh = True
        return self._pld

    def bracket(self, target_delta):
        """(lower, upper) bounds of epsilon."""
        return self._composed().epsilon(target_delta)

    def get_epsilon(self, target_delta):
        return self.bracket(target_delta)[1]

    def get_delta(self, target_epsilon):
        return self._composed().delta(target_epsilon)[1]
