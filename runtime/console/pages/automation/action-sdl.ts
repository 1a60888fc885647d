/**
 * Actions and their types as SDL, and back. An action's text contains its field and the custom types that it uses; the
 * page of custom types has all types.
 */
import { GraphQLError, Kind, parse } from "graphql";
import { Locations } from "../../../metadata-text/locations.ts";
import { mergeActions } from "../../../metadata-text/merge-actions.ts";
import { actionRoots, customTypeLists, SdlReader } from "../../../metadata-text/sdl-values.ts";
import { splitActions } from "../../../metadata-text/split-actions.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { isJsonObject } from "./json-paths.ts";

export interface SdlProblem {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
  /** Warnings do not prevent saving: only the server knows the scalars of databases. */
  readonly severity: "error" | "warning";
}

/** The metadata that a text was printed from, and that it may change. */
export interface SdlSubject {
  /** The edited action, with all its members; `null` for a new one, `undefined` for the page of custom types. */
  readonly action: JsonObject | null | undefined;
  readonly otherActions: readonly JsonObject[];
  readonly customTypes: JsonObject;
  /** Names of the custom types in the text. */
  readonly shown: ReadonlySet<string>;
  readonly sdl: string;
  /** Members that SDL cannot express: `actions` and `custom_types`. */
  readonly rest: JsonObject;
}

export const builtInTypes: readonly string[] = ["Int", "Float", "String", "Boolean", "ID"];

export const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Returns the name in a type such as `[Item!]!`. */
export const namedType = (type: Json | undefined): string => textOf(type).replace(/[^\w]/g, "");

export const typesIn = (customTypes: JsonObject): readonly JsonObject[] =>
  customTypeLists.flatMap((list) => objectsIn(customTypes[list]));

const namesUsedBy = (fields: Json | undefined): readonly string[] =>
  objectsIn(fields).map(({ type }) => namedType(type));

const namesUsedByAction = ({ definition = {} }: JsonObject): readonly string[] =>
  isJsonObject(definition) ? [namedType(definition.output_type), ...namesUsedBy(definition.arguments)] : [];

