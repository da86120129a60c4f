"""Files that are none, at every place where the program takes one: it ends soon, with a line and within its memory."""
import os
import resource
import signal
import subprocess
import tempfile
import time

from program import SONGS

SONG = f"{SONGS}/busy_schedule.mid"
LIMIT = 20  # seconds; on a busy machine
MEMORY = 400 << 20  # bytes
# Where a file may be named; `?` is the file.
PLACES = {
    "song": ["render", "?", "-o", "out.wav"], "info": ["info", "?"], "font": ["font", "?"],
    "soundfont": ["render", SONG, "--soundfont", "?", "-o", "out.wav", "--seconds", "1"],
    "FluidSynth's soundfont": ["render", SONG, "--engine", "fluidsynth", "--soundfont", "?", "-o", "out.wav", "--seconds", "1"],
    "preset": ["render", SONG, "--preset", "?", "-o", "out.wav", "--seconds", "1"],
    "instrument": ["render", SONG, "--instrument", "?", "-o", "out.wav", "--seconds", "1"],
    "configuration": ["--config", "?", "--out", "null", SONG], "manifest": ["render", SONG, "-o", "out", "--manifest", "?"],
}


def kinds(folder):
    """Files, by what they are."""
    made = {}
    for ending in ("mid", "wav", "flac", "sf2", "sf3", "json", "m3u", "ogg", "sfz"):
        os.mkfifo(f"{folder}/fifo.{ending}")
        with open(f"{folder}/sparse.{ending}", "wb") as file:
            file.truncate(1 << 40)
        open(f"{folder}/empty.{ending}", "w").close()
        os.symlink("/dev/zero", f"{folder}/zero.{ending}")
        os.symlink("/proc/kmsg", f"{folder}/kmsg.{ending}")
        os.mkdir(f"{folder}/folder.{ending}")
        for kind in ("fifo", "sparse", "empty", "zero", "kmsg", "folder"):
            made.setdefault(kind, []).append(f"{folder}/{kind}.{ending}")
    return made


ENDINGS = {"song": ("mid", "wav", "m3u"), "info": ("mid", "flac"), "font": ("sf2",), "soundfont": ("sf2", "sf3", "wav"),
           "FluidSynth's soundfont": ("sf2",), "preset": ("json",), "instrument": ("json", "wav", "flac"),
           "configuration": ("json",), "manifest": ("json",)}


def fault(synth, folder, place, path):
    """What is wrong with how the program takes this file; empty for nothing."""
    arguments = [path if word == "?" else word for word in PLACES[place]]
    began = time.monotonic()
    process = subprocess.Popen(
        [os.path.abspath(synth), *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "HOME": folder},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    try:
        told, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=3)
            return f"it has not ended after {LIMIT} s"
        except subprocess.TimeoutExpired:
            process.kill()
            return f"it has not ended after {LIMIT} s, nor by two SIGTERM"
    if process.returncode not in (0, 1, 2):
        return f"it ended with {process.returncode} after {time.monotonic() - began:.1f} s: {told[-300:]!r}"
    lines = told.decode("utf-8", "replace").strip().splitlines()
    return "" if lines else f"it ended with {process.returncode} without a word"


def attacks(synth):
    """A name and a fault, or an empty text, for each place."""
    with tempfile.TemporaryDirectory(prefix="synth-attack-") as folder:
        made = kinds(folder)
        for place, endings in ENDINGS.items():
            faults = []
            for kind, paths in made.items():
                for path in paths:
                    if path.rsplit(".", 1)[1] in endings and (found := fault(synth, folder, place, path)):
                        faults.append(f"{os.path.basename(path)}: {found}")
            yield f"{place} that is no such file", "\n  ".join(faults)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    yield "memory", "" if largest < MEMORY else f"a file that is none took {largest >> 20} MB"
