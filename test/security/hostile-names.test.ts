/**
 * Names, comments and constants that try to inject code. Generated code contains them as text and works as intended.
 */
import { join } from "node:path";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { parse } from "pgsql-parser";
import { Project } from "ts-morph";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { AnalyzedEventTrigger, Predicate } from "../../compiler/2-analyze/analyzed-table.ts";
import { savedOperations } from "../../compiler/2-analyze/saved-operations.ts";
import type { AgentTool } from "../../compiler/catalog/outside-sources.ts";
import type { Compiled } from "../../runtime/control/compile-analysis.ts";
import type { EventTriggerDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { RoleDefinition } from "../../runtime/model/definitions/roots.ts";
import type { RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { TableView } from "../../runtime/model/definitions/view.ts";
import { quoteIdentifier } from "../../runtime/model/dialects/postgres/quote.ts";
import { isNamespace } from "../../runtime/model/schema/root-type.ts";
import { anyText } from "../support/any-text.ts";
import { compileAndLoad, loaderOf, renderFilter } from "../unit/emit/load.ts";
import { analysis, builtIn, equals, source, table } from "../unit/emit/sample-analysis.ts";

const attack = "globalThis.wasReached = true";

/** Text that has broken code generators. */
const hostile = [
  `*/ ${attack} /*`,
  `\`; ${attack}; \``,
  `\${${attack}}`,
  `"; ${attack}; "`,
  `'; ${attack}; '`,
  `\n${attack}\n`,
  `\r${attack}`,
  `\u2028${attack}\u2029`,
  `\\`,
  `\\\``,
  `\\\\\${${attack}}`,
  `</script>`,
  `../../../etc/passwd`,
  `..`,
  `.`,
  `con`,
  `__proto__`,
  `constructor`,
  `toString`,
  `exports`,
  `module`,
  `require`,
  `Object`,
  `arguments`,
  `await`,
  `class`,
  `columns`,
  `joins`,
  `visible`,
  `table`,
  `sql`,
  `session`,
  `constant`,
  `tableView`,
  `column`,
  `role`,
  `pg`,
  `x`.repeat(63),
  `X`.repeat(63),
  `Straße`,
  `従業員`,
  `\u202e\u2066reversed`,
  `a\u200bb`,
  `😀`,
  `@ts-nocheck`,
  `# sourceMappingURL=data:,x`,
  `name`,
  `Name`,
  `NAME`,
];

/** GraphQL names with a special meaning in JavaScript. */
const fields = ["__proto__", "constructor", "class", "default", "toString", "hasOwnProperty", "then", "id"];

interface Names {
  readonly source: string;
  readonly schema: string;
  /** Texts used as table names, table comments, column names and column comments. */
  readonly tables: readonly string[];
  readonly role: string;
  readonly literal: string;
}

/** Compiles tables that differ in their names; returns the program, and the name of each table in the schema. */
function compileHostile({ source: sourceName, schema, tables: given, role, literal }: Names): Compiled {
  const names = [...new Set(given)];
  const tables = names.map((name, i) => {
    const target = names[(i + 1) % names.length] ?? name;
    const filter: Predicate = {
      kind: "and",
      items: [
        equals(name, builtIn("text"), { kind: "literal", value: literal }),
        equals(name, builtIn("text"), { kind: "session", variable: `x-engine-${literal}` }),
        equals("at", builtIn("timestamptz"), { kind: "literal", value: literal }),
        { kind: "exists", table: keys(schema, target), where: { kind: "and", items: [] } },
      ],
    };
    const analyzed = table(sourceName, name, {
      schema,
      graphqlName: `T${i}`,
      description: literal,
      columns: {
        [name]: { field: fields[i % fields.length] ?? "id", description: literal },
        at: { field: "at", type: builtIn("timestamptz") },
      },
      key: [name],
      relationships: [
        {
          name: fields[(i + 1) % fields.length] ?? "other",
          kind: "array",
          comment: literal,
          target: keys(schema, target),
          mapping: [{ local: name, remote: target }],
          unique: false,
          required: false,
          origin: "foreign_key_of_other",
          insertionOrder: "after_parent",
        },
      ],
      configuration: { custom_root_fields: { select: fields[i] ?? `root_${i}` } },
      select: { [role]: { filter, expression: { [name]: literal }, comment: literal } },
    });
    return { ...analyzed, eventTriggers: new Map([[name, eventTrigger(name, literal)]]) };
  });
  const analyzed = analysis(source(sourceName, tables, { type_names: { prefix: "P", suffix: "S" } }));
  return compileAndLoad({ ...analyzed, ...hostileTools(names, literal) });
}

/** Returns a tool for each collection name, with the text in its title and its description. */
function hostileTools(
  collections: readonly string[],
  literal: string,
): Pick<Analysis, "agentTools" | "savedOperations"> {
  const saved = savedOperations(
    collections.map((name) => ({ name, definition: { queries: [{ name: literal, query: toolText }] } })),
  );
  const tools = collections.map((collection_name, i): AgentTool => {
    const definition = { query: { collection_name, query_name: literal } };
    return { name: `tool.${i}`, title: literal, description: literal, definition, scopes: [literal] };
  });
  return { savedOperations: saved, agentTools: new Map(tools.map((tool) => [tool.name, tool])) };
}

const toolText = `# ${attack} */ \`\${${attack}}\`\nquery Q($a: Int = 1) { __typename }`;

/** Returns an event trigger for all operations, with the text in its condition and its payload. */
function eventTrigger(name: string, literal: string): AnalyzedEventTrigger {
  const where = equals(name, builtIn("text"), { kind: "literal", value: literal });
  const all = { columns: "*" };
  return {
    trigger: {
      name,
      definition: { insert: { columns: "*", payload: [name] }, update: { columns: [name] }, delete: all },
      retry_conf: { num_retries: 0, interval_sec: 10 },
      webhook: literal,
      headers: [{ name: literal, value: literal }],
      request_transform: { [literal]: literal },
      signing_secret: { value_from_env: literal },
      ordering: { key: [name] },
    },
    condition: {
      kind: "or",
      items: [
        { kind: "row", row: "old", where },
        { kind: "row", row: "new", where },
      ],
    },
  };
}

const keys = (schema: string, name: string): string =>
  [schema, name].map((part) => part.replace(/[\\.]/g, "\\$&")).join(".");

const everything: Names = {
  source: hostile[0] ?? "",
  schema: hostile[1] ?? "",
  tables: hostile,
  role: hostile[2] ?? "",
  literal: hostile[3] ?? "",
};

const anyName = fc.oneof(fc.constantFrom(...hostile), anyText({ minLength: 1, maxLength: 20 }));
const names: fc.Arbitrary<Names> = fc.record({
  source: anyName,
  schema: anyName,
  tables: fc.array(anyName, { minLength: 1, maxLength: 3 }),
  role: anyName,
  literal: anyName,
});

/** Loads all modules, and checks their output. */
async function check(given: Names): Promise<void> {
  const { program, planned } = compileHostile(given);
  const loader = loaderOf(planned);
  const paths = planned.paths();
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  for (const path of paths) {
    expect(path).toMatch(/^[a-z0-9_+=.()/-]+$/);
    expect(path.split("/")).not.toContain("..");
    if (path.endsWith(".ts")) loader.require(path);
    if (path.endsWith(".graphql")) buildSchema(planned.file(path).text, { assumeValid: true });
  }
  const { role } = loader.require(program.roleModule(given.role)) as { readonly role: RoleDefinition };
  expect(role.role).toBe(given.role);
  const views = new Set(Object.values(role.query).flatMap((root) => (isNamespace(root) ? [] : root.view())));
  expect(views.size).toBe(new Set(given.tables).size);
  const tables = [...views].map(({ table }) => table.sql).sort();
  expect(tables).toEqual(
    [...new Set(given.tables)].map((name) => `${quoteIdentifier(given.schema)}.${quoteIdentifier(name)}`).sort(),
  );
  for (const view of views) await checkView(view, given);
  const triggers = program
    .eventTriggers()
    .map((path) => (loader.require(path) as { readonly trigger: EventTriggerDefinition }).trigger);
  expect(triggers.map(({ name }) => name).sort()).toEqual([...new Set(given.tables)].sort());
  for (const trigger of triggers) await checkTrigger(trigger, given);
  const tools = planned.toolsOf(given.role, "frontend").map(({ path }) => {
    return (loader.require(path) as { readonly tool: RoleTool }).tool.tool;
  });
  expect(tools.length).toBe(new Set(given.tables).size);
  for (const { title, description, operation, scopes } of tools) {
    expect([title, description, operation.name, ...(scopes ?? [])]).toEqual(Array(4).fill(given.literal));
    expect(operation.text).toBe(toolText);
  }
  expect((globalThis as { wasReached?: boolean }).wasReached).toBeUndefined();
}

/** Checks that each text is one statement, including the texts that a function runs. */
async function checkTrigger({ name, table: of, webhook, recorders }: EventTriggerDefinition, given: Names) {
  expect(of).toEqual({ schema: given.schema, name });
  expect(webhook.url).toEqual({ template: given.literal });
  expect(webhook.headers).toEqual([{ name: given.literal, value: given.literal }]);
  expect(recorders.map(({ operation }) => operation)).toEqual(["INSERT", "UPDATE", "DELETE"]);
  for (const { statements, hash } of recorders) {
    const [definition = ""] = statements;
    const [, body = ""] = /^begin\n(.*)\n {2}return null;\nend\n\$engine\d*\$$/ms.exec(definition) ?? [];
    expect(definition).toContain(`-- definition ${hash}\n`);
    for (const text of [...statements, body]) {
      if (text.includes("\u0000")) continue;
      expect((await parse(text)).stmts).toHaveLength(1);
    }
  }
}

async function checkView(view: TableView, { literal }: Names): Promise<void> {
  const [column] = view.columns;
  expect(column?.description).toBe(literal);
  expect(view.table.description).toBe(literal);
  const { text, slots } = renderFilter(view);
  expect(text).toContain(`t1.${column?.sql}`);
  expect(slots[0]).toMatchObject({ kind: "session", variable: `x-engine-${literal}` });
  expect(slots[1]).toMatchObject({ kind: "value", source: { kind: "constant", value: untilNul(literal) } });
  // PostgreSQL does not support U+0000 in names and texts.
  if (!text.includes("\u0000")) await expect(parse(`select ${text.replaceAll(/\$\d/g, "'x'")}`)).resolves.toBeDefined();
  const [[name, relationship] = []] = Object.entries(view.relationships);
  expect(fields).toContain(name);
  expect(relationship?.target()).toBeDefined();
}

const untilNul = (text: string): string => text.split("\u0000")[0] ?? "";

describe("Hostile names in generated code", () => {
  it("Hostile names stay text in all generated modules", async () => {
    await check(everything);
  });

  it("Arbitrary names stay text in all generated modules", async () => {
    await fc.assert(
      fc.asyncProperty(names, (given) => check(given)),
      { numRuns: 60 },
    );
  }, 120_000);

  it("Modules with hostile names pass the type checker", () => {
    const root = join(import.meta.dirname, "../..");
    const project = new Project({ tsConfigFilePath: join(root, "tsconfig.json"), skipAddingFilesFromTsConfig: true });
    const { planned } = compileHostile(everything);
    const files = planned
      .paths()
      .filter((path) => path.endsWith(".ts"))
      .map((path) => project.createSourceFile(join(root, "hostile", path), planned.file(path).text));
    const problems = files.flatMap((file) => file.getPreEmitDiagnostics());
    expect(project.formatDiagnosticsWithColorAndContext(problems)).toBe("");
  }, 60_000);
});
