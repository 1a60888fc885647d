/** `docs/internals/adding.md` lists all files that an addition touches: made-up additions in these files alone work. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/internals/adding.md"), "utf8");

interface Edit {
  readonly file: string;
  /** Text to replace, which must occur once. */
  readonly at: string | RegExp;
  readonly to: string;
}

const additions: Readonly<Record<string, readonly Edit[]>> = {
  "An operator": [
    {
      file: "runtime/model/dialects/postgres/operators.ts",
      at: "const textOperators: readonly Row[] = [",
      to: '$& comparison("_starts_with", "^@", "does the column begin with the given text"),',
    },
  ],
  "A metadata operation": [
    {
      file: "compiler/metadata/operations/internal-state.ts",
      at: "export const internalStateOperations = [",
      to: '$& ioOperation("get_uptime", { endpoints: { metadata: "plain" }, input: object({ required: { unit: text } }) }),',
    },
    {
      file: "runtime/control/catalog-state.ts",
      at: /export const catalogStateHandlers: IoHandlers<([^>]*)> = \{/,
      to: 'export const catalogStateHandlers: IoHandlers<"get_uptime" | $1> = { get_uptime: ({ input }) => ({ unit: input.unit }),',
    },
  ],
  "An option": [
    {
      file: "runtime/config/option-table.ts",
      at: "export const optionTable = {",
      to: '$& madeUpLimit: option({ flag: "--made-up-limit", variable: "ENGINE_GRAPHQL_MADE_UP_LIMIT", type: positiveCount, default: 3, doc: "a limit", group: "Limits" }),',
    },
  ],
  "A SQL type": [
    {
      file: "runtime/model/dialects/postgres/scalars.ts",
      at: "export const pgTypes: Readonly<Record<string, PgTypeRow>> = {",
      to: '$& ratio: { graphql: "ratio", encode: encodeNumber, ...number, family: "ratio", recorded: "number", isVolatile: true, aliases: ["proportion"] },',
    },
  ],
};

/** Files that a command generates. */
const written = new Set(["runtime/server/embedding/options.d.mts"]);

const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section] as const),
);

/** Returns the first cells of a section's table. */
const filesOf = (section: string): readonly string[] =>
  [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = ""]) => file);

let scratch: string;
let found: Readonly<Record<"operator" | "operation" | "option" | "type", unknown>>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "additions-"));
  for (const part of ["compiler", "runtime", "package.json", "tsconfig.json"]) {
    cpSync(join(repository, part), join(scratch, part), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(scratch, "node_modules"));
  for (const { file, at, to } of Object.values(additions).flat()) {
    const text = readFileSync(join(scratch, file), "utf8");
    const edited = text.replace(at, to);
    expect(edited, `${file}: ${at}`).not.toBe(text);
    writeFileSync(join(scratch, file), edited);
  }
  const script = join(import.meta.dirname, "made-up-additions.mjs");
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", script, repository], { cwd: scratch });
  found = JSON.parse((await run).stdout);
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("docs/internals/adding.md", () => {
  it.each([...sections.keys()])("The page names files that exist: %s", (name) => {
    const files = filesOf(sections.get(name) ?? "");
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  });

  it.each(Object.entries(additions))("A made-up addition touches the listed files alone: %s", (name, edits) => {
    const byHand = filesOf(sections.get(name) ?? "").filter((file) => !written.has(file));
    expect(edits.map(({ file }) => file)).toEqual(byHand);
  });
});

describe("Made-up additions", () => {
  it("Row filters, SQL and the console have a new operator", () => {
    expect(found.operator).toEqual({
      inconsistencies: [],
      offered: { name: "_starts_with", operand: "text" },
      operator: "^@",
    });
  });

  it("An endpoint runs a new operation", () => {
    expect(found.operation).toEqual({ decoded: true, answer: { unit: "s" } });
  });

  it("The environment sets a new option", () => {
    expect(found.option).toEqual({ value: 7, described: true });
  });

  it("Native queries, events, constants and the console have a new SQL type", () => {
    expect(found.type).toEqual({
      sql: "ratio",
      graphql: "ratio",
      numeric: true,
      recorded: { kind: "float" },
      immutable: false,
      value: "number",
    });
  });
});
