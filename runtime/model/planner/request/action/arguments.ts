/** Validates arguments of actions against custom types and converts them to JSON for the handler (`docs/how-to/actions.md`). */
import { type ArgumentNode, Kind, type ObjectFieldNode, type ValueNode, type VariableDefinitionNode } from "graphql";
import { kindOfValue } from "../../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { JsonNumber } from "../../../../values/json-number.ts";
import { typeNodeText } from "../../../definitions/saved/variable.ts";
import { type InputField, type InputObjectTypeDef, type InputTypeDef, typeText } from "../../../schema/types.ts";
import { checkDepth } from "../budget.ts";
import type { Operation } from "../document.ts";
import { expectedOf, kindOfLiteral } from "../literal-names.ts";
import { isScalarLiteral, isScalarValue } from "../remote/scalar-value.ts";
import { fitsIn, itemOf, nonNullOf } from "../remote/type-text.ts";
import { unboundVariable } from "../undeclared-name.ts";
import { unknownArgument, unknownField } from "../unknown-field.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** The arguments of a field, before variables are bound. */
export interface ActionArguments {
  readonly given: readonly GivenArgument[];
  /** Names of required arguments. */
  readonly required: readonly string[];
  /** Path of the field. */
  readonly path: string;
  /** Defaults of variables, by name. */
  readonly defaults: ReadonlyMap<string, ValueNode>;
}

