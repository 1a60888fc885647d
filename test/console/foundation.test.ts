/** The console in a browser: what it loads, how it is signed in to, how it is used by all. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { root } from "../support/shared-checks.ts";

describe.skipIf(!hasBrowser)("the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({ ENGINE_GRAPHQL_ADMIN_SECRET: "letmein" });
    page = await opened.newPage();
  }, 180_000);

  afterAll(() => opened?.close());

  it("loads at most 250 kB before its first page can be used", async () => {
    const bytes: number[] = [];
    const fresh = await opened.newPage();
    fresh.on("response", (response) => bytes.push(Number(response.headers()["content-length"] ?? 0)));
    await fresh.addInitScript("sessionStorage.setItem('engine-console-admin-secret', 'letmein')");
    await fresh.goto(`${opened.server.url}/console`);
    await fresh.getByRole("textbox", { name: "GraphQL operation" }).waitFor();
    expect(bytes.length).toBeGreaterThan(3);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250_000);
    await fresh.context().close();
  });

  it("asks for the admin secret, and tells when it is wrong", async () => {
    await page.goto(`${opened.server.url}/`);
    await page.getByLabel("Admin secret").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("invalid").waitFor();
    await page.getByLabel("Admin secret").fill("letmein");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API" }).waitFor();
  });

  it("keeps the secret in the tab: in no address, cookie or lasting store", async () => {
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

  it("runs an operation by keyboard", async () => {
    await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
    await page.keyboard.insertText("query { __typename }");
    await page.keyboard.press("Control+Enter");
    await page.getByText('"query_root"').waitFor();
  });

  it("shows where in an operation a mistake is, and what was probably meant", async () => {
    const told = { "query { nothing }": '"locations"', "query { __typename @inclde(if: true) }": "did you mean" };
    for (const [text, shown] of Object.entries(told)) {
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

  it("takes what it is made of from its own server alone, and breaks no rule of its policy", () => {
    expect(opened.otherHosts).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it("forgets the secret when one signs out", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin secret").waitFor();
    expect(JSON.stringify(await page.evaluate("({ ...sessionStorage })"))).not.toContain("letmein");
  });
});

describe("the files of the console", () => {
  const folder = join(root, ".build", "console");
  const sizeOf = async (name: string): Promise<number> => (await stat(join(folder, name))).size;

  it("are at most 600 kB compressed", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".gz"));
    const sizes = await Promise.all(names.map(sizeOf));
    expect(names.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(600_000);
  });
});
