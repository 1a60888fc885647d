/** The code page: files of roles, what they import, search, and the way there from a permission. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";

describe.skipIf(!hasBrowser)("the code page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    const { server } = opened;
    await query(server.databaseUrl, "create table album (id int primary key, title text, owner text)");
    await server.metadata("pg_track_table", { table: "album" });
    const permission = { columns: ["id", "title"], filter: { owner: { _eq: "X-Engine-User-Id" } } };
    await server.metadata("pg_create_select_permission", { table: "album", role: "clerk", permission });
    page = await opened.newPage();
  }, 180_000);
  afterAll(() => opened?.close());

  const open = (path: string) => page.goto(`${opened.server.url}/console/${path}`);
  const text = () => page.getByRole("textbox", { name: /^Text of/ });

  it("lists the files of a role, and shows one with what it imports", async () => {
    await open("code");
    await page.getByLabel("Files of").selectOption("clerk");
    const files = page.getByRole("navigation", { name: "Generated files" });
    await files.getByRole("link", { name: "public.album.ts" }).click();
    await page.getByRole("heading", { name: "roles/clerk/default/public.album.ts" }).waitFor();
    await text().getByText("Rows that role clerk may read").waitFor();
    await page.getByText("Imports 1 file").click();
    await page.getByRole("link", { name: "sources/default/public.album.ts" }).click();
    await page.getByRole("heading", { name: "sources/default/public.album.ts" }).waitFor();
    expect(await page.getByLabel("Files of").inputValue()).toBe(" shared");
  });

  it("finds lines, and opens them", async () => {
    await open("code/roles/clerk/resolvers.ts");
    await page.getByLabel("Search in these files").fill("X-ENGINE-user-id");
    await page
      .getByRole("link", { name: /public\.album\.ts:\d+/ })
      .first()
      .click();
    expect(page.url()).toMatch(/public\.album\.ts\?line=\d+$/);
    await page.getByLabel("Search in these files").fill("");
    expect(await text().locator(".cm-marked").textContent()).toMatch(/x-engine-user-id/i);
    await page.getByLabel("Search in these files").fill("nothing has this text");
    await page.getByText("No line has this text.").waitFor();
  });

  it("is where a permission leads, to its lines", async () => {
    await open("permissions/default/public/album/clerk");
    await page.getByRole("link", { name: "Generated code" }).click();
    await page.getByRole("heading", { name: "roles/clerk/default/public.album.ts" }).waitFor();
    const marked = await text().locator(".cm-marked").allTextContents();
    expect(marked.length).toBeGreaterThan(0);
    for (const line of marked) expect(line).toContain("may read");
  });

  it("is where a saved operation leads, to the SQL of the role that is tried", async () => {
    const { server } = opened;
    const queries = [{ name: "All Albums", query: "query AllAlbums { album { title } }" }];
    await server.metadata("create_query_collection", { name: "shop", definition: { queries } });
    await open("api");
    await page.getByRole("tab", { name: "Try as" }).click();
    await page.getByLabel("Role").fill("clerk");
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByRole("button", { name: "SQL" }).click();
    await page.getByRole("heading", { name: /^roles\/clerk\/\(operations\)\/shop\.all-albums=/ }).waitFor();
    await text().getByText("owner").first().waitFor();
    await open("code/operations/shop.all-albums=11.ts");
    await page.getByText("SQL of roles: 2 files").click();
    await page.getByRole("link", { name: /^roles\/admin\// }).click();
    await page.getByRole("heading", { name: /^roles\/admin\/\(operations\)/ }).waitFor();
  });

  it("says so when a file is gone", async () => {
    await open("code/roles/nobody/resolvers.ts");
    await page.getByRole("alert").getByText("there is no generated file").waitFor();
  });
});
