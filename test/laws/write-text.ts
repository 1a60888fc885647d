/** Prints writes as text with variables: arguments as literals, or whole arguments as variables. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { Choices } from "./choices.ts";
import type { Value } from "./column-types.ts";
import { filterInput, inputJson, literal } from "./input.ts";
import type { Filter, Table } from "./model.ts";
import type { RequestText } from "./query-text.ts";
import type { Change, Conflict, ConnectedRows, NewRow, RelatedWrite, Returning, Update, Write } from "./write.ts";

/**
 * The form in which writes are requested: `alone` uses fields that need only their own statement, `together` adds
 * another field and selections that need a separate statement.
 */
export const manners = ["alone", "together"] as const;
export type Manner = (typeof manners)[number];

export function writeText(choices: Choices, writes: readonly Write[], manner: Manner): RequestText {
  const writer = new Writer(choices, manner);
  const fields = writes.map((write, i) => `w${i}: ${writer.field(write)}`);
  const others = manner === "together" ? ["__typename"] : [];
  return writer.text([...others, ...fields]);
}

class Writer {
  readonly #choices: Choices;
  readonly #manner: Manner;
  readonly #declarations: string[] = [];
  readonly #variables: Record<string, unknown> = {};

  constructor(choices: Choices, manner: Manner) {
    this.#choices = choices;
    this.#manner = manner;
  }

  text(fields: readonly string[]): RequestText {
    const declarations = this.#declarations.length === 0 ? "" : `(${this.#declarations.join(", ")})`;
    return { query: `mutation Law${declarations} { ${fields.join(" ")} }`, variables: this.#variables };
  }

  field(write: Write): string {
    const { table, kind } = write;
    const { name } = table;
    switch (write.kind) {
      case "insert": {
        const rows = this.#argument("objects", write.rows.map(rowJson), `[${name}_insert_input!]!`);
        return `insert_${name}(${rows}${this.#conflict(table, write.conflict)}) ${this.#response(write.returning)}`;
      }
      case "insert_one": {
        const [row] = write.rows.map(rowJson);
        const object = this.#argument("object", row ?? {}, `${name}_insert_input!`);
        return `insert_${name}_one(${object}${this.#conflict(table, write.conflict)}) ${this.#rows(write.returning)}`;
      }
      case "update": {
        const where = this.#argument("where", filterJson(write.where), `${name}_bool_exp!`);
        const changes = `${this.#changes(table, write.changes)}${this.#related(table, write.related)}`;
        return `update_${name}(${where}${changes}) ${this.#response(write.returning)}`;
      }
      case "update_many": {
        const updates = this.#argument("updates", write.updates.map(updateJson), `[${name}_updates!]!`);
        return `update_${name}_many(${updates}) ${this.#response(write.returning)}`;
      }
      case "update_by_pk": {
        const key = this.#argument("pk_columns", keyJson(table, write.key), `${name}_pk_columns_input!`);
        const changes = `${this.#changes(table, write.changes)}${this.#related(table, write.related)}`;
        return `update_${name}_by_pk(${key}${changes}) ${this.#rows(write.returning)}`;
      }
      case "delete": {
        const where = this.#argument("where", filterJson(write.where), `${name}_bool_exp!`);
        return `delete_${name}(${where}) ${this.#response(write.returning)}`;
      }
      case "delete_by_pk": {
        const key = Object.entries(keyJson(table, write.key)).map(([column, value]) => `${column}: ${literal(value)}`);
        return `delete_${name}_by_pk(${key.join(", ")}) ${this.#rows(write.returning)}`;
      }
      default:
        throw new Error(`no such write: ${kind}`);
    }
  }

  #argument(name: string, value: unknown, type: string): string {
    if (this.#choices.chance(60)) return `${name}: ${literal(value)}`;
    const variable = `v${this.#declarations.length}`;
    this.#declarations.push(`$${variable}: ${type}`);
    this.#variables[variable] = value;
    return `${name}: $${variable}`;
  }

  #changes({ name }: Table, changes: readonly Change[]): string {
    return Object.entries(changesJson(changes))
      .map(([operator, columns]) => `, ${this.#argument(operator, columns, `${name}${operator}_input`)}`)
      .join("");
  }

