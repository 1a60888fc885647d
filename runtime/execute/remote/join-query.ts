/** Builds one request for many join keys: an aliased root field per key, or per batch of keys of a location. */
import type { RemotePlace } from "../../model/planner/joins/join-plan.ts";
import { literalOfJson } from "../../model/planner/request/remote/graphql-text.ts";
import type { JoinedArgument, JoinedPathField } from "../../model/planner/request/remote/join-request.ts";
import {
  declarations,
  type RemotePlan,
  type RemoteVariable,
  selectionText,
  type TypenamePlaces,
} from "../../model/planner/request/remote/remote-request.ts";
import { invariant } from "../../values/errors.ts";
import { membersOf } from "../../values/json/positions.ts";

/** A root field of the request with its key, or its batch of keys. */
export interface JoinCall {
  readonly place: RemotePlace;
  /** JSON text of each key: a value, or an object for composite keys. */
  readonly keys: readonly string[];
}

export interface JoinValues {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: ReadonlyMap<string, string>;
}

export const aliasOf = (call: number): string => `f${call}`;

/** Returns the index of the call with this alias, or -1 if the alias is invalid. */
export function callOf(alias: unknown): number {
  return typeof alias === "string" && /^f\d+$/.test(alias) ? Number(alias.slice(1)) : -1;
}

/** A call with its keys as GraphQL text. */
interface WrittenCall {
  readonly place: RemotePlace;
  readonly keys: readonly (readonly string[])[];
}

/**
 * Returns the request for some calls.
 * @param calls one or more calls, all of one server
 * @throws EngineError for a value of the wrong type
 */
export function joinQuery(calls: readonly JoinCall[], values: JoinValues): RemotePlan {
  const written = calls.map(({ place, keys }) => ({ place, keys: keys.map((each) => literalsOf(each, place.keys)) }));
  return writtenQuery(written, values);
}

/** Returns the text of a request for one key of each location, with keys as `$name`, for `explain`. */
export function joinQueryForm(places: readonly RemotePlace[], values: JoinValues): string {
  const calls = places.map((place) => ({ place, keys: [place.request.join.keys.map(({ name }) => `$${name}`)] }));
  return writtenQuery(calls, values).query;
}

function writtenQuery(calls: readonly WrittenCall[], values: JoinValues): RemotePlan {
  const counts = new Map<RemotePlace, number>();
  for (const { place } of calls) counts.set(place, (counts.get(place) ?? 0) + 1);
  const variables = new Map<string, RemoteVariable>();
  const fragments: string[] = [];
  const selections = new Map<RemotePlace, string>();
  for (const [place, count] of counts) {
    const { call, variables: placeVariables } = place.request;
    for (const [name, variable] of placeVariables) variables.set(name, variable);
    if (call.selection === null) continue;
    const text = selectionText(call.selection);
    const fragment = `s${fragments.length}`;
    if (count > 1) fragments.push(`fragment ${fragment} on ${call.type} ${text}`);
    selections.set(place, count > 1 ? `{ ...${fragment} }` : text);
  }
  const fields = calls.map((call, i) => `${aliasOf(i)}: ${callText(call, selections.get(call.place), values)}`);
  const [first] = calls;
  invariant(first, "a join query has at least one key");
  return {
    remote: first.place.request.remote,
    query: [`query${declarations(variables.values())} { ${fields.join(" ")} }`, ...fragments].join(" "),
    variables: [...variables.values()],
    afterWrites: 0,
    fields: calls.map(({ place }, i) => ({ key: aliasOf(i), ...typenamesOf(place) })),
  };
}

function callText({ place, keys }: WrittenCall, selection: string | undefined, values: JoinValues): string {
  const { path } = place.request.call;
  return path.reduceRight((inner, field) => {
    return `${fieldText(field, keys, values)}${inner === "" ? "" : ` ${inner.startsWith("{") ? inner : `{ ${inner} }`}`}`;
  }, selection ?? "");
}

function literalsOf(keys: string, count: number): readonly string[] {
  if (count === 1) return [literalOfJson(keys)];
  return [...membersOf(keys, 0)].map(({ from, to }) => literalOfJson(keys.slice(from, to)));
}

function fieldText({ name, args }: JoinedPathField, keys: WrittenCall["keys"], values: JoinValues): string {
  if (args.length === 0) return name;
  return `${name}(${args.map(([argument, value]) => `${argument}: ${argumentText(value, keys, values)}`).join(", ")})`;
}

/**
 * Returns the text of an argument.
 * @param keys all keys of the call; arguments for a single key use the first one
 */
function argumentText(argument: JoinedArgument, keys: WrittenCall["keys"], values: JoinValues): string {
  const { variables, session } = values;
  switch (argument.kind) {
    case "text":
      return argument.text;
    case "key":
      return keys[0]?.[argument.key] ?? "null";
    case "keys":
      return `[${keys.map((each) => argumentText(argument.item, [each], values)).join(", ")}]`;
    case "list":
      return `[${argument.items.map((item) => argumentText(item, keys, values)).join(", ")}]`;
    case "object":
      return `{${argument.fields.map(([name, value]) => `${name}: ${argumentText(value, keys, values)}`).join(", ")}}`;
    case "variable": {
      const value = Object.hasOwn(variables, argument.name) ? variables[argument.name] : undefined;
      return argumentText(argument.read(value, session), keys, values);
    }
  }
}

/** Returns the paths of `__typename` fields within the value of the alias. */
function typenamesOf({ request: { call } }: RemotePlace): { readonly typenames?: TypenamePlaces } {
  const { typenames, path } = call;
  if (typenames === undefined) return {};
  return {
    typenames: path.slice(1).reduceRight((inner: TypenamePlaces, { name }) => new Map([[name, inner]]), typenames),
  };
}
