/**
 * Measures a data operation as the equivalent GraphQL operation, for the same limits. Each star of `*.*` follows every
 * relationship, so that a few characters can select any number of fields. The fields are therefore counted per table,
 * without expansion.
 */

import type { TableView } from "../../model/definitions/view.ts";
import { type Budget, budgetOf, checkBudget, checkDepth, type Measure } from "../../model/planner/request/budget.ts";
import type {
  DataColumn,
  DataOperation,
  DataOrder,
  DataSelection,
  DataUpdateRows,
} from "../../values/data-operation.ts";
import { pathTo } from "../../values/errors.ts";

/** The measure of `{ rows { … } }` without the fields of the rows. */
const list: Measure = { fields: 1, nodes: 1, depth: 1 };
/** The measure of `{ aggregate { count } }` below a root field, and of `affected_rows` and `returning` of a write. */
const nestedList: Measure = { fields: 3, nodes: 2, depth: 2 };

/**
 * Measures an operation, and checks the nesting of its arguments.
 * @throws EngineError `validation-failed` if it exceeds the maximum size for the role
 */
export function measureData(operation: DataOperation, view: TableView, role: string, path: string): Measure {
  if ("where" in operation) checkLevels(operation.where, pathTo(path, "where"));
  switch (operation.type) {
    case "update_rows":
      return measureUpdates(operation, path);
    case "select":
      return plus(list, new Selections(budgetOf(role)).measure(view, operation, path));
    case "count":
      return nestedList;
    case "insert":
    case "update":
    case "delete":
      return operation.returning === undefined ? list : nestedList;
  }
}

function measureUpdates({ updates, returning }: DataUpdateRows, path: string): Measure {
  let total = nothing;
  for (const [i, { where }] of updates.entries()) {
    checkLevels(where, pathTo(path, "updates", i, "where"));
    total = sum(total, returning === undefined ? list : nestedList);
  }
  return total;
}

const star = /^\*(?:\.\*)*$/;

/** Returns the number of stars of a column; 0 for a named column. */
export function starsOf(column: DataColumn): number {
  return typeof column === "string" && star.test(column) ? (column.length + 1) / 2 : 0;
}

class Selections {
  /** Cached measures by table and number of stars. */
  readonly #stars = new Map<TableView, Map<number, Measure>>();
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  measure(view: TableView, { columns, where, order_by: orders = [] }: DataSelection, path: string): Measure {
    checkLevels(where, pathTo(path, "where"));
    for (const [i, order] of orders.entries()) checkOrder(order, pathTo(path, "order_by", i));
    const at = pathTo(path, "columns");
    let total = nothing;
    for (const [i, column] of columns.entries()) {
      total = sum(total, this.#column(view, column, pathTo(at, i)));
      checkBudget(total, this.#budget, at);
    }
    return total;
  }

  #column(view: TableView, column: DataColumn, path: string): Measure {
    const stars = starsOf(column);
    if (stars > 0) {
      checkDepth(stars, path);
      return this.#ofStars(view, stars, path);
    }
    if (typeof column === "string" || !Object.hasOwn(view.relationships, column.name)) return oneField;
    const target = view.relationships[column.name]?.target();
    return target ? plus(list, this.measure(target, column, path)) : oneField;
  }

  #ofStars(view: TableView, stars: number, path: string): Measure {
    const measures = this.#stars.get(view) ?? new Map<number, Measure>();
    this.#stars.set(view, measures);
    let measure = measures.get(stars);
    if (measure === undefined) {
      measure = { ...nothing, fields: view.columns.length };
      for (const { target } of stars > 1 ? Object.values(view.relationships) : []) {
        measure = sum(measure, plus(list, this.#ofStars(target(), stars - 1, path)));
        checkBudget(measure, this.#budget, path);
      }
      measures.set(stars, measure);
    }
    return measure;
  }
}

const nothing: Measure = { fields: 0, nodes: 0, depth: 0 };
const oneField: Measure = { ...nothing, fields: 1 };

/** Combines two sibling selections. */
function sum(a: Measure, b: Measure): Measure {
  return { fields: a.fields + b.fields, nodes: a.nodes + b.nodes, depth: Math.max(a.depth, b.depth) };
}

/** Combines a selection with one nested in it. */
function plus(outer: Measure, inner: Measure): Measure {
  return { fields: outer.fields + inner.fields, nodes: outer.nodes + inner.nodes, depth: outer.depth + inner.depth };
}

function checkOrder({ column }: DataOrder, path: string): void {
  let levels = 0;
  for (let at = column.indexOf("."); at >= 0; at = column.indexOf(".", at + 1)) checkDepth(++levels, path);
}

/** Checks the nesting of a condition. Recursion is safe, because the JSON parser limits the depth. */
function checkLevels(condition: unknown, path: string, level = 0): void {
  checkDepth(level, path);
  if (typeof condition !== "object" || condition === null) return;
  const inner = Array.isArray(condition) ? level : level + 1;
  for (const each of Object.values(condition)) checkLevels(each, path, inner);
}
