"""What `PrettyMIDI.fluidsynth()` does, by synth: the samples of a song as a numpy array of frames and channels."""

import subprocess
import tempfile

import numpy


def synthesize(song, rate=48000):
    with tempfile.NamedTemporaryFile(suffix=".mid") as file:
        song.write(file.name)
        command = ["synth", "render", file.name, "-o", "-", "--raw", "--bits", "float", "--rate", str(rate)]
        raw = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return numpy.frombuffer(raw, dtype="<f4").reshape(-1, 2)
