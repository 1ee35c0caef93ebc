"""This library's privacy-loss distributions behind the interface PrivacyAccountant of dp_accounting. get_epsilon and
get_delta give the upper ends; bracket() gives both."""
from dp_accounting import privacy_accountant

from ..account import Pld
from .dp_events import laws

__all__ = ["PldAccountant"]

Relation = privacy_accountant.NeighboringRelation


class PldAccountant(privacy_accountant.PrivacyAccountant):
    """grid: of the losses, in nats. sharp: the range of deltas in which bounds are sharp."""

    supported_neighboring_relations = {Relation.ADD_OR_REMOVE_ONE}

    def __init__(self, neighboring_relation=Relation.ADD_OR_REMOVE_ONE, *, grid=1e-3, sharp=(1e-12, 1e-2)):
        super().__init__(neighboring_relation)
        self._pld, self._sharp, self._fresh = Pld(grid), sharp, False

    def _maybe_compose(self, event, count, do_compose):
        """None, or why an event is not supported."""
        for inner, add, arguments in laws(event, count):
            if add is None:
                return self.CompositionErrorDetails(invalid_event=inner, error_message="this event has no law here")
            if do_compose:
                add(self._pld, *arguments)
                self._fresh = False
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
