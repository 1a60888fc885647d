/** The health page: consistency, databases, activity, plots of metrics. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";
import { WebsocketClient } from "../support/websocket.ts";

const markup = `<img src=x onerror="document.title='owned'">`;

describe.skipIf(!hasBrowser)("The health page", { timeout: 120_000 }, () => {
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

  it("The health page reports consistent metadata and the healthy databases", async () => {
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    const databases = page.getByRole("region", { name: "Databases" }).getByRole("listitem");
    await expect
      .poll(() => databases.allTextContents())
      .toEqual(["Healthydefault", "HealthymetadataMetadata database"]);
  });

  it("The health page counts the inconsistent objects and links to them", async () => {
    const { server } = opened;
    await query(server.databaseUrl, "drop table song");
    await server.metadata("reload_metadata", {});
    await page.reload();
    const metadata = page.getByRole("region", { name: "Metadata" });
    await metadata.getByRole("link", { name: "1 inconsistent object" }).click();
    await page.getByRole("heading", { name: "Inconsistent objects" }).waitFor();
    await page.getByRole("article", { name: "table song in source default" }).waitFor();
    await server.metadata("drop_inconsistent_metadata", {});
    await page.goto(`${server.url}/console/health`);
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
  });

  it("The health page lists the instances, and the requests of each role", async () => {
    const { server } = opened;
    const instances = page.getByRole("region", { name: "Instances" }).first();
    await instances.getByRole("cell", { name: String(process.pid), exact: true }).waitFor();
    await instances.getByText("This process").waitFor();
    await instances.getByRole("cell", { name: "1 of 1" }).waitFor();
    await instances.getByText("Responding", { exact: true }).waitFor();
    await server.graphql("{ nothing }", { "x-engine-role": markup });
    const used = page.getByRole("region", { name: "Roles" }).first();
    const row = used.getByRole("row").filter({ hasText: markup });
    await row.getByRole("cell", { name: "1 (100 %)" }).waitFor();
    await used.getByRole("row").filter({ hasText: "admin" }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });

  it("The health page lists slow operations and opens one with the role that ran it", async () => {
    const { server } = opened;
    const sql =
      "create function late() returns setof album stable language sql as 'select album.* from album, pg_sleep(0.2)'; insert into album values (1)";
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
    await server.metadata("pg_track_function", { function: "late" });
    await server.graphql(`query Late { late { id } } # ${markup}`);
    const slow = page.getByRole("region", { name: "Slow operations" }).first();
    await slow.getByRole("cell", { name: /query Late/ }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await slow.getByRole("button", { name: /in API$/ }).click();
    await page.getByRole("textbox", { name: "GraphQL operation" }).getByText("late").first().waitFor();
    await page.goBack();
  });

  it("The health page lists live queries with their SQL while they have subscribers", async () => {
    const { server } = opened;
    const live = page.getByRole("region", { name: "Live queries" }).first();
    await live.getByText("No active subscriptions").waitFor();
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.next();
    client.send({ type: "subscribe", id: "1", payload: { query: "subscription Watch { album { id } }" } });
    await client.next();
    await live.getByRole("cell", { name: "Watch", exact: true }).waitFor();
    await live.getByRole("cell", { name: "Healthy" }).waitFor();
    await live.getByRole("button", { name: "SQL of Watch" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: /^SQL/ }).getByText('"album"').first().waitFor();
    await page.keyboard.press("Escape");
    client.ws.close();
    await live.getByText("No active subscriptions").waitFor();
  });

  it("The health page draws metrics", async () => {
    const { server } = opened;
    await page.getByRole("heading", { name: "Operations", exact: true }).waitFor();
    const shown = () => page.getByRole("figure").filter({ hasText: "Succeeded" }).textContent();
    await expect
      .poll(
        async () => {
          await server.graphql("{ album { id } }");
          return Number(/Succeeded ([\d.]+)/.exec((await shown()) ?? "")?.[1] ?? 0);
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await page.locator(".plot canvas").count()).toBe(11);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });

  it("The plots show connections by database and subscriptions by operation, and have a time range", async () => {
    const { server } = opened;
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.next();
    client.send({ type: "subscribe", id: "1", payload: { query: "subscription Plotted { album { id } }" } });
    await client.next();
    const figure = (title: string) => page.getByRole("figure").filter({ hasText: title });
    await figure("Subscriptions by operation").getByText("Plotted 1").waitFor();
    await figure("Connections by database")
      .getByText(/^default \d/)
      .waitFor();
    client.ws.close();
    await page.getByText("Collected in this tab while this page is open").waitFor();
    await page.getByLabel("Time range").selectOption("Last hour");
    // The samples of the tab outlive the page.
    await page.getByRole("link", { name: "Code" }).click();
    await page.getByRole("link", { name: "Health" }).click();
    await figure("Subscriptions by operation").waitFor();
  });

  it("The console marks its introspections, so that the slow operations exclude them", async () => {
    const { server } = opened;
    await page.goto(`${server.url}/console/api`);
    const marked = page.waitForRequest((sent) => sent.postData()?.includes("IntrospectionQuery") === true);
    await page.reload();
    expect((await marked).headers()["engine-client"]).toBe("console");
  });

  it("The health page explains how to enable metrics, and requests none before", async () => {
    const without = await openConsole();
    try {
      const other = await without.newPage();
      const requested: string[] = [];
      other.on("request", (request) => requested.push(new URL(request.url()).pathname));
      await other.goto(`${without.server.url}/console/health`);
      await other.getByText("--enabled-apis metadata,graphql,pgdump,config,metrics").waitFor();
      await other.getByText("No slow operations").waitFor();
      expect(requested).not.toContain("/v1/metrics");
    } finally {
      await without.close();
    }
  });
});
