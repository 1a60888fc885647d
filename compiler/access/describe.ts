/** Formats parts of an access as readable text. */
import type { Condition } from "../3-lower/ir.ts";
import { conditionText } from "../4-emit/conditions.ts";
import type {
  ByName,
  DeleteAccess,
  InsertAccess,
  MergedAccess,
  OperationAccess,
  RelatedAccess,
  RequestAccess,
  SelectAccess,
  StatementAccess,
  ToolAccess,
  TypeAccess,
  UpdateAccess,
  ValuesAccess,
} from "./model.ts";

/** Sorts members by name, as in access files. */
function inOrder<T>(members: ByName<T>): (readonly [string, T])[] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}

const namesOf = (members: ByName<unknown>): readonly string[] => Object.keys(members).sort();

/**
 * Formats a condition.
 * @param row alias of the row
 */
export function rowsText(condition: Condition | null | undefined, row: string): string {
  if (condition === null || condition === undefined) return "every row";
  if (condition.kind === "any" && condition.items.length === 0) return "no row";
  return conditionText(spelledOut(condition), row);
}

/** Replaces empty conditions inside another condition by `true` and `false`. */
function spelledOut(condition: Condition): Condition {
  switch (condition.kind) {
    case "all":
    case "any":
      if (condition.items.length > 0) return { ...condition, items: condition.items.map(spelledOut) };
      return { kind: "test", sql: [condition.kind === "all" ? "true" : "false"] };
    case "not":
      return { ...condition, item: spelledOut(condition.item) };
    case "exists":
      return { ...condition, where: spelledOut(condition.where) };
    case "readable":
    case "test":
      return condition;
  }
}

export function selectText(
  { columns, computedFields, parents, rows, limit, aggregations }: SelectAccess,
  row: string,
): string {
  return [
    `columns: ${listText(namesOf(columns))}`,
    ...(namesOf(computedFields).length === 0 ? [] : [`computed fields: ${listText(namesOf(computedFields))}`]),
    ...(parents === undefined
      ? [`rows: ${rowsText(rows, row)}`]
      : inOrder(parents).map(([role, condition]) => `rows of role ${role}: ${rowsText(condition, row)}`)),
    ...(limit === undefined ? [] : [`at most ${limit} rows`]),
    ...(aggregations ? ["aggregates"] : []),
  ].join("\n");
}

export function insertText(insert: InsertAccess, row: string): string {
  const nested = namesOf(insert.nested);
  return [
    ...valueLines(insert, row),
    ...(nested.length === 0 ? [] : [`nested inserts: ${listText(nested)}`]),
    ...relatedLines(insert),
    ...writeLines(insert),
  ].join("\n");
}

export function updateText(update: UpdateAccess, row: string): string {
  const lines = [...valueLines(update, row), ...relatedLines(update), ...writeLines(update)];
  return [`rows: ${rowsText(update.rows, row)}`, ...lines].join("\n");
}

const relatedLines = ({ related = {} }: Pick<UpdateAccess, "related">): string[] =>
  inOrder(related).map(([name, access]) => `writes of ${name}: ${relatedText(access)}`);

/** Describes the writes of the rows of one relationship. */
const relatedText = ({ writes, setsKey }: RelatedAccess): string =>
  `${listText(writes)}${setsKey ? "; inserted rows get the key of their parent" : ""}`;

export function deleteText(remove: DeleteAccess, row: string): string {
  return [`rows: ${rowsText(remove.rows, row)}`, ...writeLines(remove)].join("\n");
}

function valueLines({ columns, presets, check, merged }: ValuesAccess, row: string): string[] {
  return [
    `columns: ${listText(columns)}`,
    ...inOrder(presets).map(([column, value]) => `preset: ${column} = ${value}`),
    ...(merged === undefined
      ? check === undefined
        ? []
        : [`check: ${rowsText(check, row)}`]
      : inOrder(merged).map(([role, access]) => `as role ${role}: ${mergedText(access, row)}`)),
  ];
}

/** Describes a permission that a merged one consists of, on one line. */
export function mergedText({ columns, rows, check }: MergedAccess, row: string): string {
  return [
    `columns ${listText(columns)}`,
    ...(rows === undefined ? [] : [`rows ${rowsText(rows, row)}`]),
    ...(check === undefined ? [] : [`check ${rowsText(check, row)}`]),
  ].join("; ");
}

function writeLines({ backendOnly, validation }: DeleteAccess): string[] {
  return [
    ...(validation === undefined ? [] : [`input is validated by ${validation}`]),
    ...(backendOnly ? ["for backends only"] : []),
  ];
}

const listText = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

export function operationText(access: OperationAccess): string {
  if (access === "planned when asked") return "planned at request time";
  const plans = inOrder(access.statements);
  return plans
    .map(([name, statements]) => {
      const texts = statements.map(statementText).join("\n\n");
      return plans.length === 1 ? texts : `-- Plan ${name}\n${texts}`;
    })
    .join("\n\n");
}

function statementText(access: StatementAccess | RequestAccess): string {
  const [from, text] =
    "sql" in access ? [`Source ${access.source}`, access.sql] : [`Remote schema ${access.remoteSchema}`, access.query];
  const parameters = access.parameters.map((parameter, i) => `-- Parameter ${i + 1}: ${parameter}`);
  return [`-- ${from}`, ...parameters, text].join("\n");
}

/** Describes what a call of a tool may do, in lines. */
export function toolText({ operation, hints, limits, scopes }: ToolAccess): string {
  const { rows, bytes, seconds } = limits;
  return [
    `runs saved operation ${operation}`,
    hints.readOnly ? "only reads" : hints.destructive ? "may change or delete rows" : "adds rows",
    ...(hints.openWorld ? ["calls other servers"] : []),
    `at most ${rows} rows, ${bytes} bytes, ${seconds} seconds`,
    ...(scopes.length === 0 ? [] : [`requires scopes: ${scopes.join(", ")}`]),
  ].join("\n");
}

export const membersText = ({ members }: TypeAccess): string => namesOf(members).join(", ");
