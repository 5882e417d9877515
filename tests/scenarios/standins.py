"""Children for the launcher's tests: they keep to the launcher's protocol and need nothing but Python.

`standins.py NOTES KIND --launcher PID [--listen-fd N]` writes a line to the file NOTES for each thing that happens.
"""

import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from types import FrameType

NOTES, KIND = sys.argv[1:3]


def note(what: str) -> None:
    with Path(NOTES).open("a", encoding="utf-8") as file:
        file.write(f"{KIND} {os.getpid()} {what}\n")


def stop(number: int, _frame: FrameType | None) -> None:
    note("stopped")
    sys.exit(0)


def follow_launcher() -> None:
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def answer() -> None:
    listener = socket.socket(fileno=int(sys.argv[sys.argv.index("--listen-fd") + 1]))
    listener.listen()
    text = f"{os.environ['DATABASE_URL']} {os.environ['REDIS_URL']}"
    while True:
        connection, _ = listener.accept()
        with connection:
            if connection.recv(1000):
                connection.sendall(f"HTTP/1.0 200 OK\r\n\r\n{text}".encode())


def main() -> None:
    if KIND == "refuse":
        sys.exit("palimpsest: the stand-in refuses")
    if KIND == "prepare":
        note("prepared")
        return
    if KIND == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, stop)
    note("loaded")
    if not sys.stdin.buffer.readline():
        sys.exit(1)
    note("going")
    threading.Thread(target=follow_launcher, daemon=True).start()
    if KIND == "api":
        answer()
    while KIND != "crash":
        time.sleep(60)


if __name__ == "__main__":
    main()
