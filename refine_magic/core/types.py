"""The field's words as frozen records; they cross every border (notebook, file, wire) with one JSON schema."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from refine_magic.core.limits import LimitSettings

SCHEMA_VERSION = 1
MIME_TYPE = "application/vnd.refine-magic.trajectory+json"

CheckKind = Literal["call", "raises", "io", "program", "human"]
Origin = Literal["user", "doctest", "example", "generated"]
Trust = Literal["given", "corroborated", "suspect", "struck"]
CheckOutcome = Literal["passed", "failed", "error", "timeout", "not_run"]
JudgedBy = Literal["host", "judge", "in-kernel", "user"]
Outcome = Literal["passed", "failed", "error", "timeout", "memory", "output_limit", "crashed", "invalid"]
Status = Literal["running", "passed", "passed_unverified", "not_passed", "interrupted", "error"]
StopReason = Literal[
    "passed", "max_iterations", "no_progress", "budget", "format", "interrupted", "model_error", "executor_error"
]
Unusable = Literal["no_code", "cut_off", "duplicate"]
MoveKind = Literal["draft", "sample", "refine", "redraft"]
Phase = Literal["loading", "checks", "writing", "judging"]
Isolation = Literal["auto", "limits", "landlock", "namespaces"]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(Record):
    """One runnable statement of what the code must do; `source` is the text that its author wrote.

    A `suspect` check (generated, and not corroborated by independent candidates) and a `struck` one are shown, but
    neither count nor reach the model; one that is not `visible` is held out: it counts, and the model never sees it.
    """

    id: str
    source: str
    kind: CheckKind = "call"
    origin: Origin = "user"
    trust: Trust = "given"
    visible: bool = True

    @property
    def counts(self) -> bool:
        """Whether the verdict depends on it."""
        return self.trust in ("given", "corroborated")

    @property
    def told(self) -> bool:
        """Whether the model may see it."""
        return self.counts and self.visible


class Spec(Record):
    """What a candidate is judged against: `setup` is code that the checks need, such as imports and helpers."""

    checks: tuple[Check, ...] = ()
    setup: str = ""


class Problem(Record):
    """What is asked for: the prompt in the user's words, the spec, and the name the checks call."""

    id: str
    prompt: str
    spec: Spec = Spec()
    entry_point: str | None = None
    context: tuple[str, ...] = ()


class Usage(Record):
    """What one or several model calls cost: tokens and seconds; `estimated` where the server did not say."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    load_seconds: float = 0.0
    prompt_seconds: float = 0.0
    generation_seconds: float = 0.0
    finish_reason: str | None = None
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        """Return the sum of both, with the other's finish reason."""
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            load_seconds=self.load_seconds + other.load_seconds,
            prompt_seconds=self.prompt_seconds + other.prompt_seconds,
            generation_seconds=self.generation_seconds + other.generation_seconds,
            finish_reason=other.finish_reason,
            estimated=self.estimated or other.estimated,
        )


class Message(Record):
    """One message of a chat with the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Move(Record):
    """What the policy asks of the next proposal: from the best so far or from nothing, and how warm."""

    kind: MoveKind = "draft"
    temperature: float = 0.0
    complaint: Unusable | None = None


class Candidate(Record):
    """Code that the model proposed; `digest` is that of its syntax tree, so layout and comments do not count."""

    code: str
    digest: str
    completion: str = ""
    parent: int | None = None
    move: Move = Move()
    messages: tuple[Message, ...] = ()
    usage: Usage = Usage()


class Rejection(Record):
    """A reply that was not executed and used up no iteration, and why; a duplicate says of which iteration."""

    before: int
    reason: Unusable
    kind: MoveKind = "draft"
    duplicate_of: int | None = None
    completion: str = ""
    usage: Usage = Usage()


class RemoteError(Record):
    """An exception in the candidate's kernel, in Jupyter's words; `locals` are its innermost frame's as short reprs."""

    ename: str
    evalue: str
    traceback: tuple[str, ...] = ()
    locals: dict[str, str] = Field(default_factory=dict)


