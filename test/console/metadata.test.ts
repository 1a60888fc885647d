/** The metadata page: export, import, reload, clear, inconsistent objects, advice, history, and environment variables. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import { violationsOn } from "../support/axe.ts";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { query } from "../support/database.ts";

const hostile = `<img src=x onerror="document.title='owned'"> "ü" '`;
const quoted = `"${hostile.replaceAll('"', '""')}"`;

describe.skipIf(!hasBrowser)("The metadata page", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole({ HOOK_HOST: "not-for-the-page" });
    const { server } = opened;
    await query(
      server.databaseUrl,
      `create table album (id bigint primary key, title text); create table ${quoted} (id int primary key); create table song (id int primary key);
       create function shout(album) returns text stable language sql as $$ select upper($1.title) $$;`,
    );
    for (const name of ["album", hostile]) {
      await server.metadata("pg_track_table", { table: { schema: "public", name } });
    }
    // The number has more digits than JavaScript keeps.
    const body = `{"type": "pg_create_select_permission", "args": {"table": "album", "role": "clerk",
      "permission": {"columns": ["id"], "filter": {"id": {"_lt": 9007199254740993}}}}}`;
    await server.post("/v1/metadata", body);
    page = await opened.newPage({ permissions: ["clipboard-read", "clipboard-write"] });
  }, 180_000);
  afterAll(() => opened?.close());

  const open = (path: string) => page.goto(`${opened.server.url}/console/metadata${path}`);
  const press = (name: string, within: Pick<Page, "getByRole"> = page) =>
    within.getByRole("button", { name, exact: true }).click();
  const dialog = () => page.getByRole("dialog");
  const exported = async () => (await opened.server.post("/v1/metadata", { type: "export_metadata", args: {} })).text;
  /** Opens the preview of a metadata document. */
  const importText = async (text: string) => {
    await press("Import");
    await page.getByRole("textbox", { name: "Metadata as JSON or YAML" }).fill(text);
    await press("Preview", dialog());
  };

  it("The metadata page shows, copies and downloads the metadata with all digits of its numbers", async () => {
    await open("");
    await page.getByRole("textbox", { name: "Metadata" }).getByText("9007199254740993").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), press("Download")]);
    expect(saved.suggestedFilename()).toMatch(/^metadata-\d+\.json$/);
    const text = readFileSync(await saved.path(), "utf8");
    expect(text).toContain("9007199254740993");
    expect(JSON.parse(text)).toEqual(JSON.parse(await exported()));
    await press("Copy");
    await page.getByText("Copied the metadata").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
  });

  it("An import of the same metadata has nothing to change", async () => {
    await importText(await exported());
    await dialog().getByText("No changes").waitFor();
    expect(await dialog().getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await press("Cancel", dialog());
  });

  it("An import shows the widened access and the changed parts, and changes nothing before confirmation", async () => {
    const before = await exported();
    const widened = before.replace('"id":{"_lt":9007199254740993}', "");
    expect(widened).not.toBe(before);
    await press("Import");
    await dialog()
      .getByLabel("JSON or YAML file")
      .setInputFiles({ name: "staging.json", mimeType: "application/json", buffer: Buffer.from(widened) });
    await dialog().getByRole("heading", { name: "This widens access" }).waitFor();
    await dialog().getByRole("heading", { name: "Metadata: 1 part" }).waitFor();
    const part = dialog().getByRole("region", { name: "default · public.album before and after" });
    await part.getByText("9007199254740993").waitFor();
    await press("Cancel", dialog());
    expect(await exported()).toBe(before);
    await importText(widened);
    await press("Import and widen access", dialog());
    await page.getByText("Imported the metadata").waitFor();
    expect(await exported()).toBe(widened);
    await page.getByRole("textbox", { name: "Metadata" }).getByText('"_lt"').waitFor({ state: "detached" });
  });

  it("The metadata is exported as YAML that the command line reads, and imported from YAML with all digits", async () => {
    const before = await exported();
    await open("");
    await page.getByLabel("Format").selectOption("YAML");
    await page.getByRole("textbox", { name: "Metadata" }).getByText("sources:").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), press("Download")]);
    expect(saved.suggestedFilename()).toMatch(/^metadata-\d+\.yaml$/);
    const folder = mkdtempSync(join(tmpdir(), "console-yaml-"));
    const file = join(folder, "metadata.yaml");
    await saved.saveAs(file);
    expect(stringifyJson((await readMetadataDirectory(file)).metadata)).toBe(before);
    const text = readFileSync(file, "utf8");
    rmSync(folder, { recursive: true });
    await importText(text);
    await dialog().getByText("No changes").waitFor();
    await press("Back", dialog());
    await dialog()
      .getByLabel("JSON or YAML file")
      .setInputFiles({
        name: "staging",
        mimeType: "text/plain",
        buffer: Buffer.from(`# Staging\n${text.replace("role: clerk", "role: auditor")}`),
      });
    await dialog().getByRole("heading", { name: "Import staging" }).waitFor();
    await dialog().getByRole("heading", { name: "This widens access" }).waitFor();
    const part = dialog().getByRole("region", { name: "default · public.album before and after" });
    await part.getByText('"auditor"').waitFor();
    await press("Import and widen access", dialog());
    await page.getByText("Imported the metadata").waitFor();
    expect(await exported()).toBe(before.replace('"role":"clerk"', '"role":"auditor"'));
    await importText("version: 3\nsources: [");
    await dialog().getByText("This is not YAML: pasted metadata:2:").waitFor();
    await press("Cancel", dialog());
    await opened.server.post("/v1/metadata", `{"type": "replace_metadata", "args": ${before}}`);
    expect(opened.complaints).toEqual([]);
  });

  it("A text that is not metadata is refused with the reason, and the text stays", async () => {
    const before = await exported();
    await importText('{"version": 3, "sources": [}');
    await dialog().getByText("This is not JSON:").waitFor();
    await dialog().getByRole("textbox", { name: "Metadata as JSON or YAML" }).fill("[1]");
    await press("Preview", dialog());
    await dialog().getByText("This is not metadata.").waitFor();
    await dialog().getByRole("textbox", { name: "Metadata as JSON or YAML" }).fill('{"version": 3, "source": []}');
    await press("Preview", dialog());
    await dialog().getByText('key "sources" not found').first().waitFor();
    expect(await dialog().getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await press("Back", dialog());
    await dialog().getByRole("textbox", { name: "Metadata as JSON or YAML" }).getByText('"source"').waitFor();
    await press("Cancel", dialog());
    expect(await exported()).toBe(before);
  });

  it("Metadata with inconsistent objects is refused with the reason, and imported if they are allowed", async () => {
    const before = JSON.parse(await exported());
    const [source] = before.sources;
    const table = { table: { schema: "public", name: "missing <b>table</b>" } };
    const changed = { ...before, sources: [{ ...source, tables: [...source.tables, table] }] };
    await importText(JSON.stringify(changed));
    await dialog().getByText("no such table/view exists in source").first().waitFor();
    await dialog().getByLabel("Allow inconsistent objects").check();
    await dialog().getByText("1 object will be inconsistent.").waitFor();
    await press("Import", dialog());
    await page.getByText("Imported the metadata").last().waitFor();
    await dialog().waitFor({ state: "detached" });
    await opened.server.metadata("drop_inconsistent_metadata", {});
  });

  it("An import is refused if the metadata has changed since its preview, and is previewed again", async () => {
    const before = JSON.parse(await exported());
    const [source] = before.sources;
    const changed = { ...before, sources: [{ ...source, tables: [{ table: { schema: "public", name: "album" } }] }] };
    await page.reload();
    await importText(JSON.stringify(changed));
    const part = (name: string) => dialog().getByText(name, { exact: true });
    await part(`default · public.${hostile}`).waitFor();
    await opened.server.metadata("add_inherited_role", { role_name: "staff", role_set: ["clerk"] });
    await press("Import", dialog());
    await dialog().getByText("Nothing was changed.").waitFor();
    await part("Outside of databases").waitFor();
    expect(JSON.parse(await exported()).inherited_roles).toHaveLength(1);
    await press("Import", dialog());
    await dialog().waitFor({ state: "detached" });
    expect(JSON.parse(await exported())).toEqual(changed);
    expect(await page.locator("img").count()).toBe(0);
    await opened.server.metadata("replace_metadata", { metadata: before });
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });

  it("A reload introspects the chosen databases again", async () => {
    await opened.server.metadata("pg_add_computed_field", {
      table: "album",
      name: "shout",
      definition: { function: "shout" },
    });
    await query(opened.server.databaseUrl, "drop function shout(album)");
    const inconsistent = () => opened.server.metadata("get_inconsistent_metadata", {});
    expect(await inconsistent()).toEqual([]);
    await open("");
    await press("Reload");
    await dialog().getByLabel("Databases").selectOption("None");
    await dialog().getByLabel("Remote schemas").selectOption("None");
    expect(await dialog().getByRole("button", { name: "Reload", exact: true }).isDisabled()).toBe(true);
    await dialog().getByLabel("Databases").selectOption("default");
    await press("Reload", dialog());
    await page.getByText("Reloaded the metadata").waitFor();
    expect(await inconsistent()).toEqual([expect.objectContaining({ type: "computed_field" })]);
    await opened.server.metadata("drop_inconsistent_metadata", {});
  });

  it("Clearing the metadata needs a typed confirmation, and is refused if the metadata has changed since", async () => {
    const before = JSON.parse(await exported());
    await open("");
    await press("Clear");
    await dialog().getByText("Deletes 2 tables from the metadata").waitFor();
    const confirm = dialog().getByRole("button", { name: "Clear", exact: true });
    await dialog().getByLabel("Type “clear” to confirm").fill("clean");
    await page.keyboard.press("Enter");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog().getByLabel("Type “clear” to confirm").fill("clear");
    await opened.server.metadata("add_inherited_role", { role_name: "staff", role_set: ["clerk"] });
    await confirm.click();
    await dialog().getByRole("alert").waitFor();
    expect(JSON.parse(await exported()).sources).toEqual(before.sources);
    await confirm.click();
    await page.getByText("Cleared the metadata").waitFor();
    expect(JSON.parse(await exported()).sources[0].tables).toEqual([]);
    await opened.server.metadata("replace_metadata", { metadata: before });
  });

  it("An inconsistent object folds its dependents, leads to its page, and is deleted after confirmation", async () => {
    const { server } = opened;
    await server.metadata("pg_track_table", { table: "song" });
    const using = { manual_configuration: { remote_table: "song", column_mapping: { id: "id" } } };
    await server.metadata("pg_create_array_relationship", { table: "album", name: "songs", using });
    await query(server.databaseUrl, "alter table song rename to tune");
    await open("/inconsistent");
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    await press("Reload metadata");
    const song = page.getByRole("article", { name: "table song in source default" });
    await song.getByText("no such table/view exists in source").waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
    await song.getByText("1 dependent object").click();
    await song.getByText("array_relation songs in table album").waitFor();
    await song.getByRole("link", { name: "Go to" }).click();
    await page.waitForURL(/\/console\/data\/default\/public\/song$/);
    await page.goBack();
    await press("Delete", song);
    await dialog().getByRole("heading", { name: "Delete table song in source default?" }).waitFor();
    await press("Delete", dialog());
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    expect(await exported()).not.toContain("song");
  });

  it("A relationship to an untracked table is repaired by tracking the table", async () => {
    const { server } = opened;
    const using = {
      manual_configuration: { remote_table: { schema: "public", name: "tune" }, column_mapping: { id: "id" } },
    };
    const before = JSON.parse(await exported());
    const [source] = before.sources;
    const tables = source.tables.map((table: { readonly table: { readonly name: string } }) =>
      table.table.name === "album" ? { ...table, array_relationships: [{ name: "tunes", using }] } : table,
    );
    const metadata = { ...before, sources: [{ ...source, tables }] };
    await server.metadata("replace_metadata", { metadata, allow_inconsistent_metadata: true });
    await open("/inconsistent");
    await press("Track public.tune");
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    expect(await exported()).toContain("tune");
    await server.metadata("replace_metadata", { metadata: before });
  });

  it("An inconsistent tool for assistants leads to its page and is deleted alone", async () => {
    const { server } = opened;
    const before = JSON.parse(await exported());
    const metadata = {
      ...before,
      query_collections: [
        { name: "c", definition: { queries: [{ name: "q", query: "query Albums { album { id } }" }] } },
      ],
      agent_tools: [{ name: "albums", definition: { query: { collection_name: "c", query_name: "none" } } }],
    };
    await server.metadata("replace_metadata", { metadata, allow_inconsistent_metadata: true });
    await open("/inconsistent");
    expect(await server.metadata("get_inconsistent_metadata", {})).toMatchObject([{ type: "agent_tool" }]);
    const tool = page.getByRole("article").filter({ hasText: "Agent tool" });
    await tool.waitFor();
    expect(await tool.getByRole("link", { name: "Go to" }).getAttribute("href")).toMatch(
      /\/assistants\/tools\/albums$/,
    );
    await press("Delete", tool);
    await press("Delete", dialog());
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    const after = JSON.parse(await exported());
    expect([after.agent_tools, after.query_collections]).toEqual([undefined, metadata.query_collections]);
    await server.metadata("replace_metadata", { metadata: before });
  });

  it("All inconsistent objects are deleted together after a confirmation that lists them", async () => {
    const { server } = opened;
    const before = JSON.parse(await exported());
    const [source] = before.sources;
    // Endpoints that match the same requests are one entry without a type and a name.
    const roles = [
      { role_name: "twice", role_set: ["clerk"] },
      { role_name: `none ${hostile}`, role_set: ["nobody"] },
    ];
    const missing = { table: { schema: "public", name: "missing" } };
    const rest = (name: string, url: string) => ({
      name,
      url,
      methods: ["GET"],
      definition: { query: { collection_name: "c", query_name: "q" } },
    });
    const metadata = {
      ...before,
      sources: [{ ...source, tables: [...source.tables, missing] }],
      inherited_roles: roles,
      query_collections: [
        { name: "c", definition: { queries: [{ name: "q", query: "query Albums { album { id } }" }] } },
      ],
      rest_endpoints: [rest("one", ":any"), rest("other", "same")],
    };
    await server.metadata("replace_metadata", { metadata, allow_inconsistent_metadata: true });
    const objects = (await server.metadata("get_inconsistent_metadata", {})) as readonly { readonly type?: string }[];
    expect(objects.some(({ type }) => type === undefined)).toBe(true);
    await open("/inconsistent");
    await page.getByRole("article", { name: "one, other" }).getByText("Ambiguous URL paths").waitFor();
    await page.getByRole("article", { name: "table missing in source default" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(objects.length);
    await press("Delete all");
    await dialog().getByRole("listitem").getByText("table missing in source default").waitFor();
    expect(await dialog().getByRole("listitem").count()).toBe(objects.length);
    await press("Delete all", dialog());
    await page.getByText("The metadata has no inconsistent objects.").waitFor();
    expect(await exported()).not.toContain("missing");
    await server.metadata("replace_metadata", { metadata: before });
    expect(opened.complaints).toEqual([]);
  });

  it("The history lists changes with their callers, and compares a version with any other by metadata, access and code", async () => {
    const { server } = opened;
    const ada = `<img src=x onerror="alert('ada')">`;
    const user = { "x-engine-user-id": ada };
    const permission = { columns: ["id", "title"], filter: {} };
    const args = { table: "album", role: "guest", permission };
    const created = await server.post("/v1/metadata", { type: "pg_create_select_permission", args }, user);
    expect(created.status).toBe(200);
    const { resource_version: version } = (await server.metadata("get_metadata_history", { limit: 1 })) as {
      readonly resource_version: number;
    };
    await server.metadata("add_inherited_role", { role_name: "crew", role_set: ["guest"] });
    await open("/history");
    const row = page.getByRole("row").filter({ hasText: ada });
    await row.getByRole("cell", { name: "pg_create_select_permission" }).waitFor();
    await row.getByRole("cell", { name: "default · public.album" }).waitFor();
    await row.getByRole("link", { name: String(version) }).click();
    await page.getByRole("heading", { name: `Version ${version}`, exact: true }).waitFor();
    const diff = (name: string) => page.getByRole("region", { name: `${name} before and after` });
    await diff("default · public.album").getByText('"guest"').waitFor();
    await page.getByLabel("Compare with").selectOption("Current version");
    await diff("Outside of databases").getByText('"crew"').waitFor();
    expect(await diff("default · public.album").count()).toBe(0);
    await page.getByLabel("Show").selectOption("Access and code");
    const module = page.getByRole("group").filter({ hasText: "roles/crew/default/public.album.ts" });
    await module.getByText("Added", { exact: true }).waitFor();
    await diff("roles/crew/default/public.album.ts").getByText("added: ").first().waitFor();
    expect(await page.getByText("Removed", { exact: true }).count()).toBe(0);
    // Neither version is the current one, and they are not adjacent.
    await server.metadata("drop_inherited_role", { role_name: "crew" });
    await page.reload();
    await page.getByLabel("Compare with").selectOption(String(version - 2));
    await page.getByRole("heading", { name: `Version ${version - 2} → ${version}` }).waitFor();
    await page.getByRole("region", { name: "Wider access" }).getByText("guest").first().waitFor();
    await diff("roles/guest/default/public.album.ts").getByText("added: ").first().waitFor();
    expect(await page.getByText("roles/crew/").count()).toBe(0);
    expect(new URL(page.url()).search).toBe(`?show=effects&with=${version - 2}`);
    await server.metadata("add_inherited_role", { role_name: "crew", role_set: ["guest"] });
    expect(await page.locator("img").count()).toBe(0);
  });

  it("An older version is restored after the same preview as an import", async () => {
    const { server } = opened;
    const { changes } = (await server.metadata("get_metadata_history", { limit: 5 })) as {
      readonly changes: readonly { readonly resource_version: number }[];
    };
    const oldest = changes[4]?.resource_version;
    const before = await exported();
    expect(before).toContain("crew");
    await open(`/history/${oldest}`);
    await press("Restore");
    await dialog().getByRole("heading", { name: "Metadata: 2 parts" }).waitFor();
    await dialog().getByText("No wider access").waitFor();
    expect(await exported()).toBe(before);
    await press("Restore", dialog());
    await page.getByText(`Restored version ${oldest}`).waitFor();
    expect(await exported()).not.toMatch(/crew|guest/);
    await open("/history/99999");
    await page
      .getByText(/of the metadata is not available/)
      .first()
      .waitFor();
  });

  it("Advice lists findings with their reasons and remedies, and has none once they are corrected", async () => {
    const { server } = opened;
    const token = `token ${hostile}`;
    const column = `"${token.replaceAll('"', '""')}"`;
    await query(server.databaseUrl, `create table visit (id int primary key, ${column} text)`);
    await server.metadata("pg_track_table", { table: "visit" });
    const permission = { columns: [token], filter: { id: { _gt: 0 } } };
    await server.metadata("pg_create_select_permission", { table: "visit", role: "guest", permission });
    await open("/advice");
    await page.getByRole("heading", { name: "Advice", exact: true }).waitFor();
    const finding = page.getByRole("article").filter({ hasText: "readable-secret" });
    await finding.getByText("Warning", { exact: true }).waitFor();
    await finding.getByText(`Role guest reads the column ${token} of visit`).waitFor();
    await finding.getByText(`Remove ${token} from the columns`).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    // The place leads to the permission, which leads to the findings about its table.
    await finding.getByRole("link").click();
    await page.getByRole("heading", { name: "guest on visit" }).waitFor();
    await page.getByRole("link", { name: "Advice" }).click();
    await page.getByText(/^\d+ findings? about visit/).waitFor();
    await finding.waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.getByText(/^\d+ findings?$/).waitFor();
    for (const path of ["data/default", "permissions"]) {
      await page.goto(`${server.url}/console/${path}`);
      const count = page.getByRole("link", { name: /^\d+ findings? about visit, the most severe is a warning$/ });
      await count.waitFor();
      expect(await violationsOn(page)).toEqual([]);
      if (path === "permissions") await count.click();
    }
    await finding.waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await server.metadata("pg_drop_select_permission", { table: "visit", role: "guest" });
    await press("Refresh");
    await page.getByText("No findings", { exact: true }).waitFor();
  });

  it("A server without a history names the option that stores it", async () => {
    const without = await openConsole({ ENGINE_GRAPHQL_METADATA_HISTORY_SIZE: "0" });
    try {
      const other = await without.newPage();
      await other.goto(`${without.server.url}/console/metadata/history`);
      await other.getByText("--metadata-history-size 0").waitFor();
    } finally {
      await without.close();
    }
  });

  it("Environment variables are listed with the places that use them and their status, without values", async () => {
    const { server } = opened;
    const cron = { webhook: "http://{{HOOK_HOST}}/run", schedule: "0 0 * * *" };
    await server.metadata("create_cron_trigger", { ...cron, name: "a hidden one", include_in_metadata: false });
    await server.metadata("create_cron_trigger", { ...cron, name: "nightly", include_in_metadata: true });
    const before = JSON.parse(await exported());
    const remote_schemas = [{ name: "desk", definition: { url_from_env: "ABSENT_URL" } }];
    const metadata = { ...before, remote_schemas };
    await server.metadata("replace_metadata", { metadata, allow_inconsistent_metadata: true });
    await open("/variables");
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("ABSENT_URL").getByRole("cell", { name: "Not set" }).waitFor();
    await row("ABSENT_URL").getByText("remote_schemas[desk].definition.url_from_env").waitFor();
    await row("HOOK_HOST").getByRole("cell", { name: "Set", exact: true }).waitFor();
    await row("HOOK_HOST").getByText("cron_triggers[a hidden one].webhook, cron_triggers[nightly].webhook").waitFor();
    await row("ENGINE_GRAPHQL_DATABASE_URL")
      .getByText("sources[default].configuration.connection_info.database_url.from_env")
      .waitFor();
    await page.getByText("1 of 3 not set").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("not-for-the-page");
    await server.metadata("replace_metadata", { metadata: before });
  });
});
