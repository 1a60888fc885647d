/** Changes actions and custom types in `actions.yaml` and `actions.graphql`, each member in the file that has it. */
import { type FieldDefinitionNode, Kind, type StringValueNode } from "graphql";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { customTypeLists } from "../../metadata-text/sdl-values.ts";
import {
  asObject,
  objects,
  splitAction,
  splitType,
  withoutDefinition,
  withoutField,
} from "../../metadata-text/split-actions.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { SdlEdit } from "./edit-sdl.ts";

/** The sections `actions` and `custom_types` of the metadata. */
interface ActionSections {
  readonly actions: Json | undefined;
  readonly customTypes: Json | undefined;
}

interface EditedActions {
  /** The part of the old metadata that the YAML file has. */
  readonly old: JsonObject;
  /** The part of the new metadata that the YAML file gets. */
  readonly next: JsonObject;
  /** The new SDL; `undefined` if it does not change. */
  readonly sdl: string | undefined;
}

interface Change {
  readonly old?: JsonObject;
  readonly next?: JsonObject;
}

/** @param written the value of `actions.yaml` */
export function editActions(
  sdlText: string,
  written: Json | undefined,
  before: ActionSections,
  after: ActionSections,
): EditedActions {
  const sdl = new SdlEdit(sdlText);
  const writtenActions = objects(asObject(written).actions);
  const actions = changesOf(objects(before.actions), objects(after.actions), (old, next) =>
    changeAction(sdl, old, next, named(writtenActions, old ?? next)),
  );
  const writtenTypes = asObject(asObject(written).custom_types);
  const lists = customTypeLists.map((list) => {
    const inYaml = objects(writtenTypes[list]);
    const nextTypes = objects(asObject(after.customTypes)[list]);
    const oldTypes = objects(asObject(before.customTypes)[list]);
    const changes = changesOf(oldTypes, nextTypes, (old, next) => {
      const isListed = named(inYaml, old ?? next) !== undefined;
      const name = String((old ?? next)?.name);
      if (old !== undefined && !sdl.hasType(list, name)) return { old, ...(next && { next }) };
      const split = next === undefined ? undefined : splitType(list, next, nextTypes);
      const isUnchanged = old !== undefined && next !== undefined && isSame(typeMembers(old), typeMembers(next));
      const isKept = isUnchanged && split?.definition !== undefined;
      if (!isKept && (old !== undefined || split?.definition !== undefined)) sdl.setType(list, name, split?.definition);
      const isNamed = isListed || (writtenTypes[list] !== undefined && oldTypes.every((type) => named(inYaml, type)));
      const rest = split === undefined || (!isNamed && Object.keys(split.yaml).length === 1) ? undefined : split.yaml;
      return { ...(old && isListed && { old: withoutDefinition(old) }), ...(rest && { next: rest }) };
    });
    return { list, changes };
  });
  const side = (key: keyof Change): JsonObject => {
    const types = lists.map(({ list, changes }): [string, Json] => [list, changes.flatMap((each) => each[key] ?? [])]);
    const shown = types.filter(([list, value]) => objects(value).length > 0 || writtenTypes[list] !== undefined);
    return {
      actions: actions.flatMap((each) => each[key] ?? []),
      ...((shown.length > 0 || asObject(written).custom_types !== undefined) && {
        custom_types: Object.fromEntries(shown),
      }),
    };
  };
  return { old: side("old"), next: side("next"), sdl: sdl.isChanged ? sdl.text : undefined };
}

const named = (list: readonly JsonObject[], object: JsonObject | undefined): JsonObject | undefined =>
  list.find(({ name }) => name === object?.name);

function changesOf(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  change: (old: JsonObject | undefined, next: JsonObject | undefined) => Change,
): readonly Change[] {
  const removed = before.filter((old) => named(after, old) === undefined);
  return [...after.map((next) => change(named(before, next), next)), ...removed.map((old) => change(old, undefined))];
}

function changeAction(
  sdl: SdlEdit,
  old: JsonObject | undefined,
  next: JsonObject | undefined,
  written: JsonObject | undefined,
): Change {
  const name = String((old ?? next)?.name);
  const field = sdl.field(name);
  if (old !== undefined && field === undefined) return { old, ...(next && { next }) };
  const hasComment = old !== undefined && isDescribed(field, written);
  const split = next === undefined ? undefined : splitAction(next);
  if (old === undefined) {
    if (split?.field !== undefined) sdl.setField(name, split.field);
    return { ...(split && { next: split.yaml }) };
  }
  const inYaml = (action: JsonObject): JsonObject => (hasComment ? withoutComment(action) : action);
  const oldYaml = inYaml(withoutField(old));
  if (next === undefined || split === undefined) {
    sdl.setField(name, undefined);
    return { old: oldYaml };
  }
  if (split.field === undefined) {
    sdl.setField(name, undefined);
    return { old: oldYaml, next };
  }
  const isUnchanged = isSame(fieldMembers(old, hasComment), fieldMembers(next, hasComment));
  const description = hasComment ? textNode(next.comment) : field?.description;
  if (!isUnchanged)
    sdl.setField(name, { ...split.field, field: { ...split.field.field, ...(description && { description }) } });
  return { old: oldYaml, next: inYaml(split.yaml) };
}

/** Returns true if the description of the field is the comment of the action. */
function isDescribed(field: FieldDefinitionNode | undefined, written: JsonObject | undefined): boolean {
  return field?.description !== undefined && written?.comment === undefined;
}

function withoutComment({ comment: _comment, ...others }: JsonObject): JsonObject {
  return others;
}

function textNode(text: Json | undefined): StringValueNode | undefined {
  return text === undefined ? undefined : { kind: Kind.STRING, value: String(text) };
}

/** Returns the members of an action that its field defines. */
function fieldMembers(action: JsonObject, hasComment: boolean): Json {
  const { arguments: args = null, output_type = null, type = null } = asObject(action.definition);
  return [args, output_type, type, hasComment ? (action.comment ?? null) : null];
}

function typeMembers(type: JsonObject): Json {
  const inYaml = withoutDefinition(type);
  return Object.fromEntries(Object.entries(type).filter(([key]) => inYaml[key] === undefined));
}

const isSame = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right);
