#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: browser_test.py [FOLDER]

What a student does in Jupyter's own page, driven in a headless browser: runs the study guide, whose pictures show;
breaks a kernel and sees the picture of the race; and passes exercise 8. FOLDER gets a picture of each of these.
"""

import asyncio
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import notebook  # noqa: F401
    from tornado.httpclient import AsyncHTTPClient
    from tornado.websocket import websocket_connect
except ImportError as error:
    print(f"SKIP: Jupyter isn't here ({error}); ./setup --notebooks")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
RACE = """%check
racing({.grid = 1, .block = 64}, gpu::zeros<float>(1));"""
KERNEL = """%%cu
__global__ void racing(float* x) { x[0] += threadIdx.x; }"""


def browser():
    for name in (os.environ.get("BROWSER_FOR_TESTS"), "chromium", "chromium-browser", "google-chrome"):
        if name and shutil.which(name):
            return shutil.which(name)
    print("SKIP: a notebook in a browser: there is no chromium (./setup --browser)")
    sys.exit(77)


def wait_for(found, seconds, what):
    """The first true result of found()."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")


class Page:
    """A page of the browser, by its developer's protocol."""

    def __init__(self, connection):
        self.connection, self.asked = connection, 0

    @classmethod
    async def open(cls, folder):
        port = int(wait_for(lambda: (folder / "DevToolsActivePort").exists() and
                            (folder / "DevToolsActivePort").read_text().split("\n")[0], 60, "the browser's port"))
        pages = json.loads((await AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}/json/list")).body)
        address = next(one["webSocketDebuggerUrl"] for one in pages if one["type"] == "page")
        return cls(await websocket_connect(address, max_message_size=1 << 28))

    async def ask(self, method, **parameters):
        self.asked += 1
        await self.connection.write_message(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            text = await self.connection.read_message()
            if text is None:
                raise AssertionError(f"the browser has gone, at {method}")
            answer = json.loads(text)
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    async def value(self, expression):
        answer = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def until(self, expression, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if await self.value(f"(() => {{ try {{ return {expression}; }} catch (e) {{ return false; }} }})()"):
                return
            await asyncio.sleep(0.2)
        raise AssertionError(f"not within {seconds} s: {expression}")

    async def picture(self, file):
        shot = await self.ask("Page.captureScreenshot")
        file.write_bytes(base64.b64decode(shot["data"]))


class Notebook:
    """A notebook that is open in a page: its cells by their numbers."""

    def __init__(self, page, folder):
        self.page, self.folder = page, folder

    async def open(self, address):
        await self.page.ask("Page.navigate", url=address)
        await self.page.until("Jupyter.notebook.kernel.is_connected() && Jupyter.notebook._fully_loaded", 60)

    async def idle(self, seconds):
        """Until each cell has a number of an execution and nothing runs."""
        await self.page.until("!Jupyter.notebook.kernel_busy && Jupyter.notebook.get_cells().every(one => "
                              "one.cell_type !== 'code' || one.input_prompt_number > 0)", seconds)

    async def run_all(self, seconds):
        await self.page.value("Jupyter.notebook.execute_all_cells()")
        await self.idle(seconds)

    async def add(self, text, seconds):
        """Runs a new cell at the end: the text of its outputs."""
        await self.page.value(f"""(() => {{
            const cell = Jupyter.notebook.insert_cell_at_bottom('code');
            cell.set_text({json.dumps(text)});
            cell.execute();
            cell.focus_cell();
            cell.element[0].scrollIntoView();
        }})()""")
        await self.idle(seconds)
        return await self.page.value("Jupyter.notebook.get_cells().slice(-1)[0].element.find('.output').text()")

    async def see(self, name):
        if self.folder:
            await asyncio.sleep(0.5)
            await self.page.picture(self.folder / f"{name}.png")


async def walk(page, address, folder):
    book = Notebook(page, folder)
    await book.open(address + "/notebooks/notebooks/study-guide.ipynb")
    await book.run_all(240)
    errors = await page.value("$('.output_error').text()")
    assert not errors, f"the study guide fails: {errors}"
    await page.until("$('.output_png img').toArray().every(one => one.complete && one.naturalWidth > 16)", 20)
    pictures = await page.value("$('.output_png img').length")
    assert pictures == 4, f"{pictures} pictures, not rings, their blur, edges and the Mandelbrot set"
    for k in range(pictures):
        await page.value(f"$('.output_png img')[{k}].scrollIntoView({{block: 'center'}})")
        await book.see(f"picture-{k}")

    assert "kernels: racing" in await book.add(KERNEL, 60)
    said = await book.add(RACE, 120)
    assert "lost update" in said, said
    shown = await page.value("Jupyter.notebook.get_cells().slice(-1)[0].element.find('.output_svg svg')"
                             ".toArray().map(one => one.getBoundingClientRect().height)")
    assert shown and min(shown) > 50, f"the race has no picture: {shown}"
    await book.see("race")

    said = await book.add("%exercise 8", 60)
    assert "Exercise 8" in said, said
    for name in ("raw_add.cpp", "raw_add.cu"):
        said = await book.add(f"%exercise 8 {name}\n" + (ROOT / "solutions/08-raw-add" / name).read_text(), 240)
    assert re.search(r"Exercise 8 .*passed", said), said
    await book.see("exercise")
    print(f"the study guide with {pictures} pictures, a race's picture and exercise 8, in a browser")


def main():
    program = browser()
    if not (ROOT / "solutions").exists():
        print("SKIP: an edition without solutions")
        return 77
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as scratch:
        course, home, profile = (Path(scratch) / name for name in ("a course", "home", "profile"))
        for one in (course / "work", home, profile):
            one.mkdir(parents=True)
        for name in ("exercises", "lessons", "solutions", "docs", "capstone", "libgpu", "autograder"):
            (course / name).symlink_to(ROOT / name)
        tutorials = course / "notebooks"   # copies: Jupyter saves what is open
        tutorials.mkdir()
        shutil.copy(ROOT / "lessons/tutorials/study-guide.ipynb", tutorials)
        environment = {**os.environ, "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "JUPYTER_DATA_DIR": str(home),
                       "JUPYTER_RUNTIME_DIR": str(home)}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{free.getsockname()[1]}"
        log = open(Path(scratch) / "log", "w+", encoding="utf-8")
        server = subprocess.Popen(
            [sys.executable, "-m", "notebook", "--no-browser", "--ip=127.0.0.1", f"--port={address.split(':')[-1]}",
             "--allow-root", "--NotebookApp.token=", "--NotebookApp.password=", f"--notebook-dir={course}"],
            env=environment, stdout=log, stderr=log)
        shown = subprocess.Popen([program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                  f"--user-data-dir={profile}", "--window-size=1100,900", "about:blank"],
                                 env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        async def all_of_it():
            await walk(await Page.open(profile), address, folder)
        try:
            wait_for(lambda: "is running at" in (Path(scratch) / "log").read_text(encoding="utf-8"), 60, "Jupyter")
            asyncio.run(all_of_it())
        except AssertionError as error:
            print(error)
            print((Path(scratch) / "log").read_text(encoding="utf-8")[-3000:])
            return 1
        finally:
            for one in (shown, server):
                one.terminate()
            for one in (shown, server):
                try:
                    one.wait(10)
                except subprocess.TimeoutExpired:
                    one.kill()
                    one.wait()
            log.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
