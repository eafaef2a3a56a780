"""A real browser for tests and benchmarks: Debian's Chromium without a window, driven by its own driver."""

from __future__ import annotations

import contextlib
import os
import shutil

CHROMIUM, DRIVER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"),
    shutil.which("chromedriver"),
)
MISSING = "" if CHROMIUM and DRIVER else "chromium and chromedriver are not installed (Debian: chromium-driver)"


@contextlib.contextmanager
def browser(width: int = 1280, height: int = 900, dark: bool = False):
    """A window of a given size; it ends with the block."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"]
    if os.getuid() == 0:
        arguments.append("--no-sandbox")  # which it refuses to have as root; only our own page is opened
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options, Service(DRIVER))
    try:
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield window
    finally:
        window.quit()


def complaints(window) -> list[str]:
    """What the browser wrote on its console: errors, and what the page's policy forbade."""
    return [entry["message"] for entry in window.get_log("browser")]
