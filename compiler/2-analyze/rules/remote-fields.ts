/**
 * Checks the remote field of a relationship: `{name: {arguments, field?}}`, with one name at each level. The fields and
 * arguments exist, and the values have their types.
 */
import { isObject } from "../../../runtime/values/is-object.ts";
import { isJsonNumber, numberText } from "../../../runtime/values/json-number.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import {
  namedRemoteType,
  printRemoteType,
  type RemoteField,
  type RemoteInput,
  type RemoteShape,
  type RemoteTypeRef,
} from "../../shape/remote-shape.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** Join fields available to arguments, with their types if known. */
type Variables = ReadonlyMap<string, string | undefined>;

/**
 * Checks a remote field.
 * @param shape `undefined` if the remote schema was not introspected: the field is then assumed valid
 * @throws Rejection
 */
export function checkRemoteField(field: JsonObject, variables: Variables, shape: RemoteShape | undefined): void {
  new RemoteCall(variables, shape).check(field, shape?.query);
}

class RemoteCall {
  readonly #variables: Variables;
  readonly #shape: RemoteShape | undefined;

  constructor(variables: Variables, shape: RemoteShape | undefined) {
    this.#variables = variables;
    this.#shape = shape;
  }

  /** @param owner the type that contains the field */
  check(given: JsonObject, owner: string | undefined): void {
    for (const [name, call] of Object.entries(given)) {
      if (!isObject(call)) continue;
      const field = owner === undefined ? undefined : this.#field(owner, name);
      const args = isObject(call.arguments) ? call.arguments : {};
      this.#checkArguments(args, field?.arguments);
      if (!isObject(call.field)) continue;
      const missing = field?.arguments.find((each) => isRequired(each) && !Object.hasOwn(args, each.name));
      // Requests can set only the arguments of the last field.
      if (missing !== undefined) reject(`required argument with name "${missing.name}" is missing`);
      this.check(call.field, field === undefined ? undefined : namedRemoteType(field.type));
    }
  }

  #field(owner: string, name: string): RemoteField {
    const type = this.#shape?.types.get(owner);
    const fields = type?.kind === "object" || type?.kind === "interface" ? type.fields : [];
    const found = fields.find((each) => each.name === name);
    if (found !== undefined) return found;
    const isRoot = owner === this.#shape?.query;
    const reason = isRoot
      ? `field with name "${name}" not found in remote schema`
      : `remote field with name "${name}" and type "${owner}" not found`;
    return rejectUnknown(
      reason,
      name,
      fields.map((each) => each.name),
    );
  }

  #checkArguments(given: JsonObject, known: readonly RemoteInput[] | undefined): void {
    for (const [name, value] of Object.entries(given)) {
      const argument = known?.find((each) => each.name === name);
      if (known !== undefined && argument === undefined) {
        const names = known.map((each) => each.name);
        rejectUnknown(`argument with name "${name}" not found in remote schema`, name, names);
      }
      this.#checkValue(value, argument?.type);
    }
  }

  #checkValue(value: Json, type: RemoteTypeRef | undefined): void {
    const expected = type?.kind === "non_null" ? type.of : type;
    if (value === null) reject("null is not allowed here");
    if (Array.isArray(value)) this.#checkList(value, expected);
    // A single value is coerced to a list with one item.
    else if (expected?.kind === "list") this.#checkValue(value, expected.of);
    else if (isObject(value)) this.#checkInputObject(value, expected);
    else this.#checkScalar(value, expected);
  }

  #checkScalar(value: Json, expected: RemoteTypeRef | undefined): void {
    const variable = typeof value === "string" && value.startsWith("$") ? value.slice(1) : undefined;
    if (variable !== undefined && !this.#variables.has(variable)) {
      rejectUnknown(`variable "${variable}" is not found`, variable, this.#variables.keys());
    }
    const actual = variable === undefined ? literalType(value) : this.#variables.get(variable);
    if (expected !== undefined && actual !== undefined) this.#checkType(actual, namedRemoteType(expected));
  }

  #checkList(items: readonly Json[], expected: RemoteTypeRef | undefined): void {
    if (items.length > 1) reject("multiple elements in list value is not supported");
    if (expected !== undefined && expected.kind !== "list") {
      const [item] = items;
      const element = typeof item === "string" && item.startsWith("$") ? this.#variables.get(item.slice(1)) : undefined;
      reject(`expected type "${printRemoteType(expected)}" but got "[${element ?? literalType(item ?? null) ?? "?"}]"`);
    }
    for (const item of items) this.#checkValue(item, expected?.of);
  }

  #checkInputObject(value: JsonObject, expected: RemoteTypeRef | undefined): void {
    const name = expected && namedRemoteType(expected);
    const type = name === undefined ? undefined : this.#shape?.types.get(name);
    if (name !== undefined && type === undefined) reject(`type with name "${name}" not found`);
    // The input of `_entities`, which is a scalar.
    const isEntity = type?.kind === "scalar" && type.name === "_Any";
    if (type !== undefined && type.kind !== "input_object" && !isEntity) {
      reject(`expected type "${name}" but got an input object`);
    }
    this.#checkArguments(value, type?.kind === "input_object" ? type.fields : undefined);
  }

  #checkType(actual: string, expected: string): void {
    if (actual === expected || (actual === "Int" && expected === "Float")) return;
    if (expected === "ID") {
      if (joinableWithId.has(actual)) return;
      reject(`Only ID, Int, uuid or String scalar types can be joined to the ID type, but received "${actual}"`);
    }
    if (this.#shape?.types.get(expected)?.kind === "enum") reject("enum value is not supported");
    reject(`expected type "${expected}" but got "${actual}"`);
  }
}

const joinableWithId: ReadonlySet<string> = new Set(["ID", "Int", "String", "bigint", "smallint", "uuid"]);

function isRequired({ type, defaultValue }: RemoteInput): boolean {
  return type.kind === "non_null" && defaultValue === undefined;
}

function literalType(value: Json): string | undefined {
  // In GraphQL an integer written with a point or an exponent is a Float.
  if (isJsonNumber(value)) return /[.eE]/.test(numberText(value)) ? "Float" : "Int";
  switch (typeof value) {
    case "string":
      return "String";
    case "boolean":
      return "Boolean";
    default:
      return undefined;
  }
}
