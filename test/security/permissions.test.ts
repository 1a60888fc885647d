/**
 * Random permissions, rows and queries: what PostgreSQL answers through generated code is what a naive evaluator
 * finds in plain objects. The evaluator knows nothing of SQL but three-valued logic.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Shape } from "../../compiler/1-introspect/shape.ts";
import type { DatabaseSource } from "../../runtime/sources/source.ts";
import { compileTables, openTestSource, readShape } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { answerNaively, type Filter, type Model, type Permission, type Question } from "./naive-evaluator.ts";

/** Columns of every table: its key, two nullable values, and a nullable reference to the table before it. */
const tables = ["house", "flat", "lodger"] as const;
const columns = ["id", "n", "s", "up"] as const;
const strings = ["", "a", "b", "A%", 'it\'s "x" \\ \u00e9'];
const sessionNames = { n: "x-engine-n", s: "x-engine-s" };

let database: TestDatabase;
let source: DatabaseSource;
let shape: Shape;

beforeAll(async () => {
  database = await createDatabase("permissions");
  const statements = tables.map((table, i) => {
    const reference = i === 0 ? "" : ` references ${tables[i - 1]}`;
    return `create table ${table} (id integer primary key, n integer, s text, up integer${reference});`;
  });
  await runSql(database.url, statements.join("\n"));
  source = openTestSource(database.url);
  shape = await readShape(source);
});

afterAll(async () => {
  await source.close();
  await database.drop();
});

const value = {
  n: fc.integer({ min: 0, max: 3 }),
  s: fc.constantFrom(...strings),
};

/** A condition on one column; in permissions also with session variables. */
function comparison(permission: boolean): fc.Arbitrary<Filter> {
  const operators = fc.constantFrom("_eq", "_neq", "_gt", "_lte");
  const onColumn = (column: "n" | "s") => {
    const constant = fc.oneof(
      fc.tuple(operators, value[column]).map(([operator, operand]) => ({ [operator]: operand })),
      fc.array<unknown>(value[column], { maxLength: 3 }).map((list) => ({ _in: list })),
      fc.array<unknown>(value[column], { maxLength: 3 }).map((list) => ({ _nin: list })),
      fc.boolean().map((flag) => ({ _is_null: flag })),
    );
    const session = operators.map((operator) => ({ [operator]: sessionNames[column] }));
    return (permission ? fc.oneof({ weight: 3, arbitrary: constant }, session) : constant).map((c) => ({
      [column]: c,
    }));
  };
  return fc.oneof(onColumn("n"), onColumn("s"));
}

/** @param allowed columns and relationships that may be named, by table */
function filter(
  permission: boolean,
  table: number,
  depth: number,
  allows: (table: number, name: string) => boolean = () => true,
): fc.Arbitrary<Filter> {
  const leaf = comparison(permission).map((f) => (Object.keys(f).every((key) => allows(table, key)) ? f : {}));
  if (depth === 0) return fc.oneof(leaf, fc.constant({}));
  const inner = (t: number) => filter(permission, t, depth - 1, allows);
  const choices: fc.Arbitrary<Filter>[] = [
    leaf,
    fc.array(inner(table), { maxLength: 2 }).map((list) => ({ _and: list })),
    fc.array(inner(table), { maxLength: 2 }).map((list) => ({ _or: list })),
    inner(table).map((f) => ({ _not: f })),
  ];
  if (table > 0 && allows(table, "parent")) choices.push(inner(table - 1).map((f) => ({ parent: f })));
  if (table < 2 && allows(table, "children")) choices.push(inner(table + 1).map((f) => ({ children: f })));
  return fc.oneof(...choices);
}

const rows = fc.tuple(...tables.map((_, i) => tableRows(i)));

function tableRows(table: number) {
  return fc.array(
    fc.record({
      n: fc.option(value.n),
      s: fc.option(value.s),
      up: table === 0 ? fc.constant(null) : fc.option(fc.integer({ min: 1, max: 2 })),
    }),
    { minLength: 2, maxLength: 4 },
  );
}

const permissions = fc.tuple(
  ...tables.map((_, table) =>
    fc.option(
      fc.record({
        columns: fc.subarray([...columns]).map((list) => [...new Set(["id", ...list])]),
        filter: filter(true, table, 2),
        limit: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
        aggregations: fc.boolean(),
      }),
      { nil: undefined, freq: 6 },
    ),
  ),
);

