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
     create table wall (id integer primary key, colour text references colour);
     create function guard() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger guard before update on wall for each statement execute function guard();
     create table visit (at date) partition by range (at);
     create table visit_now partition of visit for values from ('2026-01-01') to ('2027-01-01');
     create type mood as enum ('calm', 'wild');
     create domain shade as text;
     create function walls(colour text, shade shade, mood mood default 'calm') returns setof wall
       language sql stable as $$ select * from wall $$;`,
  );
  await writeFile(join(folder, "metadata.yaml"), metadata);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it("Compiling from a saved shape and from the database yields the same files", async () => {
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

it("A saved shape is read back completely, with optional facts", async () => {
  const path = join(folder, "whole.json");
  await shapeCommand({ database: database.url, out: path, metadata: join(folder, "metadata.yaml") });
  const saved = await readShapeFile(path);
  const text = await readFile(path, "utf8");
  expect(text).toContain('"statementTriggers"');
  expect(text).toContain('"isPartition"');
  expect(saved).toEqual({ kind: "one", shape: JSON.parse(text) });
});

it("A shape with unknown facts is refused", async () => {
  const path = join(folder, "newer.json");
  const shape = { format: 1, kind: "postgres", serverVersion: "15", tables: [], functions: [], types: [], moons: 2 };
  await writeFile(path, JSON.stringify(shape));
  await expect(readShapeFile(path)).rejects.toThrow('is not a valid shape: Unrecognized key: "moons"');
});

it("A saved shape contains the rows of enum tables", async () => {
  const shape = join(folder, "enums.json");
  await shapeCommand({ database: database.url, out: shape, metadata: join(folder, "metadata.yaml") });
  const saved = await readShapeFile(shape);
  const tables = saved.kind === "one" ? saved.shape.tables : [];
  expect(tables.find(({ name }) => name === "colour")?.enumValues).toEqual([
    { value: "blue", comment: "Cold." },
    { value: "red", comment: "Warm." },
  ]);
});

it("A failure to save a shape is reported without the password", async () => {
  await writeFile(join(folder, "taken"), "");
  const out = join(folder, "taken", "shape.json");
  await expect(shapeCommand({ database: database.url, out })).rejects.toThrow(`cannot write ${out}: E`);
  const url = new URL(database.url);
  url.username = "nobody";
  url.password = "top-secret";
  const refused = shapeCommand({ database: url.href, out: join(folder, "shape.json") });
  await expect(refused).rejects.not.toThrow("top-secret");
});
