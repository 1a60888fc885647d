/** Visible rows of the explorer: operation types, their fields, and everything below expanded rows. */
import type { GraphQLSchema, OperationTypeNode } from "graphql";
import { childSteps, hasChildSteps, rootSteps, type SchemaPath, type Step } from "./paths.ts";

export interface TreeRow {
  readonly key: string;
  /** Begins at 1. */
  readonly level: number;
  /** Without steps, the row of an operation type. */
  readonly path: SchemaPath;
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
}

interface Shown {
  /** Keys of expanded rows. */
  readonly expanded: ReadonlySet<string>;
  /** Part of the names of root fields. With a search, all operation types are expanded. */
  readonly search: string;
  /** Filters root fields. */
  readonly isShown: (path: SchemaPath) => boolean;
}

const operations = ["query", "mutation", "subscription"] as OperationTypeNode[];

export function treeRows(schema: GraphQLSchema, shown: Shown): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const search = shown.search.trim().toLowerCase();
  for (const operation of operations) {
    const roots = rootSteps(schema, operation);
    if (roots.length === 0) continue;
    const isExpanded = search !== "" || shown.expanded.has(operation);
    rows.push({ key: operation, level: 1, path: { operation, steps: [] }, isExpandable: true, isExpanded });
    if (!isExpanded) continue;
    for (const step of roots) {
      if (!step.name.toLowerCase().includes(search)) continue;
      const path = { operation, steps: [step] };
      if (shown.isShown(path)) addRow(rows, schema, { path, key: keyOf(operation, step) }, shown.expanded);
    }
  }
  return rows;
}

/** The kinds distinguish an argument from a field of the same name. */
const keyOf = (parent: string, { kind, name }: Step): string => `${parent}/${kind}:${name}`;

function addRow(
  rows: TreeRow[],
  schema: GraphQLSchema,
  { path, key }: Pick<TreeRow, "path" | "key">,
  expanded: ReadonlySet<string>,
): void {
  const { operation, steps } = path;
  const step = steps.at(-1) as Step;
  const isExpandable = hasChildSteps(step);
  const isExpanded = isExpandable && expanded.has(key);
  rows.push({ key, level: steps.length + 1, path, isExpandable, isExpanded });
  if (!isExpanded) return;
  for (const child of childSteps(schema, step)) {
    addRow(rows, schema, { path: { operation, steps: [...steps, child] }, key: keyOf(key, child) }, expanded);
  }
}
