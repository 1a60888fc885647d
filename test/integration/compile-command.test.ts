import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { compileCommand } from "../../runtime/cli/commands/compile.ts";
import { shapeCommand } from "../../runtime/cli/commands/shape.ts";
import { readShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let folder: string;

const metadata = `version: 3
sources:
  - name: default
    kind: postgres
    configuration: { connection_info: { database_url: { from_env: DATABASE_URL } } }
    tables:
      - table: { schema: public, name: colour }
        is_enum: true
      - table: { schema: public, name: wall }
        select_permissions:
          - { role: user, permission: { columns: [id, colour], filter: {} } }
`;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  database = await createDatabase("compile");
  folder = await mkdtemp(join(tmpdir(), "compile-"));
  await query(
    database.url,
    `create table colour (value text primary key, comment text);
     insert into colour values ('red', 'Warm.'), ('blue', 'Cold.');
     create table wall (id integer primary key, colour text references colour);`,
  );
  await writeFile(join(folder, "metadata.yaml"), metadata);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it("compiles the same from a saved shape and from the database", async () => {
  const file = join(folder, "metadata.yaml");
  const shape = join(folder, "saved.json");
  expect(await shapeCommand({ database: database.url, out: shape, metadata: file })).toBe(0);
  expect(await compileCommand({ metadata: file, shape, out: join(folder, "saved") })).toBe(0);
  expect(await compileCommand({ metadata: file, database: database.url, out: join(folder, "live") })).toBe(0);
  const [saved, live] = await Promise.all(
    ["saved", "live"].map((name) => readFile(join(folder, name, "manifest.json"), "utf8")),
  );
  expect(saved).toBe(live);
});

it("saves the rows of enum tables", async () => {
  const shape = join(folder, "enums.json");
  await shapeCommand({ database: database.url, out: shape, metadata: join(folder, "metadata.yaml") });
  const saved = await readShapeFile(shape);
  const tables = saved.kind === "one" ? saved.shape.tables : [];
  expect(tables.find(({ name }) => name === "colour")?.enumValues).toEqual([
    { value: "blue", comment: "Cold." },
    { value: "red", comment: "Warm." },
  ]);
});

it("says why a shape cannot be saved, without the password", async () => {
  const out = join(folder, "missing", "shape.json");
  await expect(shapeCommand({ database: database.url, out })).rejects.toThrow(`cannot write ${out}: ENOENT`);
  const url = new URL(database.url);
  url.username = "nobody";
  url.password = "top-secret";
  const refused = shapeCommand({ database: url.href, out: join(folder, "shape.json") });
  await expect(refused).rejects.not.toThrow("top-secret");
});
