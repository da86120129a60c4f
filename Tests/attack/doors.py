"""Attacks on the doors themselves: no token, silence, floods, frames that are none, forged senders."""
import http.client
import json
import os
import socket
import subprocess

from askers import LATE, Gone, NetworkAsker, PageAsker, SocketAsker, frame, message


def works(target):
    """Whether honest clients are served."""
    for asker in (SocketAsker, PageAsker):
        if '"answer"' not in asker(target).ask("status"):
            return f"{asker.name} is not served any more"
    return ""


def page_without_token(target):
    class Stranger(PageAsker):
        pass
    for token in ("", "a" * 32, target.token[:-1], target.token + "a"):
        stranger = Stranger.__new__(Stranger)
        stranger.program = type("Program", (), {"port": target.port, "token": token, "folder": target.folder})
        try:
            stranger.connect()
            return f"the page was opened with the token {token!r}"
        except Gone:
            pass
    return works(target)


def foreign_names(target):
    for host in ("evil.example", f"evil.example:{target.port}", "", "127.0.0.1.evil.example", "\x1b[2J"):
        connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=LATE)
        connection.putrequest("GET", "/", skip_host=True)
        connection.putheader("Host", host)
        connection.endheaders()
        try:
            if connection.getresponse().status == 200:
                return f"the page was given to {host!r}"
        except (http.client.HTTPException, OSError):
            pass
    return ""


def silent_connections(target):
    silent = [socket.create_connection(("127.0.0.1", target.port), LATE) for _ in range(100)]
    local = []
    for _ in range(100):
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(LATE)
        try:
            one.connect(f"{target.folder}/synth.sock")
        except OSError:
            break
        local.append(one)
    fault = works(target)
    for one in silent + local:
        one.close()
    return fault


def unmasked_frame(target):
    """RFC 6455 has it closed; libwebsockets 4.1 reads it, which gives nobody more than the token gave."""
    page = PageAsker(target)
    page.socket.sendall(frame(json.dumps({"id": 1, "do": "gain -40"}).encode(), is_masked=False))
    try:
        while "id" not in page.read():
            pass
        print("  this libwebsockets reads unmasked frames")
    except (Gone, ConnectionResetError):
        print("  the connection is closed")
    return works(target)


def endless_lines(target):
    """Lines without end, of every depth, and a client that reads nothing."""
    for block in (b"a" * 70000, b"[" * 70000, b'{"do": "' + b"\\" * 70000, b"\xff\xfe\n" * 1000, b"\0" * 70000):
        for door in (socket.AF_UNIX, socket.AF_INET):
            one = socket.socket(door)
            one.settimeout(LATE)
            one.connect(f"{target.folder}/synth.sock" if door == socket.AF_UNIX else ("127.0.0.1", target.port))
            try:
                one.sendall(block)
            except OSError:
                pass
            one.close()
    deaf = SocketAsker(target)
    try:
        for _ in range(2000):
            deaf.socket.settimeout(0.2)
            deaf.send('{"state": true}')
    except OSError:
        pass
    return works(target)


def another_user(target, script):
    """What a script prints that another user of this machine runs, who may not read this folder."""
    with open(f"{os.path.dirname(__file__)}/askers.py") as file:
        script = file.read() + STRANGER + script
    result = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, str(target.osc_port)],
        capture_output=True, text=True, timeout=60, cwd="/")
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return result.stdout


STRANGER = """
import sys
program = type("Program", (), {"osc_port": int(sys.argv[1])})
"""


def subscription_for_another(target):
    """Who has proved nothing gets no more than came from there: the address may be another's."""
    told = another_user(target, """
asker = NetworkAsker(program)
for _ in range(3):
    asker.send(message("/subscribe", 60.0))
asker.answers(1)
print(asker.sent, asker.received)
""")
    sent, received = map(int, told.split())
    print(f"  another user's subscription: {sent} bytes sent, {received} received")
    return f"{sent} bytes brought {received}" if received > sent else ""


def many_senders(target):
    """A hundred addresses do not shut out the next one."""
    another_user(target, """
crowd = [NetworkAsker(program, (f"127.0.0.{number}", 0)) for number in range(2, 102)]
for asker in crowd:
    asker.send(message("/subscribe", 60.0))
""")
    honest = NetworkAsker(target)
    honest.send(message("/subscribe"))
    answers = honest.answers(0.5)
    honest.send(message("/unsubscribe"))
    return "" if "/channel/1/level" in answers else f"the next one is told nothing: {answers[:200]!r}"


def odd_packets(target):
    asker = NetworkAsker(target)
    bundle = b"#bundle\0" + b"\0" * 8
    nested = message("/gain", -3.0)
    for _ in range(50):
        nested = bundle + len(nested).to_bytes(4, "big") + nested
    for packet in (b"", b"/", b"/\0\0\0,", bundle, bundle + b"\xff\xff\xff\xff", bundle + b"\x80\0\0\0", nested, b"\0" * 60000,
                   b"/gain\0\0\0,f\0\0\x7f\xc0\0\0", b"/gain\0\0\0,f\0\0\x7f\x80\0\0", b"/midi\0\0\0,m\0\0\0",
                   b"/a\0\0," + b"T" * 50000 + b"\0\0\0", b"/note\0\0\0,iii\0\0\0\0\x7f\xff\xff\xff\x80\0\0\0\0\0\0\0"):
        asker.send(packet)
    asker.answers(0.3)
    return works(target)


ATTACKS = [
    ("page without its token", page_without_token), ("names of other sites", foreign_names),
    ("silent connections", silent_connections), ("unmasked frame", unmasked_frame), ("endless lines", endless_lines),
    ("subscription for another", subscription_for_another), ("many senders", many_senders), ("odd packets", odd_packets),
]
