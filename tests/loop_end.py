"""The end of a test's event loop."""

import asyncio


async def end_other_tasks() -> None:
    """Cancel what still runs until it has ended.

    A Redis read that times out in that very moment swallows one cancelling, and the loop's own closing, which
    cancels once, would then wait for ever.
    """
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=0.2)
