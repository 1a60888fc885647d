/**
 * Generates random queries that a viewpoint allows; other tests cover refusals. Where a limit or `distinct_on` makes
 * the order significant, the table's last column breaks ties.
 */
import type { Choices } from "./choices.ts";
import {
  type Column,
  mayAggregate,
  type Relationship,
  readableColumns,
  rootField,
  rowLimit,
  type Table,
  tableOf,
  type Viewpoint,
  visibleRelationships,
} from "./model.ts";
import {
  type AggregateField,
  type AggregatePart,
  type AggregateValue,
  comparableAggregates,
  dateParts,
  dateUnits,
  directions,
  type Field,
  type GroupCondition,
  type GroupKey,
  type GroupOrder,
  type GroupPart,
  type ListArguments,
  noArguments,
  numericAggregates,
  type OrderItem,
  type OrderTerm,
  type Rows,
} from "./query.ts";
import { type FilterScope, randomFilter } from "./random-filter.ts";

/** Returns the root fields of a query. @param depth maximum depth of relationships */
export function randomQuery(choices: Choices, viewpoint: Viewpoint, depth = 2): readonly Field[] {
  const tables = [...viewpoint.world.tables.values()].filter((table) => readableColumns(viewpoint, table));
  const query = new RandomQuery(choices, viewpoint);
  return withKeys(
    choices,
    choices.list(1, 2, () => query.root(choices.pick(tables), depth)),
  );
}

/** A field without its response key. */
type Unnamed = { readonly name: string; readonly make: (key: string) => Field };

class RandomQuery {
  readonly #choices: Choices;
  readonly #viewpoint: Viewpoint;
  readonly #scope: FilterScope;

