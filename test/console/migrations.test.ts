/** Migrations in the console of a project: their list, their SQL, and changes that follow a shown plan. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { hasBrowser, launchBrowser } from "../support/browser.ts";
import { runCommand } from "../support/command-line.ts";
import { Keyboard } from "../support/keyboard.ts";
import { openProjectConsole, type ProjectConsole } from "../support/project-console.ts";

const screenshots = process.env.SCREENSHOTS;

describe.skipIf(!hasBrowser)("Migrations in the console", { timeout: 120_000 }, () => {
  let opened: ProjectConsole;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const created = await context.newPage();
    created.setDefaultTimeout(30_000);
    created.on("pageerror", (error) => complaints.push(error.message));
    await created.goto(opened.address);
    await created.getByRole("navigation", { name: "Pages" }).waitFor();
    return created;
  }

  async function write(name: string, up: string, down?: string): Promise<void> {
    const folder = join(opened.folder, "migrations/default", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "up.sql"), up);
    if (down !== undefined) await writeFile(join(folder, "down.sql"), down);
  }

  beforeAll(async () => {
    opened = await openProjectConsole();
    await write("1700000000000_notes", "create table note (id int primary key, text text);\n", "drop table note;\n");
    await write("1700000000001_tags <i>x", "create table tag (id int primary key);\n", "drop table tag;\n");
    await write("1700000000002_labels", "create table label (id int);\n");
    browser = await launchBrowser();
    page = await newPage();
    await page.goto(`${opened.origin}/console/data/default/migrations`);
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await opened?.close();
  });

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const list = () => page.getByRole("region", { name: "Migrations" });
  const dialog = () => page.getByRole("dialog");
  /** Returns the versions with their states, newest first. */
  const states = async () =>
    Promise.all(
      (await list().locator("tbody tr[data-opens]").all()).map(async (row) =>
        (await row.locator("td").allInnerTexts()).slice(1, 3).join(" "),
      ),
    );
  const view = (name: string) => list().getByText(name, { exact: true }).click();

  it("The list shows each migration with its state, and its SQL on demand", async () => {
    await page.getByText("0 of 3 applied").waitFor();
    expect(await states()).toEqual(["Pending 1700000000002", "Pending 1700000000001", "Pending 1700000000000"]);
    await view("notes");
    await dialog().getByText("create table note").waitFor();
    await dialog().getByText("drop table note").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Filter migrations").fill("tags");
    await expect.poll(async () => (await states()).length).toBe(1);
    await page.getByLabel("Filter migrations").fill("");
  });

  it("Migrations up to one of them are applied after a plan with their SQL", async () => {
    await view("tags <i>x");
    await press("Apply up to here");
    const steps = page.getByRole("list", { name: "Plan" }).getByRole("listitem");
    await steps.first().waitFor();
    expect(await steps.allInnerTexts()).toEqual(["Apply 1700000000000_notes", "Apply 1700000000001_tags <i>x"]);
    await steps.first().getByText("notes").click();
    await dialog().getByText("create table note").waitFor();
    await dialog().getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("2 of 3 applied").waitFor();
    expect((await runCommand("migrate", "status", "--project", opened.folder)).stdout).toMatch(
      /1700000000001 .*Present +Present\n1700000000002 .*Present +Not Present/,
    );
    await page.getByRole("navigation", { name: "Tables" }).getByText("note", { exact: true }).waitFor();
  });

  it("Only the migration that was applied last is reverted, and the others name it", async () => {
    await view("notes");
    const revert = dialog().getByRole("button", { name: "Revert", exact: true });
    await dialog().getByText("Revert 1700000000001_tags <i>x first.").waitFor();
    expect(await revert.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");
    await view("tags <i>x");
    await revert.click();
    await dialog().getByText("It may delete rows").waitFor();
    await revert.click();
    await page.getByText("1 of 3 applied").waitFor();
  });

  it("A migration is marked as applied without running it, by keyboard", async () => {
    await opened.ask("/v2/query", { type: "run_sql", args: { sql: "create table tag (id int primary key)" } });
    const keyboard = new Keyboard(page);
    await view("tags <i>x");
    await keyboard.activate("button Mark as applied");
    await dialog().getByText("No SQL runs.").waitFor();
    await keyboard.activate("button Mark as applied");
    await page.getByText("2 of 3 applied").waitFor();
  });

  it("SQL that fails shows its file and line, and the migration stays pending", async () => {
    await write("1700000000003_wrong", "select 1;\nselect nothing;\n");
    await press("Refresh");
    await page.getByText("2 of 4 applied").waitFor();
    await press("Apply 2");
    await dialog().getByRole("listitem").nth(1).waitFor();
    await dialog().getByRole("button", { name: "Apply", exact: true }).click();
    await dialog()
      .getByRole("alert")
      .getByText(/up\.sql:2:8: column "nothing" does not exist/)
      .waitFor();
    // The plan has only the migration that failed.
    await expect.poll(() => dialog().getByRole("listitem").allInnerTexts()).toEqual(["Apply 1700000000003_wrong"]);
    await dialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("3 of 4 applied").waitFor();
  });

  it("A plan that has changed since it was shown is refused, and shown again", async () => {
    await write("1700000000003_wrong", "create table good (id int);\n", "drop table good;\n");
    await press("Apply 1");
    await dialog().getByRole("listitem").waitFor();
    await write("1700000000003_wrong", "create table other (id int);\n", "drop table other;\n");
    const apply = dialog().getByRole("button", { name: "Apply", exact: true });
    await apply.click();
    await dialog()
      .getByText(/have changed since the plan was shown/)
      .waitFor();
    await apply.click();
    await page.getByText("4 of 4 applied").waitFor();
    await page.getByText("No migration is pending.").waitFor();
  });

  it("An unfinished migration shows how to repair it", async () => {
    await write("1700000000004_partly", "create table partly (id int);\nselect nothing;\n");
    await press("Refresh");
    await press("Apply 1");
    await dialog().getByText("Run statements one by one").click();
    await dialog().getByRole("button", { name: "Apply", exact: true }).click();
    await dialog()
      .getByRole("alert")
      .getByText(/marked as unfinished/)
      .waitFor();
    await dialog().getByRole("button", { name: "Cancel", exact: true }).click();
    expect((await states())[0]).toBe("Unfinished 1700000000004");
    await view("partly");
    await dialog().getByText("Check whether the database has its changes").waitFor();
    await press("Remove the mark");
    await press("Remove the mark");
    await expect.poll(async () => (await states())[0]).toBe("Pending 1700000000004");
  });

  it.each([
    ["light", 1440],
    ["dark", 1024],
    ["light", 390],
    ["dark", 390],
  ] as const)("The migrations have no accessibility problems: %s, %i pixels", async (colorScheme, width) => {
    const other = await newPage({ colorScheme, viewport: { width, height: 800 } });
    await other.goto(`${opened.origin}/console/data/default/migrations`);
    await other.getByText("4 of 5 applied").waitFor();
    const see = async (name: string) => {
      if (screenshots) await other.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`) });
      expect(await violationsOn(other)).toEqual([]);
    };
    await see("migrations");
    await other.getByRole("region", { name: "Migrations" }).getByText("notes", { exact: true }).click();
    await other.getByText("drop table note").waitFor();
    await see("migration");
    await other.keyboard.press("Escape");
    await other.getByRole("button", { name: "Apply 1", exact: true }).click();
    await other.getByRole("dialog").getByText("partly").click();
    await other.getByText("select nothing").waitFor();
    await see("migration-plan");
    await other.context().close();
  });

  it("The migrations cause no browser errors", () => {
    expect(complaints).toEqual([]);
  });
});
