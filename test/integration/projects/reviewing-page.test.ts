/** The commands of `docs/how-to/reviewing-changes.md` are run in a project whose permissions a branch widens. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { missingProgram } from "../../support/missing-program.ts";
import { instructionsOf, projectOfPage } from "../../support/page-instructions.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { createTemplateProject } from "../../support/template-project.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const run = promisify(execFile);

/** Commits all files on the branch `main`, and adds a clone as the remote `origin`. */
async function commitAll(folder: string): Promise<void> {
  const git = (...args: readonly string[]) =>
    run("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch", "main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Create the project");
  const origin = join(dirname(folder), "origin");
  await git("clone", "--quiet", "--bare", folder, origin);
  await git("remote", "add", "origin", origin);
  await git("fetch", "--quiet", "origin");
}

beforeAll(ensureBuilt, 120_000);

describe.skipIf(missingProgram("git"))("The page about reviewing changes", () => {
  it("Its commands write a report, and fail for a change that widens access", { timeout: 180_000 }, async () => {
    const instructions = await instructionsOf("docs/how-to/reviewing-changes.md");
    const commands = instructions.filter(({ language, text }) => language === "sh" && text.includes("engine "));
    const [review, ci, access] = commands.map(({ text }) => text);
    expect(commands).toHaveLength(3);

    const { folder, read, write } = await createTemplateProject(await temporaryDirectory(), "todo");
    await commitAll(folder);
    const table = "metadata/databases/default/tables/public_list.yaml";
    const text = await read(table);
    await write(table, text.replace(/filter:\n +owner_id:\n.*\n/, "filter: {}\n"));
    const { shell } = projectOfPage(folder, {});
    await shell(review ?? "");
    expect(await readFile(join(folder, "report.md"), "utf8")).toContain(
      "| **widens** | `user` | `default.public.list`: select rows changed |",
    );
    await expect(shell(ci ?? "")).rejects.toMatchObject({ code: 3 });

    await write(table, text);
    await expect(shell(ci ?? "")).resolves.toContain("No changes.");
    const printed = instructions.find(({ text }) => text.startsWith("role user"))?.text ?? "missing";
    await expect(shell(access ?? "")).resolves.toContain(printed.trimEnd());
  });
});
