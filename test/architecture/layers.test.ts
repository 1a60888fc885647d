import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { edgesOf, importsOf, sourceFiles } from "./imports.ts";
import { dialectFolders, generatedMayImport, graphqlReaders, type Layer, layers, rooms } from "./layers.ts";

const root = join(import.meta.dirname, "../..");

function layerOf(file: string): Layer | undefined {
  return layers
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Whether a list names the folder of the other layer, or one around it; a layer inside of one's own belongs to it. */
function mayImport({ folder, mayImport: allowed }: Layer, other: Layer): boolean {
  const around = other.folder === folder ? [] : [folder, ...allowed];
  return around.some((each) => other.folder === each || other.folder.startsWith(`${each}/`));
}

const files = [...sourceFiles("compiler"), ...sourceFiles("runtime")];
const imports = files.flatMap(importsOf).filter(({ to }) => /\.tsx?$/.test(to));

describe("layers", () => {
  it("places every file in a layer", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !layerOf(file))).toEqual([]);
  });

  it("imports only what the layer may import", () => {
    const wrong = imports.filter(({ from, to }) => {
      const own = layerOf(from);
      const other = layerOf(to);
      return own !== other && (!other || !own || !mayImport(own, other));
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("lists rooms in the order of their imports, and no import that is not used", () => {
    const names = rooms.map(({ folder }) => folder);
    const roomOf = (file: string) => names.find((name) => file.startsWith(`${name}/`));
    const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`));
    const listed = rooms.flatMap(({ folder, mayImport }) => mayImport.map((other) => ({ folder, other })));
    expect(listed.filter(({ folder, other }) => names.indexOf(other) >= names.indexOf(folder))).toEqual([]);
    expect(listed.filter(({ folder, other }) => !used.has(`${folder} → ${other}`))).toEqual([]);
  });

  it("loads the parser of TypeScript for two commands only, when they run", () => {
    const importing = files.flatMap(importsOf).filter(({ to, typeOnly }) => to === "ts-morph" && !typeOnly);
    const parsing = ["runtime/cli/diff/declarations.ts", "runtime/cli/handlers/user-file.ts"];
    expect(importing.map(({ from }) => from)).toEqual(parsing);
    for (const file of parsing) {
      expect(readFileSync(join(root, file), "utf8")).toContain('await import("ts-morph")');
    }
  });

  it("plans without regard to the language of a request", () => {
    const planning = ["runtime/model/planner/select/", "runtime/model/planner/mutate/", "runtime/execute/dml/"];
    const ofGraphql = ["graphql", ...graphqlReaders.map((file) => `runtime/model/planner/request/${file}`)];
    const own = files.filter((file) => planning.some((folder) => file.startsWith(folder)));
    expect(own.length).toBeGreaterThan(20);
    const wrong = own.flatMap(importsOf).filter(({ to }) => ofGraphql.includes(to));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("has no cycle of imports, those of types included", () => {
    expect(findCycle(edgesOf(imports))).toBeUndefined();
  });

  it("has no two folders of which each imports the other", () => {
    const between = new Map<string, string>();
    for (const { from, to } of imports) {
      const [own, other] = siblingFolders(from, to);
      if (own !== other) between.set(`${own} → ${other}`, `${from} → ${to}`);
    }
    const mutual = [...between].filter(([edge]) => between.has(edge.split(" → ").reverse().join(" → ")));
    expect(mutual.map(([, example]) => example)).toEqual([]);
  });

  it("names a kind of database in conditions of its own folders only", () => {
    // The program that is embedded is no kind of source.
    const own = [...dialectFolders, "runtime/databases/embedded-postgres"];
    const elsewhere = files.filter((file) => !own.some((folder) => file.startsWith(`${folder}/`)));
    expect(elsewhere.filter((file) => namesKindInCondition(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it.each([
    'if (kind === "mssql") {',
    'if ("postgres" !== source.kind) {',
    "switch (kind) {\n    case `mssql`:",
    'if (["mssql"].includes(kind)) {',
    'return new Set(["postgres"]).has(kind)',
    'if (kind.startsWith("mssql")) {',
    "if (/mssql|pg/.test(kind)) {",
    "if (dialect === sqlServer) {",
    "return context.dialect !== postgresql ? 1 : 2;",
    'if (Object.is(kind, "postgres")) {',
    "if (source.kind === kinds.mssql) {",
    "if (dialect.runtime.name !== 'sqlServer') {",
    "if (source instanceof MssqlSource) {",
    "return database instanceof PostgresDatabase ? 1 : 2;",
    'if (table.schema === "public") {',
    'const isOther = "dbo" !== dialect.defaultSchema;',
    'if (kind.charAt(0) === "p") {',
    "if (source.kind.length === 5) {",
    "const limit = { postgres: 1 }[kind] ?? 2;",
    "const isIt = kind in { mssql: true };",
    'if (new Map([["postgres", 1]]).has(kind)) {',
  ])("recognises a condition on the kind: %s", (text) => {
    expect(namesKindInCondition(text)).toBe(true);
  });

  it.each([
    "openers = { mssql: () => open, postgres: () => open }",
    'kind: z.enum(["postgres", "mssql"])',
    'export type SourceKind = "postgres" | "mssql";',
    'import { sqlServer } from "./mssql/dialect.ts";',
    "if (dialect.upsert === null) {",
    "const rules = { postgres: 1, mssql: 2 }[kind];",
    'defaultSchema: "public",',
    "error instanceof EmbeddedPostgresError",
  ])("lets pass what is none: %s", (text) => {
    expect(namesKindInCondition(text)).toBe(false);
  });

  it("lets generated code import the support package and itself only", () => {
    const generated = sourceFiles("generated");
    expect(generated.length).toBeGreaterThan(10);
    const wrong = generated
      .flatMap(importsOf)
      .filter(({ to }) => to !== generatedMayImport && !to.startsWith("generated/"));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

const kindNames = "(?:postgres|postgresql|mssql|pg|sqlServer|sqlserver)";
const quotedKind = `["'\`]${kindNames}["'\`]`;
const comparison = "(?:===?|!==?)";

/** The spellings of a branch on the kind of a database; tables by kind are none. */
const conditions: readonly RegExp[] = [
  new RegExp(`(?:${comparison}|\\bcase)\\s*${quotedKind}|${quotedKind}\\s*${comparison}`),
  // The dialect itself, or a member that is called like a kind.
  new RegExp(`${comparison}\\s*(?:\\w+\\.)*${kindNames}\\b(?!["'\`])|\\b${kindNames}\\s*${comparison}`),
  new RegExp(`\\[[^\\[\\]]*${quotedKind}[^\\[\\]]*\\]\\)?\\.(?:includes|has|indexOf|some)\\(`),
  new RegExp(`\\.(?:startsWith|endsWith|includes|has|indexOf|match)\\(\\s*${quotedKind}`),
  new RegExp(`\\bObject\\.is\\([^()]*${quotedKind}`),
  new RegExp(`/[^/\\n]*\\b${kindNames}\\b[^/\\n]*/[a-z]*\\.test\\(\\s*(?:\\w+\\.)*(?:kind|dialect|name)\\b`),
  /\binstanceof\s+(?!Embedded)\w*(?:Mssql|Postgres|SqlServer)/,
  // What stands for a kind: its default schema, a part of its name, an object or a list of pairs with it alone.
  new RegExp(`${comparison}\\s*["'\`](?:dbo|public)["'\`]|["'\`](?:dbo|public)["'\`]\\s*${comparison}`),
  /\bkind\.(?:at|charAt|charCodeAt|endsWith|length|localeCompare|match|search|slice|startsWith|substring)\b/,
  new RegExp(`\\{\\s*${kindNames}\\s*:[^{},]*,?\\s*\\}\\s*\\[|\\bin\\s*\\{\\s*${kindNames}\\s*:`),
  new RegExp(`\\[\\[\\s*${quotedKind}[^\\]]*\\]\\s*\\]\\)?\\.(?:get|has)\\(`),
];

const namesKindInCondition = (text: string): boolean => conditions.some((condition) => condition.test(text));

/**
 * The folders in which the ways to two files part; a file beside folders stands for no folder, because a folder and
 * what is in it are one.
 */
function siblingFolders(one: string, other: string): readonly [string, string] {
  const [left, right] = [dirname(one).split("/"), dirname(other).split("/")];
  const parted = left.findIndex((name, i) => name !== right[i]);
  if (parted < 0 || parted >= right.length) return ["", ""];
  // Compiler and runtime are no layers themselves.
  const depth = Math.max(parted, 1);
  return [left.slice(0, depth + 1).join("/"), right.slice(0, depth + 1).join("/")];
}

/** A path that ends where it began, or `undefined`. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    const start = trail.indexOf(file);
    if (start >= 0) return [...trail.slice(start), file];
    if (finished.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
