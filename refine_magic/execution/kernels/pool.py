"""The next fresh kernels on this machine, started in the background while the model writes."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from refine_magic.core.errors import IsolationUnavailable, KernelStartError
from refine_magic.execution.kernels.forked import Forked
from refine_magic.execution.kernels.kernel import CandidateKernel
from refine_magic.execution.kernels.kernelspecs import Start
from refine_magic.execution.kernels.levels import strongest
from refine_magic.execution.kernels.managed import Managed
from refine_magic.execution.kernels.spares import Spares
from refine_magic.execution.kernels.template import Template
from refine_magic.execution.kernels.wires import Body
from refine_magic.execution.limits import Limits


class KernelPool(Spares[CandidateKernel]):
    """Spare kernels on this machine, forked from a template where they can be."""

    def __init__(self, start: Start, limits: Limits, isolation: str = "auto", spare: int = 1) -> None:
        """Make an empty pool that keeps `spare` kernels ready, at an isolation level; nothing starts yet."""
        super().__init__(spare)
        self._start_as, self._limits, self._isolation = start, limits, isolation
        self._template: Future[Template | None] | None = None
        self._lock = threading.Lock()

    def template(self) -> Template | None:
        """Return what this pool's kernels are forked from, made once; None where their own provisioner starts them.

        Raises IsolationUnavailable and KernelStartError.
        """
        with self._lock:
            first = self._template is None
            made = self._template = self._template or Future()
        if first:
            try:
                make = self._start_as.make
                made.set_result(None if make is None else strongest(make, self._isolation))
            except BaseException as error:
                made.set_exception(error)
        return made.result()

    def close(self) -> None:
        """Kill every kernel, also those being started, and wait until they are gone; harmless when done twice."""
        super().close()
        if self._template is not None and self._template.exception() is None:
            template = self._template.result()
            if template is not None:
                template.close()

    def _make(self) -> CandidateKernel:
        template = self.template()
        try:
            return CandidateKernel(lambda: self._body(template), self._limits, self._stop)
        except IsolationUnavailable:
            raise
        except Exception as error:
            name, said = self._start_as.spec.display_name, " ".join(str(error).split()) or type(error).__name__
            raise KernelStartError(f"the kernel {name!r} did not start: {said}") from error

    def _body(self, template: Template | None) -> Body:
        if template is None:
            return Managed(self._start_as)
        return Forked(self._start_as, template, self._limits)
