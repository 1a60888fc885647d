/** Editor of an action: its field and types as SDL, all other members as a form or as JSON, and its roles. */
import { useMemo, useState } from "preact/hooks";
import type { Operation } from "../../http/metadata-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { draftAction } from "../../state/draft-action.ts";
import { metadata, rolesOfActions } from "../../state/metadata.ts";
import { isSame, objectsIn, readSdl, type SdlSubject, subjectOfAction, subjectOfNewAction } from "./action-sdl.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { isJsonObject } from "./json-paths.ts";
import { actionKind } from "./kinds.ts";
import { RolesField } from "./roles-field.tsx";
import { SdlEditor } from "./sdl-editor.tsx";

interface ActionDefinitionProps {
  /** `null` for a new action. */
  readonly name: string | null;
  readonly onSaved: (saved: JsonObject) => void;
}

/** The parts of the metadata that actions consist of. */
export const actionMetadata = () => ({
  actions: objectsIn(metadata.value?.actions as Json | undefined),
  customTypes: metadata.value?.custom_types ?? {},
});

/** Members of a definition that the SDL describes. */
const sdlMembers = ["type", "output_type", "arguments"];

export function ActionDefinition({ name, onSaved }: ActionDefinitionProps) {
  const subject = useMemo((): SdlSubject => {
    const { actions, customTypes } = actionMetadata();
    if (name !== null) return subjectOfAction(name, actions, customTypes);
    const found = subjectOfNewAction(actions, customTypes);
    const draft = draftAction.value;
    draftAction.value = null;
    return draft === null ? found : { ...found, sdl: draft };
  }, []);
  const initialRoles = rolesOf(subject.action);
  const [sdl, setSdl] = useState(subject.sdl);
  const [roles, setRoles] = useState(initialRoles);
  const read = useMemo(() => readSdl(subject, sdl), [subject, sdl]);
  const operations = (value: JsonObject): readonly Operation[] => {
    const action = withRest(read.action ?? {}, value);
    const args = { action: action.name ?? "" };
    const { customTypes } = subject;
    return [
      ...(isSame(withoutEmpty(read.customTypes), withoutEmpty(customTypes))
        ? []
        : [{ type: "set_custom_types", args: read.customTypes }]),
      { type: name === null ? "create_action" : "update_action", args: action },
      ...initialRoles.filter((role) => !roles.includes(role)).map(permission("drop_action_permission", args)),
      ...roles.filter((role) => !initialRoles.includes(role)).map(permission("create_action_permission", args)),
    ];
  };
  return (
    <DefinitionEditor
      kind={actionKind}
      initial={restOf(subject)}
      isNew={name === null}
      operations={operations}
      roles={() => [...new Set([...roles, ...initialRoles, ...rolesOfActions()])]}
      onSaved={() => onSaved({ name: read.action?.name ?? name })}
      tail={<RolesField value={roles} onChange={setRoles} />}
    >
      <div class="field">
        <span class="field-label">Field and types</span>
        <SdlEditor
          label="Action as SDL"
          value={sdl}
          onChange={setSdl}
          customTypes={subject.customTypes}
          problems={read.problems}
        />
        <p class="field-hint">
          One field of type Query or Mutation, and the types that it uses. A type that you remove is deleted, unless
          another action uses it.
        </p>
      </div>
    </DefinitionEditor>
  );
}

const permission = (type: string, args: JsonObject) => (role: string) => ({ type, args: { ...args, role } });

const rolesOf = (action: JsonObject | null | undefined): readonly string[] =>
  objectsIn(action?.permissions).map(({ role }) => String(role));

const withoutEmpty = (types: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(types).filter(([, list]) => !Array.isArray(list) || list.length > 0));

/** Returns the members of an action that its SDL does not contain. */
function restOf({ action }: SdlSubject): JsonObject {
  if (!action) return actionKind.initial;
  const { definition = {}, comment } = action;
  const members = isJsonObject(definition) ? Object.entries(definition) : [];
  return {
    definition: Object.fromEntries(members.filter(([key]) => !sdlMembers.includes(key))),
    ...(comment !== undefined && { comment }),
  };
}

/** Returns the arguments of the operation that saves the action. */
function withRest(fromSdl: JsonObject, rest: JsonObject): JsonObject {
  const described = isJsonObject(fromSdl.definition) ? fromSdl.definition : {};
  const others = isJsonObject(rest.definition) ? Object.entries(rest.definition) : [];
  const isQuery = described.type === "query";
  // Queries are always synchronous and have no such member.
  const kept = others.filter(([key, value]) => !(isQuery && key === "kind" && value === "synchronous"));
  const members = Object.entries(described).filter(([key]) => sdlMembers.includes(key));
  const comment = rest.comment ?? (rest.comment === undefined ? fromSdl.comment : undefined);
  return {
    ...rest,
    name: fromSdl.name ?? "",
    definition: { ...Object.fromEntries(kept), ...Object.fromEntries(members) },
    ...(comment !== undefined && { comment }),
  };
}
