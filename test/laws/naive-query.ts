/** Evaluates queries on plain rows in the simplest possible way. */
import { keyOf, type Value } from "./column-types.ts";
import { type Filter, type Row, rowLimit, type Table, tableOf, type Viewpoint } from "./model.ts";
import { cell, holds, isVisible, relatedRows } from "./naive-filter.ts";
import {
  type AggregateName,
  type AggregatePart,
  type AggregateValue,
  type Field,
  type GroupCondition,
  type GroupField,
  type GroupKey,
  type GroupOrder,
  type ListArguments,
  noArguments,
  type OrderTerm,
  type Rows,
} from "./query.ts";

/** Items in unspecified order. */
class Unordered {
  readonly items: readonly Expected[];

  constructor(items: readonly Expected[]) {
    this.items = items;
  }
}

/** A number that the database rounds in an unspecified way. */
class Approximately {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export type Expected = Value | Unordered | Approximately | readonly Expected[] | { readonly [key: string]: Expected };

export function answerNaively(viewpoint: Viewpoint, fields: readonly Field[]): Expected {
  return shape(fields, (field) => fieldValue(viewpoint, field, "query_root", {}));
}

function shape<T extends { readonly key: string }>(fields: readonly T[], value: (field: T) => Expected): Expected {
  return Object.fromEntries(fields.map((field) => [field.key, value(field)]));
}

function fieldValue(viewpoint: Viewpoint, field: Field, type: string, row: Row): Expected {
  if (isJoinedByNull(field, row)) return null;
  switch (field.kind) {
    case "typename":
      return type;
    case "column": {
      const value = cell(viewpoint, tableOf(viewpoint.world, type), row, field.column);
      return field.path === undefined ? value : atPath(value, field.path);
    }
    case "object": {
      const { relationship, fields } = field;
      const table = tableOf(viewpoint.world, relationship.target);
      const [found] = relatedRows(viewpoint, row, relationship).filter((other) => isVisible(viewpoint, table, other));
      return found ? node(viewpoint, table, found, fields) : null;
    }
    case "by_pk": {
      const { table, values, fields } = field;
      const found = (viewpoint.world.rows.get(table.name) ?? []).find(
        (other) =>
          isVisible(viewpoint, table, other) &&
          // A row can be looked up by its key only if the key is visible.
          table.key.every((column, i) => keyOf(cell(viewpoint, table, other, column)) === keyOf(values[i] ?? null)),
      );
      return found ? node(viewpoint, table, found, fields) : null;
    }
    case "list": {
      const found = selectRows(viewpoint, field.rows, field.args, row);
      return nodes(viewpoint, field.rows.table, found, field.fields, field.args);
    }
    case "group":
      return groups(viewpoint, field, row);
    case "aggregate": {
      const { rows, args, parts } = field;
      const found = selectRows(viewpoint, rows, args, row);
      return shape(parts, (part) => aggregatePart(viewpoint, rows.table, found, part, args));
    }
  }
}

/** Returns whether the field is null because of a null key, for which no request is sent. */
function isJoinedByNull(field: Field, row: Row): boolean {
  const from = field.kind === "object" ? field.relationship : "rows" in field ? field.rows.relationship : undefined;
  return from?.leaves === true && from.mapping.some(([local]) => (row[local] ?? null) === null);
}

function node(viewpoint: Viewpoint, table: Table, row: Row, fields: readonly Field[]): Expected {
  return shape(fields, (field) => fieldValue(viewpoint, field, table.name, row));
}

/** Returns the rows of a list; the permission's limit applies to lists and not to aggregates. */
function nodes(
  viewpoint: Viewpoint,
  table: Table,
  found: readonly Row[],
  fields: readonly Field[],
  { orderBy }: ListArguments,
): Expected {
  const permitted = found.slice(0, rowLimit(viewpoint, table.name));
  const items = permitted.map((row) => node(viewpoint, table, row, fields));
  return orderBy.length > 0 ? items : new Unordered(items);
}

/** Applies filter, distinct or the first rows of each group, offset and limit, in this order. */
function selectRows(
  viewpoint: Viewpoint,
  { table, relationship }: Rows,
  args: ListArguments,
  from: Row,
): readonly Row[] {
  const { where } = args;
  const candidates = relationship
    ? relatedRows(viewpoint, from, relationship)
    : (viewpoint.world.rows.get(table.name) ?? []);
  const found = candidates.filter(
    (row) => isVisible(viewpoint, table, row) && (!where || holds(viewpoint, table, row, where, "visible") === true),
  );
  return sortAndCut(viewpoint, table, found, args);
}

function sortAndCut(
  viewpoint: Viewpoint,
  table: Table,
  found: readonly Row[],
  { orderBy, distinctOn, topPer, limit, offset = 0 }: ListArguments,
): readonly Row[] {
  const sorted = found
    .map((row) => ({ row, keys: orderBy.map(({ by }) => orderValue(viewpoint, table, row, by)) }))
    .sort((a, b) => {
      for (const [i, { by, direction }] of orderBy.entries()) {
        const order = compareKeys(a.keys[i] ?? null, b.keys[i] ?? null, direction, comparisonOf(by));
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ row }) => row);
  const groups = new Set<string>();
  const distinct = sorted.filter((row) => {
    if (distinctOn.length === 0) return true;
    const group = keyOf(distinctOn.map((column) => cell(viewpoint, table, row, column)));
    return !groups.has(group) && groups.add(group);
  });
  const sizes = new Map<string, number>();
  const top = distinct.filter((row) => {
    if (topPer === undefined) return true;
    const group = keyOf(topPer.columns.map((column) => cell(viewpoint, table, row, column)));
    const size = (sizes.get(group) ?? 0) + 1;
    sizes.set(group, size);
    return size <= topPer.limit;
  });
  return top.slice(offset, limit === undefined ? undefined : offset + limit);
}

function compareKeys(a: Value, b: Value, direction: string, compare: (a: Value, b: Value) => number): number {
  const descending = direction.startsWith("desc");
  const nullsFirst = direction.endsWith("_first") || (descending && !direction.endsWith("_last"));
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1;
  return descending ? compare(b, a) : compare(a, b);
}

/** Returns the comparison for an order term. */
function comparisonOf(term: OrderTerm): (a: Value, b: Value) => number {
  switch (term.kind) {
    case "column":
      return term.column.type.compare ?? byNumber;
    case "object":
      return comparisonOf(term.by);
    case "count":
      return byNumber;
    case "function":
      return term.name === "max" || term.name === "min" ? (term.column.type.compare ?? byNumber) : byNumber;
  }
}

function orderValue(viewpoint: Viewpoint, table: Table, row: Row, term: OrderTerm): Value {
  if (term.kind === "column") return cell(viewpoint, table, row, term.column);
  const { relationship } = term;
  const target = tableOf(viewpoint.world, relationship.target);
  const others = relatedRows(viewpoint, row, relationship).filter((other) => isVisible(viewpoint, target, other));
  if (term.kind === "count") return others.length;
  if (term.kind === "object") return others[0] ? orderValue(viewpoint, target, others[0], term.by) : null;
  const { name, column } = term;
  const values = others.map((other) => cell(viewpoint, target, other, column));
  const value = aggregate(name, values, comparisonOf(term));
  return value instanceof Approximately ? value.value : value;
}

function aggregatePart(
  viewpoint: Viewpoint,
  table: Table,
  found: readonly Row[],
  part: AggregatePart,
  args: ListArguments,
): Expected {
  if (part.kind === "typename") return `${table.name}_aggregate`;
  if (part.kind === "nodes") return nodes(viewpoint, table, found, part.fields, args);
  return shape(part.values, (value) => aggregateValue(viewpoint, table, found, value));
}

function aggregateValue(viewpoint: Viewpoint, table: Table, found: readonly Row[], value: AggregateValue): Expected {
  if (value.kind === "typename") return `${table.name}_aggregate_fields`;
  if (value.kind === "function") {
    return shape(value.columns, ({ column }) => {
      const values = found.map((row) => cell(viewpoint, table, row, column));
      return aggregate(value.name, values, column.type.compare ?? (() => 0));
    });
  }
  if (value.kind === "texts") {
    const order: ListArguments = {
      ...noArguments,
      orderBy: [{ by: { kind: "column", column: table.tie }, direction: "asc" }],
    };
    const texts = sortAndCut(viewpoint, table, found, order).map((row) => cell(viewpoint, table, row, value.column));
    const given = texts.filter((text) => text !== null);
    return given.length === 0 ? null : given.join(value.separator);
  }
  if (value.kind === "booleans") {
    const given = found.map((row) => cell(viewpoint, table, row, value.column)).filter((each) => each !== null);
    if (given.length === 0) return null;
    return value.name === "bool_and" ? given.every((each) => each === true) : given.includes(true);
  }
  if (value.kind === "percentile") {
    return percentile(
      value.fraction,
      found.map((row) => cell(viewpoint, table, row, value.column)),
    );
  }
  const { columns, distinct } = value;
  const tuples = found.map((row) => columns.map((column) => cell(viewpoint, table, row, column)));
  // A tuple counts as a value even if all members are NULL; a single NULL does not.
  const counted = columns.length === 1 ? tuples.filter(([only]) => only !== null) : tuples;
  return distinct && columns.length > 0 ? new Set(counted.map(keyOf)).size : counted.length;
}

/** Groups rows by the texts of their keys, sorts the groups by their keys, and keeps the groups of the page. */
function groups(viewpoint: Viewpoint, field: GroupField, from: Row): Expected {
  const { rows, where, by, having = 0, conditions, orderBy, limit, offset = 0, parts } = field;
  const { table } = rows;
  const found = new Map<string, { readonly keys: readonly Value[]; readonly rows: Row[] }>();
  for (const row of selectRows(viewpoint, rows, { ...noArguments, where }, from)) {
    const keys = by.map((key) => keyValue(viewpoint, table, row, key));
    const group = found.get(keyOf(keys)) ?? { keys, rows: [] };
    found.set(keyOf(keys), group);
    group.rows.push(row);
  }
  const ofGroup = (group: readonly Row[], { value, filter }: Pick<GroupCondition | GroupOrder, "value" | "filter">) =>
    plain(aggregateValue(viewpoint, table, selected(viewpoint, table, group, filter), value));
  const kept = [...found.values()].filter(({ rows: group }) => {
    if (group.length < having) return false;
    return conditions.every((condition) => meets(ofGroup(group, condition), condition));
  });
  const comparisons = by.map(({ column, part }) => (part ? byNumber : column.type.compare));
  const areSorted = comparisons.every((compare) => compare !== undefined);
  const sorted = kept.sort((a, b) => {
    for (const item of orderBy) {
      const order = compareKeys(ofGroup(a.rows, item), ofGroup(b.rows, item), item.direction, byNumber);
      if (order !== 0) return order;
    }
    for (const [i, compare] of comparisons.entries()) {
      const order = compareKeys(a.keys[i] ?? null, b.keys[i] ?? null, "asc", compare ?? (() => 0));
      if (order !== 0) return order;
    }
    return 0;
  });
  const items = sorted.slice(offset, limit === undefined ? undefined : offset + limit).map((group) =>
    shape(parts, (part): Expected => {
      if (part.kind === "keys") return shape(by, (key) => groupKey(key, group.keys[by.indexOf(key)] ?? null));
      if (part.kind === "aggregate") {
        const { filter, values } = part;
        const aggregated = selected(viewpoint, table, group.rows, filter);
        return shape(values, (value) => aggregateValue(viewpoint, table, aggregated, value));
      }
      const ofNodes: ListArguments = {
        ...{ ...noArguments, limit: part.limit, offset: part.offset },
        orderBy: [{ by: { kind: "column", column: table.tie }, direction: "asc" }],
      };
      const page = sortAndCut(viewpoint, table, group.rows, ofNodes);
      return nodes(viewpoint, table, page, part.fields, ofNodes);
    }),
  );
  return areSorted ? items : new Unordered(items);
}

function selected(viewpoint: Viewpoint, table: Table, group: readonly Row[], filter: Filter | undefined): Row[] {
  return group.filter((each) => !filter || holds(viewpoint, table, each, filter, "visible") === true);
}

/** Returns an aggregate as a value. */
const plain = (value: Expected): Value => (value instanceof Approximately ? value.value : (value as Value));

function meets(value: Value, condition: GroupCondition): boolean {
  if (value === null) return false;
  return "contains" in condition ? String(value).includes(condition.contains) : Number(value) > condition.above;
}

const byNumber = (a: Value, b: Value): number => Number(a) - Number(b);

const groupKey = ({ through }: GroupKey, value: Value): Expected => (through ? { v: value } : value);

/** Returns the value of a key; `null` for a related row that does not exist or is not visible. */
function keyValue(viewpoint: Viewpoint, table: Table, row: Row, { through, column, part, unit }: GroupKey): Value {
  if (through) {
    const target = tableOf(viewpoint.world, through.target);
    const [related] = relatedRows(viewpoint, row, through).filter((other) => isVisible(viewpoint, target, other));
    return related ? keyValue(viewpoint, target, related, { key: "", through: undefined, column, part, unit }) : null;
  }
  const value = cell(viewpoint, table, row, column);
  if (value === null) return value;
  const text = String(value);
  const date = new Date(/T.*[+Z]|^[^T]*$/.test(text) ? text : `${text}Z`);
  if (unit !== undefined) return startText(text, startOf(unit, date));
  if (part === undefined) return value;
  switch (part) {
    case "year":
      return date.getUTCFullYear();
    case "quarter":
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case "month":
      return date.getUTCMonth() + 1;
    case "day":
      return date.getUTCDate();
    case "day_of_week":
      return date.getUTCDay() || 7;
    case "hour":
      return date.getUTCHours();
    case "minute":
      return date.getUTCMinutes();
  }
}

/** Returns the start of a unit in UTC. */
function startOf(unit: NonNullable<GroupKey["unit"]>, date: Date): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case "year":
      return new Date(Date.UTC(year, 0));
    case "quarter":
      return new Date(Date.UTC(year, month - (month % 3)));
    case "month":
      return new Date(Date.UTC(year, month));
    case "week":
      return new Date(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)));
    case "day":
      return new Date(Date.UTC(year, month, day));
    case "hour":
      return new Date(Date.UTC(year, month, day, date.getUTCHours()));
    case "minute":
      return new Date(Date.UTC(year, month, day, date.getUTCHours(), date.getUTCMinutes()));
  }
}

