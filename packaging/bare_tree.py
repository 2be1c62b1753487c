#!/usr/bin/env python3
"""Proves on bare Debian 12 and 13 what a development machine cannot: that nothing needed is silently there.

    python3 packaging/bare_tree.py source [--release bookworm|trixie] [--user root|ordinary] [--tests PATH ...]
    python3 packaging/bare_tree.py frozen [--release bookworm|trixie]
    python3 packaging/bare_tree.py all
    python3 packaging/bare_tree.py clean

`source`: the last commit, in a tree with nothing but the package python3: `dev.py test` and `dev.py run`, as
root and as a user who may not install anything (there, ca-certificates too), a second start without network,
and the window on a virtual screen. `frozen`: the program that `dev.py package` made, in a tree without Python,
without network, as an ordinary user.

Needs root, debootstrap, Xvfb and a Debian mirror. Trees are kept under the system's temporary folder. How this
machine reaches mirror and registry (name server, apt's proxy, pip's index, certificates) is read at run time
and handed in.
"""

from __future__ import annotations

import argparse
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FROZEN = ROOT / "dist" / "kentino-configurator"
CACHE = Path(tempfile.gettempdir()) / "kentino-bare"
RELEASES = ("bookworm", "trixie")
TESTER = "tester"
# Who may not install anything needs a machine that trusts somebody, or nothing can be downloaded safely.
INSTALLED = {"root": ("python3",), "ordinary": ("python3", "ca-certificates")}
# A name of its own: installing ca-certificates in the tree would overwrite the usual one.
CERTIFICATES = "/etc/ssl/host-certificates.crt"
# Mounts are made in a namespace of their own, so they are gone when the command ends.
ENTER = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && shift && exec "$@"'
# A window that is still there after eight seconds has started.
STAYS_OPEN = 'timeout 8 "$@"; test $? -eq 124'
LINES_SHOWN = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command in a tree and how it went."""

    title: str
    passed: bool
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A Debian root folder and who works in it."""

    path: Path
    user: str = "root"

    @property
    def home(self) -> str:
        return "/root" if self.user == "root" else f"/home/{self.user}"

    def run(
        self, title: str, *command: str, folder: str = "/", network: bool = True, display: str = ""
    ) -> Step:
        """Run a command in the tree with nothing of this machine but its way to mirror and registry."""
        print(f"  {title} ...", flush=True)
        started = time.monotonic()
        done = subprocess.run(
            self._entering(network, display, folder, command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        # Qt reports an exception in its event loop and goes on, so the code alone does not tell.
        passed = done.returncode == 0 and "Traceback" not in done.stdout
        step = Step(title=title, passed=passed, seconds=time.monotonic() - started)
        shown = done.stdout.splitlines()[-(3 if step.passed else LINES_SHOWN) :]
        print("\n".join(f"    | {line}" for line in shown), flush=True)
        return step

    def _entering(self, network: bool, display: str, folder: str, command: tuple[str, ...]) -> list[str]:
        namespaces = ["unshare", "--mount", "--pid", "--fork", *([] if network else ["--net"])]
        handed_in = environment_of(self) | ({"DISPLAY": display} if display else {})
        environment = ["env", "-i", *(f"{name}={value}" for name, value in handed_in.items())]
        who = [f"--userspec={self.user}:{self.user}"] if self.user != "root" else []
        inside = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, *command]
        return [
            *namespaces, "sh", "-c", ENTER, "sh", str(self.path),
            *environment, "chroot", *who, str(self.path), *inside,
        ]  # fmt: skip


# --- trees --------------------------------------------------------------------


def bare_tree(release: str) -> Path:
    """A minimal Debian, made once."""
    path = CACHE / release
    if path.is_dir():
        return path
    print(f"making a bare {release} tree in {path}", flush=True)
    unfinished = CACHE / f"{release}.part"
    shutil.rmtree(unfinished, ignore_errors=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    command = ["debootstrap", "--variant=minbase", release, str(unfinished), debian_mirror()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    hand_in_network(unfinished)
    subprocess.run(["chroot", unfinished, "useradd", "--create-home", "--user-group", TESTER], check=True)
    return unfinished.rename(path)


def tree_with(release: str, packages: tuple[str, ...]) -> Path:
    """The bare tree after ``apt-get install`` of ``packages``, made once."""
    name = "-".join((release, *packages))
    path = CACHE / name
    if path.is_dir():
        return path
    unfinished = fresh_copy(bare_tree(release), f"{name}.part")
    tree = Tree(path=unfinished)
    require(tree.run("apt-get update", "apt-get", "update", "-qq"))
    install = ("apt-get", "install", "-qq", "--no-install-recommends", *packages)
    require(tree.run(f"apt-get install {' '.join(packages)}", *install))
    return unfinished.rename(path)


def fresh_copy(source: Path, name: str) -> Path:
    copy = CACHE / name
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", source, copy], check=True)
    return copy


def require(step: Step) -> None:
    if not step.passed:
        sys.exit(f"the tree could not be prepared: {step.title} failed")


# --- this machine's way to mirror and registry ----------------------------------------


def debian_mirror() -> str:
    sites = output("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").split()
    for site in sites:
        if site.rstrip("/").endswith("/debian"):
            return site
    sys.exit("apt on this machine knows no Debian mirror")


def hand_in_network(tree: Path) -> None:
    for file in ("/etc/resolv.conf", "/etc/hosts"):
        shutil.copy(file, tree / file.lstrip("/"))
    settings = output("apt-config", "dump").splitlines()
    wanted = [line for line in settings if line.startswith(("Acquire::http", "Acquire::Check-"))]
    (tree / "etc/apt/apt.conf.d/99host").write_text("\n".join(wanted) + "\n", "utf-8")
    inside = tree / CERTIFICATES.lstrip("/")
    inside.parent.mkdir(parents=True, exist_ok=True)
    if bundle := certificate_bundle():
        shutil.copy(bundle, inside)


def certificate_bundle() -> str | None:
    usual = ssl.get_default_verify_paths().cafile
    return os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE") or usual


def environment_of(tree: Tree) -> dict[str, str]:
    """Older pip reads PIP_CERT, newer ones SSL_CERT_FILE."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": tree.home, "LANG": "C.UTF-8"}
    environment.update(pip_settings())
    if (tree.path / CERTIFICATES.lstrip("/")).is_file():
        environment.update(PIP_CERT=CERTIFICATES, SSL_CERT_FILE=CERTIFICATES)
    return environment


def pip_settings() -> dict[str, str]:
    """pip's settings here, without those that name files of this machine."""
    named = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    for line in output(sys.executable, "-m", "pip", "config", "list").splitlines():
        if line.startswith("global.index-url="):
            named["PIP_INDEX_URL"] = line.partition("=")[2].strip("'\"")
    return {name: value for name, value in named.items() if not value.startswith(("/", "file:"))}


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout


# --- trials -------------------------------------------------------------------


@contextmanager
def virtual_screen() -> Iterator[str]:
    """A screen of this machine that a tree can open windows on (X's abstract socket is not a file)."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1440x900x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield f":{server.stdout.readline().strip()}"
        server.terminate()


def source_trial(release: str, user: str, tests: list[str]) -> Iterator[Step]:
    """The last commit, with nothing but what ``INSTALLED`` says."""
    path = fresh_copy(tree_with(release, INSTALLED[user]), f"{release}-source-{user}")
    tree = Tree(path=path, user="root" if user == "root" else TESTER)
    if user == "ordinary":  # A user cannot count on package lists that somebody else keeps fresh.
        shutil.rmtree(path / "var/lib/apt/lists")
    checkout = f"{tree.home}/kentino configurator"
    lay_checkout(tree, checkout)
    yield tree.run(" ".join(("dev.py test", *tests)), "python3", "dev.py", "test", *tests, folder=checkout)
    yield tree.run("dev.py run", "python3", "dev.py", "run", folder=checkout)
    one_test = ("python3", "dev.py", "test", "-n", "0", "tests/unit/test_paths.py")
    yield tree.run("second start, no network", *one_test, folder=checkout, network=False)
    with virtual_screen() as display:
        version = ("python3", "dev.py", "run", "--version")
        yield tree.run("libraries of the window", *version, folder=checkout, display=display)
        window = ("sh", "-c", STAYS_OPEN, "sh", "python3", "dev.py", "run")
        yield tree.run("the window opens", *window, folder=checkout, display=display)


def lay_checkout(tree: Tree, folder: str) -> None:
    """What a clone of the last commit holds, in a folder with a blank in its name."""
    target = tree.path / folder.lstrip("/")
    target.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", target], input=archive.stdout, check=True)
    subprocess.run(["chroot", tree.path, "chown", "-R", f"{tree.user}:", folder], check=True)


def frozen_trial(release: str) -> Iterator[Step]:
    """The packaged program, without Python and network."""
    if not FROZEN.is_dir():
        sys.exit(f"{FROZEN} is missing; make it with: python3 dev.py package")
    path = fresh_copy(bare_tree(release), f"{release}-frozen")
    shutil.copytree(FROZEN, path / "opt" / FROZEN.name, symlinks=True)
    tree = Tree(path=path, user=TESTER)
    program = f"/opt/{FROZEN.name}/{FROZEN.name}"
    yield tree.run("there is no Python", "sh", "-c", "! command -v python3", network=False)
    yield tree.run("self-test", program, "self-test", folder=tree.home, network=False)
    yield tree.run("the example", program, "demo", "--out", "out", folder=tree.home, network=False)
    with virtual_screen() as display:
        window = ("sh", "-c", STAYS_OPEN, "sh", program)
        yield tree.run("the window opens", *window, folder=tree.home, display=display)


def run_trials(arguments: argparse.Namespace) -> bool:
    releases = [arguments.release] if arguments.release else list(RELEASES)
    users = [arguments.user] if arguments.user else list(INSTALLED)
    results: list[tuple[str, Step]] = []
    for release in releases:
        trials = {f"{release}, {user}": source_trial(release, user, arguments.tests) for user in users}
        if arguments.command == "frozen":
            trials = {}
        if arguments.command in ("frozen", "all"):
            trials[f"{release}, frozen"] = frozen_trial(release)
        for name, trial in trials.items():
            print(name, flush=True)
            results += [(name, step) for step in trial]
    print("\nResult")
    for name, step in results:
        print(f"  {'passed' if step.passed else 'FAILED'}  {step.seconds:6.1f} s  {name}: {step.title}")
    return all(step.passed for _, step in results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=("source", "frozen", "all", "clean"))
    parser.add_argument("--release", choices=RELEASES)
    parser.add_argument("--user", choices=tuple(INSTALLED))
    parser.add_argument("--tests", nargs="*", default=[], help="only these, for a quick look")
    arguments = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap") or not shutil.which("Xvfb"):
        sys.exit("This needs root, debootstrap and Xvfb (sudo apt-get install debootstrap xvfb).")
    if arguments.command == "clean":
        shutil.rmtree(CACHE, ignore_errors=True)
        return 0
    return 0 if run_trials(arguments) else 1


if __name__ == "__main__":
    sys.exit(main())
