/**
 * Detects tables that changed, so that live queries need not be polled: statement-level triggers on the tables that a
 * statement reads send NOTIFY (`docs/how-to/live-queries.md`). A statement whose tables cannot be watched is polled.
 */
import type { ChangeWatch, PreparedStatement, SourceChange, SourceTransaction, SqlValue, TextRow } from "../source.ts";
import type { Listener } from "./listener.ts";

const channel = "engine_live_queries";
const handler = "engine_catalog.notify_live_queries";
const trigger = "notify_engine_live_queries";

/** Creates the function called by the triggers. The lock serializes servers that start at the same time. */
const preparation = [
  "select pg_advisory_xact_lock(hashtext('engine_live_queries'))::text",
  "set local lock_timeout = '2s'",
  "create schema if not exists engine_catalog",
  `create or replace function ${handler}() returns trigger language plpgsql as ` +
    `$$ begin perform pg_notify('${channel}', tg_relid::text); return null; end $$`,
];

/** Selects the named tables and their partition or inheritance parents: kind, oid, name, whether the trigger exists. */
const tablesStatement = `
  with recursive named as (
    select c.oid from unnest($1::text[], $2::text[]) as n(schema, name)
    join pg_catalog.pg_namespace s on s.nspname = n.schema
    join pg_catalog.pg_class c on c.relnamespace = s.oid and c.relname = n.name
  ), related as (
    select oid from named union select i.inhparent from related r join pg_catalog.pg_inherits i on i.inhrelid = r.oid
  )
  select c.relkind::text, c.oid::text, pg_catalog.format('%I.%I', c.relnamespace::pg_catalog.regnamespace::text, c.relname),
    exists (select 1 from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgname = '${trigger}')::text
  from related r join pg_catalog.pg_class c on c.oid = r.oid`;

/** Kinds of relations whose changes all fire triggers: tables, partitioned or not. */
const watchable: ReadonlySet<string> = new Set(["r", "p"]);

export interface ChangeFeedParts {
  readonly listener: Pick<Listener, "listen">;
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  write(work: (transaction: SourceTransaction) => Promise<void>): Promise<void>;
}

export class ChangeFeed {
  readonly #parts: ChangeFeedParts;
  /** Serializes changes of triggers. */
  #preparing: Promise<unknown> = Promise.resolve();

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
  }

  /**
   * Calls `onChange` after each change of a table that the statement reads, and when changes may have been missed.
   * @returns `null` if the statement reads anything other than tables
   * @throws EngineError if the triggers cannot be created
   */
  async watch(
    { text }: PreparedStatement,
    values: readonly SqlValue[],
    onChange: (change: SourceChange) => void,
  ): Promise<ChangeWatch | null> {
    const tables = await this.#tablesOf(text, values);
    if (tables === null) return null;
    const oids = new Set(tables.map(({ oid }) => oid));
    return this.#parts.listener.listen(channel, (table) => {
      if (table === undefined) onChange("possible");
      else if (oids.has(table)) onChange("reported");
    });
  }

  /** Returns the tables read by the statement, after creating their triggers; `null` if it also reads anything else. */
  async #tablesOf(text: string, values: readonly SqlValue[]): Promise<readonly { readonly oid: string }[] | null> {
    const [row] = await this.#parts.query({ text: `explain (verbose, format json) ${text}` }, values);
    const names = relationsOf(JSON.parse(row?.[0] ?? "[]"));
    if (names === null) return null;
    const lists = [names.map(([schema]) => schema), names.map(([, name]) => name)].map(textArray);
    const rows = await this.#parts.query({ text: tablesStatement }, lists);
    if (rows.length < names.length || rows.some(([kind]) => !watchable.has(kind ?? ""))) return null;
    const bare = rows.filter(([, , , has]) => has !== "true").map(([, , name]) => name ?? "");
    if (bare.length > 0) await this.#addTriggers(bare);
    return rows.map(([, oid]) => ({ oid: oid ?? "" }));
  }

  #addTriggers(tables: readonly string[]): Promise<void> {
    const work = this.#preparing.then(() =>
      this.#parts.write(async (transaction) => {
        for (const text of preparation) await transaction.query({ text }, []);
        for (const table of tables) {
          await transaction.query({ text: `drop trigger if exists ${trigger} on ${table}` }, []);
          const text =
            `create trigger ${trigger} after insert or update or delete or truncate on ${table} ` +
            `for each statement execute function ${handler}()`;
          await transaction.query({ text }, []);
        }
      }),
    );
    this.#preparing = work.catch(() => undefined); // the caller gets the error; the next call retries
    return work;
  }
}

interface PlanNode {
  readonly "Node Type"?: string;
  readonly Schema?: string;
  readonly "Relation Name"?: string;
  readonly "Function Name"?: string;
}

/**
 * Returns schema and name of the relations in a plan; `null` if the plan contains functions whose tables it does not
 * show.
 */
function relationsOf(plan: unknown): readonly (readonly [string, string])[] | null {
  const found = new Map<string, readonly [string, string]>();
  let isOpaque = false;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (value !== null && typeof value === "object") {
      const node = value as PlanNode;
      const { Schema: schema, "Relation Name": name, "Function Name": call } = node;
      if (schema !== undefined && name !== undefined) found.set(JSON.stringify([schema, name]), [schema, name]);
      // `unnest` supplies the parameter sets of the statement itself.
      if (call !== undefined && call !== "unnest") isOpaque = true;
      if (node["Node Type"] === "Foreign Scan") isOpaque = true;
      for (const member of Object.values(value)) visit(member);
    }
  };
  visit(plan);
  return isOpaque ? null : [...found.values()];
}

function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
