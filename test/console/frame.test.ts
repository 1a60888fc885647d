/** The frame of the console: identity, search, settings, first steps, forms, and notifications. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

const markup = "<b>prod</b>";

describe.skipIf(!hasBrowser)("The frame of the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({ ENGINE_GRAPHQL_CONSOLE_LABEL: markup, ENGINE_GRAPHQL_CONSOLE_COLOR: "red" });
    page = await opened.newPage();
  }, 180_000);

  afterAll(() => opened?.close());

  const open = (path: string) => page.goto(`${opened.server.url}/console/${path}`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  it("The first steps tick themselves off as the metadata gets their results", async () => {
    await open("api");
    const list = page.getByRole("region", { name: "First steps" });
    const done = () => list.getByText(": done").count();
    await expect.poll(done).toBe(1);
    const sql = "create table note (id int primary key, text text)";
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    await opened.server.metadata("pg_track_table", { table: "note" });
    await page.reload();
    await expect.poll(done).toBe(2);
    const permission = { columns: ["id"], filter: {} };
    await opened.server.metadata("pg_create_select_permission", { table: "note", role: "user", permission });
    await page.reload();
    await expect.poll(done).toBe(3);
    await page.getByRole("textbox", { name: "GraphQL operation" }).fill("query { note { id } }");
    await page.keyboard.press("Control+Enter");
    await list.waitFor({ state: "detached" });
  });

  it("The console shows the address of its server and the label of the environment as text", async () => {
    const { host } = new URL(opened.server.url);
    await page.getByRole("banner").getByText(host, { exact: true }).waitFor();
    await page.getByRole("banner").getByText(markup, { exact: true }).waitFor();
    expect(await page.title()).toBe(`API · ${markup} · ${host} · engine`);
  });

  it("The navigation keeps its width and the position of its links on every page", async () => {
    const places: unknown[] = [];
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    for (const name of ["API", "Permissions", "Automation"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator(`[aria-current="page"]`, { hasText: name }).waitFor();
      places.push(await links.evaluateAll((all) => all.map((link) => JSON.stringify(link.getBoundingClientRect()))));
      places.push(
        await links.locator("span").evaluateAll((all) => all.map((text) => text.getBoundingClientRect().width)),
      );
    }
    expect(new Set(places.map((each) => JSON.stringify(each))).size).toBe(2);
  });

  it("The icon of the page has the same address on every page", async () => {
    const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
    const address = `${opened.server.url}/console/assets/icon.svg`;
    await page.goto(`${opened.server.url}/console`);
    await expect.poll(icon).toBe(address);
    await page.getByRole("link", { name: "Automation", exact: true }).click();
    await page.waitForURL(/\/console\/automation/);
    expect(await icon()).toBe(address);
  });

  it("The link of the current page is visible on a narrow screen", async () => {
    const size = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${opened.server.url}/console/health`);
    const end = async () => {
      const { x, width } = (await page.locator("[aria-current=page]").boundingBox()) ?? { x: 0, width: Infinity };
      return x + width;
    };
    // Browsers scroll by whole pixels.
    await expect.poll(end).toBeLessThan(391);
    await page.setViewportSize(size);
  });

  it("Ctrl+K finds a table and a page of the documentation, by keyboard alone", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("note");
    await page.getByRole("option", { name: /^note/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/data\/default\/public\/note$/);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("computed fields");
    await page.getByRole("option", { name: /Computed fields.*Documentation/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("Ctrl+K opens a saved operation in the editor", async () => {
    const definition = { queries: [{ name: "all_notes", query: "query AllNotes { note { id } }" }] };
    await opened.server.metadata("create_query_collection", { name: "desk", definition });
    await open("health");
    await page.getByRole("heading", { name: "Health" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("all_no");
    await page.getByRole("option", { name: /^all_notes/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "GraphQL operation" }).getByText("AllNotes").waitFor();
  });

  it("A question mark shows the keyboard shortcuts, except while typing", async () => {
    await open("parts");
    await page.getByLabel("Text", { exact: true }).fill("");
    await page.getByLabel("Text", { exact: true }).press("?");
    await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { name: "Parts" }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("The settings change the theme at once and keep it and the rows per page", async () => {
    await press("Settings");
    await page.getByLabel("Theme").selectOption("dark");
    const rows = page.getByRole("dialog").getByLabel("Rows per page");
    await rows.selectOption("200");
    const theme = () => page.evaluate("document.documentElement.dataset.theme");
    expect(await theme()).toBe("dark");
    await page.reload();
    await expect.poll(theme).toBe("dark");
    await press("Settings");
    expect(await rows.inputValue()).toBe("200");
    await page.getByLabel("Theme").selectOption("system");
    expect(await theme()).toBeUndefined();
    await page.keyboard.press("Escape");
  });

  it("The version opens its changes, and loses its mark when they have been seen", async () => {
    const version = page.getByRole("button", { name: /^v\d/ });
    expect(await version.textContent()).toContain("changes that you have not seen");
    await version.click();
    const dialog = page.getByRole("dialog", { name: "Changes in this version" });
    await dialog.getByRole("heading", { name: "Added" }).waitFor();
    await dialog.getByText("--console-label").waitFor();
    expect(await dialog.getByRole("listitem").count()).toBeGreaterThan(10);
    // The text is Markdown, whose signs are not shown.
    expect(await dialog.textContent()).not.toMatch(/\*\*|`|\]\(/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.reload();
    await version.waitFor();
    expect(await version.textContent()).not.toContain("not seen");
  });

  it("A form and a dialog focus their invalid field instead of submitting", async () => {
    await press("Submit");
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-invalid')");
    expect(await focused()).toBe("true");
    await press("Open dialog");
    await press("Submit the dialog");
    expect(await focused()).toBe("true");
    expect(await page.getByText(/^Submitted/).count()).toBe(0);
    await page.getByRole("dialog").getByLabel("Number").fill("12");
    await page.keyboard.press("Enter");
    await page.getByText("Submitted 12").waitFor();
  });

  it("An editor with invalid text keeps its form from being submitted", async () => {
    await page.getByRole("tab", { name: "Editor" }).click();
    const editor = page.getByRole("textbox", { name: "JSON", exact: true });
    await expect.poll(() => editor.getAttribute("aria-invalid")).toBe("true");
    await editor.press("Control+Enter");
    expect(await page.getByText("Submitted the editor").count()).toBe(0);
    await editor.fill("{}");
    await expect.poll(() => editor.getAttribute("aria-invalid")).toBeNull();
    await editor.press("Control+Enter");
    await page.getByText("Submitted the editor").waitFor();
  });

  it("Notifications appear above dialogs", async () => {
    await press("Open dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Notify" }).click();
    const toast = page.locator(".toast", { hasText: "Shown above the dialog" });
    await toast.waitFor();
    // The window is so small that the dialog would cover the notification.
    await page.setViewportSize({ width: 390, height: 300 });
    const [inner, outer] = [await toast.boundingBox(), await page.getByRole("dialog").boundingBox()];
    if (!inner || !outer) throw new Error("invariant: both are visible");
    const clip = { ...inner, height: outer.y + outer.height - inner.y };
    expect(clip.height).toBeGreaterThan(10);
    const shown = await page.screenshot({ clip });
    await page.evaluate("document.querySelector('.toasts').style.visibility = 'hidden'");
    expect(shown.equals(await page.screenshot({ clip }))).toBe(false);
    await page.evaluate("document.querySelector('.toasts').style.visibility = ''");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("Escape");
  });

  it("A notification undoes its change, and reports why undoing failed", async () => {
    await press("Change with undo");
    await page.getByText("Counter: 2").waitFor();
    await press("Undo");
    await page.getByText("Counter: 1").waitFor();
    await press("Change with failing undo");
    await press("Undo");
    await page.getByText("Not undone: the server is unreachable").waitFor();
  });

  it("A table fills its card, and a double click shows a cut cell in full", async () => {
    const section = page.getByRole("region", { name: "Samples", exact: true });
    const widths = await section.evaluate((each) => [each.clientWidth, each.querySelector("table")?.offsetWidth]);
    expect(widths[1]).toBe(widths[0]);
    const cell = section.getByRole("cell", { name: /much longer/ });
    await cell.hover();
    expect(await cell.getAttribute("title")).toMatch(/^(?:A text that .* ){8}$/);
    await cell.dblclick();
    const full = await page.getByRole("dialog", { name: "Cell" }).locator("pre").innerText();
    expect(full.match(/much longer/g)).toHaveLength(8);
    await page.keyboard.press("Escape");
  });

  it("A failing statement shows the reason of the database without opening the details", async () => {
    await open("data/default/sql");
    await page.getByRole("textbox", { name: "SQL" }).fill("create table note (id int)");
    await press("Run");
    await page.getByRole("alert").getByText('relation "note" already exists', { exact: true }).waitFor();
  });

  it("The frame causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
