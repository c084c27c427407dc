"""Celery tasks: ids in, nothing out; each hands over to the process's one event loop and waits."""

import asyncio

from celery import shared_task

from apps.runtime import wiring


@shared_task(name="fills.run_chain", ignore_result=True, acks_late=False)
def run_chain(chain_id: str) -> None:
    """Run one admitted chain of fills.

    Safe to run twice: leaving RESERVED is a compare-and-set, and the second finds it left.
    """
    asyncio.run_coroutine_threadsafe(wiring.fill_runner().run_chain(chain_id), wiring.loop()).result()
