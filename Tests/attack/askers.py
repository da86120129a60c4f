"""Those who ask: by the socket, by the page's WebSocket, by OSC. Each has `ask(line)`, which returns what came back."""
import base64
import json
import os
import socket
import struct
import time

LATE = 20  # seconds; how long an answer may take on a busy machine


class Gone(Exception):
    """The program closed the connection, which it may where a line is no request."""


class SocketAsker:
    """A process of the owner's: one JSON object a line."""

    name = "socket"

    def __init__(self, program):
        self.program = program
        self.connect()

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LATE)
        end = time.monotonic() + LATE
        while True:
            try:
                self.socket.connect(f"{self.program.folder}/synth.sock")
                break
            except BlockingIOError:  # as many wait to be accepted as may
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.rest = b""
        self.read()  # the greeting

    def read(self):
        while b"\n" not in self.rest:
            block = self.socket.recv(65536)
            if not block:
                raise Gone
            self.rest += block
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def send(self, text):
        self.socket.sendall(text.encode("utf-8", "surrogatepass") + b"\n")

    def request(self, request):
        """Asks, connecting again where the program has hung up."""
        try:
            self.send(json.dumps({"id": 1, **request}))
            while True:
                answer = self.read()
                if "id" in answer or "error" in answer:
                    return json.dumps(answer)
        except (Gone, BrokenPipeError, ConnectionResetError):
            self.socket.close()
            self.connect()
            return ""

    def ask(self, line):
        return self.request({"do": line})


class PageAsker(SocketAsker):
    """A browser's page: one JSON object a message of a WebSocket (RFC 6455)."""

    name = "page"

    def connect(self):
        host = f"127.0.0.1:{self.program.port}"
        self.socket = socket.create_connection(("127.0.0.1", self.program.port), LATE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
             f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
             f"Sec-WebSocket-Protocol: synth.1, token.{self.program.token}\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.fill()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.splitlines()[0]:
            raise Gone(head.splitlines()[0].decode())
        self.read()

    def fill(self):
        block = self.socket.recv(65536)
        if not block:
            raise Gone
        self.rest += block

    def take(self, count):
        while len(self.rest) < count:
            self.fill()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def read(self):
        message, is_last = b"", False
        while not is_last:
            first, length = self.take(2)
            is_last = first & 0x80 != 0
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if first & 0x0F == 8:
                raise Gone
            if first & 0x0F in (0, 1):
                message += payload
        return json.loads(message)

    def send(self, text):
        self.socket.sendall(frame(text.encode("utf-8", "surrogatepass")))


def frame(payload, is_masked=True):
    """A text frame, whole."""
    size, mask = len(payload), os.urandom(4)
    flag = 0x80 if is_masked else 0
    if size < 126:
        head = bytes([0x81, flag | size])
    elif size < 65536:
        head = bytes([0x81, flag | 126]) + struct.pack(">H", size)
    else:
        head = bytes([0x81, flag | 127]) + struct.pack(">Q", size)
    if not is_masked:
        return head + payload
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))


class NetworkAsker:
    """Somebody who can send to the OSC port."""

    name = "network"

    def __init__(self, program, source=("127.0.0.1", 0)):
        self.target = ("127.0.0.1", program.osc_port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(source)
        self.sent = self.received = 0

    def ask(self, line):
        """The first word is the address, the others are arguments; more is a datagram's size than UDP carries."""
        words = line.split(" ")
        packet = message("/" + words[0], *words[1:2], *([" ".join(words[2:])] if len(words) > 2 else []))
        if len(packet) > 65000:
            return ""
        self.send(packet)
        # An answer that takes longer is read with the next one.
        return self.answers(0.002)

    def send(self, packet):
        self.sent += len(packet)
        self.socket.sendto(packet, self.target)

    def answers(self, seconds):
        """What comes until nothing has come for so long, or in two seconds."""
        self.socket.settimeout(seconds)
        answers, end = b"", time.monotonic() + 2
        try:
            while time.monotonic() < end:
                answers += self.socket.recv(65536)
        except TimeoutError:
            pass
        self.received += len(answers)
        return answers.decode("utf-8", "replace")


def message(address, *arguments):
    """An OSC message with texts and numbers."""
    types, data = ",", b""
    for argument in arguments:
        types += "s" if isinstance(argument, str) else "f"
        data += padded(argument) if isinstance(argument, str) else struct.pack(">f", argument)
    return padded(address) + padded(types) + data


def padded(text):
    data = text.encode("utf-8", "surrogatepass").replace(b"\0", b"") + b"\0"
    return data + b"\0" * (-len(data) % 4)
