"""What every verb has: its options, and errors as messages and exit codes."""

import functools
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from webecho.cli.options import common_options
from webecho.errors import SettingsError, WebechoError

FAILED, SKIPPED, STOPPED, UNREAD = 1, 3, 130, 141
# Verbs that, stopped and started again, go on where they were.
GOES_ON = ("sketch", "dedup", "label")


def every_verb(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a verb the options that all have, and turns errors into messages and exit codes."""

    @common_options
    @functools.wraps(command)
    def run(**options: Any) -> None:
        try:
            command(**options)
            sys.stdout.flush()
        except KeyboardInterrupt:
            on = "goes on from here" if command.__name__ in GOES_ON else "begins again"
            click.echo(f"\nwebecho: stopped; the same command {on}", err=True)
            sys.exit(STOPPED)
        except SettingsError as error:
            raise click.UsageError(str(error)) from error
        except WebechoError as error:
            click.echo(f"webecho: {error}", err=True)
            sys.exit(FAILED)
        except BrokenPipeError:
            # Whoever read the output has enough. What is left of it goes nowhere, else the
            # interpreter would complain of it when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(UNREAD)
        except OSError as error:
            reason = error.strerror or str(error)
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"webecho: {where}{reason}; mend that and give the same command", err=True)
            sys.exit(FAILED)

    return run
