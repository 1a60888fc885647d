/** Tables of a database and the edges between them: foreign keys, manual relationships, and many-to-many relationships. */
import type { TableOutline } from "../../../http/data-api.ts";
import type { Json, JsonObject, QualifiedName, Source, Table } from "../../../http/metadata-types.ts";
import { defaultSchemaOf, keyOf, shownName } from "../../../parts/table-name.ts";

export interface DiagramColumn {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  readonly isForeign: boolean;
}

export interface DiagramTable extends QualifiedName {
  readonly key: string;
  /** Name with the schema, unless it is the default schema. */
  readonly label: string;
  readonly isTracked: boolean;
  readonly columns: readonly DiagramColumn[];
}

type End = "one" | "many";

export interface DiagramEdge {
  readonly key: string;
  readonly kind: "foreign-key" | "manual" | "many-to-many";
  /** Key of the referencing table, or of the table with the manual relationship. */
  readonly from: string;
  readonly to: string;
  /** First column of the edge at each end, if it has columns. */
  readonly fromColumn?: string;
  readonly toColumn?: string;
  readonly fromEnd: End;
  readonly toEnd: End;
  /** Columns, or the join table of a many-to-many relationship. */
  readonly about: string;
  /** Names of the relationships in the API that follow the edge, as `table.name`. */
  readonly relationships: readonly string[];
}

export interface DiagramModel {
  readonly tables: ReadonlyMap<string, DiagramTable>;
  /** Foreign keys and manual relationships. */
  readonly edges: readonly DiagramEdge[];
  /** Many-to-many edge by the key of the join table that it can replace. */
  readonly joins: ReadonlyMap<string, DiagramEdge>;
  readonly schemas: readonly string[];
}

type Mapping = Readonly<Record<string, string>>;

interface OpenEdge extends Omit<DiagramEdge, "relationships" | "about"> {
  readonly mapping: Mapping;
  readonly relationships: string[];
}

/** A long computation that yields, so that the page stays responsive. */
type InParts<T> = Generator<undefined, T>;

/** Items between two yields. */
const partSize = 250;

/** Yields the items, and the computation after each part of them. */
function* inParts<T>(items: Iterable<T>, each: (item: T) => void): InParts<void> {
  let count = 0;
  for (const item of items) {
    each(item);
    if (++count % partSize === 0) yield;
  }
}

export function* diagramModel(source: Source, outlines: readonly TableOutline[]): InParts<DiagramModel> {
  const tracked = new Set<string>();
  yield* inParts(source.tables, ({ table }) => tracked.add(keyOf(table)));
  const tables = new Map<string, DiagramTable>();
  yield* inParts(outlines, (outline) => {
    const key = keyOf(outline);
    tables.set(key, tableOf(source, outline, tracked.has(key)));
  });
  const open: OpenEdge[] = [];
  yield* inParts(outlines, (outline) => open.push(...foreignKeysOf(outline).filter(({ to }) => tables.has(to))));
  yield* addRelationships(source, tables, open);
  const edges: DiagramEdge[] = [];
  yield* inParts(open, ({ mapping, ...edge }) => edges.push({ ...edge, about: describe(edge, mapping, tables) }));
  const schemas = [...new Set(outlines.map(({ schema }) => schema))].sort();
  return { tables, edges, joins: yield* joinsOf(outlines, tables, edges), schemas };
}

function tableOf(source: Source, outline: TableOutline, isTracked: boolean): DiagramTable {
  const { schema, name, columns, primary_key, foreign_keys } = outline;
  const primary = new Set(primary_key);
  const foreign = new Set(foreign_keys.flatMap(({ column_mapping }) => Object.keys(column_mapping)));
  return {
    key: keyOf(outline),
    schema,
    name,
    label: shownName(source.kind, outline),
    isTracked,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      isNullable: column.nullable,
      isPrimary: primary.has(column.name),
      isForeign: foreign.has(column.name),
    })),
  };
}

