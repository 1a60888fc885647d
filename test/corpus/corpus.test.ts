/**
 * Unusual databases, one per `.sql` file: everything in them is tracked, introspected, read, filtered, ordered,
 * written, streamed, delivered as events, and read from a sealed artifact. The results are compared with SQL.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type GraphQLInputType, getNamedType, isEnumType, isNonNullType, validateSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query as runSql } from "../support/database.ts";
import { openEvents } from "../support/event-stream.ts";
import { argument, type Corpus, type CorpusTable, inputFields, openCorpus, requiredRelationships } from "./database.ts";

const folder = import.meta.dirname;
const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

/** Files about types, for which streams use every column as their cursor. */
const typeFiles: ReadonlySet<string> = new Set(["domains.sql", "extensions.sql", "types.sql"]);

type Values = Readonly<Record<string, unknown>>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

describe.each(files)("%s", (file) => {
  let corpus: Corpus;

  beforeAll(async () => {
    corpus = await openCorpus(join(folder, file));
  }, 120_000);

  afterAll(() => corpus?.close());

  async function ask(text: string, variables?: unknown): Promise<Values> {
    const answer = (await corpus.server.graphql(text, {}, variables)) as {
      readonly data?: Values;
      readonly errors?: unknown;
    };
    expect(answer.errors, text).toBeUndefined();
    return answer.data ?? {};
  }

  const sql = (text: string, values?: readonly unknown[]) => runSql(corpus.searchingUrl, text, values);

  /** Returns rows as rendered by SQL, with the text of each value beside it. */
  async function rowsInSql({ sql: table, columns }: CorpusTable, where = ""): Promise<readonly Values[]> {
    const members = columns.map((name) => `${sqlText(name)}, to_json(t.${quoted(name)})`);
    const rows = await sql(`select json_build_object(${members.join(", ")})::text as row from ${table} t ${where}`);
    return rows.map(({ row }) => JSON.parse(String(row)));
  }

  async function textsInSql({ sql: table, columns }: CorpusTable): Promise<readonly Values[]> {
    const members = columns.map((name) => `${sqlText(name)}, t.${quoted(name)}::text`);
    const rows = await sql(`select json_build_object(${members.join(", ")})::text as row from ${table} t`);
    return rows.map(({ row }) => JSON.parse(String(row)));
  }

  /** Returns rows with numbers as text. */
  async function exactRows({ sql: table, columns }: CorpusTable, where: string): Promise<readonly Values[]> {
    const members = columns.map((name) => `${sqlText(name)}, ${exact(quoted(name))}`);
    const rows = await sql(`select json_build_object(${members.join(", ")})::text as row from ${table} t ${where}`);
    return rows.map(({ row }) => JSON.parse(String(row)));
  }

  async function readAll({ field, columns }: CorpusTable): Promise<readonly Values[]> {
    const data = await ask(`{ rows: ${field.name} { ${columns.join(" ")} } }`);
    return data.rows as readonly Values[];
  }

  /** Returns the base type of a domain, because PostgreSQL does not find operators of the domain itself for enums. */
  async function baseType({ sql: table }: CorpusTable, column: string): Promise<string> {
    const [row] = await sql(
      `select format_type(coalesce(nullif(t.typbasetype, 0), t.oid), greatest(a.atttypmod, t.typtypmod)) as base
      from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = $1::regclass and a.attname = $2`,
      [table, column],
    );
    return String(row?.base);
  }

  it("All tables are tracked, except those that the file declares as refused", () => {
    expect([...corpus.refused.keys()]).toEqual(corpus.expectedRefusals);
    expect(corpus.tables.length).toBeGreaterThan(0);
  });

  it("graphql-js accepts the schema", () => {
    expect(validateSchema(corpus.schema)).toEqual([]);
  });

  it("Queries return the rows that SQL selects", async () => {
    for (const table of corpus.tables) {
      const [rows, expected, texts] = [await readAll(table), await rowsInSql(table), await textsInSql(table)];
      // The engine may return text for types whose JSON is not accepted as input.
      const alike = expected.map((row, index) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => {
            const text = texts[index]?.[name];
            return [name, rows[index]?.[name] === text ? text : value];
          }),
        ),
      );
      expect(loose(rows), table.sql).toEqual(loose(alike));
    }
  });

  it("Required relationships always return a row", async () => {
    for (const table of corpus.tables) {
      for (const name of requiredRelationships(table)) {
        const { rows } = await ask(`{ rows: ${table.field.name} { ${name} { __typename } } }`);
        expect(
          (rows as readonly Values[]).map((row) => row[name]),
          `${table.sql} ${name}`,
        ).not.toContain(null);
      }
    }
  });

  it("Filters by each value match as many rows as SQL", async () => {
    for (const table of corpus.tables) {
      const where = inputFields(argument(table.field, "where"));
      for (const column of table.columns) {
        const type = inputFields(where.get(column)).get("_eq");
        if (type === undefined || corpus.outputOnly.has(column)) continue;
        const isListed = inputFields(where.get(column)).has("_in");
        const name = quoted(column);
        const base = await baseType(table, column);
        const counts = await sql(
          `select (select count(*)::int from ${table.sql} b where b.${name}::${base} = a.${name}::${base}) as n
          from ${table.sql} a where a.${name} is not null`,
        );
        const values = (await readAll(table)).map((row) => row[column]).filter((value) => value !== null);
        const found = await Promise.all(
          values.map(async (value) => {
            const [equal, listed] = [`{_eq: $value}`, isListed ? "{_in: [$value]}" : "{_eq: $value}"].map(
              (filter) => `${table.field.name}(where: {${column}: ${filter}}) { __typename }`,
            );
            const text = `query ($value: ${nullable(type)}!) { equal: ${equal} listed: ${listed} }`;
            const rows = (await ask(text, { value })) as Readonly<Record<string, readonly unknown[]>>;
            return [rows.equal?.length, rows.listed?.length];
          }),
        );
        expect(found, `${table.sql} ${column}`).toEqual(counts.map(({ n }) => [n, n]));
      }
    }
  });

  it("Each sortable column can be ordered and deduplicated", async () => {
    for (const table of corpus.tables) {
      const sorts = inputFields(argument(table.field, "order_by"));
      for (const column of table.columns.filter((each) => sorts.has(each))) {
        const values = getNamedType(argument(table.field, "distinct_on"));
        if (!isEnumType(values) || values.getValue(column) === undefined) continue;
        const data = await ask(
          `{ rows: ${table.field.name}(order_by: {${column}: asc}, distinct_on: ${column}) { ${column} } }`,
        );
        const [row] = await sql(
          `select count(distinct ${quoted(column)})::int + (count(*) filter (where ${quoted(column)} is null) > 0)::int as n from ${table.sql}`,
        );
        expect(data.rows, `${table.sql} ${column}`).toHaveLength(Number(row?.n));
      }
    }
  });

  it("A sealed artifact returns the same bytes as the live server", async () => {
    for (const { field, columns } of corpus.tables) {
      const query = `{ rows: ${field.name} { ${columns.join(" ")} } }`;
      const [live, sealed] = await Promise.all(
        [corpus.server, corpus.sealed].map(async (server) => (await server.post("/v1/graphql", { query })).text),
      );
      expect(sealed).toBe(live);
    }
  });

  it.runIf(typeFiles.has(file))("Streams deliver the rows after the least value of each sortable column", async () => {
    const streams = corpus.schema.getSubscriptionType()?.getFields() ?? {};
    for (const table of corpus.tables) {
      const field = streams[`${table.field.name}_stream`];
      const sorts = inputFields(argument(table.field, "order_by"));
      const where = inputFields(argument(table.field, "where"));
      const keys = table.columns.filter((name) => table.keyColumns.includes(name));
      if (field === undefined || keys.length === 0) continue;
      for (const column of table.columns) {
        const isOrdered = sorts.has(column) && inputFields(where.get(column)).has("_gt");
        if (!isOrdered || keys.includes(column) || corpus.outputOnly.has(column)) continue;
        const value = `t.${quoted(column)}::${await baseType(table, column)}`;
        const [count] = await sql(
          `select count(*)::int as n
          from (select rank() over (order by ${value}) from ${table.sql} t where ${value} is not null) r where rank > 1`,
        );
        if (Number(count?.n) === 0) continue;
        const order = [column, ...keys].map((name) => `{${name}: asc}`).join(", ");
        const { rows } = await ask(`{ rows: ${table.field.name}(order_by: [${order}]) { ${column} } }`);
        const values = (rows as readonly Values[]).filter((row) => row[column] !== null);
        const query = `subscription ($from: ${cursorType(field, column)}) {
          rows: ${field.name}(batch_size: 100, cursor: {initial_value: {${column}: $from}}) { ${column} }
        }`;
        const variables = { from: values[0]?.[column] };
        const events = await openEvents(`${corpus.server.url}/v1/graphql`, { query, variables });
        const event = await events.take();
        events.close();
        const expected = { data: { rows: values.slice(-Number(count?.n)) } };
        expect(event?.data, `${table.sql} ${column}`).toEqual(expected);
      }
    }
  });

  it("Streams deliver the rows after a cursor", async () => {
    const streams = corpus.schema.getSubscriptionType()?.getFields() ?? {};
    for (const table of corpus.tables) {
      const field = streams[`${table.field.name}_stream`];
      const [key, ...others] = table.keyColumns;
      const column = table.columns.find((each) => key !== undefined && [each, quoted(each)].includes(key));
      if (field === undefined || column === undefined || others.length > 0) continue;
      const ordered = await ask(`{ rows: ${table.field.name}(order_by: {${column}: asc}) { ${column} } }`);
      const [first, ...rest] = (ordered.rows as readonly Values[]).map((row) => row[column]);
      if (first === undefined || rest.length === 0) continue;
      const query = `subscription ($from: ${cursorType(field, column)}) {
        rows: ${field.name}(batch_size: 100, cursor: {initial_value: {${column}: $from}}) { ${column} }
      }`;
      const events = await openEvents(`${corpus.server.url}/v1/graphql`, { query, variables: { from: first } });
      const event = await events.take();
      events.close();
      expect(event?.data, table.sql).toEqual({ data: { rows: rest.map((value) => ({ [column]: value })) } });
    }
  });

  it("Updates with a row's own values keep the row", async () => {
    const mutations = corpus.schema.getMutationType()?.getFields() ?? {};
    for (const table of corpus.tables) {
      const update = mutations[`update_${table.field.name}`];
      if (update === undefined || table.isReadOnly) continue;
      const writable = inputFields(argument(update, "_set"));
      const where = inputFields(argument(update, "where"));
      const keys = table.columns.filter((name) => [name, quoted(name)].some((each) => table.keyColumns.includes(each)));
      if (keys.length === 0 || keys.length < table.keyColumns.length) continue;
      const [row] = await readAll(table);
      if (row === undefined) continue;
      const names = table.columns.filter(
        (name) => writable.has(name) && ![...keys, ...corpus.outputOnly].includes(name),
      );
      if (names.length === 0) continue;
      const declared = [
        ...names.map((name) => [`$${name}: ${nullable(writable.get(name))}`, `${name}: $${name}`]),
        ...keys.map((name) => [`$${name}: ${nullable(inputFields(where.get(name)).get("_eq"))}`, ""]),
      ];
      const filter = keys.map((name) => `${name}: {_eq: $${name}}`).join(", ");
      const text = `mutation (${declared.map(([variable]) => variable).join(", ")}) {
        done: ${update.name}(where: {${filter}}, _set: {${names.map((name) => `${name}: $${name}`).join(", ")}}) {
          returning { ${table.columns.join(" ")} }
        }
      }`;
      const values = Object.fromEntries([...names, ...keys].map((name) => [name, row[name]]));
      const { done } = await ask(text, values);
      const stored = (await readAll(table)).find((each) => keys.every((key) => same(each[key], row[key])));
      expect(done, table.sql).toEqual({ returning: [stored] });
    }
  });

  it("Event triggers deliver the rows that a statement deletes", async () => {
    const tables = corpus.tables.filter(({ isBase, isPartition }) => isBase && !isPartition);
    const expected = new Map<CorpusTable, readonly string[]>();
    for (const table of tables) {
      const name = sqlText(table.sql);
      // Triggers of an inherited table fire only for its own rows; triggers of a partitioned table fire for the rows of
      // all partitions.
      const own = `where tableoid = ${name}::regclass or exists (select 1 from pg_partitioned_table where partrelid = ${name}::regclass)`;
      expected.set(table, (await exactRows(table, own)).map(canonical).sort());
    }
    for (const table of tables) {
      if (!(await deleteAll(table))) continue;
      await expect
        .poll(() => deletedRows(corpus, table).map(canonical), { message: table.sql })
        .toEqual(expected.get(table));
    }
  });

  /** Returns false if rows of other tables reference the rows or a rule keeps them. */
  async function deleteAll({ sql: table }: CorpusTable): Promise<boolean> {
    try {
      await sql(`delete from ${table}`);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "23503") return false;
      throw error;
    }
    return (await sql(`select 1 from ${table} limit 1`)).length === 0;
  }
});

function deletedRows({ webhook }: Corpus, { displayName }: CorpusTable): readonly Values[] {
  const found = webhook.received.flatMap(({ body }): readonly Values[] => {
    const { table, event } = JSON.parse(body);
    const name = table.schema === "public" ? table.name : `${table.schema}.${table.name}`;
    return name === displayName && event.op === "DELETE" ? [event.data.old] : [];
  });
  return found.sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

const canonical = (row: Values): string => JSON.stringify(loose(row));

/** Normalizes a value for comparison: a number equals its text, and the order of members does not matter. */
function loose(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(loose);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, loose(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the JSON of a column, with a number as its text. */
const exact = (column: string): string =>
  `case json_typeof(to_json(t.${column})) when 'number' then to_json(t.${column}::text) else to_json(t.${column}) end`;

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const nullable = (type: GraphQLInputType | undefined): string =>
  String(type !== undefined && isNonNullType(type) ? type.ofType : type);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function cursorType(field: Parameters<typeof argument>[0], column: string): string {
  const cursor = inputFields(argument(field, "cursor"));
  return nullable(inputFields(cursor.get("initial_value")).get(column));
}
