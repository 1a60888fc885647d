/**
 * Decodes the body of a request to `/v1/metadata`, `/v1/query` or `/v2/query`. Input: the endpoint and the parsed JSON
 * body; output: calls with validated arguments, or one `parse-failed`.
 */

import { encounteredJson } from "../../runtime/values/describe-json.ts";
import { pathTo } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { misspeltKey } from "../../runtime/values/nearest-name.ts";
import { decode } from "../catalog/decode-error.ts";
import type { Json } from "../catalog/model.ts";
import { list, object } from "../catalog/schema/combinators.ts";
import { sourceKindNamed } from "../catalog/schema/names.ts";
import { int, isGraphqlName, json, text } from "../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { Endpoint, Version } from "./endpoint.ts";
import { hintFor } from "./lookups.ts";
import type { Call, ChangeCall, Site } from "./operation.ts";
import { findOperation, operationNames } from "./registry.ts";

type BulkMode = "bulk" | "bulk_keep_going" | "bulk_atomic" | "concurrent_bulk";

export interface BulkCall {
  readonly effect: "bulk";
  readonly mode: BulkMode;
  readonly items: readonly DecodedCall[];
  readonly path: string;
}

/** A dry run of changes (`plan_metadata`). */
export interface PlanCall {
  readonly effect: "plan";
  /** Changes to plan. The only bulk allowed here is `bulk_atomic`, which is a single change. */
  readonly changes: readonly (ChangeCall | BulkCall)[];
  /** Roles whose access and modules are compared; absent: all roles. */
  readonly roles?: readonly string[];
  readonly path: string;
}

export type DecodedCall = Call | BulkCall | PlanCall;

export interface DecodedRequest {
  readonly call: DecodedCall;
  /** Version that the stored metadata must have for the change to be stored; `/v1/metadata` only. */
  readonly resourceVersion?: number;
}

const bulkModes: Readonly<Record<BulkMode, readonly Endpoint[]>> = {
  bulk: ["/v1/metadata", "/v1/query", "/v2/query"],
  bulk_keep_going: ["/v1/metadata"],
  bulk_atomic: ["/v1/metadata"],
  concurrent_bulk: ["/v2/query"],
};

/** Paths of an operation's body in errors about the form of the request, and in errors while it runs. */
interface BodyPaths {
  readonly form: string;
  readonly run: string;
}

/**
 * Decodes a whole request. Reports all errors about its form, including errors in the items of a bulk, before any
 * object is looked up and before the role is checked.
 */
export function decodeRequest(endpoint: Endpoint, body: unknown): Result<DecodedRequest> {
  const resourceVersion = endpoint === "/v1/metadata" ? readResourceVersion(body) : ok(undefined);
  if (!resourceVersion.ok) return resourceVersion;
  const call = decodeCall(endpoint, body, { form: "$", run: "$" });
  if (!call.ok) return call;
  return ok({
    call: call.value,
    ...(resourceVersion.value !== undefined && { resourceVersion: resourceVersion.value }),
  });
}

function readResourceVersion(body: unknown): Result<number | undefined> {
  const given = isObject(body) ? body.resource_version : undefined;
  return given === undefined || given === null ? ok(undefined) : decode(int, given, "$.resource_version");
}

function missingKey(key: string, body: object, { form }: BodyPaths): Result<never> {
  const hint = misspeltKey(key, body);
  return fail("parse-failed", form, `key "${key}" not found`, hint === undefined ? {} : { hint });
}

function decodeCall(endpoint: Endpoint, body: unknown, paths: BodyPaths): Result<DecodedCall> {
  if (!isObject(body)) {
    const message = `parsing Object failed, expected Object, but encountered ${encounteredJson(body)}`;
    return fail("parse-failed", paths.form, message);
  }
  const version = readVersion(body.version, paths);
  if (!version.ok) return version;
  if (body.type === undefined) return missingKey("type", body, paths);
  const type = decode(text, body.type, pathTo(paths.form, "type"));
  if (!type.ok) return type;
  const named = findOperation(endpoint, version.value, type.value);
  if (!Object.hasOwn(body, "args") && named?.operation.argsOptional !== true) {
    return missingKey("args", body, paths);
  }
  const site = siteOf(endpoint, paths);
  const mode = bulkModeNamed(endpoint, type.value);
  if (mode !== undefined) return decodeBulk(endpoint, mode, body.args, site);
  if (endpoint === "/v1/metadata" && type.value === planOperation) return decodePlan(body.args, site);
  if (named === undefined) return fail("parse-failed", ...unknownType(endpoint, version.value, type.value, paths));
  const { operation, kind } = named;
  const bound = operation.bind(body.args, { ...site, kind });
  if (bound.ok || endpoint !== "/v1/metadata" || operation.endpoints.metadata !== "prefixed") return bound;
  return { ok: false, error: { ...bound.error, message: prefixedMessage(operation.name, bound.error.message) } };
}

