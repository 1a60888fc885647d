/**
 * Forbidden means absent: columns and tables that a role can neither read nor write occur in no identifier or text of
 * the role's modules, except in SQL (row filters, checks), presets and the comments that quote them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from "graphql";
import { Node, Project, type SourceFile } from "ts-morph";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../../compiler/2-analyze/analyzed-table.ts";
import { withInheritance } from "../../compiler/3-lower/inherited-roles.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { compile, type PlannedProgram, type Program } from "../../compiler/index.ts";
import { introspectUrl } from "../../runtime/cli/compile/introspect-url.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { must } from "../support/compiled.ts";
import { createDatabase, query } from "../support/database.ts";
import { compileAndLoad } from "../unit/emit/load.ts";

const repository = join(import.meta.dirname, "../..");

/** Metadata and the schema of its database, from the sample library and from golden cases. */
const samples = [
  ["fixtures/library/metadata", "fixtures/library/postgres/schema.sql"],
  ["test/golden/compile/row-filters/metadata.yaml", "test/golden/compile/row-filters/schema.sql"],
  ["test/golden/compile/relationships/metadata.yaml", "test/golden/compile/relationships/schema.sql"],
  ["test/golden/compile/write-permissions/metadata.yaml", "test/golden/compile/write-permissions/schema.sql"],
  ["test/golden/compile/functions/metadata.yaml", "test/golden/compile/functions/schema.sql"],
  ["test/golden/compile/permitted/metadata.yaml", "test/golden/compile/permitted/schema.sql"],
  ["test/golden/compile/inherited-roles/metadata.yaml", "test/golden/compile/inherited-roles/schema.sql"],
] as const;

async function analyzeSample(metadata: string, schema: string): Promise<Analysis> {
  const database = await createDatabase("absence");
  try {
    await query(database.url, await readFile(join(repository, schema), "utf8"));
    const shape = await introspectUrl(database.url, "postgres");
    const { metadata: document } = await readMetadataDirectory(join(repository, metadata));
    const options = {
      environment: { CHECK_KEY: "key", CHECK_PATH: "path" },
      experimentalFeatures: new Set<string>(),
      defaultNamingConvention: "engine-default",
      inferFunctionPermissions: true,
      remoteSchemaPermissions: true,
    } as const;
    const catalog = must(readMetadataDocument(document, emptyCatalog));
    return must(analyze({ catalog, introspections: new Map([["default", { shape }]]), options }));
  } finally {
    await database.drop();
  }
}

const tablesOf = (analysis: Pick<Analysis, "sources">): AnalyzedTable[] =>
  [...analysis.sources.values()].flatMap(({ tables }) => [...tables.values()]);

/** Returns the columns that a role may read or write. */
function permittedColumns(table: AnalyzedTable, role: string): ReadonlySet<string> {
  const permissions = [table.select.get(role), table.insert.get(role), table.update.get(role)];
  return new Set(
    permissions.flatMap((permission) => permission?.columns ?? []).map(({ name }: AnalyzedColumn) => name),
  );
}

function isPermitted(table: AnalyzedTable, role: string): boolean {
  return [table.select, table.insert, table.update, table.delete].some((permissions) => permissions.has(role));
}