// Edges of foreign keys.

function foreignKeysOf(outline: TableOutline): readonly OpenEdge[] {
  const from = keyOf(outline);
  return outline.foreign_keys.map(({ name, foreign_table, column_mapping }) => ({
    key: JSON.stringify([from, name]),
    kind: "foreign-key",
    from,
    to: keyOf(foreign_table),
    ...columnsOf(column_mapping),
    fromEnd: isUnique(outline, new Set(Object.keys(column_mapping))) ? "one" : "many",
    toEnd: "one",
    mapping: column_mapping,
    relationships: [],
  }));
}

const isUnique = ({ primary_key, unique_keys }: TableOutline, columns: ReadonlySet<string>): boolean =>
  [primary_key, ...unique_keys].some((key) => key.length > 0 && key.every((column) => columns.has(column)));

function columnsOf(mapping: Mapping): { readonly fromColumn?: string; readonly toColumn?: string } {
  const [fromColumn, toColumn] = Object.entries(mapping)[0] ?? [];
  return { ...(fromColumn !== undefined && { fromColumn }), ...(toColumn !== undefined && { toColumn }) };
}

// Relationships: names of foreign key edges, or manual edges.

function* addRelationships(source: Source, tables: ReadonlyMap<string, DiagramTable>, open: OpenEdge[]): InParts<void> {
  const byPair = new Map<string, OpenEdge[]>();
  const byOrigin = new Map<string, OpenEdge[]>();
  yield* inParts(open, (edge) => {
    append(byPair, pairOf(edge.from, edge.to), edge);
    append(byOrigin, edge.from, edge);
  });
  yield* inParts(source.tables, (table) => {
    if (!tables.has(keyOf(table.table))) return;
    for (const { isArray, name, target, mapping, isManual } of relationshipsOf(source, table)) {
      const from = keyOf(table.table);
      const candidates = [
        ...(byPair.get(pairOf(from, target ?? "")) ?? []),
        ...(target === undefined ? (byOrigin.get(from) ?? []) : []),
      ];
      const found = candidates.find((edge) => follows(edge, { from, isArray, isManual, mapping }));
      const named = `${table.table.name}.${name}`;
      if (found) found.relationships.push(named);
      else if (isManual && target !== undefined && tables.has(target)) {
        const edge: OpenEdge = {
          key: JSON.stringify([from, "relationship", name]),
          kind: "manual",
          from,
          to: target,
          ...columnsOf(mapping),
          fromEnd: isArray ? "one" : "many",
          toEnd: isArray ? "many" : "one",
          mapping,
          relationships: [named],
        };
        open.push(edge);
        append(byPair, pairOf(edge.from, edge.to), edge);
      }
    }
  });
}

/** Unordered, because relationships follow edges in both directions. */
const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

function append<T>(edges: Map<string, T[]>, key: string, edge: T): void {
  const list = edges.get(key);
  if (list) list.push(edge);
  else edges.set(key, [edge]);
}

interface FoundRelationship {
  readonly name: string;
  readonly isArray: boolean;
  readonly isManual: boolean;
  /** Key of the related table; `undefined` if only the foreign key determines it. */
  readonly target: string | undefined;
  /**
   * Columns of this table to columns of the related table. For a relationship by a foreign key, the columns of the
   * table with the key, with empty values.
   */
  readonly mapping: Mapping;
}

