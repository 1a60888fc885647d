/** SQL that the console writes for changes of tables, with hostile names: PostgreSQL runs it, each change is reverted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ColumnDefinition, SqlText } from "../../../runtime/console/pages/data/structure/sql-text.ts";
import { sqlTextOf } from "../../../runtime/console/pages/data/structure/sql-texts.ts";
import * as statements from "../../../runtime/console/pages/data/structure/statements.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { problemsOfTsql } from "../../support/tsql.ts";

const quote = 'a"b';
const apostrophe = "it's";
const backslash = "back\\slash";
const bracket = "];drop table x--";
const unicode = "$1 ü\u202E";
const markup = "<script>";

const table = { schema: "s 'q' ]", name: `t '";--` };
const parent = { schema: table.schema, name: "parent\\" };

const column = (name: string, type: string, more: Partial<ColumnDefinition> = {}): ColumnDefinition => ({
  name,
  type,
  isNullable: true,
  initial: "",
  isIdentity: false,
  comment: "",
  ...more,
});

/** Types of both kinds, by use. */
interface Types {
  readonly number: string;
  readonly wide: string;
  readonly text: string;
  /** Definition of the index by which it is created again. */
  readonly index: string;
}

/** Returns a sequence of changes in which each one depends on the ones before it. */
function changes(text: SqlText, { number, wide, text: texts, index }: Types): readonly statements.Statement[] {
  const plain = column(quote, number, { isNullable: false, initial: "7", comment: markup });
  const added = column(backslash, texts, { comment: apostrophe });
  const changed = { ...plain, name: bracket, type: wide, isNullable: true, initial: "8", comment: apostrophe };
  const renamed = { ...table, name: `u ${unicode}` };
  const key = {
    columns: [apostrophe],
    table: parent,
    references: ["id ]"],
    onDelete: "cascade",
    onUpdate: text.actions[0] ?? "",
  };
  const existing = {
    table,
    columns: [column("id", number, { isNullable: false, isIdentity: true }), changed],
    constraints: [{ name: "p", definition: statements.constraintText.primaryKey(text, ["id"]) }],
    indexes: [],
    comment: markup,
  };
  const values = [[apostrophe, backslash] as const, [markup, ""] as const];
  const create = (name: string, more: Partial<statements.NewTable>) =>
    statements.createTable(text, {
      table: { ...table, name },
      columns: [],
      primaryKey: [],
      unique: [],
      checks: [],
      foreignKeys: [],
      comment: "",
      values: [],
      ...more,
    });
  const change = (before: ColumnDefinition, after: ColumnDefinition): statements.Statement => {
    const found = statements.changeColumn(text, { table, before, after });
    if (found === null) throw new Error("nothing differs");
    return found;
  };
  return [
    create(parent.name, { columns: [column("id ]", number, { isNullable: false })], primaryKey: ["id ]"] }),
    create("enum \\", {
      columns: [column("value", text.keyText, { isNullable: false }), column("about", texts)],
      primaryKey: ["value"],
      values,
    }),
    create(table.name, {
      columns: [
        column("id", number, { isNullable: false, isIdentity: true }),
        plain,
        column(apostrophe, number, { comment: backslash }),
      ],
      primaryKey: ["id"],
      unique: [[quote, apostrophe]],
      checks: [`${text.name(quote)} > 0`],
      foreignKeys: [key],
      comment: `${markup} '\\`,
    }),
    statements.addColumn(text, table, added),
    change(added, { ...added, comment: "" }),
    statements.addIndex(text, {
      table,
      name: `i ${bracket}`,
      columns: [
        { name: apostrophe, isDescending: true },
        { name: quote, isDescending: false },
      ],
      isUnique: true,
      method: text.methods[0] ?? "",
      where: `${text.name(apostrophe)} is not null`,
    }),
    statements.dropIndex(text, table, `i ${bracket}`, index),
    statements.addConstraint(text, table, `c ${quote}`, statements.constraintText.check("1 = 1")),
    statements.dropConstraint(text, table, `c ${quote}`, statements.constraintText.check("1 = 1")),
    statements.addConstraint(
      text,
      table,
      `f ${bracket}`,
      statements.constraintText.foreignKey(text, { ...key, onUpdate: "set null" }),
    ),
    statements.addConstraint(text, table, "q", statements.constraintText.unique(text, [apostrophe])),
    change(plain, changed),
    statements.commentOnTable(text, table, `${markup} '\\`, ""),
    statements.renameTable(text, table, renamed.name),
    statements.renameTable(text, renamed, table.name),
    statements.dropColumn(text, table, { ...added, comment: "" }),
    statements.dropTable(text, existing),
  ];
}

