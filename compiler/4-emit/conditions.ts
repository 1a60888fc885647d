/** Prints conditions as SQL, in templates or as plain text: on one line if it fits, otherwise one line per part. */
import type { Condition, CrossSourceIr, ReadableIr, SqlPart } from "../3-lower/ir.ts";
import { lineWidth } from "./comments.ts";
import { stringLiteral, templateText } from "./escape.ts";

/** Names that a template refers to. */
export interface TemplateNames {
  readonly sql: string;
  readonly row: string;
  readonly session: string;
  readonly constant: string;
  /** The fragment with all session variables. */
  readonly wholeSession: string;
  /** Returns the name of the constant that holds cross-source values. */
  readonly crossSource: (values: CrossSourceIr) => string;
  /** Returns the name of the row filter that tests a related row. */
  readonly readable: (condition: ReadableIr) => string;
}

/** Printers of the parts of a condition. */
interface Spelling {
  readonly text: (sql: string) => string;
  readonly row: string;
  readonly session: (variable: string) => string;
  readonly wholeSession: string;
  readonly constant: (text: string) => string;
  readonly crossSource: (values: CrossSourceIr) => string;
  readonly readable: (condition: ReadableIr) => string;
}

/**
 * Prints a condition as a tagged template.
 * @param column number of characters before the template on its first line
 */
export function conditionTemplate(condition: Condition, names: TemplateNames, column: number): string {
  const spelling: Spelling = {
    text: templateText,
    row: `\${${names.row}}`,
    session: (variable) => `\${${names.session}(${stringLiteral(variable)})}`,
    wholeSession: `\${${names.wholeSession}}`,
    constant: (text) => `\${${names.constant}(${stringLiteral(text)})}`,
    crossSource: (values) => `\${${names.crossSource(values)}}`,
    readable: (condition) => `\${${names.readable(condition)}(${rowArgument(condition, names)}, ${names.session})}`,
  };
  const flat = `${names.sql}\`${flatText(condition, spelling)}\``;
  if (column + flat.length < lineWidth) return flat;
  return `${names.sql}\`\n${lines(condition, spelling, "  ").join("\n")}\``;
}

/** Returns the row as an expression: the parameter of the filter, or the alias of a subquery as a fragment. */
function rowArgument({ row }: ReadableIr, names: TemplateNames): string {
  const alias = row.map((part) => (typeof part === "string" ? part : "")).join("");
  return alias === "" ? names.row : `${names.sql}\`${templateText(alias)}\``;
}

/**
 * Prints a condition as plain text, for readers; it is SQL if it refers to no session variables.
 * @param constant prints constants whose value may depend on session settings
 */
export function conditionText(
  condition: Condition,
  row: string,
  constant: (text: string) => string = stringLiteral,
): string {
  const spelling: Spelling = {
    text: (sql) => sql,
    row,
    session: (variable) => `session(${stringLiteral(variable)})`,
    wholeSession: "session",
    constant,
    crossSource: (values) => crossSourceText(values, constant),
    readable: ({ relationship }) => `readable(${relationship})`,
  };
  const flat = flatText(condition, spelling);
  return flat.length <= lineWidth ? flat : lines(condition, spelling, "").join("\n");
}

/** Describes cross-source values for readers. */
function crossSourceText({ table, column, where }: CrossSourceIr, constant: (text: string) => string): string {
  const { source, schema, name } = table;
  const condition = where ? ` where ${conditionText(where, name, constant)}` : "";
  return `{${column} of ${schema}.${name} in source ${source}${condition}}`;
}

/** Yields a condition and the conditions in it, outermost first. */
function* conditionsIn(condition: Condition): Iterable<Condition> {
  yield condition;
  switch (condition.kind) {
    case "all":
    case "any":
      for (const item of condition.items) yield* conditionsIn(item);
      break;
    case "not":
      yield* conditionsIn(condition.item);
      break;
    case "exists":
      yield* conditionsIn(condition.where);
      break;
    case "readable":
    case "test":
      break;
  }
}

