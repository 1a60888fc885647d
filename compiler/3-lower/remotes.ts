/** Lowers remote schemas to the IR of the modules that declare them. */
import type { WebhookHeader } from "../../runtime/model/definitions/input-validation.ts";
import type { RemotePresets } from "../../runtime/model/definitions/remote/remote-schema.ts";
import type { RemotePreset, RemotePresetValue } from "../2-analyze/analysis.ts";
import type { RemoteNames } from "../2-analyze/rules/remote-names.ts";
import type { Header } from "../catalog/model.ts";
import type { RemoteSchema } from "../catalog/outside-sources.ts";
import { printRemoteType, type RemoteRoot } from "../shape/remote-shape.ts";
import type { RemoteJoinsIr, RemoteRootIr, RemoteSchemaIr, RemoteServerIr } from "./ir.ts";
import type { RemoteJoinsInputs, RemoteRootInputs, RemoteSchemaInputs } from "./remote-inputs.ts";
import { lowerRemoteRelationships } from "./remote-relationships.ts";
import { reachableTypes, remoteSdl } from "./remote-sdl.ts";

export function lowerRemoteServer({ name, definition }: Pick<RemoteSchema, "name" | "definition">): RemoteServerIr {
  const { url, url_from_env: variable = "", timeout_seconds: timeoutSeconds, headers = [] } = definition;
  const { forward_client_headers: forwardClientHeaders, batch_root_fields: batchRootFields } = definition;
  return {
    name,
    url: url ?? `{{${variable}}}`,
    headers: headers.map(headerIr),
    ...(forwardClientHeaders && { forwardClientHeaders: true as const }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(batchRootFields && { batchRootFields: true as const }),
  };
}

function headerIr(header: Header): WebhookHeader {
  if ("value_from_env" in header) return { name: header.name, valueFromEnv: header.value_from_env };
  return { name: header.name, value: header.value };
}

/** Returns the remote root fields of a role, in the order of remote schemas. */
export function lowerRemoteRoots(inputs: readonly RemoteRootInputs[], operation: RemoteRoot): readonly RemoteRootIr[] {
  return inputs.flatMap(({ remote, isOwn, isNamespace, ...roots }) => {
    const kind = isNamespace ? "remote_namespace" : "remote";
    return roots[operation].map((field) => ({ field, kind, remote, isOwn }) as const);
  });
}

export function lowerRemoteSchema({ role, name, presets, ...inputs }: RemoteSchemaInputs): RemoteSchemaIr {
  const { query, mutation, subscription } = inputs;
  const names = namesOf(inputs.names);
  const shape = { ...inputs, types: new Map(inputs.types.map((type) => [type.name, type])) };
  const exposedName = (type: string): string => names.types.get(type) ?? type;
  const reachable = reachableTypes(shape).map((type) => type.name);
  const renamed = reachable.filter((type) => exposedName(type) !== type);
  const fields = reachable.flatMap((type) => {
    const fieldNames = names.fields.get(type);
    const declared = shape.types.get(type);
    if (fieldNames === undefined || declared === undefined || !("fields" in declared)) return [];
    const visible = declared.fields.flatMap((field) => {
      const exposed = fieldNames.get(field.name);
      return exposed === undefined ? [] : [[exposed, field.name] as const];
    });
    return visible.length === 0 ? [] : [[exposedName(type), Object.fromEntries(visible)] as const];
  });
  const relationships = inputs.relationships
    .filter(({ type }) => reachable.includes(type))
    .map(({ type, relationships: own }) => ({ type: exposedName(type), relationships: lowerRemoteRelationships(own) }));
  return {
    role,
    name,
    types: remoteSdl(shape, names),
    query: exposedName(query),
    ...(mutation !== undefined && { mutation: exposedName(mutation) }),
    ...(subscription !== undefined && { subscription: exposedName(subscription) }),
    ...(presets !== null && { isPart: true as const }),
    ...(renamed.length > 0 && { typeNames: Object.fromEntries(renamed.map((type) => [exposedName(type), type])) }),
    ...(fields.length > 0 && { fieldNames: Object.fromEntries(fields) }),
    ...(presets !== null && presetsIr(presets, { names, reachable: new Set(reachable) })),
    ...(relationships.length > 0 && { relationships }),
  };
}

export function lowerRemoteJoins({ role, name, typeNames, relationships: types }: RemoteJoinsInputs): RemoteJoinsIr {
  const names = new Map(typeNames);
  const relationships = types.map(({ type, relationships: own }) => ({
    type: names.get(type) ?? type,
    relationships: lowerRemoteRelationships(own),
  }));
  return { role, name, relationships };
}

function namesOf({ types, fields }: RemoteSchemaInputs["names"]): RemoteNames {
  return { types: new Map(types), fields: new Map(fields.map(([type, own]) => [type, new Map(own)])) };
}

interface PresetContext {
  readonly names: RemoteNames;
  readonly reachable: ReadonlySet<string>;
}

function presetsIr(
  presets: readonly RemotePreset[],
  { names, reachable }: PresetContext,
): Pick<RemoteSchemaIr, "argumentPresets" | "inputPresets"> {
  const ofArguments: Record<string, Record<string, Record<string, RemotePresets[string]>>> = {};
  const ofInputs: Record<string, Record<string, RemotePresets[string]>> = {};
  for (const preset of presets) {
    if (!reachable.has(preset.type)) continue;
    const type = names.types.get(preset.type) ?? preset.type;
    const value = presetIr(preset.value);
    if (preset.argument === undefined) {
      ofInputs[type] = { ...ofInputs[type], [preset.field]: value };
    } else {
      const field = names.fields.get(preset.type)?.get(preset.field) ?? preset.field;
      const fields = ofArguments[type] ?? {};
      ofArguments[type] = { ...fields, [field]: { ...fields[field], [preset.argument]: value } };
    }
  }
  return {
    ...(Object.keys(ofArguments).length > 0 && { argumentPresets: ofArguments }),
    ...(Object.keys(ofInputs).length > 0 && { inputPresets: ofInputs }),
  };
}

function presetIr(value: RemotePresetValue): RemotePresets[string] {
  if ("literal" in value) return { kind: "literal", text: value.literal };
  if ("session" in value) return { kind: "session", variable: value.session, type: printRemoteType(value.type) };
  const fields = Object.entries(value.object).map(([name, inner]) => [name, presetIr(inner)] as const);
  return { kind: "object", fields: Object.fromEntries(fields) };
}
