/** Drawing of the roles that a role inherits from and of those that inherit from it. */
import { levelsOf, type Parents } from "./inheritance.ts";

interface InheritanceDiagramProps {
  readonly role: string;
  readonly parents: Parents;
}

const [nodeWidth, nodeHeight, columnGap, rowGap, margin] = [150, 30, 70, 12, 8];

/** Maximum number of characters of a name; longer names are cut. */
const maxCharacters = 19;

interface Placed {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

export function InheritanceDiagram({ role, parents }: InheritanceDiagramProps) {
  const levels = levelsOf(role, parents);
  const rows = Math.max(...levels.map((level) => level.length));
  const [width, height] = [
    margin * 2 + levels.length * (nodeWidth + columnGap) - columnGap,
    margin * 2 + rows * (nodeHeight + rowGap) - rowGap,
  ];
  const nodes = levels.flatMap((level, column) =>
    level.map((name, row): Placed => {
      const top = (height - (level.length * (nodeHeight + rowGap) - rowGap)) / 2;
      return { name, x: margin + column * (nodeWidth + columnGap), y: top + row * (nodeHeight + rowGap) };
    }),
  );
  const placed = new Map(nodes.map((node) => [node.name, node]));
  const edges = nodes.flatMap((to) =>
    (parents.get(to.name) ?? []).flatMap((parent) => {
      const from = placed.get(parent);
      return from && from.x < to.x ? [{ from, to }] : [];
    }),
  );
  const list = (parents.get(role) ?? []).join(", ");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="inheritance card" tabIndex={0} aria-label={`${role} inherits from ${list}`}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {edges.map(({ from, to }) => (
          <path key={`${from.name} ${to.name}`} class="inheritance-edge" d={curve(from, to)} />
        ))}
        {nodes.map((node) => (
          <Node key={node.name} node={node} isCurrent={node.name === role} isInherited={parents.has(node.name)} />
        ))}
      </svg>
    </section>
  );
}

function curve(from: Placed, to: Placed): string {
  const [x, y] = [from.x + nodeWidth, from.y + nodeHeight / 2];
  const [endX, endY] = [to.x, to.y + nodeHeight / 2];
  const bend = (endX - x) / 2;
  return `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
}

interface NodeProps {
  readonly node: Placed;
  readonly isCurrent: boolean;
  readonly isInherited: boolean;
}

function Node({ node: { name, x, y }, isCurrent, isInherited }: NodeProps) {
  const text = name.length > maxCharacters ? `${name.slice(0, maxCharacters)}…` : name;
  const kind = isCurrent ? "current" : isInherited ? "inherited" : "plain";
  return (
    <g class={`inheritance-node ${kind}`}>
      <title>{name}</title>
      <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={6} />
      <text x={x + nodeWidth / 2} y={y + nodeHeight / 2} text-anchor="middle" dominant-baseline="central">
        {text}
      </text>
    </g>
  );
}
