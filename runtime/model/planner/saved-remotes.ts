/**
 * Functions that generated modules use to declare upstream requests of saved operations: requests for root fields, and
 * calls for join keys.
 */

import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { RemoteRelationships, ToRemoteSchema } from "../definitions/remote-relationship.ts";
import type { TableView } from "../definitions/view.ts";
import type { RemoteOperation } from "../schema/remote-type-set.ts";
import { remainingInputType, remoteInputType } from "../schema/remote-types.ts";
import type { RemotePlace, RemoteStep } from "./joins/join-plan.ts";
import type { PlanPart } from "./plan.ts";
import { type Fixed, FixedArguments, own, partlyGiven } from "./request/remote/fixed-arguments.ts";
import type { JoinedArgument, JoinedPathField } from "./request/remote/join-request.ts";
import {
  type RemoteField,
  type RemoteFragment,
  type RemoteNode,
  type RemotePlan,
  type RemoteVariable,
  remotePlan,
  type SelectedRemote,
  type TypenamePlaces,
} from "./request/remote/remote-request.ts";
import { nameIn } from "./request/remote/type-text.ts";
import { operationVariable, sessionVariable } from "./request/remote/variables.ts";
import { joined, type WrittenPlaces } from "./saved-plans.ts";

// ---------------------------------------------------------------- root fields

/** Parts of an upstream request. */
interface WrittenRequest {
  readonly operation: RemoteOperation;
  /** Name of the operation. */
  readonly name?: string;
  /** At least one field. */
  readonly fields: readonly Pick<SelectedRemote, "field" | "typenames">[];
  readonly variables?: readonly RemoteVariable[];
  /** For mutations: number of preceding fields that write to databases; default 0. */
  readonly afterWrites?: number;
}

export function remoteRequest(remote: RemoteSchema, request: WrittenRequest): RemotePlan {
  const { operation: kind, name, fields, variables = [], afterWrites = 0 } = request;
  const byName = variablesByName(variables);
  return remotePlan(remote, {
    kind,
    ...(name !== undefined && { name }),
    fields: fields.map((field) => ({ ...field, remote, variables: byName })),
    afterWrites,
  });
}

/** Declares a root field of an upstream request. */
export function rootSelection(
  field: RemoteField | string,
  typenames?: WrittenTypenames,
): Pick<SelectedRemote, "field" | "typenames"> {
  return { field: fieldOf(field), ...(typenames && { typenames: typenamesOf(typenames) }) };
}

/** Declares the response member of a remote field. */
export function remoteOf(key: string, from: { readonly request: number }, joins?: WrittenPlaces): PlanPart {
  return { kind: "remote", key, ...from, ...joined(joins) };
}

// ---------------------------------------------------------------- joins

/** Declares calls for all keys of a level. All places are of one server; at least one is required. */
export function remoteStep(places: readonly RemotePlace[]): RemoteStep {
  const [first] = places;
  invariant(first, "a step has places");
  return { kind: "remote", server: first.request.remote.server, places };
}

/** A call that is repeated for each key of a place. */
interface WrittenCall {
  /** Fields from the query root to the joined field. */
  readonly call: readonly JoinedPathField[];
  /** Upstream name of the selected type. */
  readonly type: string;
  /** Absent for scalars and enums. */
  readonly selection?: WrittenSelection;
  readonly typenames?: WrittenTypenames;
  readonly variables?: readonly RemoteVariable[];
  /** If one call serves all keys: members of the items that contain the keys; absent if items have the keys' order. */
  readonly members?: readonly string[];
  /** Joins to the values, if any. */
  readonly joins?: WrittenPlaces;
}

/**
 * Declares a place of a remote step.
 * @param path path of the relationship's field
 */
export function remotePlace(join: ToRemoteSchema, path: string, written: WrittenCall): RemotePlace {
  const { call, type, selection, typenames, variables = [], members, joins } = written;
  const { batch, keys } = join;
  return {
    keys: keys.length,
    path,
    request: {
      join,
      remote: join.remote(),
      call: {
        path: call,
        selection: selection ? nodesOf(selection) : null,
        type,
        ...(typenames && { typenames: typenamesOf(typenames) }),
        ...(batch && { batch: { relationship: batch.relationship, ...(members && { members }) } }),
      },
      variables: variablesByName(variables),
    },
    ...joined(joins),
  };
}

/** Returns a relationship of a table to a remote schema. */
export function relationshipOf({ remoteRelationships }: TableView, name: string): ToRemoteSchema {
  return remoteRelationship(remoteRelationships, name);
}

/**
 * Returns a relationship of a remote type to a remote schema.
 * @param type name in the role's schema
 */
export function relationshipOfType({ relationships = {} }: RemoteSchema, type: string, name: string): ToRemoteSchema {
  const own = Object.hasOwn(relationships, type) ? relationships[type] : undefined;
  return remoteRelationship(own ?? {}, name);
}

function remoteRelationship(relationships: RemoteRelationships, name: string): ToRemoteSchema {
  const join = Object.hasOwn(relationships, name) ? relationships[name] : undefined;
  invariant(join?.kind === "remote_schema", `${name} is a relationship to a remote schema`);
  return join;
}

