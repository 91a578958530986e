"""A headless Chromium for tests of pages: fresh profile, no network of its own."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """Open Chromium with `profile` as its user data folder; its absence fails the test."""
    driver = shutil.which("chromedriver")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not driver or not program:
        pytest.fail(
            "chromium or chromedriver: not found on PATH; install both, for example "
            "apt install chromium chromium-driver"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*_FLAGS, f"--user-data-dir={profile}", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(executable_path=driver))
    try:
        yield chrome
    finally:
        chrome.quit()


def open_page(chrome: webdriver.Chrome, page: Path) -> None:
    """Load a page of the report and wait until all of its charts are drawn."""
    chrome.get(page.as_uri())
    wait(chrome, "document.readyState === 'complete'")
    chrome.execute_script("return drawAll()")
    wait(chrome, "[...document.querySelectorAll('.chart')].every(c => c.dataset.ready)")


def wait(chrome: webdriver.Chrome, condition: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not chrome.execute_script(f"return {condition}"):
        if time.monotonic() > end:
            pytest.fail(f"the page never came to: {condition}; console: {chrome.get_log('browser')}")
        time.sleep(0.05)


def click(chrome: webdriver.Chrome, element: WebElement, seconds: float = 60) -> None:
    """Click what a reader would, once it stands still: the driver measures, and then clicks."""

    def clicked(_: webdriver.Chrome) -> bool:
        chrome.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()
        return True

    # On a busy machine a page may still move between the two: nothing was clicked then.
    WebDriverWait(chrome, seconds, ignored_exceptions=[ElementClickInterceptedException]).until(clicked)


def emulate(chrome: webdriver.Chrome, *, scheme: str = "light", width: int = 1280) -> None:
    """Prefer a colour scheme, at a width; below 600 pixels as a phone does."""
    media = {
        "features": [
            {"name": "prefers-color-scheme", "value": scheme},
            # Scrolling ends where it should before a click is aimed.
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
    }
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    screen: dict[str, Any] = {"width": width, "height": 900, "deviceScaleFactor": 1}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**screen, "mobile": width < 600})
