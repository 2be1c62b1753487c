#!/usr/bin/env python3
"""Everything one does with a checkout, on a machine that has nothing but Python 3.11 or newer.

    python3 dev.py run [ARGS]      open the window; without a screen: write the example's documents to out/
    python3 dev.py test [ARGS]     run the tests (ARGS go to pytest)
    python3 dev.py check           style, types, architecture
    python3 dev.py catalog         rebuild catalog.db from resources/catalog
    python3 dev.py lock            pin the newest allowed packages again
    python3 dev.py package         build the program that needs no Python

On Windows it is `py dev.py ...`. The first command makes `.venv` from the hashes in requirements.lock and,
on Linux, fetches the libraries that Qt expects from the system: with apt when it runs as root, into `.qtlibs`
when not. From the second on it starts at once and needs no network. This file uses the standard library only.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LOCK = ROOT / "requirements.lock"
PACKAGING_LOCK = ROOT / "packaging" / "requirements.lock"
FONTS_CONF = ROOT / "resources" / "fonts" / "fonts.conf"
SYSTEM_FONTS_CONF = Path("/etc/fonts/fonts.conf")
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Unpacked Debian packages, for users who may not install any.
DEBS = ROOT / ".qtlibs"

# Library that Qt loads -> Debian package that holds it.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
WINDOW_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
# What those load in turn. Installed packages bring it along, unpacked ones do not.
LIBRARIES_BEHIND = {
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libXau.so.6": "libxau6",
    "libXdmcp.so.6": "libxdmcp6",
    "libatomic.so.1": "libatomic1",
    "libbrotlidec.so.1": "libbrotli1",
    "libbsd.so.0": "libbsd0",
    "libcom_err.so.2": "libcom-err2",
    "libexpat.so.1": "libexpat1",
    "libk5crypto.so.3": "libk5crypto3",
    "libkeyutils.so.1": "libkeyutils1",
    "libkrb5.so.3": "libkrb5-3",
    "libkrb5support.so.0": "libkrb5support0",
    "libmd.so.0": "libmd0",
    "libpng16.so.16": "libpng16-16",
    "libxcb.so.1": "libxcb1",
}


def main() -> int:
    commands = {
        "run": run_program,
        "test": run_tests,
        "check": check,
        "catalog": build_catalog,
        "lock": write_locks,
        "package": build_package,
    }
    require_python()
    name, *arguments = sys.argv[1:] or ["help"]
    if name not in commands:
        print(__doc__)
        return 0 if name in ("help", "-h", "--help") else 2
    return commands[name](arguments)


def require_python() -> None:
    if sys.version_info < (3, 11):
        have = ".".join(map(str, sys.version_info[:3]))
        sys.exit(f"Python 3.11 or newer is needed; {sys.executable} is {have}.")


# --- the commands -------------------------------------------------------------


def run_program(arguments: list[str]) -> int:
    install(LOCK)
    program = ["-m", "kentino_configurator"]
    if arguments or has_screen():
        return python(*program, *arguments, screen=has_screen(), folder=Path.cwd())
    return python(*program, "demo", "--out", str(ROOT / "out"))


def run_tests(arguments: list[str]) -> int:
    install(LOCK)
    return python("-m", "pytest", "-n", "2", *arguments)


def check(_: list[str]) -> int:
    install(LOCK)
    codes = [
        python("-m", "ruff", "check"),
        python("-m", "ruff", "format", "--check"),
        python("-m", "mypy"),
        python("-m", "pytest", "tests/architecture"),
    ]
    return max(codes)


def build_catalog(arguments: list[str]) -> int:
    install(LOCK)
    return python("-m", "kentino_configurator", "catalog", "build", *arguments)


def write_locks(_: list[str]) -> int:
    """The locks hold hashes and no addresses, so they work with any mirror."""
    install(LOCK)
    install(PACKAGING_LOCK)
    compile_lock = ["-m", "uv", "pip", "compile", "--upgrade", "--universal", "--python-version", "3.11"]
    compile_lock += ["--generate-hashes", "--no-header", "--quiet"]
    program = ["--group", "test", "pyproject.toml", "-o", LOCK.name]
    packaging = ["--group", "package", "-c", LOCK.name, "-o", "packaging/requirements.lock"]
    return python(*compile_lock, *program) or python(*compile_lock, *packaging)


def build_package(arguments: list[str]) -> int:
    install(LOCK)
    install(PACKAGING_LOCK)
    return python("packaging/build.py", *arguments)


# --- the environment they run in ----------------------------------------------


def python(*arguments: str, screen: bool = False, folder: Path = ROOT) -> int:
    """Run the Python of `.venv` with this checkout's package; returns its exit code."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    if not screen:
        environment["QT_QPA_PLATFORM"] = "offscreen"
    if not screen or not SYSTEM_FONTS_CONF.exists():
        environment["FONTCONFIG_FILE"] = str(FONTS_CONF)
    if libraries := qt_library_folders(for_window=screen):
        known = os.environ.get("LD_LIBRARY_PATH", "").split(":")
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [*map(str, libraries), *known]))
    return subprocess.run([VENV_PYTHON, *arguments], cwd=folder, env=environment).returncode


