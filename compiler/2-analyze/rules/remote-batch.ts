/**
 * Remote fields that return the results for many keys in one call: fields whose relationship definition passes a list
 * argument (`batch`), and `_entities` of Apollo Federation. Input: a definition that is otherwise valid; output: how
 * the items of the response match the keys, or a rejection.
 */
import type { RemoteBatch } from "../../../runtime/model/definitions/remote-relationship.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import { namedRemoteType, type RemoteField, type RemoteShape, type RemoteTypeRef } from "../../shape/remote-shape.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** `batch` as written in the metadata. */
export interface WrittenBatch {
  readonly match: "position" | Readonly<Record<string, string>>;
  readonly relationship_type?: "object" | "array";
}

interface Step {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * Returns how the items match the keys; `undefined` if the field is called once for each key.
 * @param keys `lhs_fields`
 * @param shape `undefined` if the remote schema was not introspected
 * @throws Rejection
 */
export function remoteBatch(
  field: JsonObject,
  keys: readonly string[],
  batch: WrittenBatch | undefined,
  shape: RemoteShape | undefined,
): RemoteBatch | undefined {
  const steps = [...stepsOf(field)];
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const isEntities = steps.length === 1 && last.name === "_entities";
  if (batch === undefined && !isEntities) return undefined;
  checkList(steps);
  if (isEntities) return entities(last, batch, shape);
  const { match = "position", relationship_type: relationship = "object" } = batch ?? {};
  const answered = lastField(steps, shape);
  const item = answered && itemOf(answered);
  if (match === "position") {
    if (relationship === "array")
      reject('with "match": "position" the response has one item for each key: "relationship_type" cannot be "array"');
    return { relationship };
  }
  for (const name of Object.keys(match)) {
    if (!keys.includes(name)) rejectUnknown(`"${name}" in "match" is not one of "lhs_fields"`, name, keys);
  }
  const matched = keys.map((key) => match[key] ?? reject(`"match" has no field of the items for "${key}"`));
  if (matched.length === 0) reject('"match" needs a field of the items for each of "lhs_fields"');
  if (item !== undefined) for (const name of matched) checkMatched(name, item, shape);
  return { relationship, match: matched };
}

/** Yields the steps of `{"user": {"arguments": {…}, "field": {…}}}`. */
function* stepsOf(field: JsonObject): Iterable<Step> {
  for (const [name, step] of Object.entries(field)) {
    if (!isObject(step)) continue;
    yield { name, args: isObject(step.arguments) ? step.arguments : {} };
    if (isObject(step.field)) yield* stepsOf(step.field);
  }
}

/**
 * Checks that all join fields are in one list with one element, among the arguments of the last field. A call repeats
 * the element for each key.
 */
function checkList(steps: readonly Step[]): void {
  const found = { lists: 0, misplaced: 0 };
  for (const [i, { args }] of steps.entries()) countKeys(args, i === steps.length - 1, found);
  if (found.lists === 1 && found.misplaced === 0) return;
  reject(
    "to fetch all keys in one call, the join fields must be in one list with one element, among the arguments of the last field",
  );
}

function countKeys(value: Json, isLast: boolean, found: { lists: number; misplaced: number }): void {
  if (Array.isArray(value) && isLast && holdsKey(value)) found.lists++;
  else if (typeof value === "string" && value.startsWith("$")) found.misplaced++;
  else if (Array.isArray(value)) for (const item of value) countKeys(item, isLast, found);
  else if (isObject(value)) for (const member of Object.values(value)) countKeys(member, isLast, found);
}

function holdsKey(value: Json): boolean {
  if (typeof value === "string") return value.startsWith("$");
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsKey);
}

function entities({ args }: Step, batch: WrittenBatch | undefined, shape: RemoteShape | undefined): RemoteBatch {
  if (batch !== undefined)
    reject('"_entities" returns items in the order of its representations: "batch" is not needed');
  const [representation] = Array.isArray(args.representations) ? args.representations : [];
  const entity = isObject(representation) ? representation.__typename : undefined;
  if (typeof entity !== "string") {
    return reject(
      '"representations" must be a list of one object with the "__typename" of the entity and its key fields',
    );
  }
  const union = shape?.types.get("_Entity");
  const known = union?.kind === "union" ? union.members : [];
  if (shape !== undefined && !known.includes(entity)) {
    rejectUnknown(`"${entity}" is not an entity of the remote schema`, entity, known);
  }
  return { relationship: "object", entity };
}

/** Returns the last field of the path; `undefined` if the remote schema was not introspected. */
function lastField(steps: readonly Step[], shape: RemoteShape | undefined): RemoteField | undefined {
  let owner = shape?.query;
  let found: RemoteField | undefined;
  for (const { name } of steps) {
    const type = owner === undefined ? undefined : shape?.types.get(owner);
    found = type && "fields" in type ? type.fields.find(isOutput(name)) : undefined;
    owner = found && namedRemoteType(found.type);
  }
  return found;
}

const isOutput =
  (name: string) =>
  (field: object & { readonly name: string }): field is RemoteField =>
    field.name === name && "arguments" in field;

/** Returns the item type of the list that a field returns. */
function itemOf({ name, type }: RemoteField): RemoteTypeRef {
  const list = nullableOf(type);
  return list.kind === "list"
    ? nullableOf(list.of)
    : reject(`field "${name}" must return a list with one item for each key`);
}

const nullableOf = (type: RemoteTypeRef): RemoteTypeRef => (type.kind === "non_null" ? type.of : type);

function checkMatched(name: string, item: RemoteTypeRef, shape: RemoteShape | undefined): void {
  const type = item.kind === "named" ? shape?.types.get(item.name) : undefined;
  if (type?.kind !== "object" && type?.kind !== "interface") {
    reject(`items can be matched by "${name}" only if they are objects`);
    return;
  }
  const fields = type.fields.filter(({ arguments: own, type: of }) => {
    const leaf = nullableOf(of);
    const kind = leaf.kind === "named" ? shape?.types.get(leaf.name)?.kind : "object";
    return own.length === 0 && (kind === undefined || kind === "scalar" || kind === "enum");
  });
  if (fields.some((field) => field.name === name)) return;
  const known = fields.map((field) => field.name);
  rejectUnknown(`type "${type.name}" has no field "${name}" with a single value to match items by`, name, known);
}