interface GivenArgument {
  readonly name: string;
  readonly field: InputField;
  readonly node: ValueNode;
  readonly path: string;
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

/**
 * Validates the arguments of a field without values of variables.
 * @param use called with each variable
 * @throws EngineError `validation-failed` at the path of the invalid value
 */
export function actionArguments(
  operation: Operation,
  field: {
    readonly name: string;
    readonly known: ReadonlyMap<string, InputField>;
    readonly nodes: readonly ArgumentNode[];
    readonly path: string;
  },
  use: (variable: string) => void,
): ActionArguments {
  const { name: fieldName, known, nodes, path } = field;
  const given = nodes.map(({ name: { value: name }, value: node }): GivenArgument => {
    const definition = known.get(name);
    if (!definition) throw unknownArgument(path, fieldName, name, known);
    return { name, field: definition, node, path: argumentPath(path, name) };
  });
  const defaults = new Map<string, ValueNode>();
  const written = { given, required: requiredOf(known), path, defaults };
  readArguments(written, (name, expected, at) => {
    const declared = operation.variables.get(name);
    if (!declared) throw unboundVariable(operation, name, at);
    if (expected) checkType(declared, { name, expected: expected.text, path: at });
    use(name);
    if (declared.defaultValue) defaults.set(name, declared.defaultValue);
    return unboundValue;
  });
  return written;
}

/** Placeholder for a variable's value during planning. */
const unboundValue = Symbol("unbound value");

/**
 * Returns the argument values of a request, without omitted arguments and arguments with omitted variables.
 * @throws EngineError `validation-failed` at the path of the invalid value
 */
export function argumentValues(written: ActionArguments, variables: Variables): Readonly<Record<string, unknown>> {
  const { defaults } = written;
  return readArguments(written, (name, expected, path, reader) => {
    const value = variables[name];
    if (value !== undefined) return expected ? reader.json(expected, value, path) : value;
    const standard = defaults.get(name);
    return standard && (expected ? reader.value(expected, standard, path) : reader.literal(standard, path));
  });
}

function readArguments(
  { given, required, path }: ActionArguments,
  variable: ReadVariable,
): Readonly<Record<string, unknown>> {
  const reader = new ArgumentReader(variable);
  const values: Record<string, unknown> = {};
  for (const { name, field, node, path: at } of given) {
    const value = reader.value(expectedTypeOf(field), node, at);
    if (value !== undefined) setMember(values, name, value);
  }
  checkRequired(required, values, pathTo(path, "args"));
  return values;
}

/** @param path of the field */
export const argumentPath = (path: string, name: string): string => pathTo(pathTo(path, "args"), name);

export const requiredOf = (known: ReadonlyMap<string, InputField>): readonly string[] =>
  [...known].flatMap(([name, { required }]) => (required ? [name] : []));

/** Sets a member, even if its name is `__proto__`. */
function setMember(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The type expected of a value. */
interface ExpectedType {
  readonly type: InputTypeDef;
  /** In GraphQL syntax: `[Item!]!`. */
  readonly text: string;
}

/**
 * @param expected `undefined` inside a scalar
 * @returns `undefined` if the variable has no value
 */
type ReadVariable = (name: string, expected: ExpectedType | undefined, path: string, reader: ArgumentReader) => unknown;

class ArgumentReader {
  readonly #variable: ReadVariable;
  #level = 0;

  constructor(variable: ReadVariable) {
    this.#variable = variable;
  }

  /** Reads a literal or variable; `undefined` if it has no value. */
  value(expected: ExpectedType, node: ValueNode, path: string): unknown {
    const { type, text } = expected;
    if (node.kind === Kind.VARIABLE) return this.#variable(node.name.value, expected, path, this);
    const required = nonNullOf(text);
    if (node.kind === Kind.NULL) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${text}'`);
    }
    const item = itemOf(required ?? text);
    if (item !== undefined) {
      const inner = { type, text: item };
      // A single value is coerced to a list of one item (GraphQL specification, 3.11).
      if (node.kind !== Kind.LIST) return [this.value(inner, node, path)];
      return node.values.map((value, i) => this.value(inner, value, pathTo(path, i)) ?? null);
    }
    switch (type.kind) {
      case "scalar":
        if (!isScalarLiteral(type.name, node)) {
          const found = kindOfLiteral(node);
          throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found ${found}`);
        }
        return this.literal(node, path);
      case "enum":
        if (node.kind !== Kind.ENUM) {
          throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfLiteral(node)}`);
        }
        return enumValue(type, node.value, path);
      case "input":
        if (node.kind !== Kind.OBJECT) {
          throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
        }
        return this.#object(type, membersOf(type, node.fields, path), path, (inner, value, at) =>
          this.value(inner, value, at),
        );
    }
  }

  #object<T>(
    type: InputObjectTypeDef,
    given: ReadonlyMap<string, T>,
    path: string,
    read: (expected: ExpectedType, value: T, path: string) => unknown,
  ): unknown {
    checkDepth(++this.#level, path);
    const known = type.fields();
    const values: Record<string, unknown> = {};
    for (const [name, value] of given) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      const member = read(expectedTypeOf(definition), value, fieldPath);
      if (member !== undefined) setMember(values, name, member);
    }
    this.#level--;
    checkRequired(requiredOf(known), values, path);
    return values;
  }

  /** Reads a variable's JSON value. */
  json(expected: ExpectedType, value: unknown, path: string): unknown {
    const { type, text } = expected;
    const required = nonNullOf(text);
    if (value === null || value === undefined) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${text}'`);
    }
    const item = itemOf(required ?? text);
    if (item !== undefined) {
      const inner = { type, text: item };
      if (!Array.isArray(value)) return [this.json(inner, value, path)];
      return value.map((each, i) => this.json(inner, each, pathTo(path, i)));
    }
    switch (type.kind) {
      case "scalar": {
        if (isScalarValue(type.name, value)) return value;
        const found = kindOfValue(value, false);
        throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found ${found}`);
      }
      case "enum":
        if (typeof value === "string") return enumValue(type, value, path);
        throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfValue(value, false)}`);
      case "input":
        if (!isObject(value)) {
          throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfValue(value, false)}`);
        }
        return this.#object(type, new Map(Object.entries(value)), path, (inner, member, at) =>
          this.json(inner, member, at),
        );
    }
  }

  /** Reads a literal of a custom or database scalar, which may contain variables. */
  literal(node: ValueNode, path: string): unknown {
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.#variable(node.name.value, undefined, path, this) ?? null;
      case Kind.INT:
      case Kind.FLOAT: {
        const number = Number(node.value);
        return String(number) === node.value ? number : new JsonNumber(node.value);
      }
      case Kind.STRING:
      case Kind.BOOLEAN:
      case Kind.ENUM:
        return node.value;
      case Kind.NULL:
        return null;
      case Kind.LIST:
        return node.values.map((value, i) => this.literal(value, pathTo(path, i)));
      case Kind.OBJECT:
        return Object.fromEntries(
          node.fields.map(({ name, value }) => [name.value, this.literal(value, pathTo(path, name.value))]),
        );
    }
  }
}

const expectedTypes = new WeakMap<InputField, ExpectedType>();

function expectedTypeOf(field: InputField): ExpectedType {
  let expected = expectedTypes.get(field);
  if (expected === undefined) {
    expected = { type: field.type(), text: typeText(field) };
    expectedTypes.set(field, expected);
  }
  return expected;
}

function checkType(
  { type, defaultValue }: VariableDefinitionNode,
  { name, expected, path }: { readonly name: string; readonly expected: string; readonly path: string },
): void {
  const text = typeNodeText(type);
  const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
  if (fitsIn(text, expected, { hasDefault })) return;
  throw invalid(path, `variable '${name}' is declared as '${text}', but used where '${expected}' is expected`);
}

function membersOf(
  type: InputObjectTypeDef,
  fields: readonly ObjectFieldNode[],
  path: string,
): ReadonlyMap<string, ValueNode> {
  const members = new Map<string, ValueNode>();
  for (const { name, value } of fields) {
    const message = `'${type.name}' has several fields named '${name.value}'`;
    if (members.has(name.value)) throw invalid(pathTo(path, name.value), message);
    members.set(name.value, value);
  }
  return members;
}

function checkRequired(required: readonly string[], given: Variables, path: string): void {
  for (const name of required) {
    if (!Object.hasOwn(given, name)) throw invalid(pathTo(path, name), `missing required field '${name}'`);
  }
}

function enumValue(type: Extract<InputTypeDef, { kind: "enum" }>, value: string, path: string): string {
  if (type.values.has(value)) return value;
  const names = [...type.values.keys()].map((each) => `'${each}'`).join(", ");
  throw invalid(path, `expected one of the values [${names}] for type '${type.name}', but found '${value}'`);
}
