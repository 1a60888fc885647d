/** The text of a plan of PostgreSQL → its nodes, with what each costs by itself. */

export interface PlanNode {
  /** `Seq Scan on loan`. */
  readonly title: string;
  /** As the planner counts, with what is below it. */
  readonly cost: number;
  /** Without what is below it. */
  readonly ownCost: number;
  readonly rows: number | null;
  /** Conditions and keys, as they came. */
  readonly details: readonly string[];
  readonly children: readonly PlanNode[];
}

interface Open {
  readonly indent: number;
  readonly title: string;
  readonly cost: number;
  readonly rows: number | null;
  readonly details: string[];
  readonly children: Open[];
}

const nodeLine = /^(\s*)(?:->\s+)?(.+?)\s+\(cost=[\d.]+\.\.([\d.]+)(?: rows=(\d+))?/;

/** `null`: not a plan of this form. */
export function planTree(lines: readonly string[]): PlanNode | null {
  let root: Open | null = null;
  const path: Open[] = [];
  for (const line of lines) {
    const [, space = "", title = "", cost, rows] = nodeLine.exec(line) ?? [];
    if (cost === undefined) {
      path.at(-1)?.details.push(line.trim());
      continue;
    }
    const indent = space.length;
    const count = rows === undefined ? null : Number(rows);
    const node: Open = { indent, title, cost: Number(cost), rows: count, details: [], children: [] };
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= indent) path.pop();
    path.at(-1)?.children.push(node);
    root ??= node;
    path.push(node);
  }
  return root && closed(root);
}

function closed({ indent: _, children, ...node }: Open): PlanNode {
  const below = children.reduce((sum, child) => sum + child.cost, 0);
  return { ...node, ownCost: Math.max(0, node.cost - below), children: children.map(closed) };
}

/** The node that costs most by itself. */
export function costliest(root: PlanNode): PlanNode {
  return root.children.map(costliest).reduce((most, node) => (node.ownCost > most.ownCost ? node : most), root);
}
