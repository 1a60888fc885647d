/** Pending edits of rows: collected in the grid, reviewed, and saved in one transaction or discarded. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { hasBrowser } from "../support/browser.ts";
import { openConsole, type TestConsole } from "../support/console.ts";

const screenshots = process.env.SCREENSHOTS;

const sql = `
  create table task (id int primary key, title text not null unique, effort int check (effort < 100), done boolean);
  insert into task values (1, 'write', 3, false), (2, 'read', null, true), (3, 'count', 5, null);
  create table other (id int primary key);`;

describe.skipIf(!hasBrowser)("Pending edits of rows", { timeout: 120_000 }, () => {
  let opened: TestConsole;
  let page: Page;

  beforeAll(async () => {
    opened = await openConsole();
    await opened.server.post("/v2/query", { type: "run_sql", args: { sql } });
    for (const table of ["task", "other"]) await opened.server.metadata("pg_track_table", { table });
    page = await opened.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`${opened.server.url}/console/data/default/public/task`);
    await page.getByText("3 of 3 rows").waitFor();
  }, 180_000);
  afterAll(() => opened?.close());

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row} ${column}"]`);
  const bar = () => page.getByRole("region", { name: "Pending edits" });
  const runSql = (text: string) => opened.server.post("/v2/query", { type: "run_sql", args: { sql: text } });
  const titles = async (): Promise<unknown> => {
    const { json } = await runSql("select title, effort from task order by id");
    return (json as { readonly result: readonly (readonly string[])[] }).result.slice(1);
  };
  async function type(row: number, column: number, text: string): Promise<void> {
    await cell(row, column).click();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Enter");
    await page.locator(".cell-editor").waitFor({ state: "detached" });
  }

  it("Each edit is saved at once by default", async () => {
    await type(0, 1, "written");
    await page.getByText("Saved the row").waitFor();
    expect(await titles()).toEqual([
      ["written", "3"],
      ["read", "NULL"],
      ["count", "5"],
    ]);
    expect(await bar().count()).toBe(0);
  });

  it("Collected edits are marked with their loaded value, and change no row", async () => {
    await press("Collect edits");
    await type(0, 1, "write again");
    await type(1, 1, "read again");
    await type(1, 2, "8");
    await bar().getByText("3 edits in 2 rows not saved").waitFor();
    expect(await cell(0, 1).innerText()).toBe("write again");
    expect(await cell(0, 1).getAttribute("title")).toBe("Not saved. Loaded value: written");
    expect(await cell(1, 2).getAttribute("title")).toBe("Not saved. Loaded value: null");
    expect(await titles()).toEqual([
      ["written", "3"],
      ["read", "NULL"],
      ["count", "5"],
    ]);
    await type(1, 2, "9");
    await type(0, 1, "written");
    await bar().getByText("2 edits in 1 row not saved").waitFor();
    await type(0, 1, "write again");
  });

  it("The review lists loaded and new values, and the edits stay after a change of the tab", async () => {
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("tab", { name: "Rows" }).click();
    await press("Refresh");
    await bar().getByRole("button", { name: "Review", exact: true }).click();
    const rows = page.getByRole("dialog").locator("tbody tr");
    expect((await rows.allInnerTexts()).map((text) => text.split(/\s*\t\s*/).slice(1, 4))).toEqual([
      ["title", "read", "read again"],
      ["effort", "null", "9"],
      ["title", "written", "write again"],
    ]);
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("A value that the database refuses names its row, saves none, and keeps all edits", async () => {
    await type(2, 2, "100");
    await press("Save edits");
    await page
      .getByRole("alert")
      .getByText(/Nothing was saved\. The row id 3 was refused: .*check constraint/i)
      .waitFor();
    await bar().getByText("4 edits in 3 rows not saved").waitFor();
    expect(await page.locator("tr.refused").count()).toBe(1);
    expect(await titles()).toEqual([
      ["written", "3"],
      ["read", "NULL"],
      ["count", "5"],
    ]);
    await bar().getByRole("button", { name: "Review", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(/^Refused: .*check constraint/i)
      .waitFor();
    const row = page.getByRole("dialog").getByRole("row", { name: "id 3 " });
    await row.getByRole("button", { name: "Discard", exact: true }).click();
    await page.keyboard.press("Escape");
    await bar().getByText("3 edits in 2 rows not saved").waitFor();
  });

  it("A row that another one has changed is refused, and no row is saved", async () => {
    await runSql("update task set title = 'changed' where id = 2");
    await press("Save edits");
    await page
      .getByRole("alert")
      .getByText(/The row id 2 was refused: it was changed or deleted/)
      .waitFor();
    expect(await titles()).toEqual([
      ["written", "3"],
      ["changed", "NULL"],
      ["count", "5"],
    ]);
    await runSql("update task set title = 'read' where id = 2");
  });

  it("Leaving the page with edits shows a warning, and the user can stay", async () => {
    const questions: string[] = [];
    page.once("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole("navigation", { name: "Tables" }).getByText("other", { exact: true }).click();
    expect(questions).toEqual(["3 edits in 2 rows of task not saved. Leave the page and discard them?"]);
    expect(page.url()).toContain("/public/task");
    // The browser shows its own warning if the event is cancelled, so that dispatching it returns false.
    const leavesTab = () => page.evaluate(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
    expect(await leavesTab()).toBe(false);
    await bar().getByText("3 edits in 2 rows not saved").waitFor();
  });

  it("All edits are saved together", async () => {
    await press("Save edits");
    await page.getByText("Saved 3 edits in 2 rows").waitFor();
    await bar().waitFor({ state: "detached" });
    expect(await titles()).toEqual([
      ["write again", "3"],
      ["read again", "9"],
      ["count", "5"],
    ]);
    await expect.poll(() => cell(1, 1).innerText()).toBe("read again");
  });

  it("Discarded edits can be restored, and leaving the page after a confirmation discards them", async () => {
    await type(2, 1, "gone");
    await bar().getByRole("button", { name: "Discard", exact: true }).click();
    await bar().waitFor({ state: "detached" });
    expect(await cell(2, 1).innerText()).toBe("count");
    await press("Undo");
    await bar().getByText("1 edit in 1 row not saved").waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("navigation", { name: "Tables" }).getByText("other", { exact: true }).click();
    await page.getByRole("heading", { name: "other" }).waitFor();
    await page.getByRole("navigation", { name: "Tables" }).getByText("task", { exact: true }).click();
    await page.getByText("3 of 3 rows").waitFor();
    expect(await bar().count()).toBe(0);
    expect(await page.evaluate(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`)).toBe(true);
  });

  it.each([
    ["light", 1440],
    ["dark", 1024],
    ["light", 390],
    ["dark", 390],
  ] as const)("Pending edits have no accessibility problems: %s, %i pixels", async (colorScheme, width) => {
    const other = await opened.newPage({ colorScheme, viewport: { width, height: 800 } });
    await other.goto(`${opened.server.url}/console/data/default/public/task`);
    await other.getByRole("button", { name: "Collect edits", exact: true }).click();
    await other.locator('[data-cell="0 1"]').dblclick();
    await other.keyboard.insertText("x".repeat(10));
    await other.keyboard.press("Enter");
    await other.getByText("1 edit in 1 row not saved").waitFor();
    if (screenshots) await other.screenshot({ path: join(screenshots, `pending-${colorScheme}-${width}.png`) });
    expect(await violationsOn(other)).toEqual([]);
    await other.getByRole("button", { name: "Review", exact: true }).click();
    await other.getByRole("dialog").getByText("x".repeat(10)).waitFor();
    if (screenshots) await other.screenshot({ path: join(screenshots, `pending-review-${colorScheme}-${width}.png`) });
    expect(await violationsOn(other)).toEqual([]);
    await other.context().close();
  });

  it("Pending edits cause no browser errors", () => {
    expect(opened.complaints).toEqual([]);
  });
});
