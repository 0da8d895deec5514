"""The wire protocol between host and kernel, end to end; libzmq's end of it is tried with stock clients and kernels."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine_magic.execution.sandbox.zmtp import GREETING, MORE, Broken, Codec, TooLarge, frame, ready

FRAMES = st.lists(st.binary(max_size=600), min_size=1, max_size=5)


def greeted(most: int = 1 << 20) -> Codec:
    codec = Codec("ROUTER", most)
    codec.feed(GREETING + ready("DEALER", b"me"))
    return codec


@given(st.lists(FRAMES, max_size=5), st.integers(min_value=1, max_value=700))
def test_messages_come_whole_however_the_bytes_are_cut(messages, piece):
    sender, receiver = greeted(), Codec("DEALER", 1 << 20)
    for message in messages:
        sender.pack(message)
    data = bytes(sender.outgoing)
    found = [m for start in range(0, len(data), piece) for m in receiver.feed(data[start : start + piece])]
    assert found == messages


def test_who_connects_is_known_by_the_identity_that_it_gives():
    assert greeted().identity == b"me"


def test_nothing_is_sent_before_the_other_end_is_ready():
    codec = Codec("DEALER", 1 << 20)
    codec.pack([b"hello"])
    assert b"hello" not in codec.outgoing


def test_what_was_held_back_is_sent_once_the_other_end_is_ready():
    codec = Codec("DEALER", 1 << 20)
    codec.pack([b"hello"])
    codec.feed(GREETING + ready("ROUTER", b""))
    assert bytes(codec.outgoing).endswith(frame(b"hello", 0))


def test_a_frame_that_claims_too_much_is_refused_before_it_comes():
    with pytest.raises(TooLarge):
        greeted(most=1000).feed(frame(b"x" * 2000, 0)[:9])


def test_a_message_of_many_small_parts_is_refused():
    with pytest.raises(TooLarge):
        greeted(most=1000).feed(frame(b"x" * 100, MORE) * 11)


def test_a_message_of_endless_empty_parts_is_refused():
    with pytest.raises(TooLarge):
        greeted().feed(frame(b"", MORE) * 2000)


@pytest.mark.parametrize("data", [b"HTTP/1.1 200 OK" + b" " * 60, b"\xff" + b"\0" * 8 + b"\x7f\x01" + b"\0" * 60])
def test_another_protocol_is_refused(data):
    with pytest.raises(Broken):
        Codec("DEALER", 1000).feed(data)


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_raise_nothing_else(data):
    with contextlib.suppress(Broken, TooLarge):
        greeted().feed(data)
