"""R = execute(C) against S on a Jupyter server or kernel gateway elsewhere: ``remote:http://host:8888``."""

from __future__ import annotations

from refine_magic.core.errors import IsolationUnavailable
from refine_magic.core.types import Settings
from refine_magic.execution.executor import PooledExecutor
from refine_magic.execution.kernels.distant import DistantKernel
from refine_magic.execution.kernels.server import Server
from refine_magic.execution.kernels.spares import Spares
from refine_magic.execution.limits import Limits, limits_of

CLEANERS = 4
CAVEATS = (
    "the server decides what its kernels may read, write and reach over the network",
    "processes and CPU time are bounded by the wall time alone",
)


class RemotePool(Spares[DistantKernel]):
    """Spare kernels on a server; the server is asked first when the first of them starts."""

    def __init__(self, server: Server, kernel: str | None, limits: Limits, spare: int = 1) -> None:
        """Make an empty pool that keeps `spare` kernels of the kernelspec ready; nothing starts yet."""
        super().__init__(spare, CLEANERS)
        self._server, self._kernel, self._limits = server, kernel, limits

    def _make(self) -> DistantKernel:
        return DistantKernel(self._server, self._server.kernelspec(self._kernel), self._limits, self._stop)


class RemoteExecutor(PooledExecutor):
    """Judges each candidate in a kernel of its own on a Jupyter server, which has it killed afterwards.

    The server's address is the argument of ``Settings.executor``, such as ``remote:http://host:8888``; its token is in
    the environment variable ``JUPYTER_TOKEN``. ``Settings.kernel`` is one of the server's kernelspecs. The wall time,
    the output and the results are limited from here, memory, files and their size by rlimits there. A host that is
    killed leaves its kernels to the server's own culling.
    """

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        """Set up the pool; nothing is asked of the server yet. `limits` are those of the settings if not given.

        Raises KernelStartError for an address that is none, and IsolationUnavailable where a level is named: the
        server isolates, and cannot be asked how.
        """
        if settings.isolation != "auto":
            raise IsolationUnavailable(
                f"isolation {settings.isolation!r} cannot be had from a Jupyter server, which isolates its kernels in "
                "its own way; use --isolation auto"
            )
        limits = limits or limits_of(settings)
        server = Server(settings.executor.partition(":")[2], limits.start_seconds)
        super().__init__(RemotePool(server, settings.kernel, limits), limits)

    @property
    def isolation(self) -> str:
        """Return ``remote``."""
        return "remote"

    @property
    def caveats(self) -> tuple[str, ...]:
        """What cannot be promised of a kernel elsewhere."""
        return CAVEATS
