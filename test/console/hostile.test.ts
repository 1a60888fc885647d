/** Names, values and errors that attack whoever looks at them are shown as text. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

const markup = `<img src=x onerror="document.title='owned'">`;
const script = `</script><script>document.title='owned'</script>`;
/** Turns what follows it around, so that it reads like something else. */
const override = "safe\u202Egnp.exe";
const table = `t "${markup}`;
const quotedMarkup = markup.replaceAll('"', '""');

describe.skipIf(!hasBrowser)("the console shows as text", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    const name = `"${table.replaceAll('"', '""')}"`;
    const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
    const sql = `
      create table ${name} (id int primary key, "${override}" text, note text, value text);
      create view "v ${quotedMarkup}" as select id from ${name};
      create index "i ${quotedMarkup}" on ${name} (note);
      alter table ${name} add constraint "c ${quotedMarkup}" check (note <> ${literal(markup)} or id < 9);
      comment on table ${name} is ${literal(script)};
      create function "f ${quotedMarkup}"("${override}" text) returns setof ${name} stable language sql
        as 'select * from ${name.replaceAll("'", "''")}';
      create function g(of_row ${name}) returns text stable language sql as 'select of_row.note';
      insert into ${name} values
        (1, null, ${literal(override)}, ${literal(script)}),
        (2, null, ${literal(markup)}, repeat('x', 1000000));`;
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    const configuration = { custom_name: "hostile" };
    const known = { schema: "public", name: table };
    await opened.server.metadata("pg_track_table", { table: known, configuration });
    page = await opened.newPage();
  }, 180_000);

  afterAll(() => opened?.close());

  const goTo = (...path: readonly string[]) =>
    page.goto(`${opened.server.url}/console/${path.map(encodeURIComponent).join("/")}`);
  const unharmed = async (): Promise<void> => {
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  };

  it("names of tables and columns, and values of rows", async () => {
    await goTo("data", "default", "public", table);
    await page.getByRole("heading", { name: table }).waitFor();
    await page.getByRole("cell", { name: markup, exact: true }).waitFor();
    await page.getByRole("cell", { name: script, exact: true }).waitFor();
    await unharmed();
  });

  it("a cell of a megabyte, cut short", async () => {
    const cells = await page.getByRole("cell").allTextContents();
    const longest = Math.max(...cells.map((text) => text.length));
    expect(longest).toBeGreaterThan(400);
    expect(longest).toBeLessThan(1000);
  });

  it("turned text inside its own borders", async () => {
    const isolated = (await page.locator("bdi").allTextContents()).filter((text) => text === override).length;
    // The title of the column and the value.
    expect(isolated).toBeGreaterThanOrEqual(2);
  });

  it("names of indexes, constraints and views, what they are made of, and comments", async () => {
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("rowheader", { name: `i ${markup}`, exact: true }).waitFor();
    await page.getByRole("rowheader", { name: `c ${markup}`, exact: true }).waitFor();
    await page.getByText(script, { exact: true }).waitFor();
    await unharmed();
    await goTo("data", "default", "public", `v ${markup}`);
    await page.getByRole("region", { name: "Definition" }).getByText(markup.slice(0, 8)).waitFor();
    await unharmed();
  });

  it("names of functions and of their arguments", async () => {
    await goTo("data", "default", "functions");
    await page.getByText(`f ${markup}(${override} text)`, { exact: true }).waitFor();
    await unharmed();
    await goTo("data", "default", "public", table);
    await page.getByRole("tab", { name: "Computed fields" }).click();
    await page.getByTitle("Add g", { exact: true }).click();
    await page.getByRole("dialog").getByRole("heading", { name: table }).waitFor();
    await unharmed();
    await goTo("data", "default");
    await page
      .getByRole("link", { name: `v ${markup}` })
      .first()
      .waitFor();
    await page.getByLabel(`Choose ${table}`, { exact: true }).check();
    await page.getByRole("button", { name: "Untrack 1" }).click();
    await page.getByRole("dialog").waitFor();
    await unharmed();
  });

  it("filters and roles of permissions, and the code that they become", async () => {
    const permission = {
      columns: ["id"],
      filter: { _and: [{ note: { _neq: markup } }, { [override]: { _eq: script } }] },
    };
    const where = { table: { schema: "public", name: table }, role: script };
    await opened.server.metadata("pg_create_select_permission", { ...where, permission });
    await goTo("permissions");
    await page.getByRole("columnheader", { name: script }).waitFor();
    await unharmed();
    await goTo("permissions", "default", "public", table, script);
    await expect.poll(() => page.getByLabel("Value of condition 1").inputValue()).toBe(markup);
    expect(await page.getByLabel("Column of condition 2").inputValue()).toBe(override);
    await page.getByRole("button", { name: "Remove condition 1" }).click();
    await page.getByText("This widens access").waitFor();
    await unharmed();
    await page.getByRole("tab", { name: "Rows that pass" }).click();
    // No name of GraphQL: the answer is an error with the name in it.
    await page.getByRole("alert").getByText(override).first().waitFor();
    await unharmed();
  });

  it("errors of the database, and addresses that name what is not there", async () => {
    await goTo("data", "default", "sql");
    await page.getByRole("textbox", { name: "SQL" }).focus();
    await page.keyboard.insertText(`select "${markup.replaceAll('"', '""')}"`);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").waitFor();
    await unharmed();
    await goTo("permissions", "default", "public", table, markup);
    await page.getByRole("heading", { name: markup }).waitFor();
    await unharmed();
    await goTo(markup, script);
    await page.getByText("There is no such page.").waitFor();
    await unharmed();
  });
});
