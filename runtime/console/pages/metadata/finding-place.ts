/** The objects that a finding concerns, by its path in the metadata document. */
import type { Metadata, QualifiedName } from "../../http/metadata-types.ts";
import type { ObjectPage } from "./object-actions.ts";

interface FindingPlace {
  /** Page that changes the object; `null` if there is none. */
  readonly page: ObjectPage | null;
  /** Present for tables and their parts. */
  readonly table?: QualifiedName & { readonly source: string };
}

const tablePath = /^\$\.sources\[(\d+)\]\.tables\[(\d+)\](?:\.(select|insert|update|delete)_permissions\[(\d+)\])?/;
const otherPages: readonly (readonly [path: RegExp, page: ObjectPage])[] = [
  [/^\$\.inherited_roles\b/, { to: ["permissions"], query: { view: "inherited" } }],
  [
    /^\$\.(?:api_limits|allowlist|graphql_schema_introspection)\b/,
    { to: ["permissions"], query: { view: "settings" } },
  ],
];

export function findingPlace(path: string, metadata: Metadata): FindingPlace {
  const [, source, table, action, permission] = tablePath.exec(path) ?? [];
  if (source === undefined || table === undefined) return { page: pageOfPath(path, metadata) };
  const { name = "", tables = [] } = metadata.sources[Number(source)] ?? {};
  const found = tables[Number(table)];
  if (!found) return { page: null };
  const { schema, name: tableName } = found.table;
  const permissions = found[`${action as "select"}_permissions`];
  const role = permissions?.[Number(permission)]?.role;
  const page: ObjectPage =
    role === undefined
      ? { to: ["data", name, schema, tableName] }
      : { to: ["permissions", name, schema, tableName, role] };
  return { page, table: { source: name, schema, name: tableName } };
}

function pageOfPath(path: string, { sources }: Metadata): ObjectPage | null {
  const [, source] = /^\$\.sources\[(\d+)\]\.functions\b/.exec(path) ?? [];
  const name = source === undefined ? undefined : sources[Number(source)]?.name;
  if (name !== undefined) return { to: ["data", name, "functions"] };
  return otherPages.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
