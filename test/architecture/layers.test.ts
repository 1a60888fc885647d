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

/**
 * Returns whether a list names the folder of the other layer or a folder around it. A layer inside the importing layer
 * belongs to it.
 */
function mayImport({ folder, mayImport: allowed }: Layer, other: Layer): boolean {
  const around = other.folder === folder ? [] : [folder, ...allowed];
  return around.some((each) => other.folder === each || other.folder.startsWith(`${each}/`));
}

const files = [...sourceFiles("compiler"), ...sourceFiles("runtime")];
const imports = files.flatMap(importsOf).filter(({ to }) => /\.tsx?$/.test(to));

describe("Layers", () => {
  it("Every file belongs to a layer", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !layerOf(file))).toEqual([]);
  });

  it("Every import follows the rules between layers", () => {
    const wrong = imports.filter(({ from, to }) => {
      const own = layerOf(from);
      const other = layerOf(to);
      return own !== other && (!other || !own || !mayImport(own, other));
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("Rooms are listed in the order of their imports, and each allowed import is used", () => {
    const names = rooms.map(({ folder }) => folder);
    const roomOf = (file: string) => names.find((name) => file.startsWith(`${name}/`));
    const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`));
    const listed = rooms.flatMap(({ folder, mayImport }) => mayImport.map((other) => ({ folder, other })));
    expect(listed.filter(({ folder, other }) => names.indexOf(other) >= names.indexOf(folder))).toEqual([]);
    expect(listed.filter(({ folder, other }) => !used.has(`${folder} → ${other}`))).toEqual([]);
  });

  it("The TypeScript parser is loaded by three commands only, when they run", () => {
    const importing = files.flatMap(importsOf).filter(({ to, typeOnly }) => to === "ts-morph" && !typeOnly);
    const parsing = [
      "runtime/cli/client/tagged-templates.ts",
      "runtime/cli/diff/compare-sides.ts",
      "runtime/cli/handlers/user-file.ts",
    ];
    expect(importing.map(({ from }) => from)).toEqual(parsing);
    for (const file of parsing) {
      expect(readFileSync(join(root, file), "utf8")).toContain('await import("ts-morph")');
    }
  });

  it("Planning does not depend on the language of the request", () => {
    const planning = ["runtime/model/planner/select/", "runtime/model/planner/mutate/", "runtime/execute/dml/"];
    const ofGraphql = ["graphql", ...graphqlReaders.map((file) => `runtime/model/planner/request/${file}`)];
    const own = files.filter((file) => planning.some((folder) => file.startsWith(folder)));
    expect(own.length).toBeGreaterThan(20);
    const wrong = own.flatMap(importsOf).filter(({ to }) => ofGraphql.includes(to));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("Imports have no cycles, including type imports", () => {
    expect(findCycle(edgesOf(imports))).toBeUndefined();
  });

  it("Sibling folders do not import each other", () => {
    const between = new Map<string, string>();
    for (const { from, to } of imports) {
      const [own, other] = siblingFolders(from, to);
      if (own !== other) between.set(`${own} → ${other}`, `${from} → ${to}`);
    }
    const mutual = [...between].filter(([edge]) => between.has(edge.split(" → ").reverse().join(" → ")));
    expect(mutual.map(([, example]) => example)).toEqual([]);
  });

  it("Only the folders of dialects have conditions on the kind of database", () => {
    // Embedded PostgreSQL is not a kind of source.
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
  ])("The layer test recognises a condition on the kind: %s", (text) => {
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
  ])("The layer test accepts code without a condition on the kind: %s", (text) => {
    expect(namesKindInCondition(text)).toBe(false);
  });

  it("Generated code imports only the support package and itself", () => {
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

/** Patterns of branches on the kind of a database. Lookup tables by kind are allowed. */
const conditions: readonly RegExp[] = [
  new RegExp(`(?:${comparison}|\\bcase)\\s*${quotedKind}|${quotedKind}\\s*${comparison}`),
  // Comparison with a dialect, or with a member named after a kind.
  new RegExp(`${comparison}\\s*(?:\\w+\\.)*${kindNames}\\b(?!["'\`])|\\b${kindNames}\\s*${comparison}`),
  new RegExp(`\\[[^\\[\\]]*${quotedKind}[^\\[\\]]*\\]\\)?\\.(?:includes|has|indexOf|some)\\(`),
  new RegExp(`\\.(?:startsWith|endsWith|includes|has|indexOf|match)\\(\\s*${quotedKind}`),
  new RegExp(`\\bObject\\.is\\([^()]*${quotedKind}`),
  new RegExp(`/[^/\\n]*\\b${kindNames}\\b[^/\\n]*/[a-z]*\\.test\\(\\s*(?:\\w+\\.)*(?:kind|dialect|name)\\b`),
  /\binstanceof\s+(?!Embedded)\w*(?:Mssql|Postgres|SqlServer)/,
  // Substitutes for a kind: its default schema, a part of its name, an object or list of pairs with one kind.
  new RegExp(`${comparison}\\s*["'\`](?:dbo|public)["'\`]|["'\`](?:dbo|public)["'\`]\\s*${comparison}`),
  /\bkind\.(?:at|charAt|charCodeAt|endsWith|length|localeCompare|match|search|slice|startsWith|substring)\b/,
  new RegExp(`\\{\\s*${kindNames}\\s*:[^{},]*,?\\s*\\}\\s*\\[|\\bin\\s*\\{\\s*${kindNames}\\s*:`),
  new RegExp(`\\[\\[\\s*${quotedKind}[^\\]]*\\]\\s*\\]\\)?\\.(?:get|has)\\(`),
];

const namesKindInCondition = (text: string): boolean => conditions.some((condition) => condition.test(text));

/**
 * Returns the two folders at which the paths of two files diverge; empty if one file is in a folder around the other,
 * since a folder and its contents count as one.
 */
function siblingFolders(one: string, other: string): readonly [string, string] {
  const [left, right] = [dirname(one).split("/"), dirname(other).split("/")];
  const parted = left.findIndex((name, i) => name !== right[i]);
  if (parted < 0 || parted >= right.length) return ["", ""];
  // Compiler and runtime are not layers themselves.
  const depth = Math.max(parted, 1);
  return [left.slice(0, depth + 1).join("/"), right.slice(0, depth + 1).join("/")];
}

/** Returns a path that ends at its start, or `undefined` without cycles. */
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
