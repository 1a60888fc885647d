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
import {
  answerNaively,
  cell,
  columnsOf,
  type Filter,
  type Grant,
  type Model,
  mayAggregate,
  type Permission,
  type Question,
} from "./naive-evaluator.ts";

/**
 * Columns of every table: its key, two nullable values, a nullable reference to the table before it, and the key once
 * more, which every permission gives, so that rows have an order.
 */
const tables = ["house", "flat", "lodger"] as const;
const columns = ["id", "n", "s", "up", "k"] as const;
const strings = ["", "a", "b", "A%", 'it\'s "x" \\ \u00e9'];
const sessionNames = { n: "x-engine-n", s: "x-engine-s" };

let database: TestDatabase;
let source: DatabaseSource;
let shape: Shape;

beforeAll(async () => {
  database = await createDatabase("permissions");
  const statements = tables.map((table, i) => {
    const reference = i === 0 ? "" : ` references ${tables[i - 1]}`;
    return `create table ${table} (id integer primary key, n integer, s text, up integer${reference}, k integer not null);`;
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
        columns: fc.subarray([...columns]).map((list) => [...new Set(["k", ...list])]),
        filter: filter(true, table, 2),
        limit: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
        aggregations: fc.boolean(),
      }),
      { nil: undefined, freq: 6 },
    ),
  ),
);

/** A question that the permissions allow: refused ones are other tests' business. */
function question(granted: readonly (Grant | undefined)[], table: number, depth: number): fc.Arbitrary<Question> {
  const allows = (t: number, name: string): boolean => {
    if (name === "parent") return granted[t - 1] !== undefined;
    if (name === "children") return granted[t + 1] !== undefined;
    return columnsOf(granted[t]).includes(name);
  };
  const relations = [table > 0 && "parent", table < 2 && "children"].filter((r) => r !== false);
  const nested = relations.filter((r) => depth > 0 && allows(table, r));
  return fc.record({
    columns: fc.subarray(columnsOf(granted[table]).filter((c) => c !== "k")).map((list) => ["k", ...list]),
    where: filter(false, table, 2, allows),
    limit: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    offset: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    aggregate: mayAggregate(granted[table]) ? fc.boolean() : fc.constant(false),
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
        const model: Model = given.map((list) => list.map((row, i) => ({ id: i + 1, ...row, k: i + 1 })));
        await insertRows(model);
        const { ask, analysis } = compileTables(source, shape, metadataOf({ role: granted }));
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

/** Two inherited roles over three others, the second over the first, too; it may have permissions of its own. */
const family = fc.record({
  base: fc.record({ a: permissions, b: permissions, c: permissions }),
  own: fc.tuple(
    ...tables.map((_, i) => permissions.map((all) => all[i]).chain((p) => fc.constantFrom(p, undefined, undefined))),
  ),
  middle: fc.subarray(["a", "b", "c"], { minLength: 1 }),
  top: fc.subarray(["a", "b", "c", "middle"], { minLength: 1 }),
});

type Family = typeof family extends fc.Arbitrary<infer T> ? T : never;

/** What the second inherited role may read. */
function grantsOf({ base, own, middle, top }: Family): readonly (Grant | undefined)[] {
  return tables.map((_, i): Grant | undefined => {
    const merge = (roles: readonly string[]): Grant | undefined => {
      const grants = roles.map((role) => (role === "middle" ? merge(middle) : base[role as "a" | "b" | "c"][i]));
      const parents = grants.filter((grant) => grant !== undefined);
      return parents.length === 0 ? undefined : { parents };
    };
    return own[i] ?? merge(top);
  });
}

const inheritance = fc
  .record({ rows, family, table: fc.integer({ min: 0, max: 2 }), n: value.n, s: value.s })
  .filter(({ family: given, table }) => grantsOf(given)[table] !== undefined)
  .chain((given) => question(grantsOf(given.family), given.table, 2).map((asked) => ({ ...given, asked })));

describe("random inherited roles", () => {
  it("see of rows and columns what some parent sees, and of each cell no more", async () => {
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(inheritance, async ({ rows: given, family: roles, table, n, s, asked }) => {
        const model: Model = given.map((list) => list.map((row, i) => ({ id: i + 1, ...row, k: i + 1 })));
        await insertRows(model);
        const { ask, analysis } = compileTables(source, shape, metadataOf({ ...roles.base, top: roles.own }), {
          inherited_roles: [
            { role_name: "top", role_set: roles.top },
            { role_name: "middle", role_set: roles.middle },
          ],
        });
        fc.pre(analysis.inheritedRoles.has("top"));
        const session = { "x-engine-role": "top", [sessionNames.n]: String(n), [sessionNames.s]: s };
        const world = { model, granted: grantsOf(roles), session };
        const name = tables[table] ?? "";
        expect(await ask("top", `{ answer: ${graphqlOf(name, asked)} }`, session)).toEqual({
          answer: answerNaively(world, table, asked),
        });
        // A row can be had by its key only where the key's cell can be read.
        if (columnsOf(world.granted[table]).includes("id")) {
          const row = model[table]?.[0] ?? {};
          const isShown = cell(world, table, row, "id") !== null;
          const answer = await ask("top", `{ answer: ${name}_by_pk(id: 1) { k } }`, session);
          expect(answer).toEqual({ answer: isShown ? { k: 1 } : null });
          if (!isShown) hidden++;
        }
      }),
      { numRuns: 200 },
    );
    expect(hidden).toBeGreaterThan(5);
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

/** @param granted the permissions of each role, by table */
function metadataOf(granted: Readonly<Record<string, readonly (Permission | undefined)[]>>): unknown[] {
  return tables.map((table, i) => {
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
      select_permissions: Object.entries(granted).flatMap(([role, permissions]) => {
        const { aggregations, limit, ...given } = permissions[i] ?? {};
        if (permissions[i] === undefined) return [];
        return [
          { role, permission: { ...given, ...(limit !== undefined && { limit }), allow_aggregations: aggregations } },
        ];
      }),
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
  const args = isParent ? "" : `(where: ${literal(where)}, order_by: {k: asc}, ${page.join(" ")})`;
  const inner = Object.entries(nested).map(([relation, q]) => graphqlOf(relation, q));
  const selection = `{ ${[...fields, ...inner].join(" ")} }`;
  if (!aggregate || isParent) return `${name}${args} ${selection}`;
  const counts = fields.map((column) => `count_${column}: count(columns: [${column}])`);
  const aggregates = ["count", ...(fields.includes("n") ? ["max { n }"] : []), ...counts];
  return `${name}_aggregate${args} { aggregate { ${aggregates.join(" ")} } nodes ${selection} }`;
}
