/** Metadata about articles, with variations for test cases. */
import type { MetadataInput } from "../analyze/sample.ts";

export const article = { schema: "public", name: "article" };
export const author = { schema: "public", name: "author" };
export const ofAuthor = { author_id: { _eq: "X-Engine-User-Id" } };

export const select = (permission: object, role = "user") => ({
  role,
  permission: { columns: ["id"], filter: {}, ...permission },
});

/** Returns metadata of the table article alone. */
export function articles(table: object, more: MetadataInput = {}): MetadataInput {
  return { tables: [{ table: article, ...table }], ...more };
}

export const reading = (permission: object) => articles({ select_permissions: [select(permission)] });
export const inserting = (permission: object) =>
  articles({ insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"], ...permission } }] });
export const updating = (permission: object, more: object = {}) =>
  articles({
    update_permissions: [{ role: "user", permission: { filter: {}, columns: ["title"], ...permission } }],
    ...more,
  });
export const deleting = (permission: object) =>
  articles({ delete_permissions: [{ role: "user", permission: { filter: {}, ...permission } }] });

/** Returns metadata with an event trigger. */
export const sending = (trigger: object) =>
  articles({
    event_triggers: [
      {
        name: "t",
        definition: { insert: { columns: "*" } },
        retry_conf: { num_retries: 0, interval_sec: 10 },
        webhook: "http://hook",
        ...trigger,
      },
    ],
  });

export const webhook = (url: string) => ({ validate_input: { type: "http", definition: { url } } });

export const byName = "query ByName($title: String) { article(where: {title: {_eq: $title}}) { id } }";
export const collection = (...queries: readonly (readonly [string, string])[]) => ({
  query_collections: [{ name: "desk", definition: { queries: queries.map(([name, query]) => ({ name, query })) } }],
});
export const endpoint = (more: object = {}) => ({
  name: "by name",
  url: "articles",
  methods: ["GET"],
  definition: { query: { collection_name: "desk", query_name: "by_name" } },
  ...more,
});
export const endpoints = (...list: readonly object[]) =>
  articles({}, { ...collection(["by_name", byName], ["all", "query All { article { id } }"]), rest_endpoints: list });
export const allowing = (scope: object | null, ...queries: readonly (readonly [string, string])[]) =>
  articles({}, { ...collection(...queries), allowlist: scope === null ? [] : [{ collection: "desk", scope }] });
export const limiting = (api_limits: object) => articles({ select_permissions: [select({})] }, { api_limits });

export const remoteDocument = (schema: string) => ({ role: "user", definition: { schema } });
export const calling = (ofAction: readonly object[], ofRemoteSchema: readonly object[]) =>
  articles(
    {},
    {
      actions: [
        {
          name: "remind",
          definition: { handler: "http://reminders", type: "mutation", output_type: "String" },
          permissions: ofAction,
        },
      ],
      remote_schemas: [{ name: "weather", definition: { url: "http://weather" }, permissions: ofRemoteSchema }],
    },
  );

export const inherited = (parents: readonly string[], one: object, other: object) =>
  articles(
    { select_permissions: [select(one, "one"), select(other, "two")] },
    { inherited_roles: [{ role_name: "both", role_set: parents }] },
  );

/** Returns metadata of a role that inherits update permissions and merges them if they differ. */
export const merging = (parents: readonly string[], one: object, other: object, merge = true) =>
  articles(
    {
      update_permissions: [
        { role: "one", permission: { columns: ["title"], filter: {}, ...one } },
        { role: "two", permission: { columns: ["title"], filter: {}, ...other } },
      ],
    },
    { inherited_roles: [{ role_name: "both", role_set: parents, merge }] },
  );
