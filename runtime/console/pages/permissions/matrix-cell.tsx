/** Cell of the matrix: a link to the permissions of one role on one table, or a button that selects them. */
import type { VNode } from "preact";
import type { Source, Table } from "../../http/metadata-types.ts";
import { Link } from "../../routing/link.tsx";
import { type Action, actions, columnsOf, isEmptyFilter, permissionOf } from "./draft.ts";

interface MatrixCellProps {
  readonly source: Source;
  readonly table: Table;
  readonly role: string;
  /** `null` if the cell is a link. */
  readonly isSelected: boolean | null;
  readonly onSelect: (event: MouseEvent) => void;
}

// A cell has few elements and its marks are rendered once for each combination, because scrolling renders hundreds of cells
// in one frame.
export function MatrixCell({ source, table, role, isSelected, onSelect }: MatrixCellProps) {
  const extents = actions.map((action) => extentOf(table, action, role));
  const summary = actions.flatMap((action, at) => (extents[at] === "none" ? [] : `${action} (${extents[at]})`));
  const access = summary.join(", ") || "no access";
  const { schema, name } = table.table;
  const title = `${role} on ${name}: ${access}`;
  if (isSelected !== null) {
    return (
      <button type="button" class="matrix-cell select" title={title} aria-pressed={isSelected} onClick={onSelect}>
        {marksOf(extents)}
      </button>
    );
  }
  return (
    <Link to={["permissions", source.name, schema, name, role]} class="matrix-cell" title={title}>
      {marksOf(extents)}
    </Link>
  );
}

const letters: Readonly<Record<Action, string>> = { select: "S", insert: "I", update: "U", delete: "D" };

const renderedMarks = new Map<string, readonly VNode[]>();

function marksOf(extents: readonly Extent[]): readonly VNode[] {
  const key = extents.join();
  const known = renderedMarks.get(key);
  if (known) return known;
  const marks = actions.map((action, at) => (
    <span key={action} class={`matrix-mark ${extents[at]}`} aria-hidden="true">
      {letters[action]}
    </span>
  ));
  renderedMarks.set(key, marks);
  return marks;
}

type Extent = "none" | "some" | "all";

/** Returns whether a permission covers all rows, some, or none. */
function extentOf(table: Table, action: Action, role: string): Extent {
  const found = permissionOf(table, action, role);
  if (!found) return "none";
  const { permission } = found;
  const filter = action === "insert" ? permission.check : permission.filter;
  return isEmptyFilter(filter) && (action === "delete" || columnsOf(permission).length > 0) ? "all" : "some";
}

export function Legend() {
  return (
    <p class="legend muted">
      <span>S select, I insert, U update, D delete:</span>
      <span class="matrix-mark all">S</span> All rows
      <span class="matrix-mark some">S</span> Some rows
      <span class="matrix-mark none">S</span> No access
    </p>
  );
}
