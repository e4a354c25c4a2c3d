"""A page in headless Chromium, driven by the DevTools protocol over a pipe: one JSON message, then a zero byte."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

CHROMIUM = shutil.which("chromium")


class Page:
    """One tab. What a page complains of, and what it asks the network for, is kept in `faults`."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        their_input, self.output = os.pipe()
        self.input, their_output = os.pipe()

        def place_pipes():  # where --remote-debugging-pipe looks for them
            kept = os.dup(their_input), os.dup(their_output)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.unread = b""
        self.number = 0
        self.session = None
        self.faults = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(domain + ".enable")

    def look(self, width, height, dark):
        """What the next pages are shown on."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 700)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.folder.cleanup()

    def message(self):
        while b"\0" not in self.unread:
            more = os.read(self.input, 1 << 16)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.unread += more
        text, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, what = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.faults.append(what["exceptionDetails"].get("exception", {}).get("description", str(what)))
        if method == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.faults.append(what["entry"]["text"])
        if method == "Network.requestWillBeSent" and not what["request"]["url"].startswith("file:"):
            self.faults.append("asks for " + what["request"]["url"])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, file):
        self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def script(self, text):
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=text, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def text(self, selector):
        return self.script(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        return self.script(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText)")

    def click(self, selector):
        self.script(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))