  #related({ name }: Table, related: readonly RelatedWrite[] = []): string {
    if (related.length === 0) return "";
    return `, ${this.#argument("_related", relatedJson(related), `${name}_related_input`)}`;
  }

  #conflict({ name }: Table, conflict: Conflict | undefined): string {
    if (conflict === undefined) return "";
    if (conflict.returned) return `, on_conflict: {constraint: ${name}_pkey, return_existing: true}`;
    const where = conflict.where ? `, where: ${literal(filterJson(conflict.where))}` : "";
    const columns = conflict.columns.map((column) => column.name).join(", ");
    return `, on_conflict: {constraint: ${name}_pkey, update_columns: [${columns}]${where}}`;
  }

  #response(returning: Returning | undefined): string {
    const rows = returning ? `returning ${this.#rows(returning)}` : "";
    return `{ affected_rows ${rows} ${this.#changesOf(returning)} }`;
  }

  #changesOf(returning: Returning | undefined): string {
    if (!returning?.changes || this.#manner === "alone") return "";
    const columns = `{ ${returning.columns.map(({ name }) => name).join(" ")} }`;
    return `changes { inserted old ${columns} new ${columns} }`;
  }

  #rows(returning: Returning | undefined): string {
    const related = this.#manner === "alone" ? [] : (returning?.related ?? []);
    const others = related.map(({ relationship, target }) => {
      return `${relationship.name} { ${target.key.map(({ name }) => name).join(" ")} }`;
    });
    return `{ ${[...(returning?.columns ?? []).map(({ name }) => name), ...others].join(" ")} }`;
  }
}

function filterJson(filter: Filter): Json {
  return inputJson(filterInput(filter));
}

function rowJson({ values, object, array, connected = [] }: NewRow): Json {
  return {
    ...Object.fromEntries(values),
    ...(connected.length > 0 && { _related: Object.fromEntries(connected.map(connectedJson)) }),
    ...(object && { [object.relationship.name]: { data: rowJson(object.row) } }),
    ...(array && { [array.relationship.name]: { data: array.rows.map(rowJson) } }),
  } as Json;
}

function connectedJson({ relationship: { name, kind }, items }: ConnectedRows): readonly [string, Json] {
  const [connect, create] = [false, true].map((creates) =>
    items
      .filter(({ created }) => (created !== undefined) === creates)
      .map(({ where, created }) => ({ where: filterJson(where), ...(created && { data: rowJson(created) }) })),
  );
  const members = [
    ["connect", connect],
    ["connect_or_create", create],
  ] as const;
  const given = members.flatMap(([key, list = []]) => {
    return list.length === 0 ? [] : [[key, kind === "array" ? list : list[0]] as const];
  });
  return [name, Object.fromEntries(given) as Json];
}

function keyJson({ key }: Table, values: readonly Value[]): { readonly [key: string]: Json } {
  return Object.fromEntries(key.map(({ name }, i) => [name, (values[i] ?? null) as Json]));
}

/** Converts changes to JSON: `{_set: {n: 1}, _inc: {…}}`. */
function changesJson(changes: readonly Change[]): { readonly [key: string]: Json } {
  const operators = new Map<string, Record<string, Json>>();
  for (const { operator, column, operand } of changes) {
    operators.set(operator, { ...operators.get(operator), [column.name]: operand as Json });
  }
  return Object.fromEntries(operators);
}

function updateJson({ where, ...changes }: Update): Json {
  return { where: filterJson(where), ...rowUpdateJson(changes) };
}

function rowUpdateJson({ changes, related = [] }: Pick<Update, "changes" | "related">): {
  readonly [key: string]: Json;
} {
  return { ...changesJson(changes), ...(related.length > 0 && { _related: relatedJson(related) }) };
}

function relatedJson(related: readonly RelatedWrite[]): { readonly [key: string]: Json } {
  const rows = (where: Filter | undefined) => where && { where: filterJson(where) };
  const members = related.map(({ relationship: { name, kind }, updates, rows: inserted, ...write }) => {
    const [update] = updates ?? [];
    const members = {
      connect: rows(write.connect),
      delete: rows(write.delete),
      disconnect: rows(write.disconnect),
      insert: inserted && { data: inserted.map(rowJson) },
      set: rows(write.set),
      update: kind === "array" ? updates?.map(updateJson) : update && rowUpdateJson(update),
    };
    return [name, Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined))];
  });
  return Object.fromEntries(members) as { readonly [key: string]: Json };
}
