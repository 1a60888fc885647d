/** Facts about tables that a Shape lacks, read from a test database: checks, defaults, and rows of the migrations. */

import type { Json, JsonObject, QualifiedName } from "../../../../compiler/catalog/model.ts";
import type { DatabaseSource } from "../../../databases/sources/source.ts";
import { quoteIdentifier } from "../../../model/dialects/postgres/quote.ts";
import { EngineError } from "../../../values/errors.ts";
import { stringifyJson } from "../../../values/json-number.ts";

/** Number of existing rows of a table whose keys are avoided. */
const maxExistingRows = 200;

export class TableFacts {
  readonly #database: DatabaseSource;
  readonly #rows = new Map<string, Promise<readonly JsonObject[]>>();
  readonly #accepted = new Map<string, Promise<boolean>>();
  readonly #columns: Promise<readonly ColumnFacts[]>;

  /** @param database a copy with the migrations, which the caller closes */
  constructor(database: DatabaseSource) {
    this.#database = database;
    this.#columns = this.#readColumns();
    this.#columns.catch(() => undefined);
  }

  /** Returns the rows that migrations have inserted. */
  existingRows(table: QualifiedName): Promise<readonly JsonObject[]> {
    const name = qualified(table);
    let rows = this.#rows.get(name);
    if (rows === undefined) {
      const text = `select pg_catalog.to_jsonb(t)::text from ${name} t limit ${maxExistingRows}`;
      rows = this.#database.query({ text }, []).then((found) => found.map(([row]) => JSON.parse(row ?? "{}")));
      this.#rows.set(name, rows);
    }
    return rows;
  }

  /** Returns false for a value that the type of a column or one of the checks of this column alone refuses. */
  accepts(table: QualifiedName, column: string, value: Json): Promise<boolean> {
    const key = stringifyJson([table.schema, table.name, column, value]);
    let accepted = this.#accepted.get(key);
    if (accepted === undefined) {
      accepted = this.#accepts(table, column, value);
      this.#accepted.set(key, accepted);
    }
    return accepted;
  }

  async #accepts(table: QualifiedName, column: string, value: Json): Promise<boolean> {
    const { checks } = await this.#column(table, column);
    const name = qualified(table);
    const conditions = ["true", ...checks.map((check) => `(${check}) is not false`)].join(" and ");
    const populated = `pg_catalog.jsonb_populate_record(null::${name}, $1::jsonb)`;
    const text = `select (${conditions})::text from ${populated} as ${quoteIdentifier(table.name)}`;
    try {
      const [[result] = []] = await this.#database.query({ text }, [stringifyJson({ [column]: value })]);
      return result === "true";
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }

  /** Returns constants in the checks of a column, which are likely to meet them. */
  async constants(table: QualifiedName, column: string): Promise<readonly string[]> {
    const { checks } = await this.#column(table, column);
    const texts = checks.flatMap((check) => [...check.matchAll(/'((?:[^']|'')*)'|\b(\d+)\b/g)]);
    return texts.map(([, text, number]) => text?.replaceAll("''", "'") ?? number ?? "");
  }

  /** Returns a default that is the same in each run; `undefined` without one. */
  async constantDefault(table: QualifiedName, column: string): Promise<Json | undefined> {
    const { defaultSql } = await this.#column(table, column);
    const [, text, number, word] = constant.exec(defaultSql ?? "") ?? [];
    if (text !== undefined) return text.replaceAll("''", "'");
    if (number !== undefined) return Number(number);
    return word === undefined ? undefined : word === "NULL" ? null : word === "true";
  }

  async #column({ schema, name }: QualifiedName, column: string): Promise<ColumnFacts> {
    const found = (await this.#columns).find(
      (each) => each.schema === schema && each.table === name && each.column === column,
    );
    return found ?? { schema, table: name, column, checks: [], defaultSql: null };
  }

  async #readColumns(): Promise<readonly ColumnFacts[]> {
    const [[text] = []] = await this.#database.query({ text: factsStatement }, []);
    return JSON.parse(text ?? "[]");
  }
}

/** The SQL of a literal, with a cast. */
const constant = /^(?:'((?:[^']|'')*)'|\(?(-?\d+(?:\.\d+)?)\)?|(true|false|NULL))(?:::[\w ."[\]()]+)?$/;

interface ColumnFacts {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** SQL of the checks that use no other column. */
  readonly checks: readonly string[];
  readonly defaultSql: string | null;
}

// cspell:ignore adbin adrelid adnum attnum attrelid attrdef conbin conkey conrelid contype
const factsStatement = `select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'table', c.relname, 'column', a.attname,
    'checks', (select coalesce(pg_catalog.json_agg(pg_catalog.pg_get_expr(k.conbin, k.conrelid) order by k.conname), '[]')
      from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]),
    'defaultSql', (select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d
      where d.adrelid = c.oid and d.adnum = a.attnum))), '[]')::text
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;

const qualified = ({ schema, name }: QualifiedName): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
