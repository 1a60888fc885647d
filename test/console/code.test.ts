/** The code page: files of roles, their imports, search, and the link from a permission. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";

describe.skipIf(!hasBrowser)("The code page", { timeout: 120_000 }, () => {
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

  it("The code page lists the files of a role and shows a file with its imports", async () => {
    await open("code");
    const chosen = page.getByLabel("Role", { exact: true });
    await chosen.waitFor();
    await expect.poll(() => chosen.inputValue()).toBe("clerk");
    const files = page.getByRole("navigation", { name: "Generated files" });
    await files.getByRole("link", { name: "public.album.ts" }).click();
    await page.getByRole("heading", { name: "roles/clerk/default/public.album.ts" }).waitFor();
    await text().getByText("Rows that role clerk may read").waitFor();
    await page.getByText("Imports: 1 file").click();
    await page.getByRole("link", { name: "sources/default/public.album.ts" }).click();
    await page.getByRole("heading", { name: "sources/default/public.album.ts" }).waitFor();
    expect(await page.getByLabel("Role", { exact: true }).inputValue()).toBe(" shared");
  });

  it("The code page searches lines and opens them", async () => {
    await open("code/roles/clerk/root-fields.ts");
    await page.getByLabel("Search these files").fill("X-ENGINE-user-id");
    await page
      .getByRole("link", { name: /public\.album\.ts:\d+/ })
      .first()
      .click();
    expect(page.url()).toMatch(/public\.album\.ts\?line=\d+$/);
    await page.getByLabel("Search these files").fill("");
    expect(await text().locator(".cm-marked").textContent()).toMatch(/x-engine-user-id/i);
    await page.getByLabel("Search these files").fill("nothing has this text");
    await page.getByText("No matches").waitFor();
  });

  it("A permission links to its lines on the code page", async () => {
    await open("permissions/default/public/album/clerk");
    await page.getByRole("link", { name: "Generated code" }).click();
    await page.getByRole("heading", { name: "roles/clerk/default/public.album.ts" }).waitFor();
    const marked = await text().locator(".cm-marked").allTextContents();
    expect(marked.length).toBeGreaterThan(0);
    for (const line of marked) expect(line).toContain("Select permission of role clerk");
  });

  it("A saved operation links to its SQL for the selected role on the code page", async () => {
    const { server } = opened;
    const queries = [{ name: "All Albums", query: "query AllAlbums { album { title } }" }];
    await server.metadata("create_query_collection", { name: "shop", definition: { queries } });
    await open("api");
    await page.getByLabel("Role", { exact: true }).fill("clerk");
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByRole("button", { name: "SQL" }).click();
    await page.getByRole("heading", { name: /^roles\/clerk\/operations\/shop\.all-albums\+/ }).waitFor();
    await text().getByText("owner").first().waitFor();
    await open("code/operations/shop.all-albums+11.ts");
    await page.getByText("SQL by role: 2 files").click();
    await page.getByRole("link", { name: /^roles\/admin\// }).click();
    await page.getByRole("heading", { name: /^roles\/admin\/operations\// }).waitFor();
  });

  it("The code page reports a missing file", async () => {
    await open("code/roles/unknown/root-fields.ts");
    await page.getByRole("alert").getByText("does not exist").waitFor();
  });
});
