/**
 * Merges actions and custom types from `actions.yaml` and `actions.graphql`: the SDL defines arguments, results and
 * types, the YAML all other members. Members that occur in only one of the two files are included.
 */

import { GraphQLError, parse } from "graphql";
import type { Json } from "../../compiler/catalog/model.ts";
import { fileError, type Located, type Locations, type SourceText } from "./locations.ts";
import {
  type CustomTypeList,
  customTypeLists,
  type ReportLeftOut,
  type SdlAction,
  SdlReader,
  type SdlType,
} from "./sdl-values.ts";

type Entries = Map<string, Located>;

/**
 * Returns the sections `actions` and `custom_types` of the metadata document.
 * @param report receives parts of the SDL that are left out
 */
export function mergeActions(
  yaml: Located | undefined,
  sdl: SourceText | undefined,
  locations: Locations,
  report: ReportLeftOut,
): readonly (readonly [key: string, value: Located])[] {
  const fromSdl = readSdl(sdl, locations, report);
  const actions = mergeList(locations, locations.member(yaml?.value, "actions"), (entries, name) => {
    const action = fromSdl.actions.get(name);
    fromSdl.actions.delete(name);
    return action === undefined ? entries : withSdl(locations, entries, action);
  });
  const [orphan] = fromSdl.actions.values();
  if (orphan !== undefined) {
    throw fileError(orphan.place, `action "${orphan.name}" is missing in actions.yaml, which must define its handler`);
  }
  const customTypes = mergeTypes(locations, locations.member(yaml?.value, "custom_types"), fromSdl.types);
  return [...(actions === undefined ? [] : [["actions", actions] as const]), ...customTypes];
}

function readSdl(sdl: SourceText | undefined, locations: Locations, report: ReportLeftOut) {
  const actions = new Map<string, SdlAction>();
  const types: SdlType[] = [];
  if (sdl === undefined || !/^\s*[^\s#]/m.test(sdl.text)) return { actions, types };
  const reader = new SdlReader(sdl, locations, report);
  for (const node of parseSdl(sdl)) {
    const read = reader.read(node);
    for (const action of read.actions) {
      if (actions.has(action.name)) throw fileError(action.place, `action "${action.name}" is defined twice`);
      actions.set(action.name, action);
    }
    types.push(...read.types);
  }
  return { actions, types };
}

function parseSdl(source: SourceText) {
  try {
    return parse(source.text).definitions;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw fileError({ source, offset: error.positions?.[0] ?? 0 }, error.message);
  }
}

/** Changes the named objects of a list. Other values are kept, so that validation reports them. */
function mergeList(
  locations: Locations,
  list: Located | undefined,
  change: (entries: Entries, name: string) => Entries,
): Located | undefined {
  if (list === undefined || !Array.isArray(list.value)) return list;
  const items = list.value.map((_, index): Located => {
    const item = locations.member(list.value, String(index)) ?? { value: null, place: list.place };
    const entries = entriesOf(locations, item);
    const name = entries?.get("name")?.value;
    if (entries === undefined || typeof name !== "string") return item;
    return { value: locations.object([...change(entries, name)], item.place), place: item.place };
  });
  return { value: locations.list(items, list.place), place: list.place };
}

function entriesOf(locations: Locations, item: Located | undefined): Entries | undefined {
  if (item === undefined || typeof item.value !== "object" || item.value === null || Array.isArray(item.value)) {
    return undefined;
  }
  const entries: Entries = new Map();
  for (const key of Object.keys(item.value)) {
    const member = locations.member(item.value, key);
    if (member !== undefined) entries.set(key, member);
  }
  return entries;
}

/** Adds the members of an action's field to its YAML, and its description as the comment, unless there is one. */
function withSdl(locations: Locations, entries: Entries, action: SdlAction): Entries {
  const definition = entries.get("definition");
  const members: Entries = new Map(entriesOf(locations, definition));
  // Some tools write an empty kind for actions that are queries.
  if (members.get("kind")?.value === "") members.delete("kind");
  for (const [key, value] of action.definition) members.set(key, value);
  const place = definition?.place ?? action.place;
  const merged = new Map(entries).set("definition", { value: locations.object([...members], place), place });
  if (!merged.has("comment") && action.description !== undefined) merged.set("comment", action.description);
  return merged;
}

function mergeTypes(
  locations: Locations,
  yaml: Located | undefined,
  types: readonly SdlType[],
): readonly (readonly [string, Located])[] {
  const lists = customTypeLists.flatMap((list): (readonly [CustomTypeList, Located])[] => {
    const merged = mergeTypeList(
      locations,
      locations.member(yaml?.value, list),
      types.filter((type) => type.list === list),
    );
    return merged === undefined || isEmptyList(merged.value) ? [] : [[list, merged]];
  });
  const isObject = yaml === undefined || entriesOf(locations, yaml) !== undefined;
  if (!isObject) return [["custom_types", yaml]];
  return lists.length === 0
    ? []
    : [["custom_types", { value: locations.object(lists, yaml?.place), place: yaml?.place }]];
}

/** Returns the types of the YAML in its order, completed by the SDL, then types that only the SDL has. */
function mergeTypeList(
  locations: Locations,
  yaml: Located | undefined,
  types: readonly SdlType[],
): Located | undefined {
  const remaining = new Set(types);
  const listed = mergeList(locations, yaml, (entries, name) => {
    const type = types.find((each) => each.name === name && remaining.has(each));
    if (type === undefined) return entries;
    remaining.delete(type);
    return new Map([...entries, ...type.members]);
  });
  if (remaining.size === 0 || (listed !== undefined && !Array.isArray(listed.value))) return listed;
  const others = [...remaining].map((type): Located => {
    const name = { value: type.name, place: type.place };
    return { value: locations.object([["name", name], ...type.members], type.place), place: type.place };
  });
  const items = Array.isArray(listed?.value)
    ? listed.value.map((_, index) => locations.member(listed.value, String(index)) ?? { value: null, place: undefined })
    : [];
  return { value: locations.list([...items, ...others], listed?.place), place: listed?.place };
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}
