/** The console displays hostile names, values and errors as plain text. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, introspectionFromSchema } from "graphql";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";

const markup = `<img src=x onerror="document.title='owned'">`;
const script = `</script><script>document.title='owned'</script>`;
/** Reverses the direction of the text after it, which disguises the text. */
const override = "safe\u202Egnp.exe";
const table = `t "${markup}`;
const quotedMarkup = markup.replaceAll('"', '""');

describe.skipIf(!hasBrowser)("Hostile text in the console", { timeout: 120_000 }, () => {
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
    // The editor places images without a source next to its widgets.
    expect(await page.locator("img:not(.cm-widgetBuffer)").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  };

  it("The console shows names of tables and columns and values of rows as text", async () => {
    await goTo("data", "default", "public", table);
    await page.getByRole("heading", { name: table }).waitFor();
    await page.getByRole("gridcell", { name: markup }).waitFor();
    await page.getByRole("gridcell", { name: script }).waitFor();
    await unharmed();
  });

  it("The console shortens a cell of one megabyte", async () => {
    const cells = await page.getByRole("gridcell").allTextContents();
    const longest = Math.max(...cells.map((text) => text.length));
    expect(longest).toBeGreaterThan(400);
    expect(longest).toBeLessThan(1000);
  });

  it("The console isolates text with direction overrides", async () => {
    const isolated = (await page.locator("bdi").allTextContents()).filter((text) => text === override).length;
    // The column header and the value.
    expect(isolated).toBeGreaterThanOrEqual(2);
  });

  it("The console shows names and definitions of indexes, constraints and views, and comments, as text", async () => {
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("rowheader", { name: `i ${markup}`, exact: true }).waitFor();
    await page.getByRole("rowheader", { name: `c ${markup}`, exact: true }).waitFor();
    await page.getByText(script, { exact: true }).waitFor();
    await unharmed();
    await goTo("data", "default", "public", `v ${markup}`);
    await page.getByRole("region", { name: "Definition" }).getByText(markup.slice(0, 8)).waitFor();
    await unharmed();
  });

  it("The console shows names of functions and arguments as text", async () => {
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
    await page.getByLabel(`Select ${table}`, { exact: true }).check();
    await page.getByRole("button", { name: "Untrack 1" }).click();
    await page.getByRole("dialog").waitFor();
    await unharmed();
  });

  it("The console shows filters, roles and generated code of permissions as text", async () => {
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
    await page.getByRole("tab", { name: "Matching rows" }).click();
    // The name is not a valid GraphQL name, so the error message contains it.
    await page.getByRole("alert").getByText(override).first().waitFor();
    await unharmed();
  });

  it("The console shows database errors and unknown addresses as text", async () => {
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
    await page.getByText("Page not found").waitFor();
    await unharmed();
  });

  describe("Hostile text on the pages of automation, results and code", () => {
    let remote: Server;

    beforeAll(async () => {
      const { server } = opened;
      const schema = buildSchema(
        `"""${markup} ${script}""" type Query { "${markup.replaceAll('"', "'")}" hostileField(a: String = "</script>"): Kind }
         "${markup.replaceAll('"', "'")}" enum Kind { A }`,
      );
      const introspection = JSON.stringify({ data: introspectionFromSchema(schema) });
      const failure = JSON.stringify({ data: null, errors: [{ message: markup, extensions: { [markup]: script } }] });
      remote = createServer(async (request, response) => {
        let text = "";
        for await (const chunk of request) text += chunk;
        response.setHeader("x-hostile", "<img src=x onerror=1>");
        response.end(text.includes("__schema") ? introspection : failure);
      });
      await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
      await server.metadata("add_remote_schema", { name: markup, definition: { url }, comment: script });
      await query(server.databaseUrl, "create table entry (id int primary key)");
      await server.metadata("pg_track_table", { table: "entry" });
      const retry_conf = { num_retries: 0, interval_sec: 10, timeout_sec: 60 };
      const webhook = `${url}/${encodeURIComponent(markup)}`;
      const trigger = { name: "hostile_trigger", table: "entry", webhook, insert: { columns: "*" }, retry_conf };
      await server.metadata("pg_create_event_trigger", { ...trigger, headers: [{ name: "x-a", value: markup }] });
      await query(
        server.databaseUrl,
        `insert into engine_catalog.event_log (id, schema_name, table_name, trigger_name, payload, delivered, error)
         values ($1, 'public', 'entry', 'hostile_trigger', $2, true, false)`,
        [markup, JSON.stringify({ op: script, data: { new: { [markup]: override } }, [script]: [markup] })],
      );
      await query(
        server.databaseUrl,
        `insert into engine_catalog.event_invocation_logs (trigger_name, event_id, status, request, response)
         values ('hostile_trigger', $1, 500, $2, $3)`,
        [
          markup,
          JSON.stringify({ payload: markup, headers: [{ name: script, value: markup }] }),
          JSON.stringify([script]),
        ],
      );
      const cron = { name: markup, webhook, schedule: "0 0 1 1 *", include_in_metadata: true, comment: script };
      await server.metadata("create_cron_trigger", { ...cron, payload: { [markup]: script } });
      await query(
        server.metadataUrl,
        `with event as (
           insert into engine_catalog.engine_scheduled_events (id, webhook_conf, scheduled_time, status, comment, payload)
           values ($1, to_json($1::text), now() + interval '1 day', 'error', $2, to_json($2::text)) returning id
         )
         insert into engine_catalog.engine_scheduled_event_invocation_logs (event_id, status, request, response)
         select id, 500, to_json($2::text), to_json($1::text) from event`,
        [markup, script],
      );
      await query(
        server.metadataUrl,
        `with event as (update engine_catalog.engine_cron_events set status = 'error' where id =
           (select id from engine_catalog.engine_cron_events where trigger_name = $1 order by id limit 1) returning id)
         insert into engine_catalog.engine_cron_event_invocation_logs (event_id, status, request, response)
         select id, null, to_json($2::text), to_json($1::text) from event`,
        [markup, script],
      );
      await server.metadata("set_custom_types", {
        objects: [{ name: "Done", description: script, fields: [{ name: "id", type: "String", description: markup }] }],
      });
      const definition = {
        kind: "asynchronous",
        type: "mutation",
        handler: webhook,
        output_type: "Done",
        arguments: [],
      };
      await server.metadata("create_action", { name: "hostile_action", definition, comment: markup });
      await query(
        server.metadataUrl,
        `insert into engine_catalog.engine_action_log
           (action_name, input_payload, request_headers, session_variables, errors, status)
         values ('hostile_action', to_jsonb($1::text), to_jsonb($2::text), '{}', to_jsonb($2::text), 'error')`,
        [markup, script],
      );
      await query(server.databaseUrl, `create table "gone ${quotedMarkup}" (id int primary key)`);
      await server.metadata("pg_track_table", { table: `gone ${markup}`, configuration: { custom_name: "gone" } });
      await query(server.databaseUrl, `drop table "gone ${quotedMarkup}"`);
      await server.metadata("reload_metadata", { reload_sources: true });
      const queries = [{ name: markup, query: `query hostile { hostile { note } } # ${script}` }];
      await server.metadata("create_query_collection", { name: script, definition: { queries }, comment: markup });
      await server.metadata("create_rest_endpoint", {
        name: markup,
        url: "hostile/endpoint",
        methods: ["GET"],
        comment: script,
        definition: { query: { collection_name: script, query_name: markup } },
      });
    }, 120_000);

    afterAll(() => new Promise((resolve) => remote?.close(resolve)));

    /** Opens every element of a page that can be opened without changing anything. */
    const openAll = async (): Promise<void> => {
      await page.waitForLoadState("networkidle");
      const tabs = page.getByRole("tab");
      for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
        if ((await tabs.count()) > 0) await tabs.nth(i).click();
        await page.waitForLoadState("networkidle");
        for (const details of await page.locator("details:not([open]) > summary").all()) await details.click();
        const viewButtons = page.getByRole("button", { name: /^View / });
        for (let index = 0; index < Math.min(3, await viewButtons.count()); index++) {
          await viewButtons.nth(index).click();
          await page.getByRole("dialog").waitFor();
          await page.waitForLoadState("networkidle");
          await unharmed();
          await page.keyboard.press("Escape");
          await page.getByRole("dialog").waitFor({ state: "detached" });
        }
        await unharmed();
      }
    };

    it.each<readonly [string, readonly string[]]>([
      ["an event trigger, its events and their calls", ["automation", "event", "default", "hostile_trigger"]],
      ["a cron trigger, its events and their calls", ["automation", "cron", markup]],
      ["one-off events and their calls", ["automation", "one-off"]],
      ["an action and its calls", ["automation", "action", "hostile_action"]],
      ["custom types", ["automation", "custom-types"]],
      ["a remote schema", ["automation", "remote-schema", markup]],
      ["all scheduled and automatic objects", ["automation"]],
      ["inconsistent objects", ["metadata", "inconsistent"]],
      ["the metadata", ["metadata"]],
    ])("The console shows as text: %s", async (_, path) => {
      await goTo(...path);
      await expect.poll(() => page.locator("body").innerText()).toMatch(/onerror|hostile|owned/);
      await openAll();
    });

    it("The console shows SQL results and their column names as text", async () => {
      await goTo("data", "default", "sql");
      await page.getByRole("textbox", { name: "SQL" }).focus();
      await page.keyboard.insertText(`select note as "${quotedMarkup}", value from "${table.replaceAll('"', '""')}"`);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("cell", { name: markup, exact: true }).waitFor();
      await page.getByRole("columnheader", { name: markup }).waitFor();
      await unharmed();
    });

    it("The console shows results, saved operations with their endpoints, and field descriptions as text", async () => {
      await goTo("api");
      await page.getByRole("textbox", { name: "Operation" }).focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText("{ hostile { note value } hostileField }");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("region", { name: "Result" }).getByText("onerror").first().waitFor();
      await openAll();
    });

    it("The console shows generated code with hostile names as text", async () => {
      await goTo("code");
      await page.waitForLoadState("networkidle");
      const option = page.getByLabel("Role", { exact: true }).locator("option", { hasText: "script" }).first();
      await page.getByLabel("Role", { exact: true }).selectOption({ label: (await option.textContent()) ?? "" });
      await page.getByRole("navigation", { name: "Generated files" }).getByRole("link").first().click();
      await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
      await unharmed();
      await page.getByLabel("Search these files").fill("onerror");
      await page.waitForLoadState("networkidle");
      await unharmed();
    });
  });
});
