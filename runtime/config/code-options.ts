/** Options set in code. Their names are those of the environment variables in camel case. */
import { nearestName } from "../values/nearest-name.ts";
import type { ConfigurationProblem } from "./configuration-error.ts";
import { optionTable } from "./option-table.ts";
import { describeOptions, type OptionDescription } from "./options.ts";

/** Returns the name of an option in code: `ENGINE_GRAPHQL_SERVER_PORT` → `serverPort`. */
export function codeName(variable: string): string {
  const words = variable.replace(/^ENGINE_(GRAPHQL_)?/, "").toLowerCase();
  return words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Read before the code that could set it. */
const { variable: secretsDirectory } = optionTable.secretsDirectory;

/** Returns the options that code can set. */
export const codeOptions = (): readonly OptionDescription[] =>
  describeOptions().filter(({ variable }) => variable !== secretsDirectory);

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

/** Returns the TypeScript type of an option. */
export function codeType({ isSwitch, valueName }: Pick<OptionDescription, "isSwitch" | "valueName">): CodeType {
  if (isSwitch) return "boolean";
  if (numbers.has(valueName)) return "number";
  if (valueName === "count|auto") return "number | string";
  if (lists.has(valueName)) return "string | readonly string[]";
  return valueName === "json" ? "string | object" : "string";
}

/**
 * Converts option values to the texts of the corresponding environment variables. `undefined` sets nothing. The texts
 * are validated when variables are parsed.
 */
export function codeVariables(options: Readonly<Record<string, unknown>>): {
  readonly variables: ReadonlyMap<string, string>;
  readonly problems: readonly ConfigurationProblem[];
} {
  const known = new Map(codeOptions().map((option) => [codeName(option.variable), option]));
  const variables = new Map<string, string>();
  const problems: ConfigurationProblem[] = [];
  for (const [name, value] of Object.entries(options)) {
    const option = known.get(name);
    if (value === undefined) continue;
    if (name === codeName(secretsDirectory)) {
      problems.push({ setting: name, message: `set ${secretsDirectory} in the environment instead` });
      continue;
    }
    if (option === undefined) {
      const nearest = nearestName(name, known.keys());
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      problems.push({ setting: name, message: `unknown option${hint}` });
      continue;
    }
    const text = textOf(value, codeType(option));
    if (text === undefined) problems.push({ setting: name, message: `must be ${expectedTypes[codeType(option)]}` });
    else variables.set(option.variable, text);
  }
  return { variables, problems };
}

const expectedTypes: Readonly<Record<CodeType, string>> = {
  boolean: "true or false",
  number: "a number",
  "number | string": "a number or a string",
  string: "a string",
  "string | object": "a JSON string or an object",
  "string | readonly string[]": "a string or an array of strings",
};

function textOf(value: unknown, type: CodeType): string | undefined {
  if (type === "boolean" || type === "number") return typeof value === type ? String(value) : undefined;
  if (typeof value === "string") return value;
  if (type === "number | string") return typeof value === "number" ? String(value) : undefined;
  if (type === "string | object" && typeof value === "object" && value !== null) return JSON.stringify(value);
  const isList = type === "string | readonly string[]" && Array.isArray(value);
  return isList && value.every((item) => typeof item === "string") ? value.join(",") : undefined;
}
