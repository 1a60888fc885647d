/** `engine import` follows later versions of the original engine: descriptions, and migrations outside a transaction. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../../support/command-line.ts";
import { temporaryDirectory } from "../../metadata-directory/temporary-directory.ts";

const tables = "create table note (id int);\n-- comment on table none is ''\n";
const commented = `${tables}COMMENT ON\tCOLUMN note.id IS 'Key';\n`;
const compose = (version: string) => `services:\n  api:\n    image: hasura/graphql-engine:${version}\n`;

/** Returns the lines of the report about descriptions. */
async function reported(up: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const project = await temporaryDirectory({
    "metadata/version.yaml": "version: 3\n",
    "metadata/databases/databases.yaml": "[]\n",
    "migrations/default/1_notes/up.sql": up,
    "migrations/default/1_notes/down.sql": commented,
    ...more,
  });
  const { code, stdout } = await runCommand("import", project, "--out", join(await temporaryDirectory(), "out"));
  expect(code).toBe(0);
  return stdout.split("\n").filter((line) => /descriptions|Manual|Changed/.test(line));
}

const place = "  migrations/default/1_notes/up.sql:3: comments of the database are descriptions, as in";
const remedy = "`engine metadata codemod postgres-comments` copies them into the metadata";

it("A migration outside a transaction stays one", async () => {
  const sql = "-- hasura:no-transaction\ncreate index concurrently on note (id)";
  const project = await temporaryDirectory({
    "metadata/version.yaml": "version: 3\n",
    "metadata/databases/databases.yaml": "[]\n",
    "migrations/default/1_index/up.sql": sql,
  });
  const out = join(await temporaryDirectory(), "out");
  await runCommand("import", project, "--out", out);
  const imported = await readFile(join(out, "migrations/default/1_index/up.sql"), "utf8");
  expect(imported).toBe(sql.replace("hasura", "engine"));
});

describe("Descriptions of an imported project", () => {
  it("A project with comments and without a version names both behaviors and their remedies", async () => {
    expect(await reported(commented)).toEqual([
      "Manual steps:",
      `${place} the original engine before 2.51.1; ${remedy}. For the descriptions of 2.51.1, start the server with ENGINE_GRAPHQL_INFER_DESCRIPTIONS=false`,
    ]);
  });

  it.each(["v1.3.3", "v2.9.11", "v2.51.0"])(
    "A project of %s relied on comments, which stay descriptions",
    async (version) => {
      expect(await reported(commented, { "docker-compose.yaml": compose(version) })).toEqual([
        "Changed:",
        `${place} ${version}; ${remedy}`,
      ]);
    },
  );

  it.each(["v2.51.1", "v2.51.9", "v2.52.0", "v3.0.0", "v10.0.0"])(
    "A project of %s relied on the metadata alone, which needs an option here",
    async (version) => {
      expect(await reported(tables, { "docker-compose.yaml": compose(`${version}.cli-migrations-v3`) })).toEqual([
        "Manual steps:",
        `  docker-compose.yaml:3: ${version} shows no comments of the database as descriptions, but this engine does: start the server with ENGINE_GRAPHQL_INFER_DESCRIPTIONS=false`,
      ]);
    },
  );

  it("A project without comments in its migrations has no line about descriptions", async () => {
    expect(await reported(tables)).toEqual([]);
  });
});
