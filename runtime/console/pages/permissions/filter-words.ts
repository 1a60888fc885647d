/** Row filters as English sentences. */
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { operatorLabel } from "../../parts/operator-labels.ts";
import { isObject, isSessionVariable } from "./conditions.ts";
import type { Action } from "./draft.ts";

/** Maximum length of a value in a sentence. */
const maxLength = 40;

const verbs: Readonly<Record<Action, string>> = {
  select: "can read",
  insert: "can insert",
  update: "can update",
  delete: "can delete",
};

/** Returns a sentence such as `writer can read rows where owner equals the session variable x-engine-user-id.` */
export function filterSentence(role: string, action: Action, filter: Json | undefined): string {
  const subject = `${role} ${verbs[action]}`;
  if (!isObject(filter ?? {})) return `${subject} rows that match a condition in JSON.`;
  const words = conditionWords((filter ?? {}) as JsonObject);
  if (words === everyRow) return `${subject} all rows.`;
  if (words === noRow) return `${subject} no rows.`;
  return `${subject} rows where ${words}.`;
}

/** Returns a sentence about the rows after an update. */
export function checkSentence(check: Json | undefined): string {
  if (!isObject(check ?? {})) return "Updated rows must match a condition in JSON.";
  const words = conditionWords((check ?? {}) as JsonObject);
  if (words === everyRow) return "Updated rows may have any values.";
  return words === noRow ? "No update is accepted." : `After an update, the row must match: ${words}.`;
}

const everyRow = "every row matches";
const noRow = "no row matches";

/** Returns the condition as a clause; `everyRow` or `noRow` if it does not depend on the row. */
function conditionWords(filter: JsonObject): string {
  return joined(
    Object.entries(filter).map(([name, value]) => entryWords(name, value)),
    "and",
  );
}

function joined(parts: readonly string[], connective: "and" | "or"): string {
  const [neutral, absorbing] = connective === "and" ? [everyRow, noRow] : [noRow, everyRow];
  if (parts.includes(absorbing)) return absorbing;
  const others = parts.filter((part) => part !== neutral);
  if (others.length === 0) return neutral;
  return others.length === 1 ? (others[0] ?? "") : others.map(grouped).join(` ${connective} `);
}

/** Encloses a clause that contains a connective in parentheses. */
const grouped = (words: string): string => (/ (and|or) /.test(words) && !words.startsWith("(") ? `(${words})` : words);

function entryWords(name: string, value: Json): string {
  if ((name === "_and" || name === "_or") && Array.isArray(value)) {
    const parts = (value as readonly Json[]).map((each) =>
      isObject(each) ? conditionWords(each) : "a JSON condition",
    );
    return joined(parts, name === "_and" ? "and" : "or");
  }
  if (!isObject(value)) return `${name} matches ${valueWords(value)}`;
  if (name === "_not") return negated(conditionWords(value));
  if (name === "_exists") {
    const { _table: table, _where: where } = value;
    return relatedWords(`a row of ${tableWords(table)}`, isObject(where) ? where : {});
  }
  if (name === "_permitted" && typeof value.relationship === "string") {
    return `a related row of ${value.relationship} is readable`;
  }
  const operators = Object.entries(value);
  if (operators.length > 0 && operators.every(([operator]) => operator.startsWith("_") && !connectives.has(operator))) {
    return joined(
      operators.map(([operator, operand]) => operatorWords(name, operator, operand)),
      "and",
    );
  }
  return relatedWords(`a related row of ${name}`, value);
}

const connectives: ReadonlySet<string> = new Set(["_and", "_or", "_not", "_exists", "_permitted"]);

function negated(words: string): string {
  if (words === everyRow) return noRow;
  return words === noRow ? everyRow : `not (${words})`;
}

function relatedWords(row: string, filter: JsonObject): string {
  const words = conditionWords(filter);
  if (words === everyRow) return `${row} exists`;
  return words === noRow ? noRow : `${row} matches (${words})`;
}

function tableWords(table: Json | undefined): string {
  if (isObject(table) && typeof table.name === "string") return table.name;
  return typeof table === "string" ? table : "a table";
}

function operatorWords(column: string, operator: string, operand: Json): string {
  if (operator === "_is_null" && typeof operand === "boolean") return `${column} is ${operand ? "" : "not "}null`;
  const value = columnOperators.has(operator) && typeof operand === "string" ? operand : valueWords(operand);
  return `${column} ${operatorLabel(operator)} ${value}`;
}

const columnOperators: ReadonlySet<string> = new Set(["_ceq", "_cneq", "_cgt", "_cgte", "_clt", "_clte"]);

function valueWords(value: Json): string {
  if (isSessionVariable(value)) return `the session variable ${value.toLowerCase()}`;
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