class CheckResult(Record):
    """What one check found; `expected` and `observed` are expressions or words, cut to a few hundred characters."""

    check_id: str
    outcome: CheckOutcome
    expected: str | None = None
    observed: str | None = None
    message: str = ""
    error: RemoteError | None = None
    stdout: str = ""
    duration: float = 0.0
    judged: JudgedBy = "host"


class ExecutionResult(Record):
    """What became of one candidate in its kernel; `duration` is seconds of wall time after the kernel was there.

    `isolation` is the level it ran at, `caveats` say what that level could not promise here.
    """

    outcome: Outcome
    checks: tuple[CheckResult, ...] = ()
    error: RemoteError | None = None
    stdout: str = ""
    stderr: str = ""
    duration: float = 0.0
    isolation: str = ""
    caveats: tuple[str, ...] = ()
    message: str = ""
    findings: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(check.outcome == "passed" for check in self.checks)


class Feedback(Record):
    """What the model is told about a result."""

    strategy: str
    text: str


class Iteration(Record):
    """One judged candidate; `index` counts from 1, `feedback` is what a refinement of it would be told.

    `regressed` are the ids of the checks that the best so far passed and this one does not; `seconds` is wall time
    from the request to the verdict.
    """

    index: int
    candidate: Candidate
    result: ExecutionResult
    feedback: Feedback | None = None
    regressed: tuple[str, ...] = ()
    seconds: float = 0.0


class Draft(Record):
    """What is going on right now: the text of the reply so far, then the checks so far."""

    index: int
    phase: Phase
    text: str = ""
    checks: tuple[CheckResult, ...] = ()


class Continuation(Record):
    """How a run was taken up again after so many iterations: the user's hint, and where to go on from."""

    after: int
    rejected: int = 0
    hint: str = ""
    from_iteration: int | None = None
    struck: tuple[str, ...] = ()
    more: int = 0


class Settings(Record):
    """How a run is done; the names are those of the command line and the magic."""

    model: str = "ollama:llama3.2"
    strategy: str = "tests"
    feedback: str = "annotated"
    max_iterations: int = Field(default=5, ge=1)
    max_reasks: int = Field(default=2, ge=0)
    max_seconds: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    temperature: float = Field(default=0.2, ge=0)
    temperature_step: float = Field(default=0.3, ge=0)
    temperature_ceiling: float = Field(default=1.1, ge=0)
    sample_temperature: float = Field(default=0.8, ge=0)
    samples: int = Field(default=1, ge=1)
    generate_checks: int = Field(default=0, ge=0, le=50)
    holdout: float = Field(default=0.0, ge=0, lt=1)
    prompts: str | None = None
    seed: int = 0
    context_tokens: int = Field(default=8192, ge=256)
    reply_tokens: int = Field(default=1024, ge=16)
    timeout: float = Field(default=10.0, gt=0)
    executor: str = "kernel"
    isolation: Isolation = "auto"
    limits: LimitSettings = LimitSettings()
    kernel: str | None = None


class Trajectory(Record):
    """The whole record of a run: every iteration, every reply that was not executed, the best, and why it stopped."""

    schema_version: Literal[1] = 1
    id: str
    problem: Problem
    model: str = ""
    settings: Settings = Settings()
    iterations: tuple[Iteration, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    continuations: tuple[Continuation, ...] = ()
    vetted: bool = False
    best: int | None = None
    status: Status = "running"
    stop_reason: StopReason | None = None
    message: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    versions: dict[str, str] = Field(default_factory=dict)
    draft: Draft | None = None

    @property
    def best_iteration(self) -> Iteration | None:
        """The iteration with the most checks passed; the earliest wins a tie."""
        return None if self.best is None else self.iterations[self.best - 1]

    @property
    def code(self) -> str:
        """The best candidate's code, or nothing where there is none."""
        return "" if self.best_iteration is None else self.best_iteration.candidate.code

    @property
    def passed(self) -> bool:
        """Whether every check passed, be they the user's or generated ones."""
        return self.status in ("passed", "passed_unverified")
