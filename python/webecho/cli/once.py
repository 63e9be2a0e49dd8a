"""*Once*: an option that takes one value is given once. The last of several would win without a
word, and whoever gave the first would not know."""

from collections import Counter

import click


class OnceCommand(click.Command):
    """A verb that refuses options given again, where one value is taken."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for each, times in Counter(order).items():
            if times > 1 and isinstance(each, click.Option) and takes_one(each):
                raise click.UsageError(
                    f"{each.opts[-1]} is given {times} times; it takes one value"
                )
        return super().parse_args(ctx, args)


def takes_one(option: click.Option) -> bool:
    """Whether a second value would replace the first; a switch says twice what it says once."""
    return not (option.multiple or option.is_flag or option.count)
