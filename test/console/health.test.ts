/** The health page: what does not work, databases, plots of metrics. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";

describe.skipIf(!hasBrowser)("the health page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({ ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,config,metrics" });
    const { server } = opened;
    await query(server.databaseUrl, "create table album (id int primary key); create table song (id int primary key)");
    for (const table of ["album", "song"]) await server.metadata("pg_track_table", { table });
    page = await opened.newPage();
    await page.goto(`${server.url}/console/health`);
  }, 180_000);
  afterAll(() => opened?.close());

  it("says that everything works, and which databases answer", async () => {
    await page.getByText("Everything in the metadata works.").waitFor();
    const databases = page.getByRole("region", { name: "Databases" }).getByRole("listitem");
    await expect
      .poll(() => databases.allTextContents())
      .toEqual(["answersdefault", "answersmetadataholds the metadata"]);
  });

  it("shows what is broken, why, and takes it out when told so", async () => {
    const { server } = opened;
    await query(server.databaseUrl, "drop table song");
    await page.getByRole("button", { name: "Look again" }).click();
    const problems = page.getByRole("region", { name: "Inconsistent objects" }).getByRole("article");
    await problems.getByText("no such table/view exists in source").first().waitFor();
    await page.getByRole("button", { name: "Take them out of the metadata" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take them out" }).click();
    await page.getByText("Everything in the metadata works.").waitFor();
    expect(JSON.stringify(await server.metadata("export_metadata", {}))).not.toContain("song");
  });

  it("draws metrics", async () => {
    const { server } = opened;
    await page.getByRole("heading", { name: "Operations" }).waitFor();
    const shown = () => page.getByRole("figure").filter({ hasText: "Operations" }).textContent();
    await expect
      .poll(
        async () => {
          await server.graphql("{ album { id } }");
          return Number(/succeeded ([\d.]+)/.exec((await shown()) ?? "")?.[1] ?? 0);
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await page.locator(".plot canvas").count()).toBe(8);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });

  it("says how metrics are switched on where they are off", async () => {
    const without = await openConsole();
    try {
      const other = await without.newPage();
      await other.goto(`${without.server.url}/console/health`);
      await other.getByText("--enabled-apis metadata,graphql,config,metrics").waitFor();
    } finally {
      await without.close();
    }
  });
});
