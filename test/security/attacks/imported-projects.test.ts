/** Imported projects may be untrusted: an import copies no other files of the user into the result. */
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { filesBelow, temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

it.each(["migrations_directory", "seeds_directory", "metadata_directory"])(
  "An imported project cannot read files outside it through %s",
  async (key) => {
    const secret = await temporaryDirectory({ "default/1_a/up.sql": "secret", "tables.yaml": "secret" });
    const project = await temporaryDirectory({ "migrations/default/1_a/up.sql": "select 1" });
    const out = join(await temporaryDirectory(), "out");
    for (const folder of ["..", `../${secret.split("/").at(-1)}`]) {
      await writeFile(join(project, "config.yaml"), `version: 3\n${key}: ${folder}\n`);
      const { code, stderr } = await runCommand("import", project, "--out", out);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${key}: ${folder} is not inside the project`)]);
    }
  },
);

it("An imported project cannot read files outside it through a link among its migrations", async () => {
  const secret = await temporaryDirectory({ "up.sql": "secret" });
  const project = await temporaryDirectory({ "migrations/default/1_a/up.sql": "select 1" });
  await symlink(join(secret, "up.sql"), join(project, "migrations/default/1_a/down.sql"));
  await symlink(secret, join(project, "migrations/default/2_b"));
  const out = join(await temporaryDirectory(), "out");
  expect(await runCommand("import", project, "--out", out)).toMatchObject({ code: 0 });
  expect(await filesBelow(join(out, "migrations"))).toEqual(["default/1_a/up.sql"]);
});

it.each(["migrations", "seeds", "metadata"])(
  "An imported project cannot read files outside it through a link that replaces %s",
  async (name) => {
    const secret = await temporaryDirectory({ "default/1_a/up.sql": "secret", "tables.yaml": "[]" });
    const project = await temporaryDirectory({ "config.yaml": "version: 3\n" });
    await symlink(secret, join(project, name));
    const out = join(await temporaryDirectory(), "out");
    const { code, stderr } = await runCommand("import", project, "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is a symbolic link to a target outside the project")]);
    expect(await filesBelow(out).catch(() => [])).toEqual([]);
  },
);

it.each(["nhost", "nhost/nhost.toml"])(
  "A project of Nhost cannot read files outside it through a link at %s",
  async (name) => {
    const secret = await temporaryDirectory({
      "config.yaml": "version: 3\n",
      "nhost.toml": "[hasura.logs]\nlevel = 'secret'\n",
    });
    const project = await temporaryDirectory(
      name === "nhost" ? { "a.txt": "" } : { "nhost/config.yaml": "version: 3\n", "nhost/migrations/1_a/up.sql": "" },
    );
    await symlink(name === "nhost" ? secret : join(secret, "nhost.toml"), join(project, name));
    const out = join(await temporaryDirectory(), "out");
    const { code, stdout, stderr } = await runCommand("import", project, "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is a symbolic link to a target outside the project")]);
    expect(stdout).not.toContain("secret");
  },
);

it("An imported project cannot read metadata or variables outside it through links, and its values are not printed", async () => {
  const secret = await temporaryDirectory({
    "metadata.yaml": "version: 1\ntables: []\n",
    ".env": "HASURA_GRAPHQL_SECRET_OF_MINE=secret\n",
  });
  const project = await temporaryDirectory({
    "migrations/1_a/up.sql": "select 1",
    "server.env": "HASURA_GRAPHQL_ADMIN_SECRET=top-secret\n",
  });
  await symlink(join(secret, ".env"), join(project, ".env"));
  const out = join(await temporaryDirectory(), "out");
  const { code, stdout } = await runCommand("import", project, "--out", out);
  expect([code, stdout]).toEqual([0, expect.stringContaining("server.env:1: rename HASURA_GRAPHQL_ADMIN_SECRET to ")]);
  expect(stdout).not.toMatch(/SECRET_OF_MINE|top-secret/);
  await symlink(join(secret, "metadata.yaml"), join(project, "migrations/metadata.yaml"));
  expect(await runCommand("import", project, "--out", out)).toMatchObject({ code: 1 });
});

it("File names of an imported project cannot control the terminal", async () => {
  const project = await temporaryDirectory({ "migrations/default/1_a/\u001b[2Jnote.txt": "a note" });
  const { stdout } = await runCommand("import", project, "--out", join(await temporaryDirectory(), "out"));
  expect(stdout).toContain("not imported: not an SQL file");
  expect(stdout).not.toContain("\u001b");
});
