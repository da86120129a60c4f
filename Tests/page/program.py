"""The program with its page, as the tests of the page start it."""
import array
import json
import math
import os
import re
import subprocess
import tempfile
import threading
import time

SONGS = "/usr/share/games/openttd/baseset/openmsx"
# What keyboards, which are not here, have taught it.
LEARNED = [
    {"controller": 20, "channel": 1, "port": "nanoKONTROL", "node": "mixer", "parameter": "input 2 pan"},
    {"controller": 21, "channel": 1, "node": "main mixer", "parameter": "output gain", "from": -40, "to": 0},
]
TOKEN = "a-secret-of-tests"
RATE, FRAME = 48000, 4  # hertz; bytes


class Card:
    """A sound card's clock without a card: what is played goes through a pipe that is read as fast as it sounds."""

    def __init__(self, folder):
        self.pipe = f"{folder}/card"
        self.level = -120.0  # of the last tenth of a second, in decibels
        os.mkfifo(self.pipe)
        with open(f"{folder}/.asoundrc", "w") as file:
            file.write(
                f'pcm.card {{ type plug slave {{ pcm "pipe" rate {RATE} format S16_LE channels 2 }} }}\n'
                f'pcm.pipe {{ type file slave.pcm null file "{self.pipe}" format raw }}\n')
        threading.Thread(target=self.play, daemon=True).start()

    def play(self):
        with open(self.pipe, "rb", buffering=0) as pipe:
            begin, played = time.monotonic(), 0
            tenth = b""
            while block := pipe.read(RATE // 100 * FRAME):
                tenth += block
                if len(tenth) >= RATE // 10 * FRAME:
                    samples = array.array("h", tenth[: len(tenth) & ~1])
                    square = sum(sample * sample for sample in samples) / len(samples) / 32768**2
                    self.level = 10 * math.log10(max(square, 1e-12))
                    tenth = b""
                played += len(block) / FRAME / RATE
                time.sleep(max(0, begin + played - time.monotonic()))


class Program:
    """synth, playing songs in a card's time, with its page at `address`, and with its token at `url`."""

    def __init__(self, synth, *options, port=0):
        self.folder = tempfile.mkdtemp(prefix="synth-page-")
        self.card = Card(self.folder)
        songs = [f"{SONGS}/busy_schedule.mid", f"{SONGS}/careless_perc_redfarn.mid"]
        places = {name: self.folder for name in ("HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
                                                    "XDG_DATA_HOME")}
        os.mkdir(f"{self.folder}/synth")
        with open(f"{self.folder}/synth/learned.json", "w") as file:
            json.dump({"version": 1, "learned": LEARNED}, file)
        token = f"{self.folder}/token"
        with open(os.open(token, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(TOKEN)
        address = ["--web", f"127.0.0.1:{port}", "--web-token-file", token]
        self.process = subprocess.Popen(
            [os.path.abspath(synth), *songs, "--out", "card", "--repeat", *address, *options], cwd=self.folder,
            env={**os.environ, **places}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        self.told = ""
        for line in self.process.stdout:
            self.told += line
            if match := re.match(r"page +(http://[^/]+/)", line):
                self.address = match[1]
                self.url = f"{self.address}#token={TOKEN}"
                return
        raise SystemExit(f"synth told no page: {self.told}")

    @property
    def port(self):
        return int(re.search(r":(\d+)/", self.url)[1])

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=20)
