"""What every verb has: its options, and errors as messages and exit codes."""

import functools
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from webecho.errors import SettingsError, WebechoError
from webecho.sizes import in_bytes

FAILED, SKIPPED, STOPPED, UNREAD = 1, 3, 130, 141
# Verbs that, stopped and started again, go on where they were.
GOES_ON = ("sketch", "dedup", "label")


def size(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """A number of bytes: 500MB, 2G, 1.5 GB, 2GiB."""
    try:
        return None if value is None else in_bytes(value)
    except SettingsError as error:
        raise click.BadParameter(str(error)) from error


def every_verb(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a verb the options that all have, and turns errors into messages and exit codes."""

    @click.option("--threads", type=click.IntRange(1), help="Threads to use; all cores by default.")
    @click.option("--memory", callback=size, help="Memory to keep within, such as 2GB or 2GiB.")
    @click.option("--seed", type=int, default=0, show_default=True, help="For what is random.")
    @click.option("-q", "--quiet", is_flag=True, help="No progress and no notes.")
    @click.option(
        "--format",
        "output",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How results are printed.",
    )
    @click.option(
        "--strict",
        is_flag=True,
        help="Exit with 3 if records could not be read, or resemblances only be estimated.",
    )
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
