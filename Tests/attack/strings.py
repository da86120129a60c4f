"""Strings that something else might interpret: a sound library, a file system, a shell, a terminal, a parser."""
import itertools

CONTROLS = ["\0", "\x1b[2J", "\x1b]0;owned\a", "\a", "\r\n", "\n", "\t", "\x7f", "\x9b31m", "\u202e", "\u2028", "\ufeff"]
NUMBERS = ["nan", "-nan", "inf", "-inf", "1e400", "-1e400", "0x1p1024", "1e-400", "-0", "9223372036854775808",
           "-9223372036854775809", "18446744073709551616", "1" * 400, "0." + "0" * 400 + "1", "1e", "--1", "+", "٣",
           "1,5", "1_000"]


def devices(marker):
    """ALSA names that run a program or write a file named `marker`."""
    file = [f"file:'|touch {marker}',raw", f"file:{marker},raw", f"file:FILE={marker},FORMAT=raw", f"tee:default,{marker},raw",
            f"tee:null,'|touch {marker}',raw", f"file:'{marker}'", f"file:|touch {marker}"]
    inline = [f'{{type file slave.pcm null file "{marker}" format raw}}',
              f'{{ type file slave.pcm "null" file "|touch {marker}" format raw }}',
              f'{{ type asym playback.pcm {{ type file slave.pcm null file "{marker}" format raw }} }}']
    prefixes = ["", " ", "plug:", "plughw:", "hw:", "default:", "sysdefault:", "dmix:", "softvol:", "null:", "plug:SLAVE=",
                "plug:'", "empty:", "asym:", "cards.", "pcm.", "defaults.", "HW:", "hw:0,0,", "hw:CARD=", "\t", "default ", "null,",
                "hw:0 ", "multi:", "ladspa:", "share:", "shm:", "rate:", "route:", "copy:", "meter:", "hooks:", "iec958:",
                "surround51:", "front:", "pulse:", "pipewire:", "jack:", "oss:", "usbstream:", "dsnoop:"]
    yield from (prefix + name for prefix, name in itertools.product(prefixes, file + inline))
    yield from (f"plug:\"{name}\"" for name in file)


def paths(folder, names):
    """Ways to name files that lie in `folder`, which is none of the program's."""
    for name in names:
        path = f"{folder}/{name}"
        yield from [path, f"file://{path}", f"/{path}", f"/.{path}", path + "\0.flac", path + "/", path + "/.", f"'{path}'",
                    f'"{path}"', path.replace("/", "\\"), path.replace("/", "%2f"), path.replace("/", "\u2215")]
        yield from ("../" * depth + path[1:] for depth in range(1, 17))
        yield from (f"{begin}/../../../../../../../..{path}" for begin in ("a", ".", "recordings", "presets", "~", "flat"))
        yield from (path + ending for ending in (".json", ".flac", ".wav", ".mid", ".sf2", ".sfz", " ", ".", ".json.json"))
    yield from ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/kmsg", "/proc/self/mem", "/dev/zero", "/dev/full",
                "/dev/stdin", "/dev/tty", "/dev/fd/0", "/", "//", ".", "..", "~", "~/", "~root", "~root/.bashrc", "-", "--",
                "--help", "-rf", "*", "?", "[a]", "{a,b}", "$HOME", "${HOME}", "CON", "nul", ".hidden", "..flac", "a/b.flac",
                "a\\b.flac", "recordings", "synth.sock"]


def texts(marker):
    """Commands for a shell, formats, markup, JSON, control characters, and much of everything."""
    yield from [f"$(touch {marker})", f"`touch {marker}`", f"; touch {marker}", f"| touch {marker}", f"&& touch {marker}",
                f"a.flac; touch {marker}", f"$(touch {marker}).flac", "%n%n%n%n", "%s" * 50, "%x.flac", "<script>alert(1)</script>",
                "'\"><img src=x>", '{"do": "quit"}', "quit\nquit", "a\nquit", "[" * 5000, "{" * 5000, "\"" * 501, "\\" * 501,
                "bands:" + ",".join(["nan"] * 10), "bands:" + "9" * 3000, "sampler+" * 500, "1=" * 500, "track:" * 500]
    for control in CONTROLS:
        yield from [control, f"a{control}b", f"a{control}.flac", f"{control}flat", control * 200, f"flat{control}quit",
                    f"{control}/etc/passwd", f"/etc{control}/passwd", f"hw:{control}", f"default{control}", f"..{control}/a",
                    f"{control}-6", f"1{control}2"]
    for length in (1, 99, 100, 101, 255, 256, 4095, 4096, 30000, 60000):
        yield from ["a" * length, "é" * (length // 2), "a" * length + ".flac", "../" * (length // 3), " " * length + "a"]
    yield from NUMBERS


def nasty(folder, marker, names):
    """All of them, each once."""
    return list(dict.fromkeys([*devices(marker), *paths(folder, names), *texts(marker)]))
