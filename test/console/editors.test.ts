/**
 * Behaviour shared by all editors of the console: no keystroke is lost, and typing creates no markup that the content
 * security policy forbids.
 */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

describe.skipIf(!hasBrowser)("The console's text editors", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let editor: Locator;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/console/automation/custom-types`);
    editor = page.getByRole("textbox", { name: "Custom types as SDL" });
  }, 180_000);

  afterAll(() => opened?.close());

  const text = () => editor.innerText();

  beforeEach(async () => {
    await editor.fill('"abc"');
    // When highlighted text is replaced, browsers add markup to keep its styles. Wait until the text is highlighted.
    await editor.locator("span", { hasText: '"abc"' }).waitFor();
    await page.keyboard.press("Control+a");
  });

  it("Typing in the editor replaces the selection", async () => {
    await page.keyboard.type("x");
    await expect.poll(text).toBe("x");
    await page.keyboard.type("yz");
    await expect.poll(text).toBe("xyz");
    expect(opened.complaints).toEqual([]);
  });

  it("Undo in the editor restores a replaced selection", async () => {
    await page.keyboard.insertText("other");
    await expect.poll(text).toBe("other");
    await page.keyboard.press("Control+z");
    await expect.poll(text).not.toBe("other");
    expect(opened.complaints).toEqual([]);
  });

  it("A typed bracket encloses the selection of the editor", async () => {
    await page.keyboard.type("[");
    await expect.poll(text).toBe('["abc"]');
    expect(opened.complaints).toEqual([]);
  });

  it("The editor keeps every character that is typed faster than the page is rendered", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    // Type each letter in a separate task, and all letters before the next frame.
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

  it("Ctrl+F opens the search of the editor, which is loaded when the editor has the focus", async () => {
    const find = page.getByRole("textbox", { name: "Find" });
    await expect
      .poll(async () => {
        await editor.press("Control+f");
        return find.count();
      })
      .toBe(1);
    await find.fill("abc");
    await page.locator(".cm-searchMatch").waitFor();
    await page.keyboard.press("Escape");
    await find.waitFor({ state: "detached" });
    expect(opened.complaints).toEqual([]);
  });
});
