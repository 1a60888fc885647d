/**
 * Checks arguments against the JSON Schema of a tool (2020-12), without compiling code, which sealed servers forbid.
 * Supports the keywords of generated schemas; others are ignored. The planner validates values again.
 */
import type { JsonSchema } from "../../model/definitions/tools/agent-tool.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { integerOf, isJsonNumber, JsonNumber, numberText } from "../../values/json-number.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { quoted } from "../../values/quoted.ts";

/** A problem with its path; `undefined` for a valid value. */
type Problem = { readonly path: string; readonly message: string } | undefined;

/** @throws EngineError `parse-failed` with the path of the first wrong argument */
export function checkArguments(schema: JsonSchema, values: Readonly<Record<string, unknown>>): void {
  const problem = check({ root: schema }, schema, values, "$");
  if (problem !== undefined) throw new EngineError("parse-failed", problem.path, problem.message);
}

interface Context {
  readonly root: JsonSchema;
}

function check(context: Context, schema: unknown, value: unknown, path: string): Problem {
  if (schema === false) return { path, message: "no value is allowed" };
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === "string") return check(context, resolve(context.root, schema.$ref), value, path);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return checkAlternatives(context, alternatives, value, path);
  return (
    checkType(schema.type, value, path) ??
    checkChoice(schema, value, path) ??
    checkBounds(schema, value, path) ??
    checkItems(context, schema, value, path) ??
    checkMembers(context, schema, value, path)
  );
}

function resolve(root: JsonSchema, reference: string): unknown {
  const name = reference.startsWith("#/$defs/") ? reference.slice("#/$defs/".length) : undefined;
  const { $defs: definitions } = root;
  return name !== undefined && isObject(definitions) ? definitions[name] : undefined;
}

/** Reports the problem of the alternative that accepts the type of the value, if there is only one. */
function checkAlternatives(context: Context, alternatives: readonly unknown[], value: unknown, path: string): Problem {
  const problems = alternatives.map((each) => check(context, each, value, path));
  if (problems.some((problem) => problem === undefined)) return undefined;
  const deeper = problems.filter((problem) => problem?.path !== path);
  return (deeper.length === 1 ? deeper[0] : undefined) ?? problems[0] ?? { path, message: "no value is allowed" };
}

const matchers: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: isJsonNumber,
  integer: (value) => (value instanceof JsonNumber ? integerOf(value.text) !== undefined : Number.isInteger(value)),
  array: Array.isArray,
  object: isObject,
};

function checkType(type: unknown, value: unknown, path: string): Problem {
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((each) => typeof each === "string" && matchers[each]?.(value) !== false)) return undefined;
  return { path, message: `expected ${types.join(" or ")}, but found ${kindOf(value)}` };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (isJsonNumber(value)) return "a number";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function checkChoice({ enum: choices, const: only }: JsonSchema, value: unknown, path: string): Problem {
  const allowed = only !== undefined ? [only] : choices;
  if (!Array.isArray(allowed) || allowed.includes(value)) return undefined;
  const texts = allowed.filter((each) => typeof each === "string");
  const hint = typeof value === "string" ? didYouMean(value, texts) : undefined;
  const shown = allowed
    .slice(0, maxShown)
    .map((each) => JSON.stringify(each))
    .join(", ");
  return { path, message: `expected one of ${shown}${hint === undefined ? "" : `; ${hint}`}` };
}

/** Maximum number of names in a message. */
const maxShown = 20;

function checkBounds(schema: JsonSchema, value: unknown, path: string): Problem {
  if (isJsonNumber(value)) {
    const number = Number(numberText(value));
    const { minimum, maximum } = schema;
    if (typeof minimum === "number" && number < minimum) return { path, message: `the minimum is ${minimum}` };
    if (typeof maximum === "number" && number > maximum) return { path, message: `the maximum is ${maximum}` };
  }
  const length = typeof value === "string" ? lengthOf(value) : Array.isArray(value) ? value.length : undefined;
  if (length === undefined) return undefined;
  const unit = typeof value === "string" ? "characters" : "items";
  const [least, most] =
    typeof value === "string" ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
  if (typeof least === "number" && length < least) return { path, message: `the minimum is ${least} ${unit}` };
  if (typeof most === "number" && length > most) return { path, message: `the maximum is ${most} ${unit}` };
  return undefined;
}

/** Returns the number of code points. */
function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkItems(context: Context, { items }: JsonSchema, value: unknown, path: string): Problem {
  if (items === undefined || !Array.isArray(value)) return undefined;
  for (const [i, item] of value.entries()) {
    const problem = check(context, items, item, pathTo(path, i));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkMembers(context: Context, schema: JsonSchema, value: unknown, path: string): Problem {
  if (!isObject(value)) return undefined;
  const { properties, required, additionalProperties } = schema;
  const known = isObject(properties) ? properties : {};
  for (const name in value) {
    const member = value[name];
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    const problem =
      own === undefined
        ? checkUnknown(context, { name, known, additionalProperties }, member, path)
        : check(context, own, member, pathTo(path, name));
    if (problem !== undefined) return problem;
  }
  if (!Array.isArray(required)) return undefined;
  const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
  return missing === undefined ? undefined : { path, message: `${quoted(missing)} is missing` };
}

interface UnknownMember {
  readonly name: string;
  readonly known: object;
  readonly additionalProperties: unknown;
}

function checkUnknown(
  context: Context,
  { name, known, additionalProperties }: UnknownMember,
  member: unknown,
  path: string,
): Problem {
  if (additionalProperties !== false) return check(context, additionalProperties, member, pathTo(path, name));
  const shown = name.slice(0, maxNameLength);
  const names = Object.keys(known);
  const hint = didYouMean(shown, names);
  const list = names.length === 0 ? "there are none" : `there are ${names.slice(0, maxShown).join(", ")}`;
  return { path: pathTo(path, shown), message: `unknown argument ${quoted(shown)}; ${hint ?? list}` };
}

const maxNameLength = 100;
