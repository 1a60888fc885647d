/**
 * What saved operations ask of remote servers, as the modules of a role declare it: whole requests for root fields, and
 * calls for keys that are joined by. The functions of this file are what such a module is written with.
 */

import { invariant } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { RemoteSchema } from "../definitions/remote/remote-schema.ts";
import type { RemoteRelationships, ToRemoteSchema } from "../definitions/remote-relationship.ts";
import type { TableView } from "../definitions/view.ts";
import type { RemoteOperation } from "../schema/remote-type-set.ts";
import { leftInputType, remoteInputType } from "../schema/remote-types.ts";
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
import { givenVariable, sessionVariable } from "./request/remote/variables.ts";
import { joined, type WrittenPlaces } from "./saved-plans.ts";

// ---------------------------------------------------------------- root fields

/** One request to a remote server. */
interface WrittenRequest {
  readonly operation: RemoteOperation;
  /** Of the operation. */
  readonly name?: string;
  /** At least one. */
  readonly fields: readonly Pick<SelectedRemote, "field" | "typenames">[];
  readonly variables?: readonly RemoteVariable[];
  /** Of a mutation: how many fields write to databases before; absent: none. */
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

/** A root field that a request asks for. */
export function askedField(
  field: RemoteField | string,
  typenames?: WrittenTypenames,
): Pick<SelectedRemote, "field" | "typenames"> {
  return { field: fieldOf(field), ...(typenames && { typenames: typenamesOf(typenames) }) };
}

/** The field of the answer that a request asks for. */
export function remoteOf(key: string, request: number, joins?: WrittenPlaces): PlanPart {
  return { kind: "remote", key, request, ...joined(joins) };
}

// ---------------------------------------------------------------- joins

/** Calls for all keys of a level; at least one place, all of one server. */
export function remoteStep(places: readonly RemotePlace[]): RemoteStep {
  const [first] = places;
  invariant(first, "a step has places");
  return { kind: "remote", server: first.request.remote.server, places };
}

/** One call, as the keys of a place become several. */
interface WrittenCall {
  /** From a field of the query root to the one whose value is joined. */
  readonly call: readonly JoinedPathField[];
  /** The type that is selected on, as the server calls it. */
  readonly type: string;
  /** Absent: the field has no fields. */
  readonly selection?: WrittenSelection;
  readonly typenames?: WrittenTypenames;
  readonly variables?: readonly RemoteVariable[];
  /** Where one call is for all keys: what holds the keys of an item; absent: items have the order of keys. */
  readonly members?: readonly string[];
  /** In the values: what is joined to them in turn. */
  readonly joins?: WrittenPlaces;
}

/** @param path of the field that the relationship is */
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

/** What a row leads to. */
export function relationshipOf({ remoteRelationships }: TableView, name: string): ToRemoteSchema {
  return leadingToRemote(remoteRelationships, name);
}

/** What an object of a remote server leads to. @param type of the object, as the role calls it */
export function relationshipOfType({ relationships = {} }: RemoteSchema, type: string, name: string): ToRemoteSchema {
  const own = Object.hasOwn(relationships, type) ? relationships[type] : undefined;
  return leadingToRemote(own ?? {}, name);
}

function leadingToRemote(relationships: RemoteRelationships, name: string): ToRemoteSchema {
  const join = Object.hasOwn(relationships, name) ? relationships[name] : undefined;
  invariant(join?.kind === "remote_schema", `${name} leads to a remote schema`);
  return join;
}

/** A field of a call, with its arguments. */
export function callOf(name: string, args: WrittenArguments = {}): JoinedPathField {
  return { name, args: argumentsOf(args) };
}

/** GraphQL text, or what depends on keys. */
type WrittenArgument = string | JoinedArgument;
type WrittenArguments = Readonly<Record<string, WrittenArgument>>;

const argumentsOf = (args: WrittenArguments) =>
  Object.entries(args).map(([name, value]) => [name, argumentOf(value)] as const);

const argumentOf = (value: WrittenArgument): JoinedArgument =>
  typeof value === "string" ? { kind: "text", text: value } : value;

/** The key that stands at this place among those of a row or object. */
export function keyAt(key: number): JoinedArgument {
  return { kind: "key", key };
}

/** A list with an item for each of many keys. */
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
 * An input object that a variable gives in part, and the definition of the relationship the rest of.
 * @param within where in the arguments of the definition it stands, by names
 * @param type what is left of it, as the role calls the type
 * @param path of errors about the value
 * @param standard what stands in where there is no value; absent: what the definition gives
 */
export function givenInPart(
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
    input: () => leftInputType(join, within, type),
    fixed: within.reduce(fixedMember, join.path.at(-1)?.arguments ?? {}),
    standard: standard === undefined ? undefined : argumentOf(standard),
  });
}

function fixedMember(fixed: Fixed, name: string): Fixed {
  const member = own(fixed, name);
  invariant(isObject(member), `the definition gives a part of ${name}`);
  return member;
}

// ---------------------------------------------------------------- selections

/** A field that has neither arguments nor fields is written as its name. */
type WrittenSelection = readonly (RemoteNode | string)[];

interface WrittenField {
  /** The key of the answer; absent: the name. */
  readonly as?: string;
  /** GraphQL text. */
  readonly args?: Readonly<Record<string, string>>;
  /** In how many lists a value stands; absent: in none. */
  readonly lists?: number;
  /** Absent: the field has no fields. */
  readonly selection?: WrittenSelection;
}

/** A field of the server. */
export function selected(name: string, { as: key = name, args = {}, lists = 0, ...more }: WrittenField): RemoteField {
  const selection = more.selection ? nodesOf(more.selection) : null;
  return { kind: "field", key, name, args: Object.entries(args), selection, lists };
}

/** @param type as the server calls it; `null`: the type around */
export function selectedOn(type: string | null, selection: WrittenSelection): RemoteFragment {
  return { kind: "fragment", ...(type !== null && { type }), selection: nodesOf(selection) };
}

const nodesOf = (selection: WrittenSelection): readonly RemoteNode[] =>
  selection.map((node) => (typeof node === "string" ? selected(node, {}) : node));

const fieldOf = (field: RemoteField | string): RemoteField => (typeof field === "string" ? selected(field, {}) : field);

/** Where names of types stand in a value: what a type that the role does not know is called, or the places below. */
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
  /** As the server calls it; absent: as the operation declares it. */
  readonly type?: string;
  /** GraphQL text. */
  readonly defaultValue?: string;
  /** What stands in where a request gives no value. */
  readonly otherwise?: unknown;
}

/**
 * A variable of the operation.
 * @param declared its type, in the names of the role
 * @param path of errors about the value
 */
export function givenToRemote(
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
  return givenVariable({ remote, name, type, declared, input, path, ...more });
}

/** A variable of the session. @param name of the variable that the server gets @param type as the server calls it */
export function sessionToRemote(name: string, variable: string, type: string): RemoteVariable {
  return sessionVariable(name, variable, type);
}