def has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def install(lock: Path) -> None:
    """Make `.venv` hold what the lock names. Does nothing when it was made from this very lock before."""
    marker = VENV / "-".join(("installed", *lock.relative_to(ROOT).parts))
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    wanted = f"Python {sys.version_info[0]}.{sys.version_info[1]}, lock {digest}"
    if marker.is_file() and marker.read_text("utf-8") == wanted:
        return
    pip = venv_with_pip()
    say(f"Installing the packages of {lock.relative_to(ROOT)} into .venv (once; it can take minutes)")
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:"]
    if subprocess.run([*pip, "install", *options, "-r", lock]).returncode:
        sys.exit("The packages could not be installed; pip says above why.")
    marker.write_text(wanted, "utf-8")


def venv_with_pip() -> list[str | Path]:
    """The command that runs pip for `.venv`, which is made when it is missing or broken."""
    if runs(VENV_PYTHON, "-m", "pip", "--version"):
        return [VENV_PYTHON, "-m", "pip"]
    say("Making .venv")
    if not has_ensurepip() and may_install():
        apt_install(["python3-venv"])
    make_venv = [sys.executable, "-m", "venv", "--clear"]
    if has_ensurepip():
        subprocess.run([*make_venv, VENV], check=True)
        return [VENV_PYTHON, "-m", "pip"]
    subprocess.run([*make_venv, "--without-pip", VENV], check=True)
    return [VENV_PYTHON, debian_pip()]


def has_ensurepip() -> bool:
    """Debian moves it out of Python, into the package python3-venv."""
    return runs(sys.executable, "-c", "import ensurepip")


def debian_pip() -> Path:
    """pip as Debian packs it: a wheel, which runs without being installed."""
    if not find_in_debs("usr/share/python-wheels/pip-*.whl"):
        unpack_debs(["python3-pip-whl"])
    wheels = find_in_debs("usr/share/python-wheels/pip-*.whl")
    if not wheels:
        sys.exit("This Python cannot make virtual environments. On Debian: sudo apt-get install python3-venv")
    return wheels[0] / "pip"


def runs(*command: str | Path, cwd: str | Path = ROOT) -> bool:
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True).returncode == 0
    except OSError:
        return False


def say(text: str) -> None:
    print(text, flush=True)


# --- Debian packages on Linux -------------------------------------------------


def qt_library_folders(for_window: bool) -> list[Path]:
    """Folders with the libraries that this system lacks; fetches them when they are nowhere."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = QT_LIBRARIES | WINDOW_LIBRARIES if for_window else QT_LIBRARIES
    missing = {name: package for name, package in wanted.items() if not system_has(name)}
    if any(not find_library(name) for name in missing):
        fetch_libraries(missing)
    return sorted({library.parent for name in missing for library in find_library(name)})


def system_has(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def find_library(name: str) -> list[Path]:
    return find_in_debs(f"usr/lib/*/{name}") or find_in_debs(f"lib/*/{name}")


def fetch_libraries(missing: dict[str, str]) -> None:
    say(f"Fetching {len(missing)} system libraries that Qt needs (once)")
    if may_install():
        apt_install(sorted(set(missing.values())))
    else:
        behind = [package for name, package in LIBRARIES_BEHIND.items() if not system_has(name)]
        unpack_debs(sorted({*missing.values(), *behind}))
    lacking = [name for name in missing if not system_has(name) and not find_library(name)]
    if lacking:
        hint = f"On Debian: sudo apt-get install {' '.join(sorted({missing[name] for name in lacking}))}"
        sys.exit(f"Qt needs system libraries that are not here: {', '.join(lacking)}. {hint}")


def may_install() -> bool:
    return bool(shutil.which("apt-get")) and os.geteuid() == 0


def apt_install(packages: list[str]) -> None:
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = ["apt-get", "install", "-qq", "--no-install-recommends", *packages]
    subprocess.run(["apt-get", "update", "-qq"], env=quiet)
    subprocess.run(install, env=quiet, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def unpack_debs(packages: list[str]) -> None:
    """Download packages and unpack them under `.qtlibs`; needs no right to install anything."""
    if not shutil.which("apt-get"):
        return
    with tempfile.TemporaryDirectory() as folder:
        options: list[str] = []
        for package in packages:
            if not apt_download(package, folder, *options) and not options:
                options = fresh_package_lists(folder)
                apt_download(package, folder, *options)
        for deb in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", deb, DEBS], check=True)


def apt_download(package: str, folder: str, *options: str) -> bool:
    """`apt-get download` does not follow the names that Debian 13 changed, as `apt-get install` does."""
    command = ["apt-get", *options, "download", "-qq"]
    return runs(*command, package, cwd=folder) or runs(*command, f"{package}t64", cwd=folder)


def fresh_package_lists(folder: str) -> list[str]:
    """Options that let apt use lists of its own in ``folder``, as the system's are missing or old."""
    Path(folder, "lists", "partial").mkdir(parents=True)
    options = ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
    subprocess.run(["apt-get", *options, "update", "-qq"])
    return options


def find_in_debs(pattern: str) -> list[Path]:
    return sorted(DEBS.glob(pattern))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