/** Returns the names of the custom types that actions use, directly or through other types. */
function typesOfActions(actions: readonly JsonObject[], customTypes: JsonObject): ReadonlySet<string> {
  const types = new Map(typesIn(customTypes).map((type) => [textOf(type.name), type]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    const type = types.get(name);
    if (!type || found.has(name)) return;
    found.add(name);
    for (const used of namesUsedBy(type.fields)) visit(used);
  };
  for (const action of actions) for (const name of namesUsedByAction(action)) visit(name);
  return found;
}

const withTypes = (customTypes: JsonObject, isKept: (name: string) => boolean): JsonObject =>
  Object.fromEntries(
    customTypeLists.map((list) => [list, objectsIn(customTypes[list]).filter(({ name }) => isKept(textOf(name)))]),
  );

/** Returns the text of one action with its types. */
export function subjectOfAction(name: string, actions: readonly JsonObject[], customTypes: JsonObject): SdlSubject {
  const action = actions.find((each) => each.name === name) ?? {};
  const shown = typesOfActions([action], customTypes);
  const { sdl, yaml } = splitActions(
    [action],
    withTypes(customTypes, (each) => shown.has(each)),
  );
  const otherActions = actions.filter((each) => each !== action);
  return { action, otherActions, customTypes, shown, sdl, rest: isJsonObject(yaml) ? yaml : {} };
}

const newAction = `type Mutation {
  actionName(input: ActionInput!): ActionOutput
}

input ActionInput {
  text: String!
}

type ActionOutput {
  text: String!
}
`;

export const subjectOfNewAction = (actions: readonly JsonObject[], customTypes: JsonObject): SdlSubject => ({
  action: null,
  otherActions: actions,
  customTypes,
  shown: new Set(),
  sdl: newAction,
  rest: {},
});

/** Returns the text of all custom types. */
export function subjectOfTypes(actions: readonly JsonObject[], customTypes: JsonObject): SdlSubject {
  const { sdl, yaml } = splitActions([], customTypes);
  const shown = new Set(typesIn(customTypes).map(({ name }) => textOf(name)));
  return {
    action: undefined,
    otherActions: actions,
    customTypes,
    shown,
    sdl,
    rest: isJsonObject(yaml) ? yaml : {},
  };
}

/** The metadata that a text describes. */
export interface ReadSdl {
  /** The members of the action that the text describes: `name`, `type`, `output_type`, `arguments`. */
  readonly action: JsonObject | undefined;
  readonly customTypes: JsonObject;
  readonly problems: readonly SdlProblem[];
}

/** Reads a text. With errors among the problems, the other members are those before the change. */
export function readSdl(subject: SdlSubject, text: string): ReadSdl {
  const problems: SdlProblem[] = [];
  const report = (
    at: { readonly start: number; readonly end: number } | undefined,
    message: string,
    isWarning = false,
  ) => {
    const from = at?.start ?? 0;
    problems.push({ from, to: at?.end ?? from + 1, message, severity: isWarning ? "warning" : "error" });
  };
  const unchanged = (): ReadSdl => ({ action: undefined, customTypes: subject.customTypes, problems });
  const isBlank = !/^[\s,]*[^\s,#]/m.test(text);
  const document = isBlank ? { definitions: [] } : parsed(text, report);
  if (!document) return unchanged();
  const source = { file: "", text };
  const locations = new Locations();
  const reader = new SdlReader(source, locations, ({ offset }, message) => {
    report({ start: offset, end: offset + 1 }, `${message}. Remove it.`);
  });
  const fields: string[] = [];
  const defined = new Set<string>();
  for (const node of document.definitions) {
    const { actions, types } = reader.read(node);
    const [name] = types.map((each) => each.name);
    if (name !== undefined && defined.has(name)) report(node.loc, `The type ${name} is defined twice.`);
    const isElsewhere = name !== undefined && !subject.shown.has(name) && isKnown(subject, name);
    if (isElsewhere)
      report(node.loc, `The type ${name} exists: use it without defining it, or change it in Custom types.`);
    if (name !== undefined) defined.add(name);
    fields.push(...actions.map((action) => action.name));
    if (subject.action === undefined && node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value in actionRoots) {
      report(node.loc, "Actions are defined on pages of their own. Remove this type.");
    }
  }
  const [field] = fields;
  if (subject.action !== undefined && fields.length !== 1) {
    report(undefined, "Define one field in type Query or type Mutation: the action.");
  }
  if (field !== undefined && subject.action && subject.action.name !== field) {
    report(undefined, `The name of the action ${textOf(subject.action.name)} cannot be changed.`);
  }
  if (problems.length > 0) return unchanged();
  const merged = merge(subject, text, field, defined);
  const [action] = objectsIn(merged.actions);
  const customTypes = completed(subject, merged.custom_types, action);
  reportUnknownTypes(
    document.definitions,
    subject,
    new Set(typesIn(customTypes).map(({ name }) => textOf(name))),
    report,
  );
  return { action, customTypes, problems };
}

type Report = (
  at: { readonly start: number; readonly end: number } | undefined,
  message: string,
  isWarning?: boolean,
) => void;

function parsed(text: string, report: Report) {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const start = Math.min(error.positions?.[0] ?? 0, Math.max(0, text.length - 1));
    report({ start, end: start + 1 }, error.message);
    return undefined;
  }
}

const isKnown = ({ customTypes }: SdlSubject, name: string): boolean =>
  typesIn(customTypes).some((type) => type.name === name);

/** Merges the text with the members that SDL cannot express, as the files of a metadata directory are merged. */
function merge(subject: SdlSubject, text: string, field: string | undefined, defined: ReadonlySet<string>): JsonObject {
  const [rest = {}] = objectsIn(subject.rest.actions);
  const types = isJsonObject(subject.rest.custom_types) ? subject.rest.custom_types : {};
  // Types without a definition in SDL have all their members in `rest`.
  const inSdl = new Set(splitNames(subject));
  const kept = withTypes(types, (name) => defined.has(name) || !inSdl.has(name));
  const value = { ...(field !== undefined && { actions: [{ ...rest, name: field }] }), custom_types: kept };
  const sections = mergeActions({ value, place: undefined }, { file: "", text }, new Locations(), () => undefined);
  return Object.fromEntries(sections.map(([key, section]) => [key, section.value]));
}

/** Returns the names of the types that the original text defines. */
function splitNames({ sdl }: SdlSubject): readonly string[] {
  if (sdl.trim() === "" || sdl === newAction) return [];
  return parse(sdl).definitions.flatMap((node) =>
    "name" in node && node.name && !(node.name.value in actionRoots) ? [node.name.value] : [],
  );
}

/** Returns all custom types after the change: a type that was removed from the text stays if others use it. */
function completed(subject: SdlSubject, changed: Json | undefined, action: JsonObject | undefined): JsonObject {
  const { customTypes, shown, otherActions } = subject;
  const edited = isJsonObject(changed) ? changed : {};
  const editedNames = new Set(typesIn(edited).map(({ name }) => textOf(name)));
  const others = withTypes(customTypes, (name) => !shown.has(name) && !editedNames.has(name));
  const needed =
    subject.action === undefined
      ? new Set<string>()
      : new Set([
          ...typesOfActions([...otherActions, ...(action ? [action] : [])], customTypes),
          ...typesIn(others).flatMap(({ fields }) => namesUsedBy(fields)),
        ]);
  return Object.fromEntries(
    customTypeLists.map((list) => {
      const byName = new Map(objectsIn(edited[list]).map((type) => [textOf(type.name), type]));
      const before = objectsIn(customTypes[list]).flatMap((type) => {
        const name = textOf(type.name);
        const now = byName.get(name);
        byName.delete(name);
        if (now) return [now];
        return editedNames.has(name) || (shown.has(name) && !needed.has(name)) ? [] : [type];
      });
      return [list, [...before, ...byName.values()]];
    }),
  );
}

/** Reports types without a definition. Databases have scalars of lower-case names. */
function reportUnknownTypes(
  definitions: readonly object[],
  { customTypes }: SdlSubject,
  known: ReadonlySet<string>,
  report: Report,
): void {
  const seen = new Set<object>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const { kind, name, loc } = node as {
      kind?: string;
      name?: { value: string };
      loc?: { start: number; end: number };
    };
    if (kind === Kind.NAMED_TYPE && name) {
      const isFound = known.has(name.value) || builtInTypes.includes(name.value) || /^[a-z_]/.test(name.value);
      const wasRemoved = typesIn(customTypes).some((type) => type.name === name.value);
      if (!isFound)
        report(loc, `There is no type ${name.value}${wasRemoved ? " any more" : ""}. Define it below.`, true);
      return;
    }
    for (const [key, member] of Object.entries(node)) if (key !== "loc") visit(member);
  };
  visit(definitions);
}

/** Returns true if two values have the same JSON, regardless of the order of their keys. */
export const isSame = (a: Json | undefined, b: Json | undefined): boolean => sortedText(a) === sortedText(b);

const sortedText = (value: Json | undefined): string =>
  JSON.stringify(value, (_key, each: Json) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  ) ?? "";
