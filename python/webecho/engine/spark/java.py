"""The Java that Spark runs on, found before Spark fails less clearly without it."""

import os
import re
import shutil
import subprocess

from webecho.errors import SettingsError

LEAST = 17
FIX = (
    "install Java 17 or 21 (Debian: apt-get install openjdk-17-jre-headless), or name one with the "
    "environment variable JAVA_HOME"
)


def check_java() -> None:
    """Refuses to go on without a Java that Spark runs on."""
    command = java_command()
    if command is None:
        raise SettingsError(f"the Spark engine needs Java, which is not here; {FIX}")
    version = java_version(command)
    if version is None:
        raise SettingsError(f"{command} does not say its version; {FIX}")
    if version < LEAST:
        raise SettingsError(f"{command} is Java {version}, too old for Spark 4; {FIX}")


def java_command() -> str | None:
    """What Spark would start."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(os.path.join(home, "bin", "java") if home else "java")  # noqa: PTH118


def java_version(command: str) -> int | None:
    """The release that a Java says it is: 17 of 17.0.15, and 8 of 1.8.0."""
    try:
        asked = subprocess.run(
            [command, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = re.search(r'version "(?:1\.)?(\d+)', asked.stderr + asked.stdout)
    return int(said[1]) if said else None
