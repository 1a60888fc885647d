/** Completion and validation in the editors of the console, as a user meets them: by typing and by keys. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

describe.skipIf(!hasBrowser)("Completion in the console's editors", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;
  let editor: Locator;

  beforeAll(async () => {
    opened = await openConsole();
    const sql = "create table book (id int primary key, title text, published date)";
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    await opened.server.metadata("pg_track_table", { table: "book" });
    page = await opened.newPage();
    await page.goto(`${opened.server.url}/console/api`);
    editor = page.getByRole("textbox", { name: "GraphQL operation" });
    await editor.waitFor();
  }, 180_000);

  afterAll(() => opened?.close());

  const list = () => page.getByRole("listbox", { name: "Completions" });
  const offered = (name: string) => list().locator(".cm-completionLabel", { hasText: new RegExp(`^${name}$`) });

  it("An empty editor and a comment show no error", async () => {
    await editor.fill("{ nothing }");
    await page.locator(".cm-lintRange-error").first().waitFor();
    await editor.fill("# to be written");
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
    await editor.fill("");
    await expect.poll(() => page.locator(".cm-lintRange-error, .cm-lintPoint-error").count()).toBe(0);
    await page.getByRole("textbox", { name: "Variables as JSON" }).focus();
    expect(await page.locator(".cm-lintRange-error, .cm-lintPoint-error").count()).toBe(0);
  });

  /** Waits until the open list takes Enter: for 75 ms (`interactionDelay` of CodeMirror), Enter is a line break. */
  const listAcceptsKeys = async (): Promise<void> => {
    const shown = performance.now();
    await expect.poll(() => performance.now() - shown).toBeGreaterThan(80);
  };

  it("The editor of operations completes fields that the user types, and Enter accepts one", async () => {
    await editor.fill("");
    await editor.pressSequentially("{ book { ti");
    await offered("title").waitFor();
    await listAcceptsKeys();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await editor.innerText()).replace(/\s+/g, " ")).toContain("{ book { title");
    await list().waitFor({ state: "detached" });
  });

  it("Fields that are typed before the schema is loaded are completed when it is", async () => {
    const early = await opened.newPage();
    let load = (): void => undefined;
    const typed = new Promise<void>((resolve) => {
      load = resolve;
    });
    await early.route("**/v1/graphql", async (route) => {
      await typed;
      await route.continue();
    });
    await early.goto(`${opened.server.url}/console/api`);
    await early.getByRole("textbox", { name: "GraphQL operation" }).pressSequentially("{ bo");
    expect(await early.getByRole("listbox", { name: "Completions" }).count()).toBe(0);
    load();
    await early
      .getByRole("option", { name: /^book\b/ })
      .first()
      .waitFor();
    await early.context().close();
  });

  it("Ctrl+Space lists the fields and arguments that the role has", async () => {
    await editor.fill("query { }");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await offered("book").waitFor();
    await offered("book_aggregate").waitFor();
    expect(await list().locator(".cm-completionLabel").first().innerText()).toBe("book");
    await page.keyboard.press("Escape");
    await list().waitFor({ state: "detached" });
    await editor.fill("query { book( }");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await offered("where").waitFor();
    await page.keyboard.press("Escape");
  });

  it("Variables are completed by their types, and wrong ones are marked", async () => {
    await editor.fill(
      "query ($id: Int!, $order: [book_order_by!]) { book(order_by: $order, where: {id: {_eq: $id}}) { id } }",
    );
    const variables = page.getByRole("textbox", { name: "Variables as JSON" });
    expect(await page.locator(".cm-lintRange-error, .cm-lintPoint-error").count()).toBe(0);
    await variables.fill('{"order": {"title": }}');
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await offered("desc").waitFor();
    await page.keyboard.press("Escape");
    await variables.fill("{}");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await offered("order").waitFor();
    await offered("id").click();
    await expect.poll(() => variables.innerText()).toBe('{"id": }');
    await variables.fill('{"id": "<b>one</b>"}');
    await page.locator(".cm-lintRange-error", { hasText: '"<b>one</b>"' }).hover();
    await page.locator(".cm-tooltip-lint").getByText("Int cannot represent non-integer value").waitFor();
    await variables.fill('{"id": 1}');
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
    await editor.fill("query ($id: String!) { __typename }");
    await page.locator(".cm-lintRange-error", { hasText: /^1$/ }).waitFor();
    await variables.fill("");
    await expect.poll(() => variables.locator(".cm-lintRange-error").count()).toBe(0);
    await editor.fill("");
  });

  it("Format lays out the operation with its comments and the variables, and keeps texts with errors", async () => {
    const variables = page.getByRole("textbox", { name: "Variables as JSON" });
    const text = async (of: Locator) => (await of.innerText()).replaceAll("\n\n", "\n");
    await editor.fill("query Q($id:Int!){book(where:{id:{_eq:$id}}){id # key\ntitle}}");
    await variables.fill('{"id":12345678901234567890}');
    await page.getByRole("button", { name: "Format", exact: true }).click();
    await expect
      .poll(() => text(editor))
      .toBe("query Q($id: Int!) {\n  book(where: {id: {_eq: $id}}) {\n    id # key\n    title\n  }\n}");
    expect(await text(variables)).toBe('{\n  "id": 12345678901234567890\n}');
    await editor.fill("query {{");
    await variables.fill("{id}");
    await editor.press("Shift+Alt+f");
    await page.getByText("Correct the operation to format it").waitFor();
    await page.getByText("Correct the variables to format them").waitFor();
    expect(await text(editor)).toBe("query {{");
    expect(await text(variables)).toBe("{id}");
    await variables.fill("");
  });

  it("The SQL editor completes keywords, and running the statement closes the list", async () => {
    await page.goto(`${opened.server.url}/console/data/default`);
    await page.getByRole("link", { name: "SQL", exact: true }).click();
    const sql = page.getByRole("textbox", { name: "SQL", exact: true });
    await sql.click();
    await sql.pressSequentially("sel");
    // The grammar, which has the keywords, is loaded on first use.
    await page.keyboard.press("Control+Space");
    await offered("select").waitFor();
    await sql.pressSequentially("ect 1 as one");
    await page.keyboard.press("Control+Space");
    await list().waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("1 row in").waitFor();
    expect(await list().count()).toBe(0);
  });

  it("Completion causes no browser errors and no requests to other hosts", () => {
    expect(opened.complaints).toEqual([]);
    expect(opened.otherHosts).toEqual([]);
  });
});
