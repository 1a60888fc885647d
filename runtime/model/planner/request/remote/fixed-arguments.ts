/**
 * Arguments fixed by the definition of a relationship, and input objects that merge fixed fields with the fields of a
 * variable.
 */

import { kindOfValue } from "../../../../values/describe-json.ts";
import { EngineError, invariant, pathTo } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { JsonNumber } from "../../../../values/json-number.ts";
import { lazy } from "../../../../values/lazy.ts";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { JoinKey } from "../../../definitions/remote-relationship.ts";
import { type InputField, type InputObjectTypeDef, typeText } from "../../../schema/types.ts";
import { unknownField } from "../unknown-field.ts";
import { literalText } from "./graphql-text.ts";
import type { JoinedArgument, PartlyGiven } from "./join-request.ts";
import { valueReader } from "./values.ts";

type Session = ReadonlyMap<string, string>;
/** JSON of the metadata. */
export type Fixed = Readonly<Record<string, unknown>>;
export type Named = readonly [name: string, value: JoinedArgument];

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface FixedContext {
  readonly remote: RemoteSchema;
  /** Keys that the definition refers to as `$name`. */
  readonly keys: readonly JoinKey[];
  /** If true, a list that contains a key is filled with the keys of many rows. */
  readonly isBatch: boolean;
}

export class FixedArguments {
  readonly #context: FixedContext;

  constructor(context: FixedContext) {
    this.#context = context;
  }

  members(fixed: Fixed): readonly Named[] {
    return Object.entries(fixed).map(([name, value]) => [name, this.argument(value)]);
  }

  argument(value: unknown): JoinedArgument {
    if (typeof value === "string" && value.startsWith("$")) {
      const key = this.#context.keys.findIndex(({ name }) => name === value.slice(1));
      invariant(key >= 0, `${value} is a key of the relationship`);
      return { kind: "key", key };
    }
    if (Array.isArray(value) && this.#context.isBatch && holdsKey(value)) {
      return { kind: "keys", item: this.argument(value[0]) };
    }
    if (Array.isArray(value)) return { kind: "list", items: value.map((item) => this.argument(item)) };
    if (isObject(value) && !(value instanceof JsonNumber)) return { kind: "object", fields: this.members(value) };
    return { kind: "text", text: literalText(value) };
  }

  /** Returns the fields of the request together with the fixed fields. */
  completed(
    type: InputObjectTypeDef,
    fixed: Fixed,
    given: ReadonlyMap<string, JoinedArgument>,
    path: string,
  ): JoinedArgument {
    checkRequired(type.fields(), given, path);
    return { kind: "object", fields: [...given, ...this.members(fixed).filter(([name]) => !given.has(name))] };
  }

  /**
   * Reads a variable's JSON value.
   * @throws EngineError `validation-failed`
   */
  json(type: InputObjectTypeDef, fixed: Fixed, value: unknown, path: string, session: Session): JoinedArgument {
    if (value === null) return this.argument(fixed);
    if (!isObject(value) || value instanceof JsonNumber) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfValue(value, false)}`);
    }
    const known = type.fields();
    const given = new Map<string, JoinedArgument>();
    for (const [name, member] of Object.entries(value)) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      const inner = definition.type();
      const rest = own(fixed, name);
      if (isObject(rest) && inner.kind === "input") {
        given.set(name, this.json(inner, rest, member, fieldPath, session));
      } else {
        const read = valueReader({ remote: this.#context.remote, path: fieldPath }, inner, typeText(definition));
        given.set(name, { kind: "text", text: literalText(read(member, session), inner) });
      }
    }
    return this.completed(type, fixed, given, path);
  }
}

export interface PartlyGivenVariable extends Pick<PartlyGiven, "name" | "within" | "type" | "path"> {
  /** Returns the input type without fixed fields; called for the first value. */
  readonly input: () => InputObjectTypeDef;
  /** Fields fixed by the definition. */
  readonly fixed: Fixed;
  readonly standard?: JoinedArgument | undefined;
}

/** Returns an input object that merges a variable with fixed fields. */
export function partlyGiven(
  definition: FixedArguments,
  { name, within, type, input, fixed, path, standard }: PartlyGivenVariable,
): PartlyGiven {
  const inputType = lazy(input);
  return {
    kind: "variable",
    name,
    within,
    type,
    path,
    ...(standard && { standard }),
    read: (value, session) => {
      if (value === undefined) return standard ?? definition.argument(fixed);
      return definition.json(inputType(), fixed, value, path, session);
    },
  };
}

function holdsKey(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("$");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsKey);
}

export const own = (fixed: Fixed, name: string): unknown => (Object.hasOwn(fixed, name) ? fixed[name] : undefined);

export function checkRequired(
  known: ReadonlyMap<string, InputField>,
  given: ReadonlyMap<string, JoinedArgument>,
  path: string,
): void {
  for (const [name, { required, defaultValue }] of known) {
    if (!required || defaultValue !== undefined || given.has(name)) continue;
    throw invalid(pathTo(path, name), `missing required field '${name}'`);
  }
}
