/** Root types: the fields of all sources, some of them in namespaces. */

import { lazy, MapOnDemand, sortedMap } from "../../values/lazy.ts";
import { type Namespace, RootParts, type Roots } from "../definitions/roots.ts";
import type { TypeRegistry } from "./registry.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

/** Operation of a namespace, the suffix of its type name. */
type NamespaceKind = "query" | "subscription" | "mutation_frontend" | "mutation_backend";

export interface RootTypeParts<Root> {
  readonly name: string;
  readonly description?: string;
  readonly namespaces: NamespaceKind;
  readonly field: (root: Root, name: string) => OutputField;
}

/** Returns a root type; `null` if it has no fields. */
export function rootType<Root extends { readonly kind: string }>(
  types: TypeRegistry,
  roots: Roots<Root>,
  parts: RootTypeParts<Root>,
): ObjectTypeDef | null {
  if (isEmpty(roots)) return null;
  const { name, description } = parts;
  const fields = rootFields(types, roots, parts);
  return { kind: "object", name, ...(description === undefined ? {} : { description }), fields };
}

/**
 * Returns the fields of a root type. Fields in parts are built on first use, because a request uses only a few of
 * thousands.
 * @param placeholder the placeholder for a type without other fields
 */
export function rootFields<Root extends { readonly kind: string }>(
  types: TypeRegistry,
  roots: Roots<Root>,
  { namespaces, field }: Pick<RootTypeParts<Root>, "namespaces" | "field">,
  placeholder?: readonly [name: string, field: OutputField],
): ObjectTypeDef["fields"] {
  const fieldOf = (key: string, root: Root | Namespace<Root>): OutputField =>
    isNamespace(root) ? namespaceField(types, key, root, namespaces, field) : field(root, key);
  const only = placeholder === undefined ? [] : [placeholder];
  if (!(roots instanceof RootParts)) {
    const entries = Object.entries(roots);
    return lazy(() => sortedMap(entries.length === 0 ? only : entries.map(([key, root]) => [key, fieldOf(key, root)])));
  }
  const make = (key: string): OutputField | undefined => {
    const root = roots.named(key);
    if (root !== undefined) return fieldOf(key, root);
    return key === placeholder?.[0] && isEmpty(roots) ? placeholder[1] : undefined;
  };
  const keys = () => (isEmpty(roots) ? only.map(([key]) => key) : roots.names());
  return lazy(() => new MapOnDemand(make, keys, types.keeps === "all"));
}

function isEmpty(roots: Roots<unknown>): boolean {
  for (const _ of roots instanceof RootParts ? roots.names() : Object.keys(roots)) return false;
  return true;
}

export function isNamespace<Root extends { readonly kind: string }>(
  root: Root | Namespace<Root>,
): root is Namespace<Root> {
  return root.kind === "namespace";
}

function namespaceField<Root>(
  types: TypeRegistry,
  name: string,
  root: Namespace<Root>,
  kind: NamespaceKind,
  field: (root: Root, name: string) => OutputField,
): OutputField {
  const { source, fields } = root;
  const typeName = source.naming.type(name, kind);
  return {
    type: () =>
      types.of(source).get<ObjectTypeDef>(typeName, () => ({
        kind: "object",
        name: typeName,
        fields: lazy(() => sortedMap(Object.entries(fields).map(([key, root]) => [key, field(root, key)]))),
      })),
    list: false,
    required: true,
    args: noArguments,
    meta: { kind: "namespace", root },
  };
}
