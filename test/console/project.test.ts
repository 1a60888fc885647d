/** The console of a project in a browser: changes made by the user end up in files. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser } from "../support/browser.ts";
import { openProjectConsole, type ProjectConsole } from "../support/project-console.ts";

describe.skipIf(!hasBrowser)("The console of a project", { timeout: 120_000 }, () => {
  let opened: ProjectConsole;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    opened = await openProjectConsole();
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
