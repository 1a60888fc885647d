/** Arguments of actions: checked against custom types, as the JSON that the handler gets (`docs/actions.md`). */
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

/** The arguments of a field, as far as they do not depend on values. */
export interface ActionArguments {
  readonly given: readonly GivenArgument[];
  /** Names of those that there have to be. */
  readonly required: readonly string[];
  /** Of the field. */
  readonly path: string;
  /** What stands in for variables that are not given, by their names. */
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
 * What a request gives a field, checked without values of variables.
 * @param use is told of each variable
 * @throws EngineError `validation-failed` at the place at fault
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
  readArguments(written, (name, place, at) => {
    const declared = operation.variables.get(name);
    if (!declared) throw unboundVariable(operation, name, at);
    if (place) checkType(declared, { name, place: place.text, path: at });
    use(name);
    if (declared.defaultValue) defaults.set(name, declared.defaultValue);
    return notKnownYet;
  });
  return written;
}

/** The value of a variable while a request is planned. */
const notKnownYet = Symbol("not known yet");

/**
 * What a request gives; arguments that it leaves out, and those of variables that it does not give, are absent.
 * @throws EngineError `validation-failed` at the value at fault
 */
export function argumentValues(written: ActionArguments, variables: Variables): Readonly<Record<string, unknown>> {
  const { defaults } = written;
  return readArguments(written, (name, place, path, reader) => {
    const value = variables[name];
    if (value !== undefined) return place ? reader.json(place, value, path) : value;
    const standard = defaults.get(name);
    return standard && (place ? reader.value(place, standard, path) : reader.literal(standard, path));
  });
}

function readArguments(
  { given, required, path }: ActionArguments,
  variable: ReadVariable,
): Readonly<Record<string, unknown>> {
  const reader = new ArgumentReader(variable);
  const values: Record<string, unknown> = {};
  for (const { name, field, node, path: at } of given) {
    const value = reader.value(placeOf(field), node, at);
    if (value !== undefined) setMember(values, name, value);
  }
  checkRequired(required, values, pathTo(path, "args"));
  return values;
}

/** @param path of the field */
export const argumentPath = (path: string, name: string): string => pathTo(pathTo(path, "args"), name);

export const requiredOf = (known: ReadonlyMap<string, InputField>): readonly string[] =>
  [...known].flatMap(([name, { required }]) => (required ? [name] : []));

/** Also of a name that stands for the prototype otherwise. */
function setMember(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Where a value stands. */
interface Place {
  readonly type: InputTypeDef;
  /** The type as it is written: `[Item!]!`. */
  readonly text: string;
}

/**
 * @param place absent: inside of a scalar
 * @returns `undefined`: it has no value
 */
type ReadVariable = (name: string, place: Place | undefined, path: string, reader: ArgumentReader) => unknown;

class ArgumentReader {
  readonly #variable: ReadVariable;
  #level = 0;

  constructor(variable: ReadVariable) {
    this.#variable = variable;
  }

  /** What is written; `undefined` where it is not given. */
  value(place: Place, node: ValueNode, path: string): unknown {
    const { type, text } = place;
    if (node.kind === Kind.VARIABLE) return this.#variable(node.name.value, place, path, this);
    const required = nonNullOf(text);
    if (node.kind === Kind.NULL) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${text}'`);
    }
    const item = itemOf(required ?? text);
    if (item !== undefined) {
      const inner = { type, text: item };
      // A single value stands for a list of one (GraphQL specification, 3.11).
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
    read: (place: Place, value: T, path: string) => unknown,
  ): unknown {
    checkDepth(++this.#level, path);
    const known = type.fields();
    const values: Record<string, unknown> = {};
    for (const [name, value] of given) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      const member = read(placeOf(definition), value, fieldPath);
      if (member !== undefined) setMember(values, name, member);
    }
    this.#level--;
    checkRequired(requiredOf(known), values, path);
    return values;
  }

  /** What a variable gives. */
  json(place: Place, value: unknown, path: string): unknown {
    const { type, text } = place;
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

  /** What a scalar of the metadata or of a database is written as; variables may stand inside. */
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

const places = new WeakMap<InputField, Place>();

function placeOf(field: InputField): Place {
  let place = places.get(field);
  if (place === undefined) {
    place = { type: field.type(), text: typeText(field) };
    places.set(field, place);
  }
  return place;
}

function checkType(
  { type, defaultValue }: VariableDefinitionNode,
  { name, place, path }: { readonly name: string; readonly place: string; readonly path: string },
): void {
  const text = typeNodeText(type);
  const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
  if (fitsIn(text, place, { hasDefault })) return;
  throw invalid(path, `variable '${name}' is declared as '${text}', but used where '${place}' is expected`);
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
