/** A root type: the fields of its sources, some of them in namespaces (`graphql-api.md` 2.1, 2.7). */
import type { Namespace, Roots } from "../roots.ts";
import { lazy, sortedMap } from "./lazy.ts";
import type { TypeRegistry } from "./registry.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

/** Operations whose fields can stand in a namespace: what the name of its type ends with. */
export type NamespaceKind = "query" | "subscription" | "mutation_frontend" | "mutation_backend";

export interface RootTypeParts<Root> {
  readonly name: string;
  readonly description?: string;
  readonly namespaces: NamespaceKind;
  readonly field: (root: Root) => OutputField;
}

/** A root type with at least one field; `null` where there are none. */
export function rootType<Root extends { readonly kind: string }>(
  types: TypeRegistry,
  roots: Roots<Root>,
  { name, description, namespaces, field }: RootTypeParts<Root>,
): ObjectTypeDef | null {
  const entries = Object.entries(roots);
  if (entries.length === 0) return null;
  return {
    kind: "object",
    name,
    ...(description === undefined ? {} : { description }),
    fields: lazy(() =>
      sortedMap(
        entries.map(([key, root]) => [
          key,
          isNamespace(root) ? namespaceField(types, key, root, namespaces, field) : field(root),
        ]),
      ),
    ),
  };
}

export function isNamespace<Root extends { readonly kind: string }>(
  root: Root | Namespace<Root>,
): root is Namespace<Root> {
  return root.kind === "namespace";
}

function namespaceField<Root>(
  types: TypeRegistry,
  name: string,
  { source, fields }: Namespace<Root>,
  kind: NamespaceKind,
  field: (root: Root) => OutputField,
): OutputField {
  const typeName = source.naming.type(name, kind);
  return {
    type: () =>
      types.of(source).get<ObjectTypeDef>(typeName, () => ({
        kind: "object",
        name: typeName,
        fields: lazy(() => sortedMap(Object.entries(fields).map(([key, root]) => [key, field(root)]))),
      })),
    list: false,
    required: true,
    args: noArguments,
    meta: { kind: "namespace" },
  };
}
