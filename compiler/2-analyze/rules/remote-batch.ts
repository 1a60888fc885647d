/**
 * Fields of a remote schema that answer for many keys in one call: those that the definition of a relationship gives a list
 * argument (`batch`), and `_entities` of Apollo federation. Input: the definition, which is right but for that; output: how
 * the items of the answer belong to the keys, or a rejection.
 */
import type { RemoteBatch } from "../../../runtime/model/definitions/remote-relationship.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import { namedRemoteType, type RemoteField, type RemoteShape, type RemoteTypeRef } from "../../shape/remote-shape.ts";
import { reject, rejectUnknown } from "../rejection.ts";

/** As written in the metadata. */
export interface WrittenBatch {
  readonly match: "position" | Readonly<Record<string, string>>;
  readonly relationship_type?: "object" | "array";
}

interface Step {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * @param keys `lhs_fields`
 * @param shape `undefined`: the server was not asked
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
      reject('with "match": "position" there is one item for each key: "relationship_type" cannot be "array"');
    return { relationship };
  }
  for (const name of Object.keys(match)) {
    if (!keys.includes(name)) rejectUnknown(`"${name}" in "match" is not one of "lhs_fields"`, name, keys);
  }
  const matched = keys.map((key) => match[key] ?? reject(`"match" does not say which field of an item is "${key}"`));
  if (matched.length === 0) reject('"match" needs a field of the items for each of "lhs_fields"');
  if (item !== undefined) for (const name of matched) checkMatched(name, item, shape);
  return { relationship, match: matched };
}

/** `{"user": {"arguments": {…}, "field": {…}}}` as a list. */
function* stepsOf(field: JsonObject): Iterable<Step> {
  for (const [name, step] of Object.entries(field)) {
    if (!isObject(step)) continue;
    yield { name, args: isObject(step.arguments) ? step.arguments : {} };
    if (isObject(step.field)) yield* stepsOf(step.field);
  }
}

/** All keys stand in one list of one element, which takes those of a level, among the arguments of the last field. */
function checkList(steps: readonly Step[]): void {
  const found = { lists: 0, outside: 0 };
  for (const [i, { args }] of steps.entries()) countKeys(args, i === steps.length - 1, found);
  if (found.lists === 1 && found.outside === 0) return;
  reject(
    "to ask for all keys in one call, the join fields have to stand in one list of one element, among the arguments of the last field",
  );
}

function countKeys(value: Json, isLast: boolean, found: { lists: number; outside: number }): void {
  if (Array.isArray(value) && isLast && holdsKey(value)) found.lists++;
  else if (typeof value === "string" && value.startsWith("$")) found.outside++;
  else if (Array.isArray(value)) for (const item of value) countKeys(item, isLast, found);
  else if (isObject(value)) for (const member of Object.values(value)) countKeys(member, isLast, found);
}

function holdsKey(value: Json): boolean {
  if (typeof value === "string") return value.startsWith("$");
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsKey);
}

function entities({ args }: Step, batch: WrittenBatch | undefined, shape: RemoteShape | undefined): RemoteBatch {
  if (batch !== undefined) reject('"_entities" answers in the order of its representations: "batch" is not needed');
  const [representation] = Array.isArray(args.representations) ? args.representations : [];
  const entity = isObject(representation) ? representation.__typename : undefined;
  if (typeof entity !== "string") {
    return reject(
      '"representations" has to be a list of one object with the "__typename" of the entity and its key fields',
    );
  }
  const union = shape?.types.get("_Entity");
  const known = union?.kind === "union" ? union.members : [];
  if (shape !== undefined && !known.includes(entity)) {
    rejectUnknown(`"${entity}" is not an entity of the remote schema`, entity, known);
  }
  return { relationship: "object", entity };
}

/** `undefined`: what the server has is not known. */
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

/** Of the list that a field answers. */
function itemOf({ name, type }: RemoteField): RemoteTypeRef {
  const list = nullableOf(type);
  return list.kind === "list"
    ? nullableOf(list.of)
    : reject(`field "${name}" has to answer a list, an item for each key`);
}

const nullableOf = (type: RemoteTypeRef): RemoteTypeRef => (type.kind === "non_null" ? type.of : type);

function checkMatched(name: string, item: RemoteTypeRef, shape: RemoteShape | undefined): void {
  const type = item.kind === "named" ? shape?.types.get(item.name) : undefined;
  if (type?.kind !== "object" && type?.kind !== "interface") {
    reject(`items can be matched by "${name}" only where they are objects`);
    return;
  }
  const fields = type.fields.filter(({ arguments: own, type: of }) => {
    const leaf = nullableOf(of);
    const kind = leaf.kind === "named" ? shape?.types.get(leaf.name)?.kind : "object";
    return own.length === 0 && (kind === undefined || kind === "scalar" || kind === "enum");
  });
  if (fields.some((field) => field.name === name)) return;
  const known = fields.map((field) => field.name);
  rejectUnknown(`type "${type.name}" has no field "${name}" with one value to match items by`, name, known);
}
