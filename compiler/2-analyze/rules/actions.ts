/** Actions: their types exist, and so does what their URL takes from the environment (`metadata-api.md` 2.11, `automation.md` C.1). */
import type { Action, ObjectType } from "../../catalog/outside-sources.ts";
import { duplicates } from "../../catalog/schema/combinators.ts";
import { actionObject } from "../metadata-objects.ts";
import { type Findings, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import { type ActionTypes, baseTypeName, isIntrospection, quotedList } from "./custom-types.ts";
import { checkHeaders, checkSecrets, checkUrl, type Environment } from "./environment.ts";

/**
 * The consistent actions by name, in order.
 * @param types `undefined`: the custom types are inconsistent, and with them every action
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

/** Each name means one thing. */
function checkNames({ name, definition }: Action): void {
  if (isIntrospection(name)) reject(`the name "${name}" is one of introspection`);
  const repeated = duplicates((definition.arguments ?? []).map((argument) => argument.name));
  if (repeated.length > 0) reject(`duplicate arguments: ${quotedList(repeated)}`);
}

/** What comes from the environment is looked at when the handler is called. */
function checkHandler({ definition: { handler } }: Action): void {
  const isHttp = handler.includes("{{") ? /^\s*(?:https?:|\{\{)/i.test(handler) : isHttpUrl(handler);
  if (!isHttp) reject(`the handler is not an address that begins with http:// or https://`);
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

/** What becomes of the calls of an asynchronous action is an object of a type that is called as the action. */
function checkResultType({ name, definition }: Action, types: ActionTypes): void {
  const { scalars, enums, inputObjects, objects, others } = types;
  if (definition.kind !== "asynchronous") return;
  const owner = others.ownerOf(name);
  if (owner !== undefined) {
    reject(`the type: "${name}" is one of ${owner}, and the result of the asynchronous action is called so`);
  }
  const isTaken = [scalars, enums, inputObjects, objects].some((known) => known.has(name));
  if (isTaken)
    reject(`the type: "${name}" is defined in custom types, and the result of the asynchronous action is called so`);
}

/** The Relay schema has mutations of actions, with their types. */
function checkRelayNames({ definition }: Action, types: ActionTypes): void {
  if (definition.type === "query") return;
  const relay = types.relay();
  const output = definition.kind === "asynchronous" ? [] : [definition.output_type];
  const used = typesBehind([...(definition.arguments ?? []).map(({ type }) => type), ...output], types);
  const taken = [...used].filter((name) => relay.has(name));
  if (taken.length === 0) return;
  reject(`the Relay schema has the action, and types of its own that are called so: ${quotedList(taken)}`);
}

/** The names of these types, and of those of their fields. */
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

/** A join takes its values from the top level of what the handler answers. */
function checkSynchronous(type: ObjectType, types: ActionTypes): void {
  const nested = new Set(nestedFields(type, types));
  const bad = type.relationships.filter(({ field_mapping }) =>
    Object.keys(field_mapping).some((field) => nested.has(field)),
  );
  if (bad.length === 0) return;
  reject(`Relationships cannot be defined with nested object fields: ${quotedList(bad.map(({ name }) => name))}`);
}

/** The answer of an asynchronous action is stored whole, and relationships are joined to what is stored. */
function checkAsynchronous(type: ObjectType, types: ActionTypes): void {
  const nested = nestedFields(type, types);
  if (type.relationships.length === 0 || nested.length === 0) return;
  reject(`Async action relations cannot be used with object fields: ${quotedList(nested)}`);
}

function nestedFields({ fields }: ObjectType, { objects }: ActionTypes): readonly string[] {
  return fields.filter(({ type }) => objects.has(baseTypeName(type))).map(({ name }) => name);
}
