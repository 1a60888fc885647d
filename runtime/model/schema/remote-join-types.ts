/**
 * Fields of relationships to remote schemas (`docs/how-to/remote-relationships.md`): the target field, without the arguments
 * that the definition sets. If it sets only some fields of an input object, the remaining fields are exposed.
 */

import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { lazy } from "../../values/lazy.ts";
import { ownType, type RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type {
  RemoteBatch,
  RemoteRelationships,
  RemoteStep,
  ToRemoteSchema,
} from "../definitions/remote-relationship.ts";
import type { TypeRegistry } from "./registry.ts";
import type { NamedField } from "./remote-type-set.ts";
import { type InputField, type InputObjectTypeDef, type Modifiers, type OutputField, typeSuffix } from "./types.ts";

/** Position of a relationship, from which the names of its input types are built. */
interface JoinOwner {
  /** The type that contains the relationship. */
  readonly owner: string;
  readonly name: string;
}

/** Infix between the names of an input object and of the relationship, for the input type with the remaining fields. */
const remainingInfix = "_remote_rel_";

/** The target field of a relationship in the role's view of the remote schema. */
export interface JoinedRemoteField {
  /** The fields along the path, including the target field: their parent types and names. */
  readonly path: readonly { readonly type: string; readonly name: string; readonly field: OutputField }[];
  readonly field: OutputField;
}

/** Returns the target field; `undefined` if the role has no access to a field on the path. */
export function joinedRemoteField(
  types: TypeRegistry,
  { remote, path }: ToRemoteSchema,
): JoinedRemoteField | undefined {
  const schema = remote();
  const ownTypes = types.remote(schema);
  const found: JoinedRemoteField["path"][number][] = [];
  let type = schema.query;
  for (const step of path) {
    const named: NamedField | undefined = ownTypes.upstreamField(type, step.field);
    if (named === undefined) return undefined;
    const [name, field] = named;
    found.push({ type, name, field });
    type = field.type().name;
  }
  const last = found.at(-1);
  return last && { path: found, field: last.field };
}

/**
 * Yields the relationship fields of an object type.
 * @param owner name of the object type
 */
export function* remoteJoinFields(
  types: TypeRegistry,
  relationships: RemoteRelationships,
  owner: string,
): Iterable<readonly [string, OutputField]> {
  // The Relay API does not include remote schemas.
  if (types.relay !== null) return;
  for (const [name, join] of Object.entries(relationships)) {
    const field = join.kind === "remote_schema" ? remoteJoinField(types, join, { owner, name }) : undefined;
    if (field) yield [name, field];
  }
}

/** Returns the relationship field; `undefined` if the role has no access to a field on the path. */
function remoteJoinField(types: TypeRegistry, join: ToRemoteSchema, place: JoinOwner): OutputField | undefined {
  const joined = joinedRemoteField(types, join);
  const step = join.path.at(-1);
  if (joined === undefined || step === undefined) return undefined;
  const { field } = joined;
  return {
    ...(join.batch ? itemField(types, join.remote(), field, join.batch) : { type: field.type, ...nullable(field) }),
    description: () => join.description,
    deprecation: field.deprecation,
    args: lazy(() => exposedArguments(types, join.remote(), field, step, place)),
    meta: { kind: "remote_join", join },
  };
}

/** Makes the field nullable, because its value is null if a key is null. */
function nullable(field: OutputField): Modifiers {
  const { list, nullableItems } = field;
  const suffix = typeSuffix(field).replace(/!$/, "");
  return { list, required: false, suffix, ...(nullableItems && { nullableItems }) };
}

/** Returns the part of a batch result that belongs to one key. */
function itemField(
  types: TypeRegistry,
  remote: RemoteSchema,
  field: OutputField,
  { relationship, entity }: RemoteBatch,
): Pick<OutputField, "type"> & Modifiers {
  const named = entity === undefined ? undefined : types.remote(remote).composite(ownType(remote, entity));
  const type = named ? () => named : field.type;
  if (relationship === "array") return { type, list: true, required: false };
  const suffix = typeSuffix(field).replace(/\]!?$/, "").replace(/!$/, "");
  return { type, list: suffix.includes("]"), required: false, suffix };
}

/**
 * Returns the input type with the remaining fields of an input object.
 * @param within path of the object in the arguments, by names
 * @param name name of the type
 */
export function remainingInput(
  types: TypeRegistry,
  join: ToRemoteSchema,
  within: readonly string[],
  name: string,
): InputObjectTypeDef {
  const args = joinedRemoteField(types, join)?.field.args();
  const fixed = join.path.at(-1)?.arguments;
  invariant(args && fixed, "the role has the fields on the way");
  const owner = name.slice(inputWithin(args, within).name.length + remainingInfix.length);
  return inputWithin(remainingFields(types, join.remote(), args, fixed, { owner, name: "" }), within);
}

function inputWithin(fields: ReadonlyMap<string, InputField>, within: readonly string[]): InputObjectTypeDef {
  const [name = "", ...rest] = within;
  const type = fields.get(name)?.type();
  invariant(type?.kind === "input", `${name} is an input object`);
  return rest.length === 0 ? type : inputWithin(type.fields(), rest);
}

/** Returns the arguments sorted by name. */
function exposedArguments(
  types: TypeRegistry,
  remote: RemoteSchema,
  field: OutputField,
  { arguments: fixed }: RemoteStep,
  place: JoinOwner,
): ReadonlyMap<string, InputField> {
  const left = remainingFields(types, remote, field.args(), fixed, place);
  return new Map([...left].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the arguments, or fields of an input object, that the definition does not set. */
function remainingFields(
  types: TypeRegistry,
  remote: RemoteSchema,
  all: ReadonlyMap<string, InputField>,
  fixed: Readonly<Record<string, unknown>>,
  place: JoinOwner,
): ReadonlyMap<string, InputField> {
  const left = new Map<string, InputField>();
  for (const [name, field] of all) {
    if (!Object.hasOwn(fixed, name)) {
      left.set(name, field);
      continue;
    }
    const given = fixed[name];
    const type = field.type();
    if (!isObject(given) || field.list || type.kind !== "input") continue;
    const rest = remainingType(types, remote, type, given, place);
    if (rest.fields().size === 0) continue;
    const { defaultValue: _, suffix: __, ...others } = field;
    left.set(name, { ...others, type: () => rest, required: [...rest.fields().values()].some(isRequired) });
  }
  return left;
}

const isRequired = ({ required, defaultValue }: InputField): boolean => required && defaultValue === undefined;

function remainingType(
  types: TypeRegistry,
  remote: RemoteSchema,
  type: InputObjectTypeDef,
  given: Readonly<Record<string, unknown>>,
  place: JoinOwner,
): InputObjectTypeDef {
  const name = `${type.name}${remainingInfix}${place.owner}${place.name}`;
  return types.get<InputObjectTypeDef>(`remote ${remote.server.name} ${name}`, () => ({
    ...type,
    name,
    fields: lazy(() => remainingFields(types, remote, type.fields(), given, place)),
  }));
}