  constructor(choices: Choices, viewpoint: Viewpoint) {
    this.#choices = choices;
    this.#viewpoint = viewpoint;
    this.#scope = {
      world: viewpoint.world,
      columns: (table) => this.#columns(table),
      relationships: (table) => visibleRelationships(viewpoint, table).filter(({ leaves }) => !leaves),
    };
  }

  root(table: Table, depth: number): Unnamed {
    const rows = { table, relationship: undefined };
    const kind = this.#choices.number(0, 5);
    const hasKey = table.hasPrimaryKey && table.key.every((column) => this.#columns(table).includes(column));
    if (kind === 5 && hasKey) {
      const existing = this.#choices.pickMaybe(this.#viewpoint.world.rows.get(table.name) ?? []);
      const values = table.key.map(({ name, type }) => existing?.[name] ?? this.#choices.pick(type.values));
      const fields = this.#fields(table, depth);
      return { name: `${table.name}_by_pk`, make: (key) => ({ kind: "by_pk", key, table, values, fields }) };
    }
    if (kind >= 3 && mayAggregate(this.#viewpoint, table.name)) return this.#aggregates(table.name, rows, depth);
    return this.#list(rootField(table), rows, depth);
  }

  #columns(table: Table): readonly Column[] {
    return readableColumns(this.#viewpoint, table) ?? [];
  }

  #target({ target }: Relationship): Table {
    return tableOf(this.#viewpoint.world, target);
  }

  #fields(table: Table, depth: number): readonly Field[] {
    const choices = this.#choices;
    const columns = choices.list(1, 4, () => choices.pick(this.#columns(table))).map((column) => this.#column(column));
    const related = depth === 0 ? [] : choices.some(visibleRelationships(this.#viewpoint, table), 35);
    const repeated = related.filter(({ leaves }) => leaves && choices.chance(25));
    const fields = [
      ...columns,
      ...[...related, ...repeated].map((relationship) => this.#related(relationship, depth - 1)),
    ];
    if (choices.chance(10)) fields.push({ name: "__typename", make: (key) => ({ kind: "typename", key }) });
    return withKeys(choices, fields);
  }

  #column(column: Column): Unnamed {
    const path = this.#choices.chance(40) ? this.#choices.pickMaybe(column.type.paths ?? []) : undefined;
    return { name: column.name, make: (key) => ({ kind: "column", key, column, path }) };
  }

  #related(relationship: Relationship, depth: number): Unnamed {
    const table = this.#target(relationship);
    const { name } = relationship;
    if (relationship.kind === "object") {
      const fields = this.#fields(table, depth);
      return { name, make: (key) => ({ kind: "object", key, relationship, fields }) };
    }
    const rows = { table, relationship };
    const isAggregate = mayAggregate(this.#viewpoint, table.name) && this.#choices.chance(35);
    return isAggregate ? this.#aggregates(name, rows, depth) : this.#list(name, rows, depth);
  }

  #list(name: string, rows: Rows, depth: number): Unnamed {
    const fields = this.#fields(rows.table, depth);
    const args = this.#arguments(rows.table);
    return { name, make: (key) => ({ kind: "list", key, rows, args, fields }) };
  }

  #arguments(table: Table): ListArguments {
    const choices = this.#choices;
    if (table.place === "server") return { ...noArguments, limit: choices.maybe(30, () => choices.number(0, 4)) };
    const where = choices.maybe(60, () => randomFilter(choices, this.#scope, table, choices.number(0, 3)));
    const limit = choices.maybe(30, () => choices.number(0, 4));
    const offset = choices.maybe(20, () => choices.number(0, 3));
    const sortable = this.#columns(table).filter(({ type }) => type.compare);
    const distinctOn = choices.chance(15) ? choices.shuffled(sortable, choices.number(1, 2)) : [];
    const topPer =
      distinctOn.length === 0
        ? choices.maybe(20, () => ({
            columns: choices.shuffled(sortable, choices.number(0, 2)),
            limit: choices.number(0, 3),
          }))
        : undefined;
    const permitted = rowLimit(this.#viewpoint, table.name);
    const picks = distinctOn.length > 0 || topPer !== undefined;
    const isCut = limit !== undefined || offset !== undefined || picks || permitted !== undefined;
    const orderBy = isCut || choices.chance(50) ? this.#order(table, distinctOn) : [];
    return { where, orderBy, distinctOn, topPer, limit, offset };
  }

  /**
   * Returns an order that starts with the columns of `distinct_on`, in any order, and ends with the column that breaks
   * ties.
   */
  #order(table: Table, distinctOn: readonly Column[]): readonly OrderItem[] {
    const choices = this.#choices;
    const terms: OrderTerm[] = choices.shuffled(distinctOn).map((column) => ({ kind: "column", column }));
    terms.push(...choices.list(0, 2, () => this.#orderTerm(table, 2)));
    terms.push({ kind: "column", column: table.tie });
    return terms.map((by) => ({ by, direction: choices.pick(directions) }));
  }

  #orderTerm(table: Table, depth: number): OrderTerm {
    const choices = this.#choices;
    const relationship = depth > 0 && choices.chance(50) ? this.#orderRelationship(table) : undefined;
    if (relationship?.kind === "object") {
      return { kind: "object", relationship, by: this.#orderTerm(this.#target(relationship), depth - 1) };
    }
    if (relationship) {
      const columns = this.#columns(this.#target(relationship));
      const value = choices.maybe(50, () => this.#function(choices, columns));
      return value ? { kind: "function", relationship, ...value } : { kind: "count", relationship };
    }
    return { kind: "column", column: choices.pick(this.#columns(table).filter(({ type }) => type.compare)) };
  }

  #orderRelationship(table: Table): Relationship | undefined {
    const usable = this.#scope
      .relationships(table)
      .filter(({ kind, target }) => kind === "object" || mayAggregate(this.#viewpoint, target));
    return this.#choices.pickMaybe(usable);
  }

  #function(choices: Choices, columns: readonly Column[]) {
    const name = choices.pick([...comparableAggregates, ...numericAggregates]);
    const isComparable = comparableAggregates.some((each) => each === name);
    const fitting = columns.filter(({ type }) =>
      isComparable ? type.aggregates !== undefined : type.aggregates === "numeric",
    );
    const column = choices.pickMaybe(fitting);
    return column && { name, column };
  }

  /** Returns aggregates over all rows, or over groups of rows. */
  #aggregates(name: string, rows: Rows, depth: number): Unnamed {
    const isGrouped = rows.relationship?.leaves !== true && this.#choices.chance(35);
    return isGrouped ? this.#groups(name, rows, depth) : this.#aggregate(name, rows, depth);
  }

  #groups(name: string, rows: Rows, depth: number): Unnamed {
    const choices = this.#choices;
    const { table } = rows;
    const where = choices.maybe(50, () => randomFilter(choices, this.#scope, table, choices.number(0, 2)));
    const keys = choices.list(1, 3, (i) => this.#key(table, `k${i}`));
    const by = keys.filter((key, i) => keys.findIndex((other) => sameKey(key, other)) === i);
    const isSorted = by.every(({ column, part }) => part !== undefined || column.type.compare !== undefined);
    const parts = choices.list(1, 3, (i): GroupPart => {
      const kind = choices.number(0, 5);
      if (kind <= 2) return { kind: "keys", key: `p${i}` };
      if (kind === 3) {
        const filter = choices.maybe(50, () => randomFilter(choices, this.#scope, table, choices.number(0, 2)));
        return { kind: "aggregate", key: `p${i}`, filter, values: this.#values(table) };
      }
      const fields = this.#fields(table, Math.min(depth, 1));
      const [limit, offset] = [40, 30].map((percent) => choices.maybe(percent, () => choices.number(0, 3)));
      return { kind: "nodes", key: `p${i}`, fields, limit, offset };
    });
    const having = choices.maybe(30, () => choices.number(0, 3));
    const conditions = choices.chance(30) ? this.#groupConditions(table) : [];
    const orderBy = choices.chance(30) ? this.#groupOrder(table) : [];
    const limit = isSorted ? choices.maybe(30, () => choices.number(0, 4)) : undefined;
    const offset = isSorted ? choices.maybe(20, () => choices.number(0, 2)) : undefined;
    return {
      name: `${name}_group`,
      make: (key) => ({ kind: "group", key, rows, where, by, having, conditions, orderBy, limit, offset, parts }),
    };
  }

  #groupConditions(table: Table): readonly GroupCondition[] {
    const choices = this.#choices;
    return choices
      .list(1, 2, (): readonly GroupCondition[] => {
        const value = this.#columnAggregate("", this.#columns(table));
        const filter = choices.maybe(30, () => randomFilter(choices, this.#scope, table, 1));
        if (value?.kind === "texts") return [{ value, filter, contains: choices.pick(["a", "e", ",", ""]) }];
        // No value of a column is near these numbers, which computers round differently.
        return value?.kind === "percentile"
          ? [{ value, filter, above: choices.pick([-3.217, 0.217, 1.617, 40.217]) }]
          : [];
      })
      .flat();
  }

  #groupOrder(table: Table): readonly GroupOrder[] {
    const choices = this.#choices;
    return choices.list(1, 2, (): GroupOrder => {
      const value = this.#columnAggregate("", this.#columns(table));
      const filter = choices.maybe(30, () => randomFilter(choices, this.#scope, table, 1));
      const direction = choices.pick(directions);
      if (value && value.kind !== "texts" && choices.chance(60)) return { value, filter, direction };
      return { value: this.#count("", this.#columns(table)), filter, direction };
    });
  }

  #key(table: Table, key: string): GroupKey {
    const choices = this.#choices;
    const joined = this.#scope.relationships(table).filter((relationship) => this.#isJoinable(relationship));
    const through = choices.chance(30) ? choices.pickMaybe(joined) : undefined;
    const column = choices.pick(this.#columns(through ? this.#target(through) : table));
    const parts = { date: dateParts.slice(0, 5), timestamp: dateParts, timestamptz: dateParts };
    const possible = Object.entries(parts).find(([type]) => type === column.type.graphql)?.[1] ?? [];
    const part = choices.chance(40) ? choices.pickMaybe(possible) : undefined;
    const fitting = dateUnits.filter((unit) => possible.length > 0 && (column.type.graphql !== "date" || !ofDay(unit)));
    const unit = part === undefined && choices.chance(50) ? choices.pickMaybe(fitting) : undefined;
    return { key, through, column, part, unit };
  }

  /** Returns true if at most one row matches, and rows with a key show whether one does. */
  #isJoinable(relationship: Relationship): boolean {
    const { hasPrimaryKey } = this.#target(relationship);
    return relationship.kind === "object" && relationship.foreignKeyOf === "this" && hasPrimaryKey;
  }

  #aggregate(name: string, rows: Rows, depth: number): Unnamed {
    const args = this.#arguments(rows.table);
    const choices = this.#choices;
    const parts = choices.list(1, 3, (i): AggregatePart => {
      const kind = choices.number(0, 6);
      if (kind === 6) return { kind: "typename", key: `p${i}` };
      if (kind >= 3) return { kind: "nodes", key: `p${i}`, fields: this.#fields(rows.table, depth) };
      return { kind: "aggregate", key: `p${i}`, values: this.#values(rows.table) };
    });
    return {
      name: `${name}_aggregate`,
      make: (key): AggregateField => ({ kind: "aggregate", key, rows, args, parts }),
    };
  }

  #columnAggregate(
    key: string,
    columns: readonly Column[],
  ): Extract<AggregateValue, { kind: "booleans" | "texts" | "percentile" }> | undefined {
    const choices = this.#choices;
    const text = choices.pickMaybe(columns.filter(({ type }) => type.graphql === "String"));
    const number = choices.pickMaybe(columns.filter(({ type }) => type.aggregates === "numeric"));
    const boolean = choices.chance(30)
      ? choices.pickMaybe(columns.filter(({ type }) => type.graphql === "Boolean"))
      : undefined;
    if (boolean) return { kind: "booleans", key, column: boolean, name: choices.pick(["bool_and", "bool_or"]) };
    if (text && (!number || choices.chance(50))) {
      return { kind: "texts", key, column: text, separator: choices.pick(separators) };
    }
    return number && { kind: "percentile", key, column: number, fraction: choices.pick([0, 0.3, 0.5, 1]) };
  }

  #count(key: string, columns: readonly Column[]): Extract<AggregateValue, { kind: "count" }> {
    const choices = this.#choices;
    const counted = choices.chance(50) ? choices.shuffled(columns, choices.number(1, 2)) : [];
    return { kind: "count", key, columns: counted, distinct: choices.chance(50) };
  }

  #values(table: Table): readonly AggregateValue[] {
    const choices = this.#choices;
    const columns = this.#columns(table);
    return choices.list(1, 3, (i): AggregateValue => {
      const key = `v${i}`;
      const kind = choices.number(0, 10);
      if (kind === 8) return { kind: "typename", key };
      const ofColumn = kind > 8 ? this.#columnAggregate(key, columns) : undefined;
      if (ofColumn) return ofColumn;
      const value = kind >= 3 ? this.#function(choices, columns) : undefined;
      if (!value) return this.#count(key, columns);
      const { name, column } = value;
      return { kind: "function", key, name, columns: [{ key: column.name, column }] };
    });
  }
}

/** Separators with characters that SQL or JSON escape. */
const separators = [", ", "", "'\"\\"];

const ofDay = (unit: string): boolean => unit === "hour" || unit === "minute";

/** Returns true if keys have the same name in results; a truncated column has its own. */
const sameKey = (a: GroupKey, b: GroupKey): boolean =>
  a.through === b.through && a.column === b.column && a.part === b.part;

/** Assigns aliases to duplicate names and some others, sometimes SQL keywords. */
function withKeys(choices: Choices, fields: readonly Unnamed[]): readonly Field[] {
  const aliases = choices.shuffled(["r", "x", "t1", "Alias", "id", "n", "select", `long_${"n".repeat(70)}`]);
  const taken = new Set<string>();
  return fields.map(({ name, make }, i) => {
    const wanted = choices.chance(20) ? (aliases[i] ?? name) : name;
    const key = taken.has(wanted) ? `alias_${i}` : wanted;
    taken.add(key);
    return make(key);
  });
}