/** Returns names that must not occur in the module of a table, or in a module about all tables. */
function forbiddenNames(given: Analysis, role: string, own: AnalyzedTable | undefined): ReadonlySet<string> {
  const analysis = withInheritance(given, role);
  const tables = tablesOf(analysis);
  const forbidden = new Set<string>();
  const allowed = new Set<string>([role]);
  for (const table of tables) {
    (isPermitted(table, role) ? allowed : forbidden).add(table.table.table.name);
    const relevant = own === undefined || own.key === table.key;
    const columns = permittedColumns(table, role);
    for (const { name } of table.columns) if (relevant) (columns.has(name) ? allowed : forbidden).add(name);
    for (const { name, target } of table.relationships.values()) {
      if (!relevant) continue;
      const other = tables.find(({ key }) => key === target);
      (other && isPermitted(table, role) && isPermitted(other, role) ? allowed : forbidden).add(name);
    }
    for (const { name, returns } of table.computedFields.values()) {
      if (!relevant) continue;
      const select = table.select.get(role);
      const target = returns.kind === "table" ? tables.find(({ key }) => key === returns.target) : undefined;
      const isListed = select?.computedFields.some((field) => field.name === name) === true;
      (select && (isListed || target?.select.has(role)) ? allowed : forbidden).add(name);
    }
  }
  for (const { functions, tables: own } of analysis.sources.values()) {
    for (const { function: tracked, target } of functions.values()) {
      (own.get(target)?.select.has(role) ? allowed : forbidden).add(tracked.function.name);
    }
  }
  return new Set([...forbidden].filter((name) => !allowed.has(name)));
}

/** Yields the words of identifiers, strings and templates, except SQL and presets; the tree contains no comments. */
function* wordsOf(file: SourceFile): Iterable<string> {
  const nodes: Node[] = [file];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Node.isTaggedTemplateExpression(node) && node.getTag().getText() === "sql") continue;
    if (Node.isCallExpression(node) && node.getExpression().getText() === "preset") continue;
    if (Node.isIdentifier(node) || Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) {
      yield* node.getText().match(/\w+/g) ?? [];
    } else if (Node.isTemplateHead(node) || Node.isTemplateMiddle(node) || Node.isTemplateTail(node)) {
      yield* node.getText().match(/\w+/g) ?? [];
    }
    nodes.push(...node.getChildren());
  }
}

/** Returns forbidden names that occur in the modules of roles. */
function findLeaks(program: Program, analysis: Analysis): string[] {
  const project = new Project({ useInMemoryFileSystem: true });
  const leaks: string[] = [];
  for (const role of analysis.roles) {
    const folder = program.roleModule(role).replace("root-fields.ts", "");
    for (const path of program.paths().filter((path) => path.startsWith(folder) && path.endsWith(".ts"))) {
      const own = tablesOf(analysis).find(({ key }) => path.endsWith(`/${key}.ts`));
      const forbidden = forbiddenNames(analysis, role, own);
      const file = project.createSourceFile(path, program.module(path).text);
      for (const word of wordsOf(file)) if (forbidden.has(word)) leaks.push(`${path}: ${word}`);
    }
  }
  return leaks;
}

/** Returns fields and enum values of the role's schema, without those of every schema. */
function schemaNames(planned: PlannedProgram, role: string): ReadonlySet<string> {
  const schema = buildSchema(planned.file(planned.roleSchema(role)).text);
  const names = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith("__") && !name.endsWith("_comparison_exp"))
    .flatMap((type) => {
      if (isObjectType(type) || isInputObjectType(type)) return Object.keys(type.getFields());
      return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
    });
  return new Set(names);
}

/** Returns the analysis with one column removed from a role's select permission. */
function withoutColumn(analysis: Analysis, tableName: string, role: string, column: string): Analysis {
  const sources = [...analysis.sources].map(([name, source]) => {
    const changed = [...source.tables.values()].flatMap((table) => {
      const select = table.select.get(role);
      if (table.table.table.name !== tableName || !select) return [];
      const columns = select.columns.filter(({ name }) => name !== column);
      return [{ ...table, select: new Map(table.select).set(role, { ...select, columns }) }];
    });
    return [name, { ...source, tables: source.tables.with(changed) }] as const;
  });
  return { ...analysis, sources: new Map(sources) };
}

