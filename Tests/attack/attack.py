"""Attacks the program. usage: attack.py SYNTH; prints a line for each attack and a count."""
import os
import random
import sys
import time
import traceback

import doors
import files
import strings
from askers import NetworkAsker, PageAsker, SocketAsker
from target import SECRET, Target

SECONDS = float(os.environ.get("SYNTH_ATTACK_SECONDS", 100))
SEED = int(os.environ.get("SYNTH_ATTACK_SEED", time.time()))
# Everything that takes a text, which stands for `?`.
COMMANDS = ["?", "out ?", "record ?", "save ?", "soundfont ?", "preset ?", "instrument ?", "instrument 3=?", "snapshot ?",
            "snapshot save ?", "snapshot delete ?", "learn ?", "learn out ?", "learn record ?", "learn soundfont ?",
            "learn snapshot ?", "unlearn ?", "program 1 ?", "map ?", "route ?", "seek ?", "loop ? ?", "tempo ?", "level ? -3",
            "level 1 ?", "pan 1 ?", "send 1 ? 0.5", "gain ?", "set ? time 1", "set reverb ? 1", "set reverb time ?",
            "set equalizer preset ?", "set instruments ? 1", "metronome ?", "transpose ?", "count-in ?", "song ?", "help ?",
            "reverb ?", "chorus ?", "delay ?", "mute ?", "solo ?", "shuffle ?", "list ?", "status ?"]


def nasty_strings(target):
    """Every string in every command by every asker, in a random order, until time is up; nothing gives."""
    texts = strings.nasty(target.private, target.marker, target.names)
    askers = [SocketAsker(target), PageAsker(target), NetworkAsker(target)]
    pairs = [(command, text) for command in COMMANDS for text in texts]
    random.Random(SEED).shuffle(pairs)
    end, count = time.monotonic() + SECONDS, 0
    for command, text in pairs:
        if time.monotonic() > end:
            break
        line = command.replace("?", text)
        for asker in askers:
            answer = asker.ask(line)
            count += answer != ""
            if SECRET in answer.replace(line, ""):
                return f"{asker.name} was told a secret by {line[:200]!r}: {answer[:400]}"
        if count % 100 < len(askers) and (harm := target.harm()):
            return f"after {line[:200]!r}: {harm}"
    for asker in askers[:2]:
        if SECRET in asker.request({"state": True}):
            return "the state has a secret in it"
    print(f"  {len(texts)} strings in {len(COMMANDS)} commands by {len(askers)} askers: {count} answers of "
          f"{len(pairs) * len(askers)} that there could be, seed {SEED}")
    return target.harm()


def rights(target):
    """Only the owner ends the program; the network and the page write nothing but by name."""
    for asker in (PageAsker(target), NetworkAsker(target)):
        for line in ("quit", "q", "learn quit", "record /tmp/x.flac", "out default", "save ../x.flac"):
            asker.ask(line)
    network = NetworkAsker(target)
    network.ask("record network.flac")
    network.ask("snapshot save network")
    time.sleep(0.5)
    made = [name for _, _, names in os.walk(f"{target.folder}/home") for name in names if "network" in name]
    return target.harm() or (f"the network wrote {made}" if made else "")


def main(synth):
    failed = 0
    attacks = [("strings", nasty_strings), ("rights", rights), *doors.ATTACKS]
    target = Target(synth)
    passed = 0
    for name, attack in attacks:
        began = time.monotonic()
        try:
            fault = attack(target) or target.harm()
        except Exception:
            fault = traceback.format_exc() + (target.harm() or "")
        print(f"{'FAILED' if fault else 'ok'} {name} ({time.monotonic() - began:.1f} s)" + (f"\n  {fault}" if fault else ""))
        failed += bool(fault)
        passed += not fault
        if target.process.poll() is not None:
            target = Target(synth)
    status = target.end()
    if status != 143:
        print(f"FAILED ending: status {status}")
        failed += 1
    for name, fault in files.attacks(synth):
        print(f"{'FAILED' if fault else 'ok'} {name}" + (f"\n  {fault}" if fault else ""))
        failed += bool(fault)
        passed += not fault
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


sys.exit(main(sys.argv[1]))
