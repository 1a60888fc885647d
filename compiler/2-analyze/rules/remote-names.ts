/**
 * Customised names of types and fields of a remote schema. Input: its shape and the customization; output: the names
 * that differ, or a rejection.
 */

import type { RemoteSchemaCustomization } from "../../catalog/outside-sources.ts";
import { duplicates } from "../../catalog/schema/combinators.ts";
import {
  builtInScalars,
  type RemoteRoot,
  type RemoteRootTypes,
  type RemoteShape,
  type RemoteType,
  remoteRoots,
} from "../../shape/remote-shape.ts";
import { reject } from "../rejection.ts";
import { quoted } from "./english.ts";

/** @throws Rejection */
export function remoteNames(shape: RemoteShape, customization: RemoteSchemaCustomization = {}): RemoteNames {
  const { root_fields_namespace: namespace } = customization;
  const types = typeNames(shape, customization);
  const fields = fieldNames(shape, customization);
  checkInterfaceFields(shape, fields);
  return { ...(namespace !== undefined && { namespace }), types, fields };
}

function typeNames(shape: RemoteShape, customization: RemoteSchemaCustomization): ReadonlyMap<string, string> {
  const { prefix = "", suffix = "", mapping = {} } = customization.type_names ?? {};
  const roots = new Set(remoteRoots.flatMap((root) => shape[root] ?? []));
  const names = new Map<string, string>();
  if (prefix !== "" || suffix !== "") {
    for (const type of shape.types.keys()) {
      if (!roots.has(type) && !builtInScalars.has(type)) names.set(type, `${prefix}${type}${suffix}`);
    }
  }
  const namespace = customization.root_fields_namespace;
  if (namespace !== undefined) for (const root of roots) names.set(root, `${namespace}${root}`);
  for (const [type, name] of Object.entries(mapping)) names.set(type, name);
  const repeated = duplicates([...names.values()]);
  if (repeated.length > 0) {
    const list = quoted(repeated);
    reject(`Type name mappings are not distinct; the following types appear more than once: ${list}`);
  }
  return names;
}

type WithFields = Extract<RemoteType, { readonly kind: "object" | "interface" }>;

function fieldNames(
  shape: RemoteShape,
  { field_names = [] }: RemoteSchemaCustomization,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const fields = new Map<string, ReadonlyMap<string, string>>();
  for (const { parent_type, prefix = "", suffix = "", mapping = {} } of field_names) {
    const type = shape.types.get(parent_type);
    if (type?.kind !== "object" && type?.kind !== "interface") continue;
    const names = new Map<string, string>();
    for (const { name } of type.fields) {
      const renamed = mapping[name] ?? `${prefix}${name}${suffix}`;
      if (renamed !== name) names.set(name, renamed);
    }
    const repeated = duplicates(type.fields.map(({ name }) => names.get(name) ?? name));
    if (repeated.length > 0) {
      const what = `Field name mappings for ${type.kind} type "${parent_type}"`;
      reject(`${what} are not distinct; the following fields appear more than once: ${quoted(repeated)}`);
    }
    fields.set(parent_type, names);
  }
  return fields;
}

/** Requires that a field of an interface has the same name in every type that implements it. */
function checkInterfaceFields(shape: RemoteShape, fields: RemoteNames["fields"]): void {
  if (fields.size === 0) return;
  const nameOf = (type: string, field: string) => fields.get(type)?.get(field) ?? field;
  for (const type of shape.types.values()) {
    if (type.kind !== "object") continue;
    for (const name of type.interfaces) {
      for (const { name: field } of fieldsOf(shape, name)) {
        const [promised, own] = [nameOf(name, field), nameOf(type.name, field)];
        if (promised === own) continue;
        reject(
          `Remote schema customization inconsistency: field name mapping for field "${field}" of interface "${name}" is inconsistent with mapping for type "${type.name}". Interface field name maps to "${promised}". Type field name maps to "${own}".`,
        );
      }
    }
  }
}

function fieldsOf(shape: Pick<RemoteShape, "types">, name: string): WithFields["fields"] {
  const type = shape.types.get(name);
  return type?.kind === "object" || type?.kind === "interface" ? type.fields : [];
}

/** Returns the customised names of the root fields of a remote schema. */
export function remoteRootFields(shape: RemoteRootTypes, names: RemoteNames, root: RemoteRoot): readonly string[] {
  const type = shape[root];
  if (type === undefined) return [];
  if (names.namespace !== undefined) return [names.namespace];
  const given = fieldsOf(shape, type).filter(({ name }) => root !== "query" || !names.leftOut?.has(name));
  return given.map(({ name }) => names.fields.get(type)?.get(name) ?? name);
}

/** Customised names of a remote schema. Names without an entry are kept. */
export interface RemoteNames {
  /** Namespace field above all root fields. */
  readonly namespace?: string;
  /** Query root fields that are not exposed, by upstream name. */
  readonly leftOut?: ReadonlySet<string>;
  /** By upstream type name. */
  readonly types: ReadonlyMap<string, string>;
  /** By upstream name of an object or interface type and its field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}
