/** Conditions as SQL templates: on one line where it fits, else one line for each part. */
import type { Condition, SqlPart } from "../3-lower/ir.ts";
import { lineWidth } from "./comments.ts";
import { stringLiteral, templateText } from "./escape.ts";

/** What the template calls the things around it. */
export interface TemplateNames {
  readonly sql: string;
  readonly row: string;
  readonly session: string;
  readonly constant: string;
  /** All session variables. */
  readonly wholeSession: string;
}

/** A tagged template, whose line begins with `column` other characters. */
export function conditionTemplate(condition: Condition, names: TemplateNames, column: number): string {
  const flat = `${names.sql}\`${flatText(condition, names)}\``;
  if (column + flat.length < lineWidth) return flat;
  return `${names.sql}\`\n${lines(condition, names, "  ").join("\n")}\``;
}

/** Whether a template mentions the row, session variables or constants. */
export function mentions(condition: Condition, kind: Exclude<SqlPart, string>["kind"]): boolean {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items.some((item) => mentions(item, kind));
    case "not":
      return mentions(condition.item, kind);
    case "exists":
      return mentionsPart(condition.from, kind) || mentions(condition.where, kind);
    case "test":
      return mentionsPart(condition.sql, kind);
  }
}

const mentionsPart = (parts: readonly SqlPart[], kind: Exclude<SqlPart, string>["kind"]): boolean =>
  parts.some((part) => typeof part !== "string" && part.kind === kind);

const isCompound = (condition: Condition): boolean =>
  (condition.kind === "all" || condition.kind === "any") && condition.items.length > 1;

function flatText(condition: Condition, names: TemplateNames): string {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items
        .map((item) => (isCompound(item) ? `(${flatText(item, names)})` : flatText(item, names)))
        .join(` ${connective(condition.kind)} `);
    case "not":
      return `not (${flatText(condition.item, names)})`;
    case "exists":
      return `exists (${selectText(condition, names)} where ${flatText(condition.where, names)})`;
    case "test":
      return partsText(condition.sql, names);
  }
}

/** The lines of a condition, each with the margin. */
function lines(condition: Condition, names: TemplateNames, margin: string): string[] {
  const flat = margin + flatText(condition, names);
  if (flat.length <= lineWidth && condition.kind !== "all" && condition.kind !== "any") return [flat];
  const inner = `${margin}  `;
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.items.flatMap((item, i) => {
        const word = i === 0 ? "" : `${connective(condition.kind)} `;
        const block = isCompound(item) ? inParentheses(item, names, margin) : lines(item, names, margin);
        return prefixed(`${margin}${word}`, margin, block);
      });
    case "not":
      return [`${margin}not (`, ...lines(condition.item, names, inner), `${margin})`];
    case "exists": {
      const [first = "", ...rest] = lines(condition.where, names, inner);
      return [
        `${margin}exists (`,
        `${inner}${selectText(condition, names)}`,
        `${inner}where ${first.slice(inner.length)}`,
        ...rest,
        `${margin})`,
      ];
    }
    case "test":
      return [flat];
  }
}

function inParentheses(condition: Condition, names: TemplateNames, margin: string): string[] {
  const flat = `${margin}(${flatText(condition, names)})`;
  return flat.length <= lineWidth ? [flat] : [`${margin}(`, ...lines(condition, names, `${margin}  `), `${margin})`];
}

function prefixed(prefix: string, margin: string, [first = "", ...rest]: readonly string[]): string[] {
  return [prefix + first.slice(margin.length), ...rest];
}

const connective = (kind: "all" | "any"): string => (kind === "all" ? "and" : "or");

const selectText = ({ from, alias }: Extract<Condition, { kind: "exists" }>, names: TemplateNames): string =>
  `select 1 from ${partsText(from, names)} ${templateText(alias)}`;

const partsText = (parts: readonly SqlPart[], names: TemplateNames): string =>
  parts.map((part) => partText(part, names)).join("");

function partText(part: SqlPart, names: TemplateNames): string {
  if (typeof part === "string") return templateText(part);
  switch (part.kind) {
    case "row":
      return `\${${names.row}}`;
    case "session":
      return `\${${names.session}(${stringLiteral(part.variable)})}`;
    case "whole_session":
      return `\${${names.wholeSession}}`;
    case "constant":
      return `\${${names.constant}(${stringLiteral(part.text)})}`;
  }
}
