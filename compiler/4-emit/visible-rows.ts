/** Which rows, and which cells of them, a role may read: declarations of a role's module, and what refers to them. */
import type { ViewIr } from "../3-lower/ir.ts";
import { declareFilter } from "./filters.ts";
import { identifier } from "./identifiers.ts";
import { type Code, call, commented } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { member } from "./sources.ts";

export interface VisibleRows {
  /** The member of the view that names them; absent: all rows. */
  readonly visible?: Code;
  /**
   * What the module calls a column or computed value, given what the table's module calls it: as it is, or kept to
   * the rows of the parents that give it.
   * @param place puts it where it belongs, behind its comment
   */
  cell(field: string, shared: string, define: "visibleWhere" | "computedWhere", place?: (value: Code) => Code): Code;
}

export function declareVisibleRows(module: ModuleBuilder, view: ViewIr): VisibleRows {
  const { role, table, visible, parents } = view;
  if (parents !== undefined) return declareParents(module, view, parents);
  const declared =
    visible && declareFilter(module, { name: "visible", comment: `Rows that role ${role} may read`, table }, visible);
  return {
    ...(declared !== undefined && { visible: declared === "visible" ? declared : member("visible", declared) }),
    cell: plainCell,
  };
}

const plainCell: VisibleRows["cell"] = (_field, shared, _define, place = asItIs) => place(shared);
const asItIs = (value: Code): Code => value;

/** One filter for each parent; the rows are those of any, a cell's those of the parents that give it. */
function declareParents(
  module: ModuleBuilder,
  { table, cells = {} }: ViewIr,
  parents: NonNullable<ViewIr["parents"]>,
): VisibleRows {
  const isOpen = parents.every(({ everyRow }) => everyRow === true);
  if (isOpen && Object.keys(cells).length === 0) return { cell: plainCell };
  const filters = new Map(
    parents.map(({ role, ...filter }) => {
      const comment = `Rows that role ${role} may read`;
      return [role, declareFilter(module, { name: filterName(role), comment, table }, filter)] as const;
    }),
  );
  const anyOf = (roles: readonly string[]): Code => {
    const names = roles.flatMap((role) => filters.get(role) ?? []);
    const [only] = names;
    return names.length === 1 && only !== undefined ? only : call(module.support("anyRowOf"), ...names);
  };
  return {
    ...(!isOpen && { visible: member("visible", anyOf(parents.map(({ role }) => role))) }),
    cell: (field, shared, define, place = asItIs) => {
      const givers = cells[field];
      if (givers === undefined) return place(shared);
      const comment = `case when <rows that role ${givers.join(" or ")} may read> then ${field} end`;
      return commented([comment], place(call(module.support(define), shared, anyOf(givers))));
    },
  };
}

/** `rowsOfAuthorEditor` */
function filterName(role: string): string {
  const words = role.split(/[\s_-]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return identifier(`rowsOf${words.join("")}`);
}
