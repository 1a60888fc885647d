/**
 * What all editors of the console share: no letter is lost, and typing leaves nothing behind that the content security
 * policy forbids.
 */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

describe.skipIf(!hasBrowser)("an editor", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let editor: Locator;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/console/automation/custom-types`);
    editor = page.getByRole("textbox", { name: "Custom types as JSON" });
  }, 180_000);

  afterAll(() => opened?.close());

  const text = () => editor.innerText();

  beforeEach(async () => {
    await editor.fill('"abc"');
    // Only what is highlighted has a look that the browser would keep.
    await editor.locator("span", { hasText: '"abc"' }).waitFor();
    await page.keyboard.press("Control+a");
  });

  it("types over a selection", async () => {
    await page.keyboard.type("x");
    await expect.poll(text).toBe("x");
    await page.keyboard.type("yz");
    await expect.poll(text).toBe("xyz");
    expect(opened.complaints).toEqual([]);
  });

  it("types over a selection and takes that back", async () => {
    await page.keyboard.insertText("other");
    await expect.poll(text).toBe("other");
    await page.keyboard.press("Control+z");
    await expect.poll(text).not.toBe("other");
    expect(opened.complaints).toEqual([]);
  });

  it("puts brackets around a selection", async () => {
    await page.keyboard.type("[");
    await expect.poll(text).toBe('["abc"]');
    expect(opened.complaints).toEqual([]);
  });

  it("keeps every letter of those that come faster than the page is drawn", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    // Each in a task of its own, all of them before the next picture.
    await page.evaluate(`(async () => {
      const { port1, port2 } = new MessageChannel();
      for (const letter of "${letters}") {
        document.execCommand("insertText", false, letter);
        await new Promise((resolve) => {
          port1.onmessage = resolve;
          port2.postMessage(null);
        });
      }
    })()`);
    await expect.poll(text).toBe(letters);
  });
});