describe("Forbidden names in generated code", () => {
  it.each(samples)("No module of a role contains a forbidden name: %s", async (metadata, schema) => {
    const analysis = await analyzeSample(metadata, schema);
    expect(analysis.roles.length).toBeGreaterThan(0);
    expect(findLeaks(compile({ analysis }), analysis)).toEqual([]);
  });

  it.each(samples)("No schema of a role contains a forbidden name: %s", async (metadata, schema) => {
    const analysis = await analyzeSample(metadata, schema);
    const { planned } = compileAndLoad(analysis);
    for (const role of analysis.roles) {
      const names = schemaNames(planned, role);
      const found = [...forbiddenNames(analysis, role, undefined)].filter((name) => names.has(name));
      expect(found, role).toEqual([]);
    }
  });

  it("The search finds a forbidden name where one exists", async () => {
    const analysis = await analyzeSample(...samples[0]);
    const lessAllowed = withoutColumn(analysis, "member", "member", "email");
    expect(findLeaks(compile({ analysis }), lessAllowed)).toEqual(["roles/member/default/public.member.ts: email"]);
    expect(schemaNames(compileAndLoad(analysis).planned, "member")).toContain("email");
    expect(forbiddenNames(lessAllowed, "member", undefined)).toContain("email");
  });

  it("Row filters and their comments may contain columns that the role cannot select", async () => {
    const analysis = await analyzeSample(...samples[0]);
    const loan = tablesOf(analysis).find(({ key }) => key === "public.loan") as AnalyzedTable;
    expect(permittedColumns(loan, "member").has("member_id")).toBe(false);
    const { text } = compile({ analysis }).module("roles/member/default/public.loan.ts");
    expect(text).toMatch(/\}\."member_id" = \$\{session\("x-engine-user-id"\)\}::uuid/);
  });
});

const samplesWithTools = [
  samples[0],
  ["test/golden/compile/agent-tools/metadata.yaml", "test/golden/compile/agent-tools/schema.sql"],
] as const;

describe("Tools for assistants in generated code", () => {
  it.each(samplesWithTools)("No tool of a role contains a forbidden name: %s", async (metadata, schema) => {
    const analysis = await analyzeSample(metadata, schema);
    const { program, planned } = compileAndLoad(analysis);
    const project = new Project({ useInMemoryFileSystem: true });
    let count = 0;
    for (const role of analysis.roles) {
      const forbidden = forbiddenNames(analysis, role, undefined);
      for (const variant of program.hasBackendSchema(role)
        ? (["frontend", "backend"] as const)
        : ["frontend" as const]) {
        for (const { path } of planned.toolsOf(role, variant)) {
          const file = project.createSourceFile(path, planned.module(path).text);
          expect(
            [...wordsOf(file)].filter((word) => forbidden.has(word)),
            path,
          ).toEqual([]);
          count++;
        }
      }
    }
    expect(count).toBeGreaterThan(5);
  });

  it("A column that a role loses disappears from its tools", async () => {
    const analysis = await analyzeSample(...samplesWithTools[1]);
    const toolsOf = (given: Analysis) =>
      compileAndLoad(given)
        .planned.toolsOf("reader", "frontend")
        .map(({ tool }) => [tool.tool.name, JSON.stringify(tool).includes("is_lent")]);
    expect(toolsOf(analysis)).toEqual([
      ["counted", false],
      ["everything", true],
      ["filtered.books", true],
      ["search", false],
    ]);
    expect(toolsOf(withoutColumn(analysis, "book", "reader", "is_lent"))).toEqual([
      ["counted", false],
      ["filtered.books", false],
      ["search", false],
    ]);
  });
});

describe("Remote schemas in generated code", () => {
  it("The modules of a role contain only the remote fields of its permission document", async () => {
    const folder = join(repository, "test/golden/compile/remote-schemas/expected/roles/visitor");
    const files = ["remotes/pets.ts", "remotes/weather-of-today+.ts", "root-fields.ts", "schema.graphql"];
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    const all = await readFile(join(folder, "../../remotes/pets/schema.ts"), "utf8");
    const hidden = ["friends", "secret", "HUGE", "names", "named", "hidden", "Only at night", "Everything that has"];
    for (const name of hidden) expect(all).toMatch(new RegExp(`\\b${name}`));
    for (const text of texts) expect(text).not.toMatch(new RegExp(`\\b(?:${hidden.join("|")})\\b`));
    for (const text of texts) expect(text).not.toContain("value of");
  });
});
