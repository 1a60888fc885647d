/**
 * Fields that a remote server answers beside a row or an object (`docs/remote-relationships.md`): the field that the
 * relationship leads
 * to, without the arguments that the definition gives. Of input objects that it gives in part, the other fields are left.
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
import { behindName, type InputField, type InputObjectTypeDef, type Modifiers, type OutputField } from "./types.ts";

/** Where the field of a relationship stands: what the types that the definition leaves are named after. */
interface JoinOwner {
  /** The type that it is a field of. */
  readonly owner: string;
  readonly name: string;
}

/** Between the name of an input object and that of the relationship, for what its definition leaves of it. */
const leftOf = "_remote_rel_";

/** The field of a remote server that a relationship leads to, as the role sees it. */
export interface JoinedRemoteField {
  /** The fields on the way to it and itself: the types that they stand on, and their names. */
  readonly path: readonly { readonly type: string; readonly name: string; readonly field: OutputField }[];
  readonly field: OutputField;
}

/** `undefined` where the role lacks a field on the way. */
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

/** The fields of an object type that remote servers answer. @param owner its name */
export function* remoteJoinFields(
  types: TypeRegistry,
  relationships: RemoteRelationships,
  owner: string,
): Iterable<readonly [string, OutputField]> {
  // The Relay API knows no remote servers.
  if (types.relay !== null) return;
  for (const [name, join] of Object.entries(relationships)) {
    const field = join.kind === "remote_schema" ? remoteJoinField(types, join, { owner, name }) : undefined;
    if (field) yield [name, field];
  }
}

/** `undefined` where the role lacks a field on the way. */
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

/** Where a key is null, so is the value. */
function nullable(field: OutputField): Modifiers {
  const { list, nullableItems } = field;
  const behind = behindName(field).replace(/!$/, "");
  return { list, required: false, behind, ...(nullableItems && { nullableItems }) };
}

/** What belongs to one key of a list for many. */
function itemField(
  types: TypeRegistry,
  remote: RemoteSchema,
  field: OutputField,
  { relationship, entity }: RemoteBatch,
): Pick<OutputField, "type"> & Modifiers {
  const named = entity === undefined ? undefined : types.remote(remote).composite(ownType(remote, entity));
  const type = named ? () => named : field.type;
  if (relationship === "array") return { type, list: true, required: false };
  const behind = behindName(field).replace(/\]!?$/, "").replace(/!$/, "");
  return { type, list: behind.includes("]"), required: false, behind };
}

/**
 * What the definition leaves of an input object.
 * @param within where in the arguments it stands, by names
 * @param name of the type
 */
export function leftInput(
  types: TypeRegistry,
  join: ToRemoteSchema,
  within: readonly string[],
  name: string,
): InputObjectTypeDef {
  const args = joinedRemoteField(types, join)?.field.args();
  const fixed = join.path.at(-1)?.arguments;
  invariant(args && fixed, "the role has the fields on the way");
  const owner = name.slice(inputWithin(args, within).name.length + leftOf.length);
  return inputWithin(leftFields(types, join.remote(), args, fixed, { owner, name: "" }), within);
}

function inputWithin(fields: ReadonlyMap<string, InputField>, within: readonly string[]): InputObjectTypeDef {
  const [name = "", ...rest] = within;
  const type = fields.get(name)?.type();
  invariant(type?.kind === "input", `${name} is an input object`);
  return rest.length === 0 ? type : inputWithin(type.fields(), rest);
}

/** In the order of their names. */
function exposedArguments(
  types: TypeRegistry,
  remote: RemoteSchema,
  field: OutputField,
  { arguments: fixed }: RemoteStep,
  place: JoinOwner,
): ReadonlyMap<string, InputField> {
  const left = leftFields(types, remote, field.args(), fixed, place);
  return new Map([...left].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the definition leaves of arguments, or of the fields of an input object. */
function leftFields(
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
    const rest = leftType(types, remote, type, given, place);
    if (rest.fields().size === 0) continue;
    const { defaultValue: _, behind: __, ...others } = field;
    left.set(name, { ...others, type: () => rest, required: [...rest.fields().values()].some(isRequired) });
  }
  return left;
}

const isRequired = ({ required, defaultValue }: InputField): boolean => required && defaultValue === undefined;

function leftType(
  types: TypeRegistry,
  remote: RemoteSchema,
  type: InputObjectTypeDef,
  given: Readonly<Record<string, unknown>>,
  place: JoinOwner,
): InputObjectTypeDef {
  const name = `${type.name}${leftOf}${place.owner}${place.name}`;
  return types.get<InputObjectTypeDef>(`remote ${remote.server.name} ${name}`, () => ({
    ...type,
    name,
    fields: lazy(() => leftFields(types, remote, type.fields(), given, place)),
  }));
}
