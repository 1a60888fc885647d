/** Lowers the remote requests of a plan to IR. Returns `undefined` if a part has no IR. */
import type { RemotePlace } from "../../runtime/model/planner/joins/join-plan.ts";
import type { JoinedArgument, JoinedCall } from "../../runtime/model/planner/request/remote/join-request.ts";
import type {
  RemotePlan,
  RemoteVariable,
  TypenamePlaces,
} from "../../runtime/model/planner/request/remote/remote-request.ts";
import type { RemoteOperation } from "../../runtime/model/schema/remote-type-set.ts";
import type { ExportedValues, ExportIr } from "./exported-values.ts";
import type { Complete } from "./plans-ir.ts";
import type { JoinedArgumentIr, RemotePlaceIr, RemoteRequestIr, RemoteVariableIr, TypenamesIr } from "./remotes-ir.ts";

export function lowerRemote(
  plan: RemotePlan,
  operation: RemoteOperation,
  values: ExportedValues,
): RemoteRequestIr | undefined {
  const { remote: schema, operationName: name, afterWrites } = plan;
  const remote = values.remote(schema);
  const variables = remote && lowerVariables(plan.variables, remote);
  const fields = mapped(plan.fields, ({ selected: field, typenames }) => {
    return field && { field, ...typenamesOf(typenames) };
  });
  if (!remote || !variables || !fields || !complete) return undefined;
  return { remote, operation, ...(name !== undefined && { name }), fields, variables, afterWrites };
}

/** Lowers the calls for one set of join keys, without nested joins. */
export function lowerRemotePlace(
  { request, path }: RemotePlace,
  values: ExportedValues,
): Omit<RemotePlaceIr, "joins"> | undefined {
  const { path: fields, selection, type, typenames, batch } = request.call;
  const join = values.relationship(request.join);
  const remote = values.remote(request.remote);
  const variables = remote && lowerVariables([...request.variables.values()], remote);
  if (!join || !remote || !variables || !complete) return undefined;
  const call = fields.map(({ name, args }) => ({ name, args: lowerNamed(args) }));
  const members = batch?.members;
  return {
    join,
    remote,
    path,
    call,
    type,
    selection,
    variables,
    ...typenamesOf(typenames),
    ...(members && { members }),
  };
}

/** Fails to type-check if a plan has members that the functions above do not lower. */
const complete: Complete<RemotePlan, "remote" | "query" | "operationName" | "variables" | "afterWrites" | "fields"> &
  Complete<RemotePlan["fields"][number], "key" | "typenames" | "selected"> &
  Complete<RemotePlace, "keys" | "path" | "joins" | "request"> &
  Complete<RemotePlace["request"], "join" | "remote" | "call" | "variables"> &
  Complete<JoinedCall, "path" | "selection" | "type" | "typenames" | "batch"> &
  Complete<NonNullable<JoinedCall["batch"]>, "relationship" | "members"> = true;

function lowerVariables(variables: readonly RemoteVariable[], remote: ExportIr): readonly RemoteVariableIr[] {
  return variables.map(({ name, type, defaultValue, value }) => {
    if (value.kind === "session") return { kind: "session", name, type, variable: value.variable };
    const { declared, path, otherwise } = value;
    return {
      kind: "request",
      name,
      type,
      ...(defaultValue !== undefined && { defaultValue }),
      remote,
      declared,
      path,
      ...(otherwise !== undefined && { otherwise }),
    };
  });
}

function lowerArgument(argument: JoinedArgument): JoinedArgumentIr {
  switch (argument.kind) {
    case "text":
    case "key":
      return argument;
    case "keys":
      return { kind: "keys", item: lowerArgument(argument.item) };
    case "list":
      return { kind: "list", items: argument.items.map(lowerArgument) };
    case "object":
      return { kind: "object", fields: lowerNamed(argument.fields) };
    case "variable": {
      const { read: _, standard, ...variable } = argument;
      return { ...variable, ...(standard && { standard: lowerArgument(standard) }) };
    }
  }
}

const lowerNamed = (named: readonly (readonly [name: string, value: JoinedArgument])[]) =>
  named.map(([name, value]) => [name, lowerArgument(value)] as const);

function typenamesOf(places: TypenamePlaces | undefined): { readonly typenames?: TypenamesIr } {
  return places ? { typenames: lowerTypenames(places) } : {};
}

function lowerTypenames(places: TypenamePlaces): TypenamesIr {
  return Object.fromEntries(
    [...places].map(([key, place]) => [key, "unknown" in place ? place.unknown : lowerTypenames(place)] as const),
  );
}

/** Maps items; returns `undefined` if one cannot be lowered. */
export function mapped<T, Lowered>(
  items: readonly T[],
  lower: (item: T) => Lowered | undefined,
): readonly Lowered[] | undefined {
  const all: Lowered[] = [];
  for (const item of items) {
    const lowered = lower(item);
    if (lowered === undefined) return undefined;
    all.push(lowered);
  }
  return all;
}