function readVersion(given: unknown, paths: BodyPaths): Result<Version> {
  const path = pathTo(paths.form, "version");
  const version = decode(int, given ?? 1, path);
  if (!version.ok) return version;
  if (version.value === 1 || version.value === 2) return ok(version.value);
  return fail("parse-failed", path, `expected 1 or 2, encountered ${version.value}`);
}

function siteOf(endpoint: Endpoint, paths: BodyPaths): Omit<Site, "kind"> {
  return {
    endpoint,
    path: pathTo(paths.run, "args"),
    argsPath: endpoint === "/v1/query" ? paths.form : pathTo(paths.form, "args"),
  };
}

function bulkModeNamed(endpoint: Endpoint, type: string): BulkMode | undefined {
  if (!Object.hasOwn(bulkModes, type)) return undefined;
  const mode = type as BulkMode;
  return bulkModes[mode].includes(endpoint) ? mode : undefined;
}

const bodies = list(json);

function decodeBulk(endpoint: Endpoint, mode: BulkMode, args: unknown, site: Omit<Site, "kind">): Result<BulkCall> {
  const bodiesOfItems = decode(bodies, args, site.argsPath);
  if (!bodiesOfItems.ok) return bodiesOfItems;
  const items = decodeItems(endpoint, bodiesOfItems.value, (index) => ({
    form: pathTo(site.argsPath, index),
    // Each item of `bulk_keep_going` has a separate error, whose path starts at the item.
    run: mode === "bulk_keep_going" ? "$" : pathTo(site.path, index),
  }));
  return items.ok ? ok({ effect: "bulk", mode, items: items.value, path: site.path }) : items;
}

function decodeItems(
  endpoint: Endpoint,
  given: readonly Json[],
  pathsOf: (index: number) => BodyPaths,
): Result<readonly DecodedCall[]> {
  const items: DecodedCall[] = [];
  for (const [index, body] of given.entries()) {
    const item = decodeCall(endpoint, body, pathsOf(index));
    if (!item.ok) return item;
    items.push(item.value);
  }
  return ok(items);
}

const planOperation = "plan_metadata";
const planArguments = object({ required: { operations: bodies }, optional: { roles: list(text) } });

function decodePlan(args: unknown, { path, argsPath }: Omit<Site, "kind">): Result<PlanCall> {
  const decoded = decode(planArguments, args, argsPath);
  if (!decoded.ok) return decoded;
  const { operations, roles } = decoded.value;
  const pathsOf = (index: number): BodyPaths => {
    const within = (start: string): string => pathTo(pathTo(start, "operations"), index);
    return { form: within(argsPath), run: within(path) };
  };
  const items = decodeItems("/v1/metadata", operations, pathsOf);
  if (!items.ok) return items;
  const changes: (ChangeCall | BulkCall)[] = [];
  for (const [index, item] of items.value.entries()) {
    if (item.effect !== "change" && !(item.effect === "bulk" && item.mode === "bulk_atomic")) {
      const hint = "plan_metadata accepts operations that only change the metadata, and bulk_atomic of such operations";
      return fail("not-supported", pathsOf(index).form, "this operation cannot be planned", { hint });
    }
    changes.push(item);
  }
  return ok({ effect: "plan", changes, ...(roles && { roles }), path });
}

type UnknownType = readonly [path: string, message: string, details: { readonly hint?: string }];

function unknownType(endpoint: Endpoint, version: Version, type: string, paths: BodyPaths): UnknownType {
  const modes = Object.entries(bulkModes).flatMap(([mode, endpoints]) => (endpoints.includes(endpoint) ? [mode] : []));
  const plans = endpoint === "/v1/metadata" ? [planOperation] : [];
  const names = [...operationNames(endpoint, version), ...modes, ...plans].sort();
  const hint = hintFor(type, names);
  switch (endpoint) {
    case "/v1/metadata":
      return [paths.form, unknownCommand(type), hint];
    case "/v2/query":
      return [paths.form, `Unrecognised RQLQuery type: ${type}`, hint];
    case "/v1/query": {
      const message = `expected the type to be one of ${names.join(", ")}, but found "${type}"`;
      return [pathTo(paths.form, "type"), message, hint];
    }
  }
}

/** Returns the message for an unknown command. The text before the first `_` is reported as its source kind. */
function unknownCommand(type: string): string {
  const underscore = type.indexOf("_");
  const prefix = underscore < 0 ? type : type.slice(0, underscore);
  const command = underscore < 0 ? "" : type.slice(underscore + 1);
  if (!isGraphqlName(prefix)) {
    return `unknown metadata command "${type}"; "${prefix}" was not recognized as a valid backend name`;
  }
  return `unknown metadata command "${command}" for backend ${sourceKindNamed(prefix) ?? prefix}`;
}

const documentation = "https://engine.io/docs/latest/graphql/core/api-reference/metadata-api/index.html#metadata-apis";

function prefixedMessage(command: string, message: string): string {
  return [
    `Error when parsing command ${command}.`,
    `See our documentation at ${documentation}.`,
    `Internal error message: ${message}`,
  ].join("\n");
}
