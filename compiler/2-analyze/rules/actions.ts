/** Rules of actions: their types and environment variables exist. */
import type { Action, ObjectType } from "../../catalog/outside-sources.ts";
import { duplicates } from "../../catalog/schema/combinators.ts";
import { actionObject } from "../metadata-objects.ts";
import { type Findings, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import { type ActionTypes, baseTypeName, isIntrospection, quotedList } from "./custom-types.ts";
import { checkHeaders, checkSecrets, checkUrl, type Environment } from "./environment.ts";

/**
 * Returns the consistent actions by name, sorted.
 * @param types `undefined` if the custom types are inconsistent, which makes every action inconsistent
 */
export function analyzeActions(
  actions: readonly Action[],
  types: ActionTypes | undefined,
  environment: Environment,
  findings: Findings,
): ReadonlyMap<string, Action> {
  const consistent: Action[] = [];
  for (const action of findings.withoutDuplicates(actions, ({ name }) => name, actionObject)) {
    const found = findings.attempt(
      () => actionObject(action),
      `in action "${action.name}"; `,
      () => {
        if (types === undefined) return rejectDangling("custom types are inconsistent", { kind: "custom_types" });
        checkNames(action);
        checkArguments(action, types);
        checkOutput(action, types);
        checkResultType(action, types);
        checkRelayNames(action, types);
        checkHandler(action);
        checkUrl(action.definition.handler, environment);
        checkHeaders(action.definition.headers, environment);
        checkSecrets(action.definition, environment);
        return action;
      },
    );
    if (found !== undefined) consistent.push(found);
  }
  consistent.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(consistent.map((action) => [action.name, action]));
}

/** Refuses reserved and repeated names. */
function checkNames({ name, definition }: Action): void {
  if (isIntrospection(name)) reject(`the name "${name}" is reserved for introspection`);
  const repeated = duplicates((definition.arguments ?? []).map((argument) => argument.name));
  if (repeated.length > 0) reject(`duplicate arguments: ${quotedList(repeated)}`);
}

/** Checks the handler's URL. Templates are resolved only when the handler is called. */
function checkHandler({ definition: { handler } }: Action): void {
  const isHttp = handler.includes("{{") ? /^\s*(?:https?:|\{\{)/i.test(handler) : isHttpUrl(handler);
  if (!isHttp) reject(`the handler must be a URL that begins with http:// or https://`);
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function checkArguments({ definition }: Action, { scalars, enums, inputObjects }: ActionTypes): void {
  for (const { type } of definition.arguments ?? []) {
    const base = baseTypeName(type);
    if (scalars.has(base) || enums.has(base) || inputObjects.has(base)) continue;
    const reason = `the type: "${base}" is not defined in custom types or it is not a scalar/enum/input_object`;
    rejectUnknown(reason, base, [...scalars, ...enums, ...inputObjects]);
  }
}

function checkOutput({ definition }: Action, types: ActionTypes): void {
  const base = baseTypeName(definition.output_type);
  const object = types.objects.get(base);
  if (object !== undefined) {
    if (definition.kind === "asynchronous") checkAsynchronous(object, types);
    else checkSynchronous(object, types);
  } else if (!types.scalars.has(base) && !types.enums.has(base)) {
    const known = [...types.objects.keys(), ...types.scalars, ...types.enums];
    rejectUnknown(`the type: "${base}" is not an object or scalar type defined in custom types`, base, known);
  }
}

/**
 * Refuses a custom type with the name of an asynchronous action: the type of the action's stored result has that name.
 */
function checkResultType({ name, definition }: Action, types: ActionTypes): void {
  const { scalars, enums, inputObjects, objects, others } = types;
  if (definition.kind !== "asynchronous") return;
  const owner = others.ownerOf(name);
  if (owner !== undefined) {
    reject(`the type: "${name}" belongs to ${owner}, and the result type of the asynchronous action has the same name`);
  }
  const isTaken = [scalars, enums, inputObjects, objects].some((known) => known.has(name));
  if (isTaken)
    reject(
      `the type: "${name}" is defined in custom types, and the result type of the asynchronous action has the same name`,
    );
}

/**
 * Refuses types with names of the Relay schema's own types. That schema also contains the mutations of actions, with
 * their types.
 */
function checkRelayNames({ definition }: Action, types: ActionTypes): void {
  if (definition.type === "query") return;
  const relay = types.relay();
  const output = definition.kind === "asynchronous" ? [] : [definition.output_type];
  const used = typesBehind([...(definition.arguments ?? []).map(({ type }) => type), ...output], types);
  const taken = [...used].filter((name) => relay.has(name));
  if (taken.length === 0) return;
  reject(`the Relay schema contains the action, and has types of its own with these names: ${quotedList(taken)}`);
}

/** Returns the names of these types and, recursively, of their fields' types. */
function typesBehind(given: readonly string[], { custom }: ActionTypes): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (type: string): void => {
    const name = baseTypeName(type);
    if (names.has(name)) return;
    names.add(name);
    const known = [...custom.objects, ...custom.input_objects].find((each) => each.name === name);
    for (const field of known?.fields ?? []) visit(field.type);
  };
  for (const type of given) visit(type);
  return names;
}

/** Refuses relationships on nested fields: joins use only top-level fields of the handler's response. */
function checkSynchronous(type: ObjectType, types: ActionTypes): void {
  const nested = new Set(nestedFields(type, types));
  const bad = type.relationships.filter(({ field_mapping }) =>
    Object.keys(field_mapping).some((field) => nested.has(field)),
  );
  if (bad.length === 0) return;
  reject(`Relationships cannot be defined with nested object fields: ${quotedList(bad.map(({ name }) => name))}`);
}

/**
 * Refuses nested fields beside relationships: the result of an asynchronous action is stored as a whole, and
 * relationships join the stored result.
 */
function checkAsynchronous(type: ObjectType, types: ActionTypes): void {
  const nested = nestedFields(type, types);
  if (type.relationships.length === 0 || nested.length === 0) return;
  reject(`Async action relations cannot be used with object fields: ${quotedList(nested)}`);
}

function nestedFields({ fields }: ObjectType, { objects }: ActionTypes): readonly string[] {
  return fields.filter(({ type }) => objects.has(baseTypeName(type))).map(({ name }) => name);
}
