/** Generates random conditions of permissions and requests. */
import type { Choices } from "./choices.ts";
import type { ColumnType, OperatorRule } from "./column-types.ts";
import {
  type Column,
  columnOperators,
  everything,
  type Filter,
  type Relationship,
  type Table,
  type Test,
  tableOf,
  type World,
} from "./model.ts";

/** The names that a filter may use. */
export interface FilterScope {
  readonly world: World;
  readonly columns: (table: Table) => readonly Column[];
  readonly relationships: (table: Table) => readonly Relationship[];
  /** Relationships to tables whose select permission the filter may refer to; only in permissions. */
  readonly permitted?: (table: Table) => readonly Relationship[];
  /** Assigns a text to a session variable, and returns the name of the variable; only in permissions. */
  readonly session?: (text: string) => string;
}

/** Returns a random filter. @param depth maximum nesting of conditions */
export function randomFilter(choices: Choices, scope: FilterScope, table: Table, depth: number, root = table): Filter {
  const inner = (of: Table = table): Filter => randomFilter(choices, scope, of, depth - 1, root);
  const relationships = scope.relationships(table);
  const isPermission = scope.session !== undefined;
  const kind = choices.number(0, depth > 0 ? 10 : 3);
  if (kind === 0) return everything;
  if (kind === 4) return { kind: "and", items: choices.list(0, 3, () => inner()) };
  if (kind === 5) return { kind: "or", items: choices.list(0, 3, () => inner()) };
  if (kind === 6) return { kind: "not", item: inner() };
  if (kind === 9 && isPermission) {
    const other = choices.pick([...scope.world.tables.values()].filter(({ place }) => place === table.place));
    return { kind: "exists", table: other.name, where: inner(other) };
  }
  const relationship = kind === 10 ? choices.pickMaybe(scope.permitted?.(table) ?? []) : undefined;
  if (relationship) return { kind: "permitted", relationship };
  if (kind >= 7 && relationships.length > 0) {
    const relationship = choices.pick(relationships);
    return { kind: "related", relationship, where: inner(tableOf(scope.world, relationship.target)) };
  }
  const column = choices.pickMaybe(scope.columns(table));
  if (!column) return everything;
  const comparison = isPermission && choices.chance(20) ? randomComparison(choices, column, table, root) : undefined;
  return comparison ?? { kind: "column", column, tests: randomTests(choices, column, scope) };
}

function randomComparison(choices: Choices, column: Column, table: Table, root: Table): Filter | undefined {
  const ofRoot = choices.chance(40);
  const same = (ofRoot ? root : table).columns.filter(({ type }) => type === column.type);
  const other = choices.pickMaybe(same);
  if (!other || !column.type.compare) return undefined;
  return { kind: "columns", column, operator: choices.pick(columnOperators), other, ofRoot };
}

/** Returns one test, sometimes none or two. Operators inside a cast share its key, so they occur alone. */
function randomTests(choices: Choices, { type }: Column, { session }: FilterScope): Test[] {
  if (choices.chance(3)) return [];
  const names = ["_is_null", ...Object.keys(type.operators)];
  const first = choices.pick(names);
  const second = choices.chance(15) ? choices.pick(names) : first;
  const isPair = second !== first && !first.includes(".") && !second.includes(".");
  return (isPair ? [first, second] : [first]).map((name) => randomTest(choices, type, name, session));
}

function randomTest(choices: Choices, type: ColumnType, operator: string, session: FilterScope["session"]): Test {
  if (operator === "_is_null") return { operator, operand: { kind: "value", value: choices.chance(50) } };
  const rule = type.operators[operator] as OperatorRule;
  const value = choices.pick(rule.operands);
  if (!session || !rule.text || !choices.chance(30)) return { operator, operand: { kind: "value", value } };
  return { operator, operand: { kind: "session", variable: session(rule.text(value as never)), value } };
}
