/** The structure of tables in the console: creating, altering and deleting, with hostile names. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { chooseAction, openConsole, type TestConsole } from "../support/console.ts";

const markup = `<img src=x onerror="document.title='owned'">`;

const hostile = `it's "<b>" ü`;

const sql = `
  create type "mood '" as enum ('calm');
  create table owner (id int primary key, name text not null);
  create table article (id int primary key, writer_id int references owner, owner_id int references owner, title text);
  create table tag (id int primary key, label text);
  create table article_tag (article_id int references article, tag_id int references tag, primary key (article_id, tag_id));
  create table passport (owner_id int primary key references owner, number text);
  create table region (country text, code text, primary key (country, code));`;

describe.skipIf(!hasBrowser)("The structure of tables in the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    for (const table of ["owner", "article", "tag", "article_tag", "passport"]) {
      await opened.server.metadata("pg_track_table", { table });
    }
    page = await opened.newPage();
  }, 180_000);
  afterAll(() => opened?.close());

  const open = (path: string) => page.goto(`${opened.server.url}/console/data/default${path}`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const query = async (text: string): Promise<readonly (readonly string[])[]> => {
    const { json } = await opened.server.post("/v2/query", { type: "run_sql", args: { sql: text, read_only: true } });
    return (json as { readonly result: readonly (readonly string[])[] }).result.slice(1);
  };

  it("All suggested relationships are added at once, with names that do not collide", async () => {
    await open("");
    await chooseAction(page, "Suggest relationships");
    await page.getByText("many article_tag by its article_id", { exact: true }).waitFor();
    await fill("Name of owner_by_writer_id of article", "not valid");
    await page.getByText("Names consist of letters", { exact: false }).waitFor();
    await fill("Name of owner_by_writer_id of article", "writer");
    await page.getByLabel("Select articles_by_writer_id of owner").uncheck();
    await press("Add 9 relationships");
    await page.getByText("Added 9 relationships").waitFor();
    const { json } = await opened.server.post("/v1/graphql", {
      query: "{ article { writer { id } owner { id } article_tags { tag { label } } } owner { passport { number } } }",
    });
    expect(json).toEqual({ data: { article: [], owner: [] } });
  });

  it("Relationships are shown in words, renamed, and deleted with an undo", async () => {
    await open("/public/article");
    await page.getByRole("tab", { name: "Relationships" }).click();
    const list = page.getByRole("region", { name: "Relationships", exact: true });
    await list.getByText("Many-to-many with tag").waitFor();
    expect(await list.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^owner\s+one\s+owner\s+by owner_id/),
      expect.stringMatching(/^writer\s+one\s+owner\s+by writer_id/),
      expect.stringMatching(/^article_tags\s+many\s+article_tag\s+by its article_id/),
    ]);
    await press("Rename relationship writer");
    await fill("Name", "owner");
    await inDialog("Rename");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await fill("Name", "author");
    await inDialog("Rename");
    await page.getByText("Renamed writer to author").waitFor();
    await press("Delete relationship author");
    await page.getByText("Deleted author", { exact: true }).waitFor();
    await press("Undo");
    await list.getByText("author", { exact: true }).waitFor();
  });

  it("A relationship without a foreign key compares columns, and its name is free", async () => {
    await press("Add relationship");
    await fill("Name", "title");
    await page.getByText("A column or relationship has this name.").waitFor();
    await fill("Name", "same_label");
    await page.getByLabel("Related", { exact: true }).selectOption("array");
    await fill("Table", "tag");
    await page.getByLabel("Column 1", { exact: true }).selectOption("title");
    await page.getByLabel("Other column 1").selectOption("label");
    await inDialog("Add relationship");
    await page.getByText("Added same_label").waitFor();
    await page.getByText("where title = label").waitFor();
  });

  it("A relationship to a remote schema has a field path with arguments", async () => {
    const definition = { url: "http://127.0.0.1:1/graphql" };
    const metadata = (await opened.server.metadata("export_metadata", {})) as object;
    await opened.server.metadata("replace_metadata", {
      allow_inconsistent_metadata: true,
      metadata: { ...metadata, remote_schemas: [{ name: "reviews", definition }] },
    });
    await page.reload();
    await page.getByRole("tab", { name: "Relationships" }).click();
    await press("Add relationship");
    await fill("Name", "reviews");
    await page.getByLabel("To", { exact: true }).selectOption("remote");
    await page.getByLabel("Add column").selectOption("id");
    await fill("Root field", "reviews");
    await fill("Arguments (JSON)", '{"of": ');
    await page.getByText("Enter a JSON object.").waitFor();
    await fill("Arguments (JSON)", '{"of": "$id"}');
    await press("Add nested field");
    await fill("Nested field 1", "items");
    const sent = page.waitForRequest((request) => request.postData()?.includes("create_remote_relationship") ?? false);
    await inDialog("Add relationship");
    // The change is previewed first.
    expect(JSON.parse((await sent).postData() ?? "").args.operations[0].args).toEqual({
      source: "default",
      table: { schema: "public", name: "article" },
      name: "reviews",
      definition: {
        to_remote_schema: {
          remote_schema: "reviews",
          lhs_fields: ["id"],
          remote_field: { reviews: { arguments: { of: "$id" }, field: { items: { arguments: {} } } } },
        },
      },
    });
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await press("Cancel");
    await opened.server.metadata("replace_metadata", { metadata });
  });

  it("The console creates a table with keys, defaults, checks and comments, and shows the SQL before", async () => {
    await open("");
    await press("Create table");
    const create = page.getByRole("button", { name: "Create and track" });
    const reason = (text: string) => page.getByRole("dialog").getByText(text, { exact: true });
    await reason("Enter a name for the table.").waitFor();
    await fill("Name", markup);
    // Sighted users see the reason, screen readers read it with the button, and Enter in a field leads to the button.
    await fill("Name of column 1", "");
    const shown = reason("Add a column with a name.");
    await shown.waitFor();
    expect(await create.getAttribute("aria-describedby")).toBe(await shown.getAttribute("id"));
    await page.getByLabel("Comment", { exact: true }).press("Enter");
    expect(await create.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await fill("Name of column 1", "id");
    await fill("Comment", "It's \\ here");
    await fill("Name of column 2", 'owner "id"');
    await fill("Type of column 2", "integer");
    await fill("Name of column 3", "mood");
    await expect.poll(() => page.locator('datalist option[value="\\"mood \'\\""]').count()).toBe(1);
    await fill("Type of column 3", `"mood '"`);
    await fill("Default of column 3", "'calm'");
    await page.getByLabel("Nullable").nth(2).check();
    await fill("Name of column 4", "token");
    await page.getByLabel("Values of column 4").selectOption("uuid");
    await page.getByLabel("Unique").nth(3).check();
    await fill("Comment of column 4", "a 'secret'");
    await press("Add foreign key");
    await fill("Referenced table", "owners");
    await page.getByText("No table has this name.").waitFor();
    expect(await create.isDisabled()).toBe(true);
    await reason("Complete foreign key 1.").waitFor();
    await fill("Referenced table", "owner");
    await expect.poll(() => page.getByLabel("Other column 1").inputValue()).toBe("id");
    await page.getByLabel("Column 1", { exact: true }).selectOption('owner "id"');
    await page.getByLabel("When a referenced row is deleted").selectOption("cascade");
    await press("Add check");
    await fill("Check (SQL)", "nothing > 1");
    const preview = page.getByRole("region", { name: "SQL" });
    await preview
      .getByText('foreign key ("owner ""id""") references "public"."owner" ("id") on delete cascade')
      .waitFor();
    await press("Create and track");
    await page.getByRole("alert").getByText('column "nothing" does not exist').waitFor();
    await fill("Check (SQL)", '"owner ""id""" > 0');
    await press("Create and track");
    await page.getByRole("heading", { name: markup }).waitFor();
    expect(
      await query(`select conname, pg_get_constraintdef(c.oid) from pg_constraint c join pg_class r on r.oid = c.conrelid
      where relname like '<img%' and contype in ('c', 'f', 'p', 'u') order by contype`),
    ).toMatchObject([
      [expect.anything(), 'CHECK (("owner ""id""" > 0))'],
      [expect.anything(), 'FOREIGN KEY ("owner ""id""") REFERENCES owner(id) ON DELETE CASCADE'],
      [expect.anything(), "PRIMARY KEY (id)"],
      [expect.anything(), "UNIQUE (token)"],
    ]);
    expect(await page.title()).not.toBe("owned");
  });

  it("The console creates an enum table with its values", async () => {
    await open("");
    await press("Create table");
    await fill("Name", "state");
    await page.getByLabel("Enum table: its rows are the values of a GraphQL enum").check();
    await fill("Values", "open: It's open\nnot valid");
    await page.getByText("not valid is not a GraphQL name", { exact: false }).waitFor();
    await fill("Values", "open: It's open\nclosed");
    await press("Create and track");
    await page.getByRole("heading", { name: "state" }).waitFor();
    expect(await query("select value, description from state order by 1")).toEqual([
      ["closed", "NULL"],
      ["open", "It's open"],
    ]);
    const { sources } = (await opened.server.metadata("export_metadata", {})) as {
      readonly sources: readonly {
        readonly tables: readonly { readonly table: { name: string }; is_enum?: boolean }[];
      }[];
    };
    expect(sources[0]?.tables.find(({ table }) => table.name === "state")?.is_enum).toBe(true);
  });

  it("The console adds, changes and deletes columns, and deletes what depends on them only after a confirmation", async () => {
    await open("/public/owner");
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("row", { name: "name text Edit column name Delete column name" }).waitFor();
    await press("Add column");
    await fill("Name", hostile);
    await fill("Type", "nothing");
    await inDialog("Add column");
    await page.getByRole("dialog").getByRole("alert").getByText('type "nothing" does not exist').waitFor();
    await fill("Type", "integer");
    await fill("Default (SQL)", "7");
    await inDialog("Add column");
    await page.getByText(`Added ${hostile}`).waitFor();
    await press(`Edit column ${hostile}`);
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await fill("Name", "rank");
    await fill("Type", "bigint");
    await fill("Comment", "It's \\ the rank");
    await page.getByRole("dialog").getByLabel("Nullable").uncheck();
    await inDialog("Save");
    await page.getByText("Changed", { exact: false }).first().waitFor();
    await page
      .getByRole("row", { name: /rank bigint/ })
      .getByText("It's \\ the rank")
      .waitFor();
    expect(
      await query("select is_nullable, column_default from information_schema.columns where column_name = 'rank'"),
    ).toEqual([["NO", "7"]]);
    const permission = { columns: ["id", "rank"], filter: {} };
    await opened.server.metadata("pg_create_select_permission", { table: "owner", role: "reader", permission });
    await press("Delete column rank");
    await inDialog("Delete column");
    const alert = page.getByRole("dialog").getByRole("alert");
    await alert.getByText("permission owner.reader.select in source").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Delete column" }).isDisabled()).toBe(true);
    await page.getByLabel("Delete these objects from the metadata too").check();
    await inDialog("Delete column");
    await page.getByText("Deleted rank").waitFor();
    expect(await query("select 1 from information_schema.columns where column_name = 'rank'")).toEqual([]);
    expect(JSON.stringify(await opened.server.metadata("export_metadata", {}))).not.toContain("rank");
  });

  it("The console adds and deletes indexes and constraints, and marks unused indexes", async () => {
    await press("Add index");
    await page.getByLabel("Add column").selectOption("name");
    await fill("Only rows where (SQL)", "id > 0");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("owner_name_idx");
    await inDialog("Add index");
    const indexes = page.getByRole("region", { name: "Indexes" });
    const row = indexes.getByRole("row").filter({ hasText: "owner_name_idx" });
    await row.getByText("Unused").waitFor();
    await row.getByText(/kB/).waitFor();
    expect(await indexes.getByRole("button", { name: "Delete index owner_pkey" }).count()).toBe(0);
    await press("Delete index owner_name_idx");
    await inDialog("Delete index");
    await row.waitFor({ state: "detached" });
    await press("Add constraint");
    await page.getByLabel("Type", { exact: true }).selectOption("check");
    await fill("Condition (SQL)", "name <> '<script>'");
    await inDialog("Add constraint");
    const constraints = page.getByRole("region", { name: "Constraints" });
    await constraints.getByText("CHECK (name <> '<script>'::text)").waitFor();
    await press("Add constraint");
    await page.getByLabel("Type", { exact: true }).selectOption("unique");
    await page.getByLabel("Add column").selectOption("name");
    await inDialog("Add constraint");
    await constraints.getByText("UNIQUE (name)").waitFor();
    await press("Delete constraint owner_check");
    await inDialog("Delete constraint");
    await constraints.getByText("CHECK (name <> '<script>'::text)").waitFor({ state: "detached" });
  });

  it("The console renames, describes and deletes a table", async () => {
    await press("Comment");
    await fill("Comment", "People \\ 'x'");
    await inDialog("Save");
    await page.getByText("People \\ 'x'").waitFor();
    await press("Rename table");
    await fill("Name", hostile);
    await inDialog("Rename");
    await page.getByRole("heading", { name: hostile }).waitFor();
    await page.getByRole("tab", { name: "Structure" }).click();
    await press("Delete table");
    expect(await page.getByRole("dialog").getByRole("button", { name: "Delete table" }).isDisabled()).toBe(true);
    await fill(`Enter ${hostile} to confirm`, hostile);
    await inDialog("Delete table");
    await page
      .getByRole("dialog")
      .getByRole("alert")
      .getByText(/other objects depend on it/)
      .first()
      .waitFor();
    await page.getByLabel("Delete views, foreign keys and other objects of the database that depend on it too").check();
    await inDialog("Delete table");
    await page.getByLabel("Delete these objects from the metadata too").check();
    await inDialog("Delete table");
    await page.getByText(`Deleted ${hostile}`).waitFor();
    await page.getByRole("button", { name: "Create table" }).waitFor();
    expect(await query("select 1 from pg_class where relname like 'it''s%'")).toEqual([]);
  });

  it("The console of structure causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
