/** A newcomer's story: a table, rows, a permission seen before it is saved, a query as the role. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

describe.skipIf(!hasBrowser)("a newcomer", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/`);
  }, 180_000);

  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const open = (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();

  it("creates a table, which is tracked at once", async () => {
    await open("Data");
    await press("Create table");
    await page.getByLabel("Name", { exact: true }).fill("note");
    await page.getByLabel("Name of column 2").fill("text");
    await press("Column");
    await page.getByLabel("Name of column 3").fill("owner");
    await press("Create and track");
    await page.getByRole("heading", { name: "note" }).waitFor();
    expect(page.url()).toContain("/console/data/default/public/note");
  });

  it("inserts rows", async () => {
    for (const [text, owner] of [
      ["mine", "u1"],
      ["of another", "u2"],
    ]) {
      await press("Insert row");
      await page.getByLabel("text", { exact: true }).fill(text ?? "");
      await page.getByLabel("owner", { exact: true }).fill(owner ?? "");
      await press("Insert");
      await page.getByRole("cell", { name: text ?? "", exact: true }).waitFor();
    }
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("deletes one that was inserted by mistake", async () => {
    await press("Insert row");
    await page.getByLabel("text", { exact: true }).fill("mistake");
    await page.getByLabel("owner", { exact: true }).fill("u3");
    await press("Insert");
    await page.getByText("3 of 3 rows").waitFor();
    await page.getByRole("button", { name: "Delete this row" }).last().click();
    await press("Delete");
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("edits one, and filters", async () => {
    await page.getByRole("button", { name: "Edit this row" }).last().click();
    await page.getByLabel("text", { exact: true }).fill("theirs");
    await press("Save");
    await page.getByRole("cell", { name: "theirs", exact: true }).waitFor();
    await page.getByLabel("Column to filter by").selectOption("owner");
    await page.getByLabel("Value to filter by").fill("u1");
    await press("Filter");
    await page.getByText("1 of 1 rows").waitFor();
    await press("All rows");
    await page.getByText("2 of 2 rows").waitFor();
  });

  it("queries them as an administrator", async () => {
    await open("API");
    await page.getByRole("textbox", { name: "GraphQL operation" }).focus();
    await page.keyboard.insertText("query Notes { note(order_by: {id: asc}) { text } }");
    await page.keyboard.press("Control+Enter");
    await page.getByText('"theirs"').waitFor();
  });

  it("saves the operation, and serves it as a REST endpoint", async () => {
    await press("Save as operation");
    await page.getByLabel("Also serve it as a REST endpoint").check();
    await press("Save");
    await page.getByText("Notes is saved, and served at /api/rest/notes.").waitFor();
    const response = await fetch(`${opened.server.url}/api/rest/notes`);
    expect(await response.json()).toEqual({ data: { note: [{ text: "mine" }, { text: "theirs" }] } });
  });

  it("takes the saved operation up again, and deletes it with its endpoint", async () => {
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByText("GET, POST /api/rest/notes").waitFor();
    await page.getByRole("textbox", { name: "GraphQL operation" }).fill("{ other }");
    await press("Open");
    await page.getByRole("textbox", { name: "GraphQL operation" }).getByText("Notes").waitFor();
    await press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Operations that are saved are listed here").waitFor();
    expect((await fetch(`${opened.server.url}/api/rest/notes`)).status).toBe(404);
  });

  it("adds a permission, and sees which rows pass, what widens and the code before it is saved", async () => {
    await open("Permissions");
    await page.getByLabel("Name of a new role").fill("writer");
    await press("Add role");
    await page.getByRole("link", { name: "writer on note: nothing" }).click();
    await press("Allow select");
    await press("All");
    await press("Condition");
    await page.getByLabel("Column of condition 1").selectOption("owner");
    const effects = page.getByRole("region", { name: "Effects" });
    await effects.getByText("This widens access").waitFor();
    await effects.getByText("roles/writer/default/public.note.ts").waitFor();
    await effects
      .getByText(/visible: RowFilter/)
      .first()
      .waitFor();
    expect(JSON.stringify(await opened.server.metadata("export_metadata", {}))).not.toContain("writer");
    await page.getByRole("tab", { name: "Rows that pass" }).click();
    await page.getByLabel("x-engine-user-id").fill("u1");
    await page.getByText("1 of 2 rows pass").waitFor();
    await press("Save, and widen access");
    await page.getByText("Saved what writer may do with note.").waitFor();
    expect(JSON.stringify(await opened.server.metadata("export_metadata", {}))).toContain('"X-Engine-User-Id"');
  });

  it("narrows it, which widens nothing, and cannot save what somebody else changed meanwhile", async () => {
    await page.getByRole("tab", { name: "What it changes" }).click();
    await page.getByLabel(/^owner/).uncheck();
    await page.getByText("nothing widens").waitFor();
    await opened.server.metadata("set_custom_types", {});
    await press("Save");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Most rows of one answer").fill("7");
    await page.getByText("nothing widens").waitFor();
    await press("Save");
    await page.getByText("Saved what writer may do with note.").first().waitFor();
  });

  it("queries as the role, and sees its own rows only", async () => {
    await open("API");
    await page.getByRole("tab", { name: "Try as" }).click();
    await page.getByLabel("Role").fill("writer");
    await press("Session variable");
    await page.getByLabel("Value of header 1").fill("u1");
    await press("Run");
    await page.getByText('"theirs"').waitFor({ state: "detached" });
    await page.getByText('"mine"').waitFor();
  });

  it("meets no error of the page", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
