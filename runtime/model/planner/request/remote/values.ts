/**
 * Validates values of variables against the role's types, by the same rules as the remote server, and adds preset fields
 * of input objects.
 */

import { type ConstValueNode, parseConstValue } from "graphql";
import { kindOfValue } from "../../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { JsonNumber } from "../../../../values/json-number.ts";
import { inputPresetsOf, type RemotePreset, type RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import { defaultValue } from "../../../definitions/saved/variable.ts";
import { type InputObjectTypeDef, type InputTypeDef, memberText } from "../../../schema/types.ts";
import { checkDepth } from "../budget.ts";
import { expectedOf } from "../literal-names.ts";
import { unknownField } from "../unknown-field.ts";
import { isScalarValue, scalarOfText } from "./scalar-value.ts";
import { itemOf, nameIn, nonNullOf } from "./type-text.ts";

type Session = ReadonlyMap<string, string>;

export interface ValueContext {
  readonly remote: RemoteSchema;
  /** Request path of the variable. */
  readonly path: string;
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

/**
 * Returns the function that validates values of a variable.
 * @param declared type of the variable, in the role's names
 */
export function valueReader({ remote, path }: ValueContext, type: InputTypeDef, declared: string) {
  return (value: unknown, session: Session): unknown =>
    new ValueReader(remote, session).read(type, declared, value, path);
}

/** Returns a reader that converts a session variable to the upstream type. */
export function sessionReader({ variable, type }: Extract<RemotePreset, { kind: "session" }>) {
  return (session: Session): unknown => {
    const text = session.get(variable);
    if (text === undefined) {
      const fault = { kind: "missing_session_variable", variable } as const;
      throw new EngineError("not-found", "$", `missing session variable: "${variable}"`, { fault });
    }
    const value = scalarOfText(nameIn(type), text);
    if (value !== undefined) return value;
    throw invalid("$", `session variable "${variable}" is not a valid value of type '${nameIn(type)}'`);
  };
}

class ValueReader {
  readonly #remote: RemoteSchema;
  readonly #session: Session;
  #level = 0;

  constructor(remote: RemoteSchema, session: Session) {
    this.#remote = remote;
    this.#session = session;
  }

  read(type: InputTypeDef, expected: string, value: unknown, path: string): unknown {
    const required = nonNullOf(expected);
    if (value === null || value === undefined) {
      if (required === undefined) return null;
      throw invalid(path, `unexpected null value for type '${expected}'`);
    }
    const item = itemOf(required ?? expected);
    if (item !== undefined) {
      // A single value is coerced to a list of one item (GraphQL specification, 3.11).
      if (!Array.isArray(value)) return this.read(type, item, value, path);
      return value.map((each, i) => this.read(type, item, each, pathTo(path, i)));
    }
    switch (type.kind) {
      case "scalar": {
        if (isScalarValue(type.name, value)) return value;
        const found = kindOfValue(value, false);
        throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found ${found}`);
      }
      case "enum": {
        if (typeof value !== "string") {
          throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfValue(value, false)}`);
        }
        if (type.values.has(value)) return value;
        const names = [...type.values.keys()].map((each) => `'${each}'`).join(", ");
        throw invalid(path, `expected one of the values [${names}] for type '${type.name}', but found '${value}'`);
      }
      case "input":
        return this.#object(type, value, path);
    }
  }

  #object(type: InputObjectTypeDef, value: unknown, path: string): unknown {
    if (!isObject(value) || value instanceof JsonNumber) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfValue(value, false)}`);
    }
    checkDepth(++this.#level, path);
    const known = type.fields();
    const fields: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      fields.push([name, this.read(definition.type(), memberText(type, definition), member, fieldPath)]);
    }
    this.#level--;
    if (type.isOneOf) checkOneField(type, fields.length, path);
    for (const [name, { required, defaultValue }] of known) {
      if (!required || defaultValue !== undefined || Object.hasOwn(value, name)) continue;
      throw invalid(pathTo(path, name), `missing required field '${name}'`);
    }
    const presets = Object.entries(inputPresetsOf(this.#remote, type.name));
    return Object.fromEntries([...fields, ...presets.map(([name, preset]) => [name, this.#preset(preset)] as const)]);
  }

  #preset(preset: RemotePreset): unknown {
    switch (preset.kind) {
      case "literal":
        return jsonOfText(preset.text);
      case "session":
        return sessionReader(preset)(this.#session);
      case "object":
        return Object.fromEntries(Object.entries(preset.fields).map(([name, each]) => [name, this.#preset(each)]));
    }
  }
}

/**
 * Checks the number of fields in a value of a type with `@oneOf` (GraphQL, September 2025, 3.10.1).
 * @throws EngineError `validation-failed`
 */
export function checkOneField({ name }: InputObjectTypeDef, fields: number, path: string): void {
  if (fields !== 1) throw invalid(path, `expected exactly one field for type '${name}', but found ${fields}`);
}

/** GraphQL literals of the metadata. */
export function literalOfText(text: string): ConstValueNode {
  return parseConstValue(text, { noLocation: true });
}

/** Converts a GraphQL literal to JSON, preserving the digits of numbers. */
function jsonOfText(text: string): unknown {
  return defaultValue(literalOfText(text));
}
