/** Choice of the tables that a diagram shows: all, those of a schema or name, or the neighbours of one table. */
import type { DiagramEdge, DiagramModel, DiagramTable } from "./model.ts";

export interface DiagramFilter {
  /** Empty for all schemas. */
  readonly schema: string;
  /** Part of the name. */
  readonly search: string;
  /** Key of the table whose neighbours are shown. */
  readonly focus: string | null;
  /** Number of edges between the focused table and the others. */
  readonly depth: number;
}

export interface Selection {
  readonly tables: readonly DiagramTable[];
  readonly edges: readonly DiagramEdge[];
}

/** Keys of adjacent tables by table. */
export type Neighbours = ReadonlyMap<string, ReadonlySet<string>>;

export function neighboursOf({ edges }: Pick<DiagramModel, "edges">): Neighbours {
  const found = new Map<string, Set<string>>();
  const add = (key: string, other: string): void => {
    const known = found.get(key);
    if (known) known.add(other);
    else found.set(key, new Set([other]));
  };
  for (const { from, to } of edges) {
    if (from === to) continue;
    add(from, to);
    add(to, from);
  }
  return found;
}

/** Returns the tables of a filter; a focused table comes first, then its neighbours by distance. */
export function filterTables(
  model: DiagramModel,
  neighbours: Neighbours,
  filter: DiagramFilter,
): readonly DiagramTable[] {
  const text = filter.search.trim().toLowerCase();
  const matches = ({ schema, name }: DiagramTable): boolean =>
    (filter.schema === "" || schema === filter.schema) && `${schema}.${name}`.toLowerCase().includes(text);
  if (filter.focus === null) return [...model.tables.values()].filter(matches);
  return near(model, neighbours, filter.focus, filter.depth).filter(
    (table) => table.key === filter.focus || matches(table),
  );
}

function near(model: DiagramModel, neighbours: Neighbours, focus: string, depth: number): readonly DiagramTable[] {
  const found = new Set([focus]);
  let level = [focus];
  for (let distance = 0; distance < depth; distance++) {
    const next: string[] = [];
    const visit = (key: string): void => {
      if (found.has(key)) return;
      found.add(key);
      next.push(key);
      // A join table is an edge: the table behind it is as near.
      if (model.joins.has(key)) for (const other of neighbours.get(key) ?? []) visit(other);
    };
    for (const key of level) for (const other of neighbours.get(key) ?? []) visit(other);
    level = next;
  }
  return [...found].flatMap((key) => model.tables.get(key) ?? []);
}

/** Returns tables with the edges between them. Join tables between two of them become many-to-many edges. */
export function selectionOf(model: DiagramModel, shown: readonly DiagramTable[], focus: string | null): Selection {
  const keys = new Set(shown.map(({ key }) => key));
  const replaced = new Map<string, DiagramEdge>();
  for (const key of keys) {
    const edge = model.joins.get(key);
    if (edge && key !== focus && keys.has(edge.from) && keys.has(edge.to)) replaced.set(key, edge);
  }
  const isShown = ({ from, to }: DiagramEdge): boolean =>
    keys.has(from) && keys.has(to) && !replaced.has(from) && !replaced.has(to);
  return {
    tables: shown.filter(({ key }) => !replaced.has(key)),
    edges: [...model.edges.filter(isShown), ...replaced.values()],
  };
}
