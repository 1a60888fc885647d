/** The quickstart by keyboard alone: no clicks, and the focused element is visible. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { Keyboard } from "../support/keyboard.ts";

describe.skipIf(!hasBrowser)("The console by keyboard alone", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let keyboard: Keyboard;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    keyboard = new Keyboard(page);
    await page.goto(`${opened.server.url}/`);
    await page.getByRole("heading", { name: "API" }).waitFor();
  }, 180_000);

  afterAll(() => opened?.close());

  it("The skip link moves the focus past the navigation", async () => {
    await keyboard.tabTo("link Skip to content");
    await keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
  });

  it("A table is created by keyboard in a dialog that keeps the focus and returns it", async () => {
    await keyboard.activate("link Data");
    await page.getByRole("button", { name: "Create table" }).waitFor();
    await keyboard.activate("button Create table");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await keyboard.focused()).toBe("button Create table");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.fill("input Name", "note");
    await keyboard.fill("input Name of column 2", "text");
    await keyboard.fill("input Name of column 3", "owner");
    await keyboard.activate("button Create and track");
    await page.getByRole("heading", { name: "note" }).waitFor();
  });

  it("Rows are inserted by keyboard", async () => {
    for (const owner of ["u1", "u2"]) {
      await keyboard.activate("button Insert row");
      await page.getByRole("dialog").waitFor();
      await keyboard.fill(/^\S+ text\b/, `of ${owner}`);
      await keyboard.fill(/^\S+ owner\b/, owner);
      await keyboard.activate("button Insert");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("gridcell", { name: `of ${owner}`, exact: true }).waitFor();
    }
  });

  it("The arrow keys move between tabs", async () => {
    await keyboard.tabTo("tab Rows");
    await keyboard.press("ArrowRight");
    expect(await keyboard.focused()).toMatch(/^tab Structure/);
    await page.getByRole("tab", { name: "Structure", selected: true }).waitFor();
    await keyboard.press("ArrowLeft");
  });

  it("A query runs by keyboard, and Tab leaves the editor", async () => {
    await keyboard.activate("link API");
    await keyboard.tabTo("textbox GraphQL operation");
    await page.keyboard.insertText("query Notes { note(order_by: {id: asc}) { text } }");
    await keyboard.press("Control+Enter");
    await page.getByText('"of u2"').waitFor();
    await keyboard.press("Tab");
    expect(await keyboard.focused()).not.toBe("textbox GraphQL operation");
  });

  it("A permission is added by keyboard, with a notice that it widens access, and saved", async () => {
    await keyboard.activate("link Permissions");
    await page.getByLabel("New role name").waitFor();
    await keyboard.fill("input New role name", "writer");
    await keyboard.press("Enter");
    await keyboard.activate(/^link .*writer on note: no access$/);
    await page.getByText("writer has no select permission").waitFor();
    await keyboard.activate("button Allow select");
    await keyboard.activate("button Add condition");
    await keyboard.tabTo("select Column of condition 1");
    await page.keyboard.type("owner");
    await expect.poll(() => page.getByLabel("Column of condition 1").inputValue()).toBe("owner");
    await keyboard.activate("button All");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("This widens access").waitFor();
    await preview.getByText("roles/writer/default/public.note.ts").waitFor();
    await keyboard.activate("button Save and widen access");
    await page.getByText("Saved the select permission of writer on note").waitFor();
  });

  it("The generated code is reachable by keyboard", async () => {
    await page.getByRole("link", { name: "Generated code" }).waitFor();
    await keyboard.activate("link Generated code", "Enter");
    await page.getByRole("heading", { name: "roles/writer/default/public.note.ts" }).waitFor();
  });

  it("A query as another role runs by keyboard", async () => {
    await keyboard.activate("link API");
    await keyboard.fill("input Role", "writer");
    await keyboard.activate("button Session");
    await page.getByRole("dialog").waitFor();
    await keyboard.fill("input Name of header 1", "x-engine-user-id");
    await keyboard.fill("input Value of header 1", "u1");
    await keyboard.activate("button Apply");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await keyboard.activate("button Run");
    await page.getByText('"of u2"').waitFor({ state: "detached" });
    await page.getByText('"of u1"').waitFor();
  });

  it("The focus is visible in both themes", async () => {
    for (const theme of ["light", "dark"]) {
      await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
      for (const name of ["link Data", "button Run", /^tab /]) {
        await keyboard.tabTo(name);
        const outline = await page.evaluate(`(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
          return [outlineStyle, parseFloat(outlineWidth)];
        })()`);
        expect(outline, `${name} in ${theme}`).toEqual(["solid", expect.any(Number)]);
        expect((outline as [string, number])[1]).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it("Keyboard use causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
