/**
 * The static site of the documentation in a browser, from the file system and from a server. If the environment variable
 * SCREENSHOTS names a folder, screenshots are written there.
 */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { root } from "../support/shared-checks.ts";

const run = promisify(execFile);
const screenshots = process.env.SCREENSHOTS;

const places = [{ place: "the file system" }, { place: "/docs of a server" }] as const;

describe.skipIf(!hasBrowser)("The documentation site", { timeout: 180_000 }, () => {
  let opened: TestConsole;
  let folder: string;

  beforeAll(async () => {
    opened = await openConsole();
    folder = await mkdtemp(join(tmpdir(), "docs-site-"));
    await run(process.execPath, [join(root, ".ci/docs.mjs"), "--out", folder], { cwd: root });
  }, 180_000);
  afterAll(async () => {
    // A page of the file system loads only files of its folder.
    const own = pathToFileURL(folder).href;
    expect(opened.otherHosts.filter((url) => !url.startsWith(`${own}/`))).toEqual([]);
    expect(opened.complaints).toEqual([]);
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const addressOf = (place: string): string =>
    place === "the file system" ? pathToFileURL(folder).href : `${opened.server.url}/docs`;

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await opened.newPage(options);
    onTestFinished(() => page.context().close());
    await page.goto(address);
    return page;
  }

  const surface = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");

  it.each(places)("A search from $place finds pages by a word and opens the first result", async ({ place }) => {
    const page = await open(`${addressOf(place)}/reference/versions.html`);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("permission");
    const first = page.locator(".results a").first();
    await first.waitFor();
    expect(await page.locator(".search-state").textContent()).toMatch(/^\d+ results$/);
    expect(await page.locator(".results mark").first().textContent()).toMatch(/^permission/i);
    const target = await first.evaluate("document.querySelector('.results a').href");
    await page.keyboard.press("Enter");
    await page.waitForURL(String(target));
    expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toBe("Versions");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("A search lists nothing for an unknown word, finds misspelt words, and is closed by the keyboard", async () => {
    const page = await open(`${addressOf("the file system")}/index.html`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("zyxwvutsrq");
    await page.getByText("No results").waitFor();
    await page.getByRole("searchbox").fill("permision");
    await page.locator(".results a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate("document.activeElement === document.querySelector('.results a')")).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it.each(places)("The theme of $place follows the system until it is chosen, and is kept", async ({ place }) => {
    const page = await open(`${addressOf(place)}/tutorial/start.html`, { colorScheme: "light" });
    const light = await surface(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await surface(page);
    expect(dark).not.toBe(light);
    await page.getByRole("button", { name: "Light theme" }).click();
    expect(await surface(page)).toBe(light);
    await page.reload();
    expect(await surface(page)).toBe(light);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await surface(page)).toBe(dark);
    await page.getByRole("button", { name: "Theme of the system" }).click();
    expect(await surface(page)).toBe(light);
  });

  it.each(places)("The button of a code block of $place copies its text", async ({ place }) => {
    const page = await open(`${addressOf(place)}/tutorial/start.html`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await block.locator("code").textContent());
    expect(copied).toMatch(/\n.*\n/);
  });

  it("A page without access to the clipboard copies as well", async () => {
    const page = await opened.newPage({ permissions: ["clipboard-read", "clipboard-write"] });
    onTestFinished(() => page.context().close());
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })");
    await page.goto(`${addressOf("/docs of a server")}/tutorial/start.html`);
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
  });

  it.each(places)("Next and previous of $place lead through the pages in the order of the index", async ({ place }) => {
    const page = await open(`${addressOf(place)}/index.html`);
    const order = (await page.evaluate(
      "[...document.querySelectorAll('.index section li > a')].map((link) => link.href)",
    )) as readonly string[];
    await page.locator(".index section li > a").first().click();
    for (const address of order.slice(0, 4)) {
      await page.waitForURL(address);
      await page.locator(".turn .next").click();
    }
    for (const address of order.slice(0, 5).toReversed()) {
      await page.waitForURL(address);
      if (address !== order[0]) await page.locator(".turn .previous").click();
    }
    expect(await page.locator(".turn .previous").count()).toBe(0);
    await page.goto(order.at(-1) ?? "");
    expect(await page.locator(".turn .next").count()).toBe(0);
  });

  it("A heading has a link to itself, and the table of contents leads to it", async () => {
    const page = await open(`${addressOf("the file system")}/tutorial/start.html`);
    const heading = page.getByRole("heading", { name: "A first table" });
    const anchor = await heading.getByRole("link").getAttribute("href");
    expect(anchor).toBe("#a-first-table");
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "A first table" }).click();
    await expect.poll(() => heading.boundingBox().then((box) => Math.abs((box?.y ?? 999) - 84))).toBeLessThan(60);
  });

  it("At 390 pixels no page scrolls sideways, and the menu leads to other pages", async () => {
    const page = await open(`${addressOf("the file system")}/index.html`, { viewport: { width: 390, height: 800 } });
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
    expect(names.length).toBeGreaterThan(30);
    const wide: unknown[] = [];
    for (const name of names) {
      await page.goto(pathToFileURL(join(folder, name)).href);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      if (Number(width) > 390) wide.push([name, width]);
    }
    expect(wide).toEqual([]);
    await page.goto(`${addressOf("the file system")}/reference/versions.html`);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "Metrics" }).click();
    await page.waitForURL(/\/reference\/metrics\.html$/);
  });

  it("Without scripts, pages can be read and the menu is available", async () => {
    const page = await open(`${addressOf("/docs of a server")}/reference/versions.html`, { javaScriptEnabled: false });
    await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "Metrics" }).click();
    await page.waitForURL(/\/reference\/metrics\.html$/);
    expect(await page.getByRole("button", { name: "Search" }).count()).toBe(0);
  });

  it.each(["light", "dark"] as const)("The pages have no accessibility problems: %s", async (colorScheme) => {
    const found: unknown[] = [];
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 800 },
    ]) {
      const page = await open(`${addressOf("/docs of a server")}/`, { colorScheme, viewport });
      for (const name of ["index.html", "how-to/projects.html", "reference/metrics.html", "search"]) {
        if (name === "search") {
          await page.keyboard.press("/");
          await page.getByRole("searchbox").fill("permission");
          await page.locator(".results a").first().waitFor();
        } else await page.goto(`${addressOf("/docs of a server")}/${name}`);
        if (screenshots) {
          const file = `docs-${name.replace(/^.*\/|\.html$/g, "")}-${colorScheme}-${viewport.width}.png`;
          await page.screenshot({ path: join(screenshots, file) });
        }
        await page.evaluate(axe.source);
        found.push(
          ...(await page.evaluate(async () => {
            const { axe: checker } = globalThis as unknown as { axe: typeof import("axe-core") };
            const { violations } = await checker.run();
            return violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html) }));
          })),
        );
      }
    }
    expect(found).toEqual([]);
  });

  it("The console links to the documentation", async () => {
    const page = await open(`${opened.server.url}/console/api`);
    const [documentation] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Documentation" }).click(),
    ]);
    await documentation.getByRole("heading", { name: "Engine documentation" }).waitFor();
    expect(documentation.url()).toBe(`${opened.server.url}/docs/`);
  });
});
