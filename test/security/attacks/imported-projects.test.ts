/** A project that is imported may be a stranger's: it brings no files of whoever imports it into the result. */
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { filesBelow, temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

it.each(["migrations_directory", "seeds_directory", "metadata_directory"])("not by %s", async (key) => {
  const secret = await temporaryDirectory({ "default/1_a/up.sql": "secret", "tables.yaml": "secret" });
  const project = await temporaryDirectory({ "migrations/default/1_a/up.sql": "select 1" });
  const out = join(await temporaryDirectory(), "out");
  for (const folder of ["..", `../${secret.split("/").at(-1)}`]) {
    await writeFile(join(project, "config.yaml"), `version: 3\n${key}: ${folder}\n`);
    const { code, stderr } = await runCommand("import", project, "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${key}: ${folder} is outside of the project`)]);
  }
});

it("not by a link among its migrations", async () => {
  const secret = await temporaryDirectory({ "up.sql": "secret" });
  const project = await temporaryDirectory({ "migrations/default/1_a/up.sql": "select 1" });
  await symlink(join(secret, "up.sql"), join(project, "migrations/default/1_a/down.sql"));
  await symlink(secret, join(project, "migrations/default/2_b"));
  const out = join(await temporaryDirectory(), "out");
  expect(await runCommand("import", project, "--out", out)).toMatchObject({ code: 0 });
  expect(await filesBelow(join(out, "migrations"))).toEqual(["default/1_a/up.sql"]);
});
