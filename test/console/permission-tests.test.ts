/** Permission tests on the permissions page of a project's console. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { hasBrowser, launchBrowser } from "../support/browser.ts";
import { Keyboard } from "../support/keyboard.ts";
import { openProjectConsole, type ProjectConsole } from "../support/project-console.ts";

const screenshots = process.env.SCREENSHOTS;

const file = `sessions:
  ben: { role: writer, variables: { x-engine-user-id: ben } }
setup:
  - rows:
      note: [{ id: 1, owner: ann, text: Milk }, { id: 2, owner: ben, text: Tea }]
cases:
  - name: Writers read their own notes
    session: ben
    query: "{ note { id text } }"
    data: { note: [{ id: 2, text: Tea }] }
  - name: Authors read their own notes
    session: { role: author, variables: { x-engine-user-id: ben } }
    query: "{ note { id } }"
    data: { note: [{ id: 2 }] }
  - name: Writers read <b>all</b> notes
    session: ben
    query: "{ note { id text } }"
    data: { note: [{ id: 1, text: Milk }, { id: 2, text: Tea }] }
  - name: Guests read all tags
    session: { role: guest }
    query: "{ tag { id } }"
    data: { tag: [] }
  - name: A set-up can fail
    session: ben
    setup: [{ sql: "insert into note values (1)" }]
    query: "{ note { id } }"
    data: { note: [] }
`;

describe.skipIf(!hasBrowser)("Permission tests in the console", { timeout: 180_000 }, () => {
  let opened: ProjectConsole;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  const metadata = (type: string, args: object) => opened.ask("/v1/metadata", { type, args });
  const rows = (owner: object) => ({ columns: ["id", "text"], filter: { owner } });
  const own = rows({ _eq: "X-Engine-User-Id" });

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const made = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
    made.setDefaultTimeout(60_000);
    made.on("pageerror", (error) => complaints.push(error.message));
    await made.goto(opened.address);
    await made.getByRole("navigation", { name: "Pages" }).waitFor();
    return made;
  }

  beforeAll(async () => {
    opened = await openProjectConsole();
    const up = "create table note (id int primary key, owner text, text text); create table tag (id int primary key)";
    expect((await opened.ask("/project/migrations", { source: "default", name: "note", up }))[0]).toBe(200);
    for (const table of ["note", "tag"]) await metadata("pg_track_table", { table });
    await metadata("pg_create_select_permission", { table: "note", role: "writer", permission: own });
    await metadata("pg_create_select_permission", {
      table: "tag",
      role: "guest",
      permission: { columns: ["id"], filter: {} },
    });
    await metadata("add_inherited_role", { role_name: "author", role_set: ["writer", "guest"] });
    expect((await opened.ask("/project/metadata", {}))[0]).toBe(200);
    await rm(join(opened.folder, "tests/permissions.yaml"));
    await writeFile(join(opened.folder, "tests/notes.yaml"), file);
    browser = await launchBrowser();
    page = await newPage();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await opened?.close();
  });

  const tests = () => page.getByRole("table", { name: "Permission tests" });
  const results = () => tests().locator(".badge").allInnerTexts();
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  it("Run all shows the result of each test", async () => {
    await page.goto(`${opened.origin}/console/permissions/default?view=tests`);
    await page.getByText("5 tests").waitFor();
    expect(await results()).toEqual(Array(5).fill("Not run"));
    await press("Run all");
    await page.getByText("3 passed, 2 failed").waitFor();
    expect(await results()).toEqual(["Passed", "Passed", "Failed", "Passed", "Broken"]);
  });

  it("A failed test shows its operation and session, and the difference", async () => {
    await tests().getByText("Writers read <b>all</b> notes").click();
    const dialog = page.getByRole("dialog", { name: "Writers read <b>all</b> notes" });
    await dialog.getByText("{ note { id text } }").waitFor();
    await dialog.getByText("role writer, x-engine-user-id: ben").waitFor();
    const difference = dialog.getByRole("region", { name: "Expected and received result" });
    expect((await difference.locator(".removed").allInnerTexts()).join("\n")).toContain("text: Milk");
    await page.keyboard.press("Escape");
    await tests().getByText("A set-up can fail").click();
    await page.getByText(/notes\.yaml:\d+.*duplicate key/).waitFor();
    await page.keyboard.press("Escape");
  });

  it("The permissions of a role on a table lead to the tests of this role, and of roles that inherit from it", async () => {
    await page.goto(`${opened.origin}/console/permissions/default/public/note/writer`);
    await page.getByRole("link", { name: "Tests" }).click();
    await tests().getByText("Authors read their own notes").waitFor();
    expect(await tests().locator("tbody tr[data-opens]").count()).toBe(4);
    await page.getByLabel("Table", { exact: true }).selectOption("tag");
    await page.getByText("No tests match the filter").waitFor();
    await page.getByLabel("Role", { exact: true }).selectOption("All roles");
    await tests().getByText("Guests read all tags").waitFor();
    expect(await tests().locator("tbody tr[data-opens]").count()).toBe(1);
    await press("Run 1");
    await page.getByText("1 passed, 0 failed").waitFor();
  });

  it("An invalid file is shown with its line, beside the tests of the other files", async () => {
    await writeFile(join(opened.folder, "tests/wrong.yaml"), "cases:\n  - name: x\n    sesion: ben\n");
    await page.getByLabel("Filter tests").fill("");
    await press("Refresh");
    await page.getByText(/wrong\.yaml:3:13: .*unknown key "sesion"/).waitFor();
    await rm(join(opened.folder, "tests/wrong.yaml"));
    await press("Refresh");
    await page
      .getByText("5 tests")
      .or(page.getByText(/passed,/))
      .first()
      .waitFor();
    await expect.poll(() => page.getByText("sesion").count()).toBe(0);
  });

  it.each([
    ["light", 1440],
    ["dark", 1024],
    ["light", 390],
  ] as const)("The tests and one of them have no accessibility problems: %s, %i pixels", async (colorScheme, width) => {
    const other = await newPage({ colorScheme, viewport: { width, height: 800 } });
    await other.goto(`${opened.origin}/console/permissions/default?view=tests`);
    await other.getByText("5 tests").waitFor();
    await other.getByRole("button", { name: "Run all", exact: true }).click();
    await other.getByText(/\d passed, \d failed/).waitFor();
    const see = async (name: string) => {
      if (screenshots) await other.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`) });
      expect(await violationsOn(other)).toEqual([]);
    };
    await see("tests");
    await other.getByText("Writers read <b>all</b> notes").click();
    await other.getByRole("region", { name: "Expected and received result" }).waitFor();
    await see("test");
    await other.context().close();
  });

  it("After a change of the metadata, results are marked as old, and the same test shows the new access", async () => {
    await page.goto(`${opened.origin}/console/permissions/default?view=tests`);
    await page.getByText("5 tests").waitFor();
    await press("Run all");
    await page.getByText("3 passed, 2 failed").waitFor();
    const replaced = await metadata("bulk_atomic", [
      { type: "pg_drop_select_permission", args: { table: "note", role: "writer" } },
      { type: "pg_create_select_permission", args: { table: "note", role: "writer", permission: rows({}) } },
    ]);
    expect(replaced[0]).toBe(200);
    await opened.ask("/project/metadata", {});
    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByRole("link", { name: "Permissions", exact: true }).click();
    await page.getByRole("tab", { name: "Tests" }).click();
    await tests().getByText("Passed before").first().waitFor();
    const keyboard = new Keyboard(page);
    await page.getByLabel("Filter tests").fill("own notes");
    await keyboard.activate("button Run 2");
    await page.getByText("0 passed, 2 failed").waitFor();
  });

  it("Permission tests cause no browser errors", () => {
    expect(complaints).toEqual([]);
  });
});
