/** Databases in the console: connecting, relating, changing and disconnecting them. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { chooseAction, openConsole, type TestConsole } from "../support/console.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

const name = "ware-house_2";

describe.skipIf(!hasBrowser)("Databases in the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let other: TestDatabase;
  let page: Page;

  beforeAll(async () => {
    other = await createDatabase("warehouse");
    await query(other.url, "create table stock (code int primary key, amount int)");
    opened = await openConsole({ WAREHOUSE_URL: other.url });
    const args = { sql: "create table product (id int primary key, name text)" };
    await opened.server.post("/v2/query", { type: "run_sql", args });
    await opened.server.metadata("pg_track_table", { table: "product" });
    page = await opened.newPage();
  }, 180_000);
  afterAll(async () => {
    await opened?.close();
    await other?.drop();
  });

  const press = (label: string) => page.getByRole("button", { name: label, exact: true }).click();
  const inDialog = (label: string) =>
    page.getByRole("dialog").last().getByRole("button", { name: label, exact: true }).click();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const configuration = async (): Promise<unknown> => {
    const { sources } = (await opened.server.metadata("export_metadata", {})) as Exported;
    return sources.find((source) => source.name === name)?.configuration;
  };

  it("A database is connected only if the server reaches it", async () => {
    await page.goto(`${opened.server.url}/console/data`);
    await press("Connect database");
    await fill("Name", "default");
    await page.getByText("A database has this name.").waitFor();
    await fill("Name", name);
    await page.getByLabel("Connection", { exact: true }).selectOption("url");
    await fill("URL", "postgres://nobody:very-secret@127.0.0.1:1/nothing");
    await inDialog("Connect");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await configuration()).toBeUndefined();
    await page.getByLabel("Connection", { exact: true }).selectOption("variable");
    await fill("Variable", "WAREHOUSE_URL");
    await page.getByText("Pool settings", { exact: true }).click();
    await fill("Maximum connections", "many");
    await page.getByText("Enter a whole number.").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Connect" }).isDisabled()).toBe(true);
    await fill("Maximum connections", "5");
    await inDialog("Connect");
    await page.getByText(`Connected ${name}`).waitFor();
    await page.getByRole("cell", { name: "stock", exact: true }).waitFor();
    expect(await configuration()).toMatchObject({
      connection_info: { database_url: { from_env: "WAREHOUSE_URL" }, pool_settings: { max_connections: 5 } },
    });
  });

  it("The console never shows the URL of a connection, and a saved form keeps it", async () => {
    await chooseAction(page, "Edit connection");
    await page.getByLabel("Connection", { exact: true }).selectOption("url");
    await fill("URL", other.url);
    await press("Add read replica");
    await fill("Replica: Variable", "WAREHOUSE_URL");
    await inDialog("Save");
    await page.getByText(`Changed the connection of ${name}`).waitFor();
    await chooseAction(page, "Edit connection");
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("");
    expect(await page.getByLabel("Replica: Variable").inputValue()).toBe("WAREHOUSE_URL");
    expect(await page.content()).not.toContain(new URL(other.url).pathname.slice(1));
    await press("Remove read replica");
    await page.getByText("Pool settings", { exact: true }).click();
    await fill("Maximum connections", "6");
    await inDialog("Save");
    await page.getByText(`Changed the connection of ${name}`).first().waitFor();
    await expect.poll(configuration).toMatchObject({
      connection_info: { database_url: other.url, pool_settings: { max_connections: 6 } },
    });
    expect(await configuration()).not.toHaveProperty("read_replicas");
  });

  it("Tables of two databases are related by columns", async () => {
    await opened.server.metadata("pg_track_table", { source: name, table: "stock" });
    await page.goto(`${opened.server.url}/console/data/default/public/product`);
    await page.getByRole("tab", { name: "Relationships" }).click();
    await press("Add relationship");
    await fill("Name", "stock");
    await page.getByLabel("Database", { exact: true }).selectOption(name);
    await fill("Table", "stock");
    await page.getByLabel("Column 1", { exact: true }).selectOption("id");
    await page.getByLabel("Other column 1").selectOption("code");
    await inDialog("Add relationship");
    await page.getByText("where id = code").waitFor();
    const { json } = await opened.server.post("/v1/graphql", { query: "{ product { stock { amount } } }" });
    expect(json).toEqual({ data: { product: [] } });
  });

  it("A database that others refer to is disconnected after a second confirmation", async () => {
    await page.goto(`${opened.server.url}/console/data/${name}`);
    await chooseAction(page, "Edit connection");
    await press("Disconnect");
    await inDialog("Disconnect");
    await page.getByLabel("Delete relationships of other databases to it too").check();
    await inDialog("Disconnect");
    await page.getByText(`Disconnected ${name}`).waitFor();
    await expect.poll(configuration).toBeUndefined();
    expect(await query(other.url, "select count(*)::int as n from stock")).toEqual([{ n: 0 }]);
  });

  it("The console of databases causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});

interface Exported {
  readonly sources: readonly { readonly name: string; readonly configuration: unknown }[];
}