describe("SQL of the console for changes of tables in PostgreSQL", () => {
  let database: TestDatabase;
  const text = sqlTextOf("postgres");

  beforeAll(async () => {
    database = await createDatabase("console-statements");
    await query(database.url, `create schema ${text.name(table.schema)}`);
  });
  afterAll(() => database.drop());

  /** Returns columns, constraints, indexes and comments of all tables of the schema. */
  const state = async (): Promise<unknown> => {
    const found = await query(
      database.url,
      "select c.relname as name, obj_description(c.oid, 'pg_class') as comment, array_agg(row(a.attname, col_description(c.oid, a.attnum))::text order by a.attname) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and n.nspname = $1 group by 1, 2 order by 1",
      [table.schema],
    );
    const facts = found.map(async ({ name, ...more }) => {
      const its = { ...table, name: String(name) };
      const usage = await query(database.url, text.usageQuery(its));
      const indexes = usage.map((each) => each.name);
      return { name, ...more, facts: await query(database.url, text.factsQuery(its)), indexes };
    });
    return Promise.all(facts);
  };

  it("Every change runs with hostile names, and its down statement restores the tables", async () => {
    const index = `create unique index "i ];drop table x--" on "s 'q' ]"."t '"";--" ("it's" desc, "a""b") where "it's" is not null`;
    for (const { name, sql, down } of changes(text, { number: "integer", wide: "bigint", text: "text", index })) {
      const before = await state();
      await query(database.url, sql);
      const after = await state();
      expect(after, name).not.toEqual(before);
      await query(database.url, down);
      if (name.startsWith("drop_t ")) continue;
      expect(await state(), name).toEqual(before);
      await query(database.url, sql);
    }
  });

  it("The types of a database include those of its users", async () => {
    await query(database.url, `create type "mood '" as enum ('calm'); create domain age as int`);
    const found = await query(database.url, text.typesQuery);
    expect(found.map(({ type }) => type)).toEqual([`"mood '"`, "age"]);
  });
});

describe("SQL of the console for changes of tables in SQL Server", () => {
  const text = sqlTextOf("mssql");
  /** Replaces forms that the grammar lacks, and double quotes in names, which the rules take for quotes of names. */
  const problems = (sql: string): readonly string[] =>
    problemsOfTsql(
      sql
        .replaceAll('"', "")
        .replace("nonclustered index", "index")
        .replace(/alter column (.*?) \S+(?:\(.*?\))? (?:not )?null;/g, "drop column $1;")
        .replace(/add default \S+ for (.*);/g, "drop column $1;"),
    );
  const all = changes(text, {
    number: "int",
    wide: "decimal(20, 2)",
    text: "nvarchar(max)",
    index: "nonclustered ([it's] desc)",
  });

  it.each(all.map(({ name, sql, down }) => ({ name, sql, down })))("The SQL is valid T-SQL: $name", ({ sql, down }) => {
    expect(problems(sql)).toEqual([]);
    expect(problems(down)).toEqual([]);
  });

  it("The queries about a table are valid T-SQL", () => {
    expect(problems(text.factsQuery(table))).toEqual([]);
    expect(problems(text.usageQuery(table))).toEqual([]);
  });

  it("A hostile name stays inside of its quotes in nested batches", () => {
    const { sql } = statements.dropColumn(text, { schema: "dbo", name: "t ']" }, column(apostrophe, "int"));
    expect(sql).toContain("c.name = N''it''''s''");
    expect(sql).toContain("select N''alter table [dbo].[t '''']]] drop constraint ''");
    expect(sql.endsWith("\nalter table [dbo].[t ']]] drop column [it's];")).toBe(true);
  });

  it("A dropped index is created again by its definition", () => {
    const its = { schema: "dbo", name: "t ]" };
    const { down } = statements.dropIndex(text, its, "i ]", "unique nonclustered ([a ]]], [b] desc) where ([a]>(0))");
    expect(down).toBe("create unique nonclustered index [i ]]] on [dbo].[t ]]] ([a ]]], [b] desc) where ([a]>(0));");
    const { down: columnstore } = statements.dropIndex(text, its, "c", "clustered columnstore");
    expect(columnstore).toBe("create clustered columnstore index [c] on [dbo].[t ]]];");
  });
});
