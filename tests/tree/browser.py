"""A Chromium without a window, driven through its debugging pipe: JSON messages that end with a zero byte, on descriptors 3
and 4 of the process. Python's own library is enough."""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def found():
    """The command of an installed Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Gone(Exception):
    """The browser does not answer."""


class Browser:
    def __init__(self, command, seconds=90):
        self.seconds, self.number, self.buffer, self.events = seconds, 0, b"", []
        self.profile = tempfile.mkdtemp(prefix="simdp-browser-")
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()
        # above the two that they become, so that neither is overwritten before it is copied
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (theirs_in, theirs_out)]

        def place():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [command, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self.profile}",
             *sandbox, "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (theirs_in, theirs_out, *high):
            os.close(fd)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.ask(f"{domain}.enable")

    def message(self):
        """The next one, within the time that is left."""
        end = time.monotonic() + self.seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.into, 1 << 20) if ready else b""
            if not piece:
                raise Gone(f"no answer within {self.seconds} s" if not ready else "it has ended")
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Gone(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def ask(self, method, **parameters):
        return self.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def show(self, address, width=1280, height=900, scheme="light"):
        """Loads a page of that size and colour scheme, and waits until it says that it is ready."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                         {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.events = []
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=address)
        end = time.monotonic() + self.seconds
        while self.evaluate("location.href") == "about:blank" or self.evaluate("document.documentElement.dataset.ready") != "yes":
            if time.monotonic() > end:
                raise Gone(f"{address} does not get ready")
            time.sleep(0.05)

    def press(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        for fd in (self.out, self.into):
            os.close(fd)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
