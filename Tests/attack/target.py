"""The program under attack, with files that are none of its clients' business beside it."""
import os
import re
import signal
import subprocess
import tempfile

from program import SONGS, Card

SECRET = "the-owner's-secret"


class Target:
    """synth, playing a song in a card's time, with all its doors open."""

    def __init__(self, synth):
        self.folder = tempfile.mkdtemp(prefix="synth-attack-")
        self.card = Card(self.folder)
        self.marker = f"{self.folder}/marker"
        self.private = f"{self.folder}/private"
        os.mkdir(self.private)
        for name in ("secret.json", "secret.sf2", "secret.wav", "secret.mid", "learned.json"):
            with open(f"{self.private}/{name}", "w") as file:
                file.write(f'{{"{SECRET}": 1, "bands": "{SECRET}"}}')
        os.mkfifo(f"{self.private}/fifo.json")
        os.mkfifo(f"{self.private}/fifo.flac")
        self.names = os.listdir(self.private)
        self.before = self.private_files()
        homes = {name: f"{self.folder}/home" for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        os.mkdir(homes["XDG_DATA_HOME"])
        self.process = subprocess.Popen(
            [os.path.abspath(synth), f"{SONGS}/busy_schedule.mid", "--out", "card", "--repeat", "--web", "127.0.0.1:0", "--osc",
             "127.0.0.1:0", "--socket", f"{self.folder}/synth.sock"],
            cwd=self.folder, env={**os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, **homes},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.told = ""
        ports = {}
        for line in self.process.stdout:
            self.told += line
            if match := re.match(r"(page|osc) .*?:(\d+)", line):
                ports[match[1]] = int(match[2])
            if len(ports) == 2:
                break
        else:
            raise SystemExit(f"attack: synth opened no doors: {self.told}")
        self.port, self.osc_port = ports["page"], ports["osc"]
        # What it tells from now on must not fill the pipe.
        self.rest = open(f"{self.folder}/told", "w+")
        subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=self.rest)
        with open(f"{homes['XDG_STATE_HOME']}/synth/web-token") as file:
            self.token = file.read().strip()

    def private_files(self):
        return {name: os.lstat(f"{self.private}/{name}")[:9] for name in os.listdir(self.private)}

    def harm(self):
        """What was done that must not be; empty for nothing."""
        if self.process.poll() is not None:
            return f"the program ended with {self.process.returncode}"
        if os.path.exists(self.marker):
            return "a marker was written: a text was taken as a program or a file"
        changed = {name: facts for name, facts in self.private_files().items()
                   if facts[:1] + facts[6:] != self.before.get(name, ())[:1] + self.before.get(name, ())[6:]
                   and (name not in self.before or facts[8] != self.before[name][8])}
        return f"files changed that are none of a client's: {sorted(changed)}" if changed else ""

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)