/** Returns the text of a date or time, in the form of another one: `2020-01-01`, or with a time, or with an offset. */
function startText(form: string, start: Date): string {
  const text = start.toISOString();
  if (!form.includes("T")) return text.slice(0, 10);
  return form.includes("+") ? `${text.slice(0, 19)}+00:00` : text.slice(0, 19);
}

function aggregate(
  name: AggregateName,
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Value | Approximately {
  const given = values.filter((value) => value !== null);
  if (given.length === 0) return null;
  if (name === "max") return given.reduce((a, b) => (compare(b, a) > 0 ? b : a));
  if (name === "min") return given.reduce((a, b) => (compare(b, a) < 0 ? b : a));
  const numbers = given.map(Number);
  const sum = numbers.reduce((a, b) => a + b, 0);
  if (name === "sum") return new Approximately(sum);
  const mean = sum / numbers.length;
  if (name === "avg") return new Approximately(mean);
  const squares = numbers.reduce((total, x) => total + (x - mean) ** 2, 0);
  const isOfAll = name.endsWith("_pop");
  if (!isOfAll && numbers.length === 1) return null;
  const variance = squares / (isOfAll ? numbers.length : numbers.length - 1);
  return new Approximately(name.startsWith("stddev") ? Math.sqrt(variance) : variance);
}

/** Interpolates between the two values beside the place of the fraction. */
function percentile(fraction: number, values: readonly Value[]): Value | Approximately {
  const sorted = values
    .filter((value) => value !== null)
    .map(Number)
    .sort((a, b) => a - b);
  const place = fraction * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return null;
  return new Approximately(below + (above - below) * (place - Math.floor(place)));
}

/** Implements `#>`: returns the value at the path; `null` if there is none. JSON text remains JSON text. */
function atPath(value: Value, path: readonly (string | number)[]): Value {
  let found: Value | undefined = value;
  for (const step of path) {
    if (found === null || typeof found !== "object") return null;
    found = (found as Readonly<Record<string, Value>>)[step];
    if (found === undefined) return null;
  }
  return found;
}

/** Returns the difference between a result and the expected one, with its path; `undefined` if there is none. */
export function difference(expected: Expected, actual: unknown, path = "data"): string | undefined {
  if (expected instanceof Approximately) {
    const isNear =
      typeof actual === "number" && Math.abs(actual - expected.value) <= 1e-9 * (1 + Math.abs(expected.value));
    return isNear ? undefined : `${path}: about ${expected.value} expected, ${JSON.stringify(actual)} found`;
  }
  if (expected instanceof Unordered) return differenceOfSets(expected.items, actual, path);
  if (expected === null || typeof expected !== "object") {
    if (expected === actual) return undefined;
    return `${path}: ${JSON.stringify(expected)} expected, ${JSON.stringify(actual)} found`;
  }
  if (actual === null || typeof actual !== "object" || Array.isArray(expected) !== Array.isArray(actual)) {
    return `${path}: ${JSON.stringify(expected)} expected, ${JSON.stringify(actual)} found`;
  }
  // The order of keys is part of the result, except inside JSON columns.
  const names = Object.keys(expected);
  const found = Object.keys(actual);
  if (names.length !== found.length) return `${path}: ${names.length} members expected, ${found.length} found`;
  for (const name of names) {
    const inner = difference(
      (expected as Readonly<Record<string, Expected>>)[name] ?? null,
      (actual as Readonly<Record<string, unknown>>)[name],
      `${path}.${name}`,
    );
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function differenceOfSets(items: readonly Expected[], actual: unknown, path: string): string | undefined {
  if (!Array.isArray(actual)) return `${path}: a list expected, ${JSON.stringify(actual)} found`;
  const rest: unknown[] = [...actual];
  for (const item of items) {
    const index = rest.findIndex((candidate) => difference(item, candidate) === undefined);
    if (index < 0) return `${path}: ${JSON.stringify(item)} expected, not found in ${JSON.stringify(actual)}`;
    rest.splice(index, 1);
  }
  return rest.length === 0 ? undefined : `${path}: found but not expected: ${JSON.stringify(rest)}`;
}
