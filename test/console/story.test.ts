/**
 * The first steps of a new user: a table, rows, a permission previewed before it is saved, and a query with the role.
 * `docs/internals/console.md` compares the numbers of clicks and fields with those of another console.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { confirmWidening, openConsole, type TestConsole } from "../support/console.ts";

/** Counts clicks, and the fields that were filled in or chosen from a list. A label and its check box are one click. */
const counting = `
  globalThis.effort = { clicks: 0, fields: new Set() };
  addEventListener("pointerdown", () => { effort.clicks += 1; }, true);
  addEventListener("input", ({ target }) => {
    if (target.type !== "checkbox" && target.type !== "radio") effort.fields.add(target);
  }, true);
`;

describe.skipIf(!hasBrowser)("First steps in the console", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    await page.addInitScript(counting);
    await page.goto(`${opened.server.url}/`);
  }, 180_000);

  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const open = (name: string) =>
    page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();

  /** Expects the number of clicks and fields that a task takes, without the way to its form. */
  const expectEffort = async (
    expected: { readonly clicks: number; readonly fields: number },
    task: () => Promise<void>,
  ) => {
    await page.evaluate("effort.clicks = 0; effort.fields.clear()");
    await task();
    expect(await page.evaluate("({ clicks: effort.clicks, fields: effort.fields.size })")).toEqual(expected);
  };

  it("A new table is created and tracked at once", async () => {
    await open("Data");
    await press("Create table");
    await expectEffort({ clicks: 1, fields: 3 }, async () => {
      await page.getByLabel("Name", { exact: true }).fill("note");
      await page.getByLabel("Name of column 2").fill("text");
      await page.getByLabel("Name of column 3").fill("owner");
      await press("Create and track");
      await page.getByRole("heading", { name: "note" }).waitFor();
    });
    expect(page.url()).toContain("/console/data/default/public/note");
  });

  it("Rows are inserted on the data page", async () => {
    for (const [text, owner] of [
      ["mine", "u1"],
      ["of another", "u2"],
    ]) {
      await press("Insert row");
      await page.getByLabel("text", { exact: true }).fill(text ?? "");
      await page.getByLabel("owner", { exact: true }).fill(owner ?? "");
      await press("Insert");
      await page.getByRole("gridcell", { name: text ?? "", exact: true }).waitFor();
    }
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("A row is deleted on the data page", async () => {
    await press("Insert row");
    await page.getByLabel("text", { exact: true }).fill("to delete");
    await page.getByLabel("owner", { exact: true }).fill("u3");
    await press("Insert");
    await page.getByText("3 of 3 rows").waitFor();
    await page.getByRole("button", { name: "Delete row" }).last().click();
    await press("Delete");
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("A row is edited and rows are filtered on the data page", async () => {
    await page.getByRole("button", { name: "Edit row" }).last().click();
    await page.getByLabel("text", { exact: true }).fill("theirs");
    await press("Save");
    await page.getByRole("gridcell", { name: "theirs", exact: true }).waitFor();
    await expectEffort({ clicks: 1, fields: 2 }, async () => {
      await press("Filter");
      await page.getByLabel("Filter column").selectOption("owner");
      await page.getByLabel("Filter value").fill("u1");
      await page.getByText("1 of 1 rows").waitFor();
    });
    await press("Clear filter");
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("The API page queries the rows as admin", async () => {
    await open("API");
    await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
    await page.keyboard.insertText("query Notes { note(order_by: {id: asc}) { text } }");
    await page.keyboard.press("Control+Enter");
    await page.getByText('"theirs"').waitFor();
  });

  it("The API page saves an operation and serves it as a REST endpoint", async () => {
    await expectEffort({ clicks: 4, fields: 0 }, async () => {
      await press("Save operation");
      await page.getByLabel("Expose as a REST endpoint").check();
      await press("Save");
      await confirmWidening(page);
      await page.getByText("Saved Notes with the endpoint /api/rest/notes").waitFor();
    });
    const response = await fetch(`${opened.server.url}/api/rest/notes`);
    expect(await response.json()).toEqual({ data: { note: [{ text: "mine" }, { text: "theirs" }] } });
  });

  it("The API page reopens a saved operation and deletes it with its endpoint", async () => {
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByText("GET, POST /api/rest/notes").waitFor();
    await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ other }");
    await press("Open");
    await page.getByRole("textbox", { name: "GraphQL operation" }).getByText("Notes").waitFor();
    await press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No saved operations").waitFor();
    expect((await fetch(`${opened.server.url}/api/rest/notes`)).status).toBe(404);
  });

  it("The permissions page shows matching rows, widened access and generated code before a permission is saved", async () => {
    await open("Permissions");
    await expectEffort({ clicks: 3, fields: 2 }, async () => {
      await page.getByLabel("New role name").fill("writer");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "writer on note: no access" }).click();
      await press("Allow select of all columns");
      await press("Add condition");
      await page.getByLabel("Column of condition 1").selectOption("owner");
    });
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("This widens access").waitFor();
    await preview.getByText("roles/writer/default/public.note.ts").waitFor();
    await preview
      .getByText(/visible: RowFilter/)
      .first()
      .waitFor();
    expect(JSON.stringify(await opened.server.metadata("export_metadata", {}))).not.toContain("writer");
    await page.getByRole("tab", { name: "Matching rows" }).click();
    await page.getByLabel("x-engine-user-id").fill("u1");
    await page.getByText("1 of 2 rows match").waitFor();
    await expectEffort({ clicks: 1, fields: 0 }, async () => {
      await press("Save and widen access");
      await page.getByText("Saved the select permission of writer on note").waitFor();
    });
    expect(JSON.stringify(await opened.server.metadata("export_metadata", {}))).toContain('"X-Engine-User-Id"');
  });

  it("The permissions page saves a narrower permission and refuses to overwrite a concurrent change", async () => {
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByLabel(/^owner/).uncheck();
    await page.getByText("No wider access").waitFor();
    await opened.server.metadata("set_custom_types", {});
    await press("Save");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Row limit").fill("7");
    await page.getByText("No wider access").waitFor();
    await press("Save");
    await page.getByText("Saved the select permission of writer on note").first().waitFor();
  });

  it("The API page queries as a role and shows only the rows of its session", async () => {
    await open("API");
    await page.getByLabel("Role", { exact: true }).fill("writer");
    await press("Session");
    await page.getByLabel("Name of header 1").fill("x-engine-user-id");
    await page.getByLabel("Value of header 1").fill("u1");
    await press("Apply");
    await press("Run");
    await page.getByText('"theirs"').waitFor({ state: "detached" });
    await page.getByText('"mine"').waitFor();
  });

  it("A table with a foreign key gets its relationship with one click", async () => {
    await open("Data");
    await press("Create table");
    await page.getByLabel("Name", { exact: true }).fill("remark");
    await page.getByLabel("Name of column 2").fill("note_id");
    await page.getByLabel("Type of column 2").fill("bigint");
    await press("Add foreign key");
    await page.getByLabel("Referenced table").fill("note");
    await page.getByLabel("Column 1", { exact: true }).selectOption("note_id");
    await press("Create and track");
    await page.getByRole("heading", { name: "remark" }).waitFor();
    await page.getByRole("tab", { name: "Relationships" }).click();
    await expectEffort({ clicks: 1, fields: 0 }, async () => {
      await press("Add 1 relationship");
      await page.getByText("Added the relationship").waitFor();
    });
    const { json } = await opened.server.post("/v1/graphql", { query: "{ remark { note { text } } }" });
    expect(json).toEqual({ data: { remark: [] } });
  });

  it("An event trigger is created after a preview of the rows that leave the server", async () => {
    await open("Automation");
    await page.getByRole("link", { name: "New event trigger" }).first().click();
    await expectEffort({ clicks: 2, fields: 3 }, async () => {
      await page.getByLabel("Name", { exact: true }).fill("note_made");
      await page.getByLabel("Table", { exact: true }).fill("note");
      await page.getByLabel("Webhook").fill("http://127.0.0.1:9/hook");
      await press("Create event trigger");
      await confirmWidening(page);
      await page.getByRole("heading", { name: "note_made" }).waitFor();
    });
  });

  it("The first steps cause no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
