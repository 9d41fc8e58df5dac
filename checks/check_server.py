#!/usr/bin/env python3
"""Loads the server of `entente serve` as fifty tabs and as an attacker, and says what it does.

    checks/check_server.py [--program target/release/entente] [--tabs 50] [--schemathesis 10000]

Starts the program itself. Fifty tabs ask for positions at once: all are answered, or told to wait, in order; memory is
bounded; a tab that is killed gives up its search; stopping takes less than 100 ms. Then come large bodies, slow clients,
foreign hosts, paths out of the page, and text that is not JSON. With --schemathesis (which is not among what
requirements.txt names: python3 -m pip install schemathesis), so many requests are made of the server's own description.
Exit status 1 if something is wrong.
"""

import argparse
import asyncio
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAULTS = []
HARD = {"constraint": "theme=boden puzzle>=2500", "count": 100, "seconds": 600}


def expect(holds, what):
    print(f"{'ok  ' if holds else 'BAD '} {what}")
    if not holds:
        FAULTS.append(what)


class Server:
    """The program, serving."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.host = self.address.removeprefix("http://")
        self.port = int(self.host.split(":")[1])

    def mebibytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=20)
        text = self.process.stderr.read()
        expect(status == 0 and "panicked" not in text, f"the program ends with status {status} and no panic")


async def opened(server, head, body=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(head.encode() + body)
    await writer.drain()
    return reader, writer


def post(server, name, arguments, tab="", stream=True, **headers):
    body = json.dumps(arguments).encode()
    lines = {"Host": server.host, "Content-Type": "application/json", "Content-Length": len(body), "X-Tab": tab}
    if stream:
        lines["Accept"] = "text/event-stream"
    lines.update(headers)
    head = f"POST /api/{name} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in lines.items()) + "\r\n"
    return head, body


async def events(reader):
    """The events of a stream, with their data."""
    name = None
    while line := await reader.readline():
        text = line.decode().strip()
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield name, json.loads(text.removeprefix("data: "))
            if name in ("answer", "failed"):
                return


async def status_of(server, head, body=b"", seconds=30):
    try:
        reader, writer = await opened(server, head, body)
        line = await asyncio.wait_for(reader.readline(), seconds)
        writer.close()
        return int(line.split()[1]) if line else 0
    except (ConnectionError, asyncio.TimeoutError):
        return 0


async def load(server, tabs):
    """Many tabs ask at once."""
    begun = []

    async def tab(number):
        arguments = {"constraint": "Q=0 q=0", "count": 3, "realism": "fast", "threads": 1}
        reader, writer = await opened(server, *post(server, "generate", arguments, f"tab {number}"))
        places, found = [], 0
        async for name, data in events(reader):
            if name == "waiting":
                places.append(data["ahead"])
            if name == "started":
                begun.append(number)
            found += name == "position"
        writer.close()
        return places, found

    start = time.monotonic()
    results = await asyncio.gather(*(tab(number) for number in range(tabs)))
    seconds = time.monotonic() - start
    expect(all(found == 3 for _, found in results), f"{tabs} tabs get 3 positions each, {seconds:.1f} s in all")
    expect(all(places == sorted(places, reverse=True) for places, _ in results), "places only move up")
    expect(sum(1 for places, _ in results if places) >= tabs - 2, "all but two are told to wait")
    expect(len(set(begun)) == tabs, "all begin")
    expect(server.mebibytes() < 1500, f"memory {server.mebibytes():.0f} MiB")


async def killed(server):
    """Tabs go without a word, and calls are stopped."""
    writers, begun = [], time.monotonic()
    for number in range(2):
        reader, writer = await opened(server, *post(server, "generate", HARD, f"hard {number}"))
        async for name, _ in events(reader):
            if name == "progress":
                break
        writers.append(writer)
    await asyncio.sleep(1)
    reader, next_writer = await opened(server, *post(server, "generate", HARD, "next"))
    stream = events(reader)
    first, _ = await anext(stream)
    expect(first == "waiting", "the third call waits")
    begun = time.monotonic()
    # As the kernel does when a process is killed: a reset, without goodbye.
    writers[0].transport.abort()
    name, _ = await anext(stream)
    taken = (time.monotonic() - begun) * 1000
    expect(name == "started" and taken < 100, f"it begins {taken:.0f} ms after a tab is killed")
    writers[1].transport.abort()
    next_writer.transport.abort()
    await asyncio.sleep(0.5)
    before = server.processor_seconds()
    await asyncio.sleep(2)
    used = server.processor_seconds() - before
    expect(used < 0.2, f"after all tabs are gone, the program uses {used:.2f} s of processor time in 2 s")


async def attacks(server):
    """What an attacker sends."""
    get = lambda path, **headers: f"GET {path} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in {"Host": server.host, **headers}.items()) + "\r\n"
    check = {"constraint": "Q=0"}
    for what, request, statuses in [
        ("a foreign host (DNS rebinding)", (get("/", Host=f"evil.example:{server.port}"),), {421}),
        ("a post of another site", post(server, "check", check, Origin="http://evil.example"), {403}),
        ("a post of another site without Origin", post(server, "check", check, **{"Sec-Fetch-Site": "cross-site"}), {403}),
        ("a form of another site", post(server, "check", check, **{"Content-Type": "text/plain"}), {415}),
        ("a path out of the page", (get("/../../../etc/passwd"),), {404}),
        ("an encoded path out of the page", (get("/%2e%2e/%2e%2e/etc/passwd"),), {404}),
        ("a path with a backslash", (get("/..\\..\\etc\\passwd"),), {400, 404}),
        ("an absolute address", (get("http://evil.example/"),), {421}),
        ("no HTTP", ("\x00\x01\x02garbage\r\n\r\n",), {400, 0}),
        ("a long head", (get("/" + "a" * 200_000),), {400, 414, 431, 0}),
        ("a script in a constraint", post(server, "check", {"constraint": "</script><script>alert(1)</script>"}, stream=False), {400}),
        ("a deep object", (post(server, "check", {})[0].replace("Content-Length: 2", "Content-Length: 100000"), b"[" * 100_000), {400}),
    ]:
        status = await status_of(server, *request)
        expect(status in statuses, f"{what}: status {status}")

    head, _ = post(server, "check", {})
    head = head.replace("Content-Length: 2", f"Content-Length: {100 << 20}")
    reader, writer = await opened(server, head)
    sent = 0
    try:
        for _ in range(100):
            writer.write(b"x" * (1 << 20))
            await asyncio.wait_for(writer.drain(), 5)
            sent += 1
    except (ConnectionError, asyncio.TimeoutError):
        pass
    line = b""
    try:
        line = await asyncio.wait_for(reader.readline(), 5)
    except (ConnectionError, asyncio.TimeoutError):
        pass
    writer.transport.abort()
    expect(sent < 100 or b"413" in line, f"a body of 100 MiB is cut off ({sent} MiB sent, {line.decode().strip() or 'connection closed'})")
    expect(server.mebibytes() < 1500, f"memory {server.mebibytes():.0f} MiB")

    slow = [await opened(server, "GET / HTTP/1.1\r\nHost: ") for _ in range(100)]
    slow += [await opened(server, post(server, "check", check)[0]) for _ in range(100)]
    begun = time.monotonic()
    status = await status_of(server, get("/api/vocabulary"))
    expect(status == 200 and time.monotonic() - begun < 1, f"with 200 slow clients, another is answered: status {status}")
    await asyncio.sleep(17)
    closed = 0
    for reader, writer in slow:
        try:
            await asyncio.wait_for(reader.read(), 0.5)
            closed += 1
        except asyncio.TimeoutError:
            pass
        except ConnectionError:
            closed += 1
        writer.transport.abort()
    expect(closed == 200, f"{closed} of 200 slow clients are cut off after 15 s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/entente"))
    parser.add_argument("--tabs", type=int, default=50)
    parser.add_argument("--schemathesis", type=int, default=0, metavar="REQUESTS")
    arguments = parser.parse_args()
    server = Server(arguments.program)
    asyncio.run(load(server, arguments.tabs))
    asyncio.run(killed(server))
    asyncio.run(attacks(server))
    if arguments.schemathesis:
        paths = 9
        command = ["schemathesis", "run", f"{server.address}/api/openapi.json", "--phases", "fuzzing", "--checks", "not_a_server_error",
                   "--max-examples", str(arguments.schemathesis // paths), "--request-timeout", "30", "--workers", "2"]
        expect(subprocess.run(command, check=False).returncode == 0, "schemathesis finds no server error")
    server.end()
    print(f"{len(FAULTS)} faults")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
