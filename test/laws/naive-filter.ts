/** Conditions evaluated on plain rows, in three-valued logic. */
import { keyOf, type OperatorRule, type Value } from "./column-types.ts";
import {
  type Column,
  type ColumnOperator,
  type Filter,
  permissionsOf,
  type Relationship,
  type Row,
  type SelectPermission,
  type Table,
  type Test,
  tableOf,
  type Viewpoint,
} from "./model.ts";

/** True, false, or unknown. */
export type Truth = boolean | null;

/** Rows visible to a filter: all rows for filters of permissions, and the role's rows for filters of requests. */
export type Sight = "everything" | "visible";

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const all = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true);
const any = (truths: readonly Truth[]): Truth => not(all(truths.map(not)));

/** Evaluates a filter. @param root the row that the permission applies to */
export function holds(viewpoint: Viewpoint, table: Table, row: Row, filter: Filter, sight: Sight, root = row): Truth {
  switch (filter.kind) {
    case "and":
      return all(filter.items.map((item) => holds(viewpoint, table, row, item, sight, root)));
    case "or":
      return any(filter.items.map((item) => holds(viewpoint, table, row, item, sight, root)));
    case "not":
      return not(holds(viewpoint, table, row, filter.item, sight, root));
    case "column": {
      const { column, tests } = filter;
      const value = sight === "everything" ? (row[column.name] ?? null) : cell(viewpoint, table, row, column);
      return all(tests.map((test) => passes(value, column.type.operators, test)));
    }
    case "columns": {
      const other = (filter.ofRoot ? root : row)[filter.other.name] ?? null;
      return compare(row[filter.column.name] ?? null, filter.operator, other, filter.column.type.compare);
    }
    case "related": {
      const { relationship, where } = filter;
      return someRow(viewpoint, relationship.target, relatedRows(viewpoint, row, relationship), where, sight, root);
    }
    case "permitted": {
      const target = tableOf(viewpoint.world, filter.relationship.target);
      return relatedRows(viewpoint, row, filter.relationship).some((other) => isVisible(viewpoint, target, other));
    }
    case "exists":
      return someRow(viewpoint, filter.table, viewpoint.world.rows.get(filter.table) ?? [], filter.where, sight, root);
  }
}

function someRow(
  viewpoint: Viewpoint,
  name: string,
  candidates: readonly Row[],
  where: Filter,
  sight: Sight,
  root: Row,
): boolean {
  const table = tableOf(viewpoint.world, name);
  return candidates.some(
    (row) =>
      (sight === "everything" || isVisible(viewpoint, table, row)) &&
      holds(viewpoint, table, row, where, sight, root) === true,
  );
}

/** Returns related rows by equal columns; NULL equals nothing. */
export function relatedRows({ world }: Viewpoint, row: Row, { target, mapping }: Relationship): readonly Row[] {
  return (world.rows.get(target) ?? []).filter((other) =>
    mapping.every(([local, remote]) => {
      const value = row[local] ?? null;
      return value !== null && keyOf(value) === keyOf(other[remote] ?? null);
    }),
  );
}

export function isVisible(viewpoint: Viewpoint, table: Table, row: Row): boolean {
  return viewpoint.select === undefined || givers(viewpoint, table, row).length > 0;
}

/** Returns the permissions that admit a row. */
function givers(viewpoint: Viewpoint, table: Table, row: Row): readonly SelectPermission[] {
  const grant = viewpoint.select?.get(table.name);
  const permissions = grant ? permissionsOf(grant) : [];
  return permissions.filter(({ filter }) => holds(viewpoint, table, row, filter, "everything") === true);
}

/**
 * Returns the visible value of a cell. An inherited role sees it only if a permission that shows the row lists the
 * column. A single own permission applies to all rows alike, because writes also read rows that it hides.
 */
export function cell(viewpoint: Viewpoint, table: Table, row: Row, column: Column): Value {
  const grant = viewpoint.select?.get(table.name);
  const permissions = grant && !("parents" in grant) ? [grant] : givers(viewpoint, table, row);
  const isSeen = viewpoint.select === undefined || permissions.some(({ columns }) => columns.includes(column));
  return isSeen ? (row[column.name] ?? null) : null;
}

function passes(value: Value, operators: Readonly<Record<string, OperatorRule>>, { operator, operand }: Test): Truth {
  if (operator === "_is_null") return (value === null) === operand.value;
  // An empty list yields the same result for every value.
  const isEmptyList = Array.isArray(operand.value) && operand.value.length === 0;
  if (isEmptyList && operator === "_in") return false;
  if (isEmptyList && operator === "_nin") return true;
  if (value === null) return null;
  const rule = operators[operator];
  if (!rule) throw new Error(`no such operator: ${operator}`);
  return rule.holds(value, operand.value as never);
}

function compare(
  left: Value,
  operator: ColumnOperator,
  right: Value,
  order: ((a: Value, b: Value) => number) | undefined,
): Truth {
  if (left === null || right === null || !order) return null;
  const difference = order(left, right);
  const answers = {
    _ceq: difference === 0,
    _cne: difference !== 0,
    _cgt: difference > 0,
    _cgte: difference >= 0,
    _clt: difference < 0,
    _clte: difference <= 0,
  };
  return answers[operator];
}
