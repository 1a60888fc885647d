/**
 * The variables of a REST request: what its query string, body and path say, as the saved operation takes it
 * (`administration.md` 4.9.3 to 4.9.5, `automation.md` G.3 and G.4).
 */
import { EngineError } from "../../../values/errors.ts";
import { numberAsWritten } from "../../../values/json-number.ts";
import type { SavedVariable } from "../saved/variable.ts";

export interface RestInput {
  /** Of the query string, in its order; a name can come several times. */
  readonly query: Iterable<readonly [name: string, text: string]>;
  /** The members of a JSON object; other bodies say nothing. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The fields of a form in place of JSON; absent: the body is none. */
  readonly form?: Iterable<readonly [name: string, text: string]>;
  readonly path: ReadonlyMap<string, string>;
}

/**
 * The variables, without a prototype. Of several values for one the first counts: path, which the endpoint prescribes, query string, body.
 * @throws EngineError `bad-request` for variables that the operation does not have or that text cannot stand for
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
/** Numbers to the database, which also takes texts such as `NaN` for them and is the one to judge. */
const numericScalars: ReadonlySet<string> = new Set(["float8", "numeric"]);
const structured: ReadonlySet<string> = new Set(["json", "jsonb"]);

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const specialNumbers: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

/** The value that a text of the URL stands for; `undefined`: none. */
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