/** Returns the cross-source values that a condition compares with. */
export function crossSourceIn(condition: Condition): readonly CrossSourceIr[] {
  const parts = [...conditionsIn(condition)].flatMap((part) => (part.kind === "test" ? part.sql : []));
  return parts.filter((part) => typeof part !== "string" && part.kind === "crossSource");
}

/** Returns the tests of related rows by the view of their table. */
export function readableIn(condition: Condition): readonly ReadableIr[] {
  return [...conditionsIn(condition)].filter((part) => part.kind === "readable");
}

/** Returns true if a condition has a part of a kind: the row, session variables, constants. */
export function mentions(condition: Condition, kind: Exclude<SqlPart, string>["kind"]): boolean {
  return [...conditionsIn(condition)].some((part) => {
    switch (part.kind) {
      case "exists":
        return mentionsPart(part.from, kind);
      case "readable":
        return kind === "session" || mentionsPart(part.row, kind);
      case "test":
        return mentionsPart(part.sql, kind);
      default:
        return false;
    }
  });
}

const mentionsPart = (parts: readonly SqlPart[], kind: Exclude<SqlPart, string>["kind"]): boolean =>
  parts.some((part) => typeof part !== "string" && part.kind === kind);

/** Lowering leaves no conjunction or disjunction with fewer than two items. */
const isCompound = ({ kind }: Condition): boolean => kind === "all" || kind === "any";

function flatText(condition: Condition, spelling: Spelling): string {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items
        .map((item) => (isCompound(item) ? `(${flatText(item, spelling)})` : flatText(item, spelling)))
        .join(` ${connective(condition.kind)} `);
    case "not":
      return `not (${flatText(condition.item, spelling)})`;
    case "exists":
      return `exists (${selectText(condition, spelling)} where ${flatText(condition.where, spelling)})`;
    case "readable":
      return spelling.readable(condition);
    case "test":
      return partsText(condition.sql, spelling);
  }
}

/** Returns the lines of a condition, each with the margin. */
function lines(condition: Condition, spelling: Spelling, margin: string): string[] {
  const flat = margin + flatText(condition, spelling);
  if (flat.length <= lineWidth && condition.kind !== "all" && condition.kind !== "any") return [flat];
  const inner = `${margin}  `;
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items.flatMap((item, i) => {
        const word = i === 0 ? "" : `${connective(condition.kind)} `;
        const block = isCompound(item) ? inParentheses(item, spelling, margin) : lines(item, spelling, margin);
        return prefixed(`${margin}${word}`, margin, block);
      });
    case "not":
      return [`${margin}not (`, ...lines(condition.item, spelling, inner), `${margin})`];
    case "exists": {
      const [first = "", ...rest] = lines(condition.where, spelling, inner);
      return [
        `${margin}exists (`,
        `${inner}${selectText(condition, spelling)}`,
        `${inner}where ${first.slice(inner.length)}`,
        ...rest,
        `${margin})`,
      ];
    }
    case "readable":
    case "test":
      return [flat];
  }
}

function inParentheses(condition: Condition, spelling: Spelling, margin: string): string[] {
  const flat = `${margin}(${flatText(condition, spelling)})`;
  return flat.length <= lineWidth ? [flat] : [`${margin}(`, ...lines(condition, spelling, `${margin}  `), `${margin})`];
}

function prefixed(prefix: string, margin: string, [first = "", ...rest]: readonly string[]): string[] {
  return [prefix + first.slice(margin.length), ...rest];
}

const connective = (kind: "all" | "any"): string => (kind === "all" ? "and" : "or");

const selectText = ({ from, alias }: Extract<Condition, { kind: "exists" }>, spelling: Spelling): string =>
  `select 1 from ${partsText(from, spelling)} ${spelling.text(alias)}`;

const partsText = (parts: readonly SqlPart[], spelling: Spelling): string =>
  parts.map((part) => partText(part, spelling)).join("");

function partText(part: SqlPart, { text, row, session, wholeSession, constant, crossSource }: Spelling): string {
  if (typeof part === "string") return text(part);
  switch (part.kind) {
    case "row":
      return row;
    case "session":
      return session(part.variable);
    case "whole_session":
      return wholeSession;
    case "constant":
      return constant(part.text);
    case "crossSource":
      return crossSource(part);
  }
}