function relationshipsOf(source: Source, table: Table): readonly FoundRelationship[] {
  const found = (each: { readonly name: string; readonly using: JsonObject }, isArray: boolean): FoundRelationship => {
    const { manual_configuration: manual, foreign_key_constraint_on: key } = each.using;
    if (isObject(manual)) {
      const mapping = (manual.column_mapping ?? {}) as Mapping;
      return { name: each.name, isArray, isManual: true, target: tableKey(source, manual.remote_table), mapping };
    }
    const isRemote = isObject(key);
    const columns = isRemote ? (key.columns ?? key.column) : key;
    const names = (Array.isArray(columns) ? columns : [columns]).map((column) => [String(column), ""]);
    const target = isRemote ? tableKey(source, key.table) : undefined;
    return { name: each.name, isArray, isManual: false, target, mapping: Object.fromEntries(names) };
  };
  return [
    ...(table.object_relationships ?? []).map((each) => found(each, false)),
    ...(table.array_relationships ?? []).map((each) => found(each, true)),
  ];
}

function tableKey({ kind }: Source, name: Json | undefined): string | undefined {
  if (typeof name === "string") return keyOf({ schema: defaultSchemaOf(kind), name });
  if (!isObject(name)) return undefined;
  const { schema = defaultSchemaOf(kind), name: own } = name;
  return keyOf({ schema: String(schema), name: String(own) });
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Followed {
  readonly from: string;
  readonly isArray: boolean;
  readonly isManual: boolean;
  readonly mapping: Mapping;
}

/** Returns whether a relationship of table `from` has the columns of an edge. */
function follows(edge: OpenEdge, { from, isManual, mapping }: Followed): boolean {
  const pairs = Object.entries(edge.mapping);
  if (pairs.length !== Object.keys(mapping).length) return false;
  if (!isManual) return edge.kind === "foreign-key" && pairs.every(([column]) => Object.hasOwn(mapping, column));
  return (
    (edge.from === from && pairs.every(([column, target]) => mapping[column] === target)) ||
    (edge.to === from && pairs.every(([column, target]) => mapping[target] === column))
  );
}

function describe(
  { from, to }: Pick<DiagramEdge, "from" | "to">,
  mapping: Mapping,
  tables: ReadonlyMap<string, DiagramTable>,
): string {
  const end = (key: string, columns: readonly string[]): string => `${tables.get(key)?.label}.${columns.join(", ")}`;
  return `${end(from, Object.keys(mapping))} → ${end(to, Object.values(mapping))}`;
}

// Many-to-many relationships.

/**
 * Finds the tables that only join two others: a key consists of two foreign keys, no other column exists, and no other
 * edge leads to the table.
 */
function* joinsOf(
  outlines: readonly TableOutline[],
  tables: ReadonlyMap<string, DiagramTable>,
  edges: readonly DiagramEdge[],
): InParts<ReadonlyMap<string, DiagramEdge>> {
  const edgesOf = new Map<string, DiagramEdge[]>();
  yield* inParts(edges, (edge) => {
    append(edgesOf, edge.from, edge);
    if (edge.to !== edge.from) append(edgesOf, edge.to, edge);
  });
  const joins = new Map<string, DiagramEdge>();
  yield* inParts(outlines, (outline) => {
    const key = keyOf(outline);
    const own = edgesOf.get(key) ?? [];
    const [first, second] = own;
    const isJoin = outline.foreign_keys.length === 2 && own.length === 2 && first?.from === key;
    if (!isJoin || second?.from !== key) return;
    const foreign = new Set(outline.foreign_keys.flatMap(({ column_mapping }) => Object.keys(column_mapping)));
    const primary = new Set(outline.primary_key);
    if (outline.columns.some(({ name }) => !foreign.has(name) && !primary.has(name))) return;
    if (!isUnique(outline, foreign)) return;
    joins.set(key, {
      key: JSON.stringify([key, "many-to-many"]),
      kind: "many-to-many",
      from: first.to,
      to: second.to,
      ...(first.toColumn !== undefined && { fromColumn: first.toColumn }),
      ...(second.toColumn !== undefined && { toColumn: second.toColumn }),
      fromEnd: "many",
      toEnd: "many",
      about: `through ${tables.get(key)?.label}`,
      relationships: [...first.relationships, ...second.relationships],
    });
  });
  return joins;
}