/** Declares a field of a call with its arguments. */
export function callOf(name: string, args: WrittenArguments = {}): JoinedPathField {
  return { name, args: argumentsOf(args) };
}

/** GraphQL text, or a value that depends on keys. */
type WrittenArgument = string | JoinedArgument;
type WrittenArguments = Readonly<Record<string, WrittenArgument>>;

const argumentsOf = (args: WrittenArguments) =>
  Object.entries(args).map(([name, value]) => [name, argumentOf(value)] as const);

const argumentOf = (value: WrittenArgument): JoinedArgument =>
  typeof value === "string" ? { kind: "text", text: value } : value;

/** Declares the key with this index among the keys of a row or object. */
export function keyAt(key: number): JoinedArgument {
  return { kind: "key", key };
}

/** Declares a list with an item for each key. */
export function listOfKeys(item: WrittenArgument): JoinedArgument {
  return { kind: "keys", item: argumentOf(item) };
}

export function listWith(...items: readonly WrittenArgument[]): JoinedArgument {
  return { kind: "list", items: items.map(argumentOf) };
}

export function objectWith(fields: WrittenArguments): JoinedArgument {
  return { kind: "object", fields: argumentsOf(fields) };
}

/**
 * Declares an input object that merges a variable with fields fixed by the relationship's definition.
 * @param within path in the definition's arguments
 * @param type name of the type without fixed fields, in the role's schema
 * @param path for errors about the value
 * @param standard default; absent if only the fixed fields apply
 */
export function mergedInput(
  join: ToRemoteSchema,
  name: string,
  within: readonly string[],
  type: string,
  path: string,
  standard?: WrittenArgument,
): JoinedArgument {
  const definition = new FixedArguments({ remote: join.remote(), keys: join.keys, isBatch: join.batch !== undefined });
  return partlyGiven(definition, {
    name,
    within,
    type,
    path,
    input: () => remainingInputType(join, within, type),
    fixed: within.reduce(fixedMember, join.path.at(-1)?.arguments ?? {}),
    standard: standard === undefined ? undefined : argumentOf(standard),
  });
}

function fixedMember(fixed: Fixed, name: string): Fixed {
  const member = own(fixed, name);
  invariant(isObject(member), `the definition fixes a part of ${name}`);
  return member;
}

// ---------------------------------------------------------------- selections

/** A field without arguments and selection is declared by its name. */
type WrittenSelection = readonly (RemoteNode | string)[];

interface WrittenField {
  /** Response key; default: the name. */
  readonly as?: string;
  /** GraphQL text. */
  readonly args?: Readonly<Record<string, string>>;
  /** Number of list levels around a value; default 0. */
  readonly lists?: number;
  /** Absent for scalars and enums. */
  readonly selection?: WrittenSelection;
}

/** Declares a selected remote field. */
export function selected(name: string, { as: key = name, args = {}, lists = 0, ...more }: WrittenField): RemoteField {
  const selection = more.selection ? nodesOf(more.selection) : null;
  return { kind: "field", key, name, args: Object.entries(args), selection, lists };
}

/**
 * Declares a fragment.
 * @param type upstream name of the type condition; `null` for none
 */
export function selectedOn(type: string | null, selection: WrittenSelection): RemoteFragment {
  return { kind: "fragment", ...(type !== null && { type }), selection: nodesOf(selection) };
}

const nodesOf = (selection: WrittenSelection): readonly RemoteNode[] =>
  selection.map((node) => (typeof node === "string" ? selected(node, {}) : node));

const fieldOf = (field: RemoteField | string): RemoteField => (typeof field === "string" ? selected(field, {}) : field);

/** Locations of type names in a value: the name for types that the role does not have, or nested locations. */
interface WrittenTypenames {
  readonly [key: string]: string | WrittenTypenames;
}

function typenamesOf(places: WrittenTypenames): TypenamePlaces {
  return new Map(
    Object.entries(places).map(([key, place]) => [
      key,
      typeof place === "string" ? { unknown: place } : typenamesOf(place),
    ]),
  );
}

// ---------------------------------------------------------------- variables

const variablesByName = (variables: readonly RemoteVariable[]): ReadonlyMap<string, RemoteVariable> =>
  new Map(variables.map((variable) => [variable.name, variable]));

interface WrittenVariable {
  /** Upstream type; default: the declared type. */
  readonly type?: string;
  /** GraphQL text. */
  readonly defaultValue?: string;
  /** JSON default that the upstream request cannot declare. */
  readonly otherwise?: unknown;
}

/**
 * Declares an upstream variable with the value of an operation's variable.
 * @param declared type in the role's names
 * @param path for errors about the value
 */
export function remoteVariable(
  remote: RemoteSchema,
  name: string,
  declared: string,
  path: string,
  { type = declared, ...more }: WrittenVariable = {},
): RemoteVariable {
  const input = () => {
    const found = remoteInputType(remote, nameIn(declared));
    invariant(found, `the role has the type ${declared}`);
    return found;
  };
  return operationVariable({ remote, name, type, declared, input, path, ...more });
}

/**
 * Declares an upstream variable with the value of a session variable.
 * @param name upstream name
 * @param type upstream type
 */
export function remoteSessionVariable(name: string, variable: string, type: string): RemoteVariable {
  return sessionVariable(name, variable, type);
}