/** A question that the permissions allow: refused ones are other tests' business. */
function question(granted: readonly (Permission | undefined)[], table: number, depth: number): fc.Arbitrary<Question> {
  const allows = (t: number, name: string): boolean => {
    if (name === "parent") return granted[t - 1] !== undefined;
    if (name === "children") return granted[t + 1] !== undefined;
    return granted[t]?.columns.includes(name) ?? false;
  };
  const relations = [table > 0 && "parent", table < 2 && "children"].filter((r) => r !== false);
  const nested = relations.filter((r) => depth > 0 && allows(table, r));
  return fc.record({
    columns: fc.subarray(granted[table]?.columns.filter((c) => c !== "id") ?? []).map((list) => ["id", ...list]),
    where: filter(false, table, 2, allows),
    limit: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    offset: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    aggregate: granted[table]?.aggregations ? fc.boolean() : fc.constant(false),
    nested: fc
      .subarray(nested)
      .chain((chosen) =>
        fc.tuple(
          ...chosen.map((relation) =>
            question(granted, relation === "parent" ? table - 1 : table + 1, depth - 1).map(
              (q) => [relation, q] as const,
            ),
          ),
        ),
      )
      .map((entries) => Object.fromEntries(entries)),
  });
}

const scenario = fc
  .record({ rows, permissions, table: fc.integer({ min: 0, max: 2 }), n: value.n, s: value.s })
  .filter(({ permissions: granted, table }) => granted[table] !== undefined)
  .chain((given) => question(given.permissions, given.table, 2).map((asked) => ({ ...given, asked })));

describe("random permissions", () => {
  it("show a role exactly what a naive evaluator shows it", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rows: given, permissions: granted, table, n, s, asked }) => {
        const model: Model = given.map((list) => list.map((row, i) => ({ id: i + 1, ...row })));
        await insertRows(model);
        const { ask, analysis } = compileTables(source, shape, metadataOf(granted));
        expect(analysis.inconsistencies).toEqual([]);
        const session = { "x-engine-role": "role", [sessionNames.n]: String(n), [sessionNames.s]: s };
        const text = `{ answer: ${graphqlOf(tables[table] ?? "", asked)} }`;
        const answer = await ask("role", text, session);
        const expected = answerNaively({ model, granted, session }, table, asked);
        expect(answer).toEqual({ answer: expected });
        if (JSON.stringify(expected).length > 2) answered++;
      }),
      { numRuns: 150 },
    );
    // The law is empty where nothing is visible: many answers must hold something.
    expect(answered).toBeGreaterThan(15);
  }, 120_000);
});

async function insertRows(model: Model): Promise<void> {
  const literal = (v: unknown): string =>
    v === null ? "null" : typeof v === "number" ? String(v) : `E'${String(v).replace(/[\\']/g, "\\$&")}'`;
  const inserts = tables.map((table, i) => {
    const list = (model[i] ?? []).map((row) => `(${columns.map((c) => literal(row[c])).join(",")})`);
    return `insert into ${table} (${columns.join(",")}) values ${list.join(",")};`;
  });
  await runSql(database.url, `truncate ${tables.join(",")};${inserts.join("")}`);
}

function metadataOf(granted: readonly (Permission | undefined)[]): unknown[] {
  return tables.map((table, i) => {
    const permission = granted[i];
    const child = tables[i + 1];
    return {
      table: { schema: "public", name: table },
      object_relationships: i === 0 ? [] : [{ name: "parent", using: { foreign_key_constraint_on: "up" } }],
      array_relationships: child
        ? [
            {
              name: "children",
              using: { foreign_key_constraint_on: { column: "up", table: { schema: "public", name: child } } },
            },
          ]
        : [],
      select_permissions: permission
        ? [
            {
              role: "role",
              permission: {
                columns: permission.columns,
                filter: permission.filter,
                ...(permission.limit === undefined ? {} : { limit: permission.limit }),
                allow_aggregations: permission.aggregations,
              },
            },
          ]
        : [],
    };
  });
}

function graphqlOf(name: string, asked: Question): string {
  const literal = (v: unknown): string => {
    if (Array.isArray(v)) return `[${v.map(literal).join(",")}]`;
    if (v !== null && typeof v === "object") {
      return `{${Object.entries(v)
        .map(([key, member]) => `${key}: ${literal(member)}`)
        .join(",")}}`;
    }
    return JSON.stringify(v);
  };
  const isParent = name === "parent";
  const { limit, offset, where, columns: fields, nested, aggregate } = asked;
  const page = [limit === undefined ? "" : `limit: ${limit}`, offset === undefined ? "" : `offset: ${offset}`];
  const args = isParent ? "" : `(where: ${literal(where)}, order_by: {id: asc}, ${page.join(" ")})`;
  const inner = Object.entries(nested).map(([relation, q]) => graphqlOf(relation, q));
  const selection = `{ ${[...fields, ...inner].join(" ")} }`;
  if (!aggregate || isParent) return `${name}${args} ${selection}`;
  return `${name}_aggregate${args} { aggregate { count } nodes ${selection} }`;
}
