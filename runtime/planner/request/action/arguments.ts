/** Arguments of actions: checked against custom types, as the JSON that the handler gets (`docs/actions.md`). */
import { type ArgumentNode, Kind, type ObjectFieldNode, type ValueNode, type VariableDefinitionNode } from "graphql";
import { typeNodeText } from "../../../definitions/saved/variable.ts";
import { type InputField, type InputObjectTypeDef, type InputTypeDef, typeText } from "../../../schema/types.ts";
import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
import { JsonNumber } from "../../../values/json-number.ts";
import { checkDepth } from "../budget.ts";
import type { Operation } from "../document.ts";
import { expectedOf, kindOfLiteral } from "../literal-names.ts";
import { isScalarLiteral, isScalarValue } from "../remote/scalar-value.ts";
import { fitsIn, itemOf, nonNullOf } from "../remote/type-text.ts";
import { unboundVariable } from "../undeclared-name.ts";
import { unknownArgument, unknownField } from "../unknown-field.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** A field with the arguments that a request gives it. */
export interface GivenArguments {
  readonly given: readonly GivenArgument[];
  /** Names of those that there have to be. */
  readonly required: readonly string[];
  /** Of the arguments. */
  readonly path: string;
}

interface GivenArgument {
  readonly name: string;
  readonly field: InputField;
  readonly node: ValueNode;
  readonly path: string;
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

/** @throws EngineError `validation-failed` for one that the field does not have */
export function givenArguments(
  field: string,
  known: ReadonlyMap<string, InputField>,
  nodes: readonly ArgumentNode[],
  path: string,
): GivenArguments {
  const given = nodes.map(({ name: { value: name }, value: node }): GivenArgument => {
    const definition = known.get(name);
    if (!definition) throw unknownArgument(path.replace(/\.args$/, ""), field, name, known);
    return { name, field: definition, node, path: pathTo(path, name) };
  });
  return { given, required: requiredOf(known), path };
}

function requiredOf(known: ReadonlyMap<string, InputField>): readonly string[] {
  return [...known].flatMap(([name, { required }]) => (required ? [name] : []));
}

/**
 * What a request gives; arguments that it leaves out, and those of variables that it does not give, are absent.
 * @param use is told of each variable; absent: it was before, when the types of all of them were checked
 * @throws EngineError `validation-failed` at the value at fault
 */
export function argumentValues(
  operation: Operation,
  { given, required, path }: GivenArguments,
  variables: Variables,
  use?: (variable: string) => void,
): Readonly<Record<string, unknown>> {
  const reader = new ArgumentReader(operation, variables, use);
  const values: Record<string, unknown> = {};
  for (const { name, field, node, path: at } of given) {
    const value = reader.place(field, node, at);
    if (value !== undefined) setMember(values, name, value);
  }
  checkRequired(required, values, path);
  return values;
}

/** Also of a name that stands for the prototype otherwise. */
function setMember(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

class ArgumentReader {
  readonly #operation: Operation;
  readonly #variables: Variables;
  readonly #use: ((variable: string) => void) | undefined;
  #level = 0;

  constructor(operation: Operation, variables: Variables, use: ((variable: string) => void) | undefined) {
    this.#operation = operation;
    this.#variables = variables;
    this.#use = use;
  }

  /** `undefined` where it is not given. */
  place(field: InputField, node: ValueNode, path: string): unknown {
    return this.#value(field.type(), placeOf(field), node, path);
  }

  #value(type: InputTypeDef, place: string, node: ValueNode, path: string): unknown {
    if (node.kind === Kind.VARIABLE) return this.#variable(type, place, node.name.value, path);
    const required = nonNullOf(place);
    if (node.kind === Kind.NULL) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${place}'`);
    }
    const item = itemOf(required ?? place);
    if (item !== undefined) {
      // A single value stands for a list of one (GraphQL specification, 3.11).
      if (node.kind !== Kind.LIST) return [this.#value(type, item, node, path)];
      return node.values.map((value, i) => this.#value(type, item, value, pathTo(path, i)) ?? null);
    }
    switch (type.kind) {
      case "scalar":
        if (!isScalarLiteral(type.name, node)) {
          const found = kindOfLiteral(node);
          throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found ${found}`);
        }
        return this.#literal(node, path);
      case "enum":
        if (node.kind !== Kind.ENUM) {
          throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfLiteral(node)}`);
        }
        return enumValue(type, node.value, path);
      case "input":
        if (node.kind !== Kind.OBJECT) {
          throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
        }
        return this.#object(type, membersOf(type, node.fields, path), path, (field, value, at) =>
          this.place(field, value, at),
        );
    }
  }

  #object<T>(
    type: InputObjectTypeDef,
    given: ReadonlyMap<string, T>,
    path: string,
    read: (field: InputField, value: T, path: string) => unknown,
  ): unknown {
    checkDepth(++this.#level, path);
    const known = type.fields();
    const values: Record<string, unknown> = {};
    for (const [name, value] of given) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      const member = read(definition, value, fieldPath);
      if (member !== undefined) setMember(values, name, member);
    }
    this.#level--;
    checkRequired(requiredOf(known), values, path);
    return values;
  }

  #variable(type: InputTypeDef, place: string, name: string, path: string): unknown {
    const declared = this.#operation.variables.get(name);
    if (!declared) throw unboundVariable(this.#operation, name, path);
    const { defaultValue } = declared;
    if (this.#use) {
      checkType(declared, { name, place, path });
      this.#use(name);
    }
    const value = this.#variables[name];
    if (value !== undefined) return this.#json(type, place, value, path);
    return defaultValue === undefined ? undefined : this.#value(type, place, defaultValue, path);
  }

  #json(type: InputTypeDef, place: string, value: unknown, path: string): unknown {
    const required = nonNullOf(place);
    if (value === null || value === undefined) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${place}'`);
    }
    const item = itemOf(required ?? place);
    if (item !== undefined) {
      if (!Array.isArray(value)) return [this.#json(type, item, value, path)];
      return value.map((each, i) => this.#json(type, item, each, pathTo(path, i)));
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
        return this.#object(type, new Map(Object.entries(value)), path, (field, member, at) =>
          this.#json(field.type(), placeOf(field), member, at),
        );
    }
  }

  /** What a scalar of the metadata or of a database is written as; variables may stand inside. */
  #literal(node: ValueNode, path: string): unknown {
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.#variableInside(node.name.value, path) ?? null;
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
        return node.values.map((value, i) => this.#literal(value, pathTo(path, i)));
      case Kind.OBJECT:
        return Object.fromEntries(
          node.fields.map(({ name, value }) => [name.value, this.#literal(value, pathTo(path, name.value))]),
        );
    }
  }

  #variableInside(name: string, path: string): unknown {
    const declared = this.#operation.variables.get(name);
    if (!declared) throw unboundVariable(this.#operation, name, path);
    this.#use?.(name);
    const value = this.#variables[name];
    return value === undefined && declared.defaultValue ? this.#literal(declared.defaultValue, path) : value;
  }
}

const places = new WeakMap<InputField, string>();

/** The type of a field as it is written. */
function placeOf(field: InputField): string {
  let place = places.get(field);
  if (place === undefined) {
    place = typeText(field);
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
