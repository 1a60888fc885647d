/** The console in a browser: loading, signing in, and behaviour common to all pages. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { root } from "../support/shared-checks.ts";

describe.skipIf(!hasBrowser)("The console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({ ENGINE_GRAPHQL_ADMIN_SECRET: "letmein" });
    page = await opened.newPage();
  }, 180_000);

  afterAll(() => opened?.close());

  it("The console loads at most 250 kB before its first page is usable", async () => {
    const fresh = await opened.newPage();
    await fresh.addInitScript("sessionStorage.setItem('engine-console-admin-secret', 'letmein')");
    // Measured by the browser, because files that load afterwards may arrive before this process continues.
    await fresh.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.querySelector('[role="textbox"][aria-label="GraphQL operation"]')) return;
      globalThis.usableAt = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true, attributes: true })`);
    await fresh.goto(`${opened.server.url}/console`);
    await fresh.getByRole("textbox", { name: "GraphQL operation" }).waitFor();
    // The size of the server's data depends on the schema and not on the console.
    const bytes = (await fresh.evaluate(`["navigation", "resource"]
      .flatMap((type) => performance.getEntriesByType(type))
      .filter(({ name, responseEnd }) => new URL(name).pathname.startsWith("/console") && responseEnd <= usableAt)
      .map(({ encodedBodySize }) => encodedBodySize)`)) as readonly number[];
    expect(bytes.length).toBeGreaterThan(3);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250_000);
    await fresh.context().close();
  });

  it("The console requests the admin secret and reports a wrong one", async () => {
    await page.goto(`${opened.server.url}/`);
    await page.getByLabel("Admin secret").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The admin secret is wrong.").waitFor();
    await page.getByLabel("Admin secret").fill("letmein");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API" }).waitFor();
  });

  it("The console stores the admin secret only in the tab, not in URLs, cookies or persistent storage", async () => {
    expect(page.url()).not.toContain("letmein");
    expect(await page.context().cookies()).toEqual([]);
    expect(JSON.stringify(await page.evaluate("({ ...localStorage })"))).not.toContain("letmein");
    expect(await page.content()).not.toContain("letmein");
    expect(opened.server.log.join("")).not.toContain("letmein");
    const other = await page.context().newPage();
    await other.goto(`${opened.server.url}/console`);
    await other.getByLabel("Admin secret").waitFor();
    await other.close();
  });

  it("The console runs an operation by keyboard", async () => {
    await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
    await page.keyboard.insertText("query { __typename }");
    await page.keyboard.press("Control+Enter");
    await page.getByText('"query_root"').waitFor();
  });

  it("The console shows the location of an error in an operation and the nearest name", async () => {
    const expected = { "query { nothing }": '"locations"', "query { __typename @inclde(if: true) }": "did you mean" };
    for (const [text, shown] of Object.entries(expected)) {
      const fresh = await opened.newPage();
      await fresh.addInitScript("sessionStorage.setItem('engine-console-admin-secret', 'letmein')");
      await fresh.goto(`${opened.server.url}/console`);
      await fresh.getByRole("textbox", { name: "GraphQL operation" }).focus();
      await fresh.keyboard.insertText(text);
      await fresh.keyboard.press("Control+Enter");
      await fresh.getByText(shown).waitFor();
      await fresh.context().close();
    }
  });

  it("The console loads files only from its own server and violates no rule of its policy", () => {
    expect(opened.otherHosts).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it("Signing out deletes the admin secret", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin secret").waitFor();
    expect(JSON.stringify(await page.evaluate("({ ...sessionStorage })"))).not.toContain("letmein");
  });
});

describe("Files of the console", () => {
  const folder = join(root, ".build", "console");
  const sizeOf = async (name: string): Promise<number> => (await stat(join(folder, name))).size;

  it("The console's files are at most 900 kB compressed", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".gz"));
    const sizes = await Promise.all(names.map(sizeOf));
    expect(names.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(900_000);
  });
});
