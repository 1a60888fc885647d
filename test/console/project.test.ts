/** The console of a project in a browser: changes made by the user end up in files. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser } from "../support/browser.ts";
import { runCommand } from "../support/command-line.ts";
import { openProjectConsole, type ProjectConsole } from "../support/project-console.ts";

describe.skipIf(!hasBrowser)("The console of a project", { timeout: 120_000 }, () => {
  let opened: ProjectConsole;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    opened = await openProjectConsole({ header: ["X-Own: 1"] });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => complaints.push(error.message));
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await opened?.close();
  });

  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const migrations = () => readdir(join(opened.folder, "migrations/default"));

  it("The project console opens signed in and removes the key from the address", async () => {
    await page.goto(opened.address);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(page.url()).not.toContain("key");
  });

  it("The project console sends the headers of the command with each request to the server", async () => {
    const request = page.waitForRequest(/\/v1\/metadata$/);
    await page.goto(`${opened.origin}/console/data`);
    expect((await request).headers()).toMatchObject({ "x-own": "1", "x-engine-admin-secret": opened.adminSecret });
  });

  it("The project console saves SQL as a migration", async () => {
    await page.goto(`${opened.origin}/console/data/default/sql`);
    await page.getByRole("textbox", { name: "SQL" }).focus();
    await page.keyboard.insertText("create table note (id int primary key, text text)");
    await press("Save as migration");
    await page.getByLabel("Name", { exact: true }).fill("notes");
    await page.getByLabel("Down migration (SQL)").fill("drop table note");
    await press("Run and save");
    await page.getByText(/^Saved .*_notes$/).waitFor();
    const [folder = ""] = await migrations();
    const textOf = (file: string) => readFile(join(opened.folder, "migrations/default", folder, file), "utf8");
    expect([await textOf("up.sql"), await textOf("down.sql")]).toEqual([
      "create table note (id int primary key, text text)\n",
      "drop table note\n",
    ]);
  });

  it("The project console explains why SQL was not saved", async () => {
    await press("Save as migration");
    await page.getByLabel("Name", { exact: true }).fill("duplicate");
    await press("Run and save");
    await page
      .getByRole("alert")
      .getByText(/already exists.*Nothing was saved/)
      .waitFor();
    await press("Cancel");
    expect(await migrations()).toHaveLength(1);
  });

  it("The project console writes tracked tables into the metadata", async () => {
    await page.goto(`${opened.origin}/console/data/default/public/note`);
    await press("Track table");
    await expect
      .poll(() => readdir(join(opened.folder, "metadata/databases/default/tables")), { timeout: 60_000 })
      .toContain("public_note.yaml");
  });

  it("A table that the project console creates is a migration, and engine check passes", async () => {
    await page.goto(`${opened.origin}/console/data/default`);
    await press("Create table");
    await page.getByLabel("Name", { exact: true }).fill('tag "x" ü');
    await page.getByLabel("Name of column 2").fill("label");
    await press("Create and track");
    await page.getByRole("heading", { name: 'tag "x" ü' }).waitFor();
    const folder = (await migrations()).find((each) => each.endsWith("_create_tag_x_ü")) ?? "";
    const textOf = (file: string) => readFile(join(opened.folder, "migrations/default", folder, file), "utf8");
    expect(await textOf("up.sql")).toContain('create table "public"."tag ""x"" ü"');
    expect(await textOf("down.sql")).toBe('drop table "public"."tag ""x"" ü";\n');
    const tables = join(opened.folder, "metadata/databases/default/tables");
    await expect.poll(async () => (await readdir(tables)).length, { timeout: 60_000 }).toBe(3);
    expect(await runCommand("check", "--project", opened.folder)).toMatchObject({ code: 0 });
  });

  it("SQL that changes the schema needs a migration, and SQL that changes rows runs at once", async () => {
    await page.goto(`${opened.origin}/console/data/default/sql`);
    const editor = page.getByRole("textbox", { name: "SQL" });
    await editor.focus();
    await page.keyboard.insertText("insert into note values (1, 'create; alter')");
    await press("Run");
    await page.getByText(/^Completed in/).waitFor();
    const before = (await migrations()).length;
    await editor.press("ControlOrMeta+a");
    await page.keyboard.insertText("/* a note */ alter table note add column late int");
    await press("Run");
    await page.getByLabel("Name", { exact: true }).fill("late");
    await press("Run and save");
    await page.getByText(/^Saved .*_late$/).waitFor();
    expect(await migrations()).toHaveLength(before + 1);
  });

  it("A table that cannot be tracked is not created again", async () => {
    await page.goto(`${opened.origin}/console/data/default`);
    await press("Create table");
    await page.getByLabel("Name", { exact: true }).fill("late");
    await page.getByLabel("Name of column 2").fill("text");
    let isBroken = true;
    await page.route("**/v1/metadata", async (route) => {
      if (isBroken && route.request().postData()?.includes("pg_track_table")) await route.abort();
      else await route.continue();
    });
    await press("Create and track");
    await page.getByRole("alert").getByText("The server is unreachable").waitFor();
    await page.getByText("The table was created. It is not tracked yet.").waitFor();
    isBroken = false;
    const before = await migrations();
    await page.getByRole("dialog").getByRole("button", { name: "Track", exact: true }).click();
    await page.getByRole("heading", { name: "late" }).waitFor();
    expect(await migrations()).toEqual(before);
  });

  it("Without a session of the project, a change of the database is refused with the reason", async () => {
    const other = await browser.newPage();
    await other.goto(`${opened.origin}/console/data/default/sql`);
    await other.getByLabel("Admin secret").fill(opened.adminSecret);
    await other.keyboard.press("Enter");
    await other.getByRole("textbox", { name: "SQL" }).focus();
    await other.keyboard.insertText("drop table note");
    await other.getByRole("button", { name: "Run", exact: true }).click();
    await other.getByLabel("Name", { exact: true }).fill("lost");
    await other.getByRole("button", { name: "Run and save", exact: true }).click();
    await other
      .getByRole("dialog")
      .getByRole("alert")
      .getByText(
        /^Nothing was changed, because the project's files cannot be changed: the key to the project is missing/,
      )
      .waitFor();
    await other.close();
    await page.goto(`${opened.origin}/console/data/default/public/note`);
    await page.getByText("1 of 1 rows").waitFor();
  });

  it("Without the key, the project console requests the admin secret and saves no files", async () => {
    const stranger = await browser.newPage();
    await stranger.goto(`${opened.origin}/console`);
    await stranger.getByLabel("Admin secret").waitFor();
    expect(await stranger.content()).not.toContain(opened.adminSecret);
    await stranger.close();
  });

  it("The project console causes no browser errors", () => {
    expect(complaints).toEqual([]);
  });
});
