/** A root type: the fields of its sources, some of them in namespaces (`graphql-api.md` 2.1, 2.7). */

import { lazy, MapOnDemand, sortedMap } from "../../values/lazy.ts";
import { type Namespace, RootParts, type Roots } from "../definitions/roots.ts";
import type { TypeRegistry } from "./registry.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

/** Operations whose fields can stand in a namespace: what the name of its type ends with. */
type NamespaceKind = "query" | "subscription" | "mutation_frontend" | "mutation_backend";

export interface RootTypeParts<Root> {
  readonly name: string;
  readonly description?: string;
  readonly namespaces: NamespaceKind;
  readonly field: (root: Root, name: string) => OutputField;
}

/** A root type with at least one field; `null` where there are none. */
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
 * Fields in parts are made when they are asked for: of thousands, a request names a few.
 * @param alone the field that stands where there is no other
 */
export function rootFields<Root extends { readonly kind: string }>(
  types: TypeRegistry,
  roots: Roots<Root>,
  { namespaces, field }: Pick<RootTypeParts<Root>, "namespaces" | "field">,
  alone?: readonly [name: string, field: OutputField],
): ObjectTypeDef["fields"] {
  const fieldOf = (key: string, root: Root | Namespace<Root>): OutputField =>
    isNamespace(root) ? namespaceField(types, key, root, namespaces, field) : field(root, key);
  const only = alone === undefined ? [] : [alone];
  if (!(roots instanceof RootParts)) {
    const entries = Object.entries(roots);
    return lazy(() => sortedMap(entries.length === 0 ? only : entries.map(([key, root]) => [key, fieldOf(key, root)])));
  }
  const make = (key: string): OutputField | undefined => {
    const root = roots.named(key);
    if (root !== undefined) return fieldOf(key, root);
    return key === alone?.[0] && isEmpty(roots) ? alone[1] : undefined;
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
