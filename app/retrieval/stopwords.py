"""Words and characters that say nothing about what a question is after."""

from typing import Final

_LIST: Final = """
a about after again all also am an and any are aren't as at be been before being both but by can can't could
couldn't did didn't do does doesn't doing don't down during each else ever few for from further get got had hadn't
has hasn't have haven't having he he'd he'll he's her here hers herself him himself his how how's i i'd i'll i'm
i've if in into is isn't it it's its itself just let's may me might more most much must my myself no nor not of off
on once only or other our ours ourselves out over own please same shall she she'd she'll she's should shouldn't so
some such than that that's the their theirs them themselves then there there's these they they'd they'll they're
they've this those through to too under until up upon us very was wasn't we we'd we'll we're we've were weren't
what what's when when's where where's which while who who's whom whose why why's will with won't would wouldn't yes
yet you you'd you'll you're you've your yours yourself yourselves
"""
STOP_WORDS: Final = frozenset(_LIST.split())

STOP_CHARACTERS: Final = frozenset("的了是我你他她它在这那有和就也都要会吗呢吧啊什么个们不很")
"""Chinese function words of one character: a pair that holds one mostly says how a question is put."""
