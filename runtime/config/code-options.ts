/** Options that are set in code, by their names there: those of their environment variables, in camel case. */
import { nearestName } from "../values/nearest-name.ts";
import type { ConfigurationProblem } from "./configuration-error.ts";
import { describeOptions, type OptionDescription } from "./options.ts";

/** `ENGINE_GRAPHQL_SERVER_PORT` → `serverPort`. */
export function codeName(variable: string): string {
  const words = variable.replace(/^ENGINE_(GRAPHQL_)?/, "").toLowerCase();
  return words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const numbers: ReadonlySet<string> = new Set(["bytes", "count", "milliseconds", "port", "ratio", "seconds"]);
const lists: ReadonlySet<string> = new Set([
  "features",
  "groups",
  "hosts,networks",
  "origins",
  "sources",
  "types",
  "variables",
]);

export type CodeType =
  | "boolean"
  | "number"
  | "number | string"
  | "string"
  | "string | object"
  | "string | readonly string[]";

/** The type of an option in TypeScript. */
export function codeType({ isSwitch, placeholder }: Pick<OptionDescription, "isSwitch" | "placeholder">): CodeType {
  if (isSwitch) return "boolean";
  if (numbers.has(placeholder)) return "number";
  if (placeholder === "count|auto") return "number | string";
  if (lists.has(placeholder)) return "string | readonly string[]";
  return placeholder === "json" ? "string | object" : "string";
}

/**
 * Values → texts of the variables that would say the same; `undefined` sets nothing. What a text may be is checked where
 * variables are read.
 */
export function codeVariables(options: Readonly<Record<string, unknown>>): {
  readonly variables: ReadonlyMap<string, string>;
  readonly problems: readonly ConfigurationProblem[];
} {
  const known = new Map(describeOptions().map((option) => [codeName(option.variable), option]));
  const variables = new Map<string, string>();
  const problems: ConfigurationProblem[] = [];
  for (const [name, value] of Object.entries(options)) {
    const option = known.get(name);
    if (value === undefined) continue;
    if (option === undefined) {
      const nearest = nearestName(name, known.keys());
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      problems.push({ setting: name, message: `there is no such option${hint}` });
      continue;
    }
    const text = textOf(value, codeType(option));
    if (text === undefined) problems.push({ setting: name, message: `has to be ${wanted[codeType(option)]}` });
    else variables.set(option.variable, text);
  }
  return { variables, problems };
}

const wanted: Readonly<Record<CodeType, string>> = {
  boolean: "true or false",
  number: "a number",
  "number | string": "a number or a text",
  string: "a text",
  "string | object": "a text with JSON, or an object",
  "string | readonly string[]": "a text, or a list of texts",
};

function textOf(value: unknown, type: CodeType): string | undefined {
  if (type === "boolean" || type === "number") return typeof value === type ? String(value) : undefined;
  if (typeof value === "string") return value;
  if (type === "number | string") return typeof value === "number" ? String(value) : undefined;
  if (type === "string | object" && typeof value === "object" && value !== null) return JSON.stringify(value);
  const isList = type === "string | readonly string[]" && Array.isArray(value);
  return isList && value.every((item) => typeof item === "string") ? value.join(",") : undefined;
}
