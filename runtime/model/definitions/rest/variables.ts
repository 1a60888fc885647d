/** Reads the variables of a saved operation from a REST request: its query string, body and path. */
import { EngineError } from "../../../values/errors.ts";
import { numberAsWritten } from "../../../values/json-number.ts";
import type { SavedVariable } from "../saved/variable.ts";

export interface RestInput {
  /** Query string in order; names may repeat. */
  readonly query: Iterable<readonly [name: string, text: string]>;
  /** Members of a JSON object; `null` for other bodies. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Fields of a form; absent if the body is not a form. */
  readonly form?: Iterable<readonly [name: string, text: string]>;
  readonly path: ReadonlyMap<string, string>;
}

/**
 * Returns the variables, without a prototype. If a variable occurs several times, the path takes precedence, then the
 * query string, then the body; within each of these, the first value.
 * @throws EngineError `bad-request` for unknown variables, and for texts that are not valid for a variable's type
 */
export function restVariables(
  { query, body, form = [], path }: RestInput,
  declared: Readonly<Record<string, SavedVariable>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null);
  const seen = new Set<string>();
  const add = (name: string, read: (variable: SavedVariable) => unknown): void => {
    const variable = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!variable) throw badRequest(`Unexpected variable ${name}`);
    if (seen.has(name)) return;
    seen.add(name);
    const value = read(variable);
    if (value !== undefined) values[name] = value;
  };
  for (const [name, text] of path) add(name, (variable) => fromText(name, variable, text));
  for (const [name, text] of query) add(name, (variable) => fromText(name, variable, text));
  for (const name of Object.keys(body ?? {})) add(name, () => body?.[name]);
  for (const [name, text] of form) add(name, (variable) => fromText(name, variable, text));
  return values;
}

const booleans: ReadonlySet<string> = new Set(["Boolean", "Bool"]);
const numbers: ReadonlySet<string> = new Set(["Int", "Float", "Number", "Double"]);
/** Numeric types of the database, which also accepts texts such as `NaN` and validates them. */
const numericScalars: ReadonlySet<string> = new Set(["float8", "numeric"]);
const structured: ReadonlySet<string> = new Set(["json", "jsonb"]);

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const specialNumbers: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

/** Converts a text of the URL to a value; `undefined` means absent. */
function fromText(variableName: string, { type, name, list, required }: SavedVariable, text: string): unknown {
  if (list) {
    const value = `(Variable ${variableName}, with value ${JSON.stringify(text)})`;
    throw badRequest(`List variables are not currently supported in URL or Query parameters. ${value}`);
  }
  if (text === "" && booleans.has(name)) return true;
  if (text === "" && !required) return undefined;
  if (booleans.has(name)) {
    if (text === "true") return true;
    if (text === "false") return false;
    throw wrongType(variableName, type, text);
  }
  if ((numbers.has(name) || numericScalars.has(name)) && jsonNumber.test(text)) return numberAsWritten(text);
  if (structured.has(name) || (numbers.has(name) && !(name === "Float" && specialNumbers.has(text)))) {
    throw wrongType(variableName, type, text);
  }
  return text;
}

function wrongType(name: string, type: string, text: string): EngineError {
  const value = `(Variable ${name}, with value ${JSON.stringify(text)})`;
  return badRequest(`Values of type ${type} cannot be read from URL or Query parameters like this. ${value}`);
}

function badRequest(message: string): EngineError {
  return new EngineError("bad-request", "$", message);
}
