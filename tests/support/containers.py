"""A real container engine with a small image made of this machine's busybox; the reason where there is none."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

IMAGE = "localhost/benchbar-test-busybox:2"
_BUSYBOX = ("/bin/busybox", "/usr/bin/busybox", "/bin/busybox-static")


class NoContainerError(Exception):
    """Why no container can be had."""


def image(folder: Path) -> str:
    """The name of the image, made where it is not there.

    Raises:
        NoContainerError: no engine, or no busybox to make an image of.
    """
    engine = next(filter(None, map(shutil.which, ("podman", "docker"))), None)
    if engine is None:
        raise NoContainerError("neither podman nor docker is installed")
    # Debian's crun refuses machines with both kinds of cgroups, where runc does not.
    if Path(engine).name == "podman" and shutil.which("runc") and "CONTAINERS_CONF" not in os.environ:
        settings = folder / "containers.conf"
        settings.write_text('[engine]\nruntime = "runc"\n')
        os.environ["CONTAINERS_CONF"] = str(settings)
    if subprocess.run([engine, "image", "inspect", IMAGE], capture_output=True, check=False).returncode:
        made = subprocess.run([engine, "import", "-", IMAGE], input=_root(), capture_output=True, check=False)
        if made.returncode:
            raise NoContainerError(f"{engine} cannot make an image: {made.stderr.decode('utf-8', 'replace')[-300:]}")
    return IMAGE


def _root() -> bytes:
    """A root file system of busybox alone."""
    busybox = next((Path(one) for one in _BUSYBOX if Path(one).is_file()), None)
    if busybox is None:
        raise NoContainerError("there is no busybox to make an image of (busybox-static)")
    listed = subprocess.run([str(busybox), "--list"], capture_output=True, text=True, check=True)
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as archive:
        archive.add(busybox, "bin/busybox")
        for name in sorted(set(listed.stdout.split()) - {"busybox"}):
            link = tarfile.TarInfo(f"bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, "busybox"
            archive.addfile(link)
        made = tarfile.TarInfo("tmp")
        made.type, made.mode = tarfile.DIRTYPE, 0o1777
        archive.addfile(made)
    return memory.getvalue()
