/** Random permissions of three roles on articles, one of which inherits from the others. */
import fc from "fast-check";
import type { MetadataInput } from "../../unit/analyze/sample.ts";

const filter = fc.constantFrom(
  {},
  { author_id: { _eq: "X-Engine-User-Id" } },
  { _or: [{ author_id: { _eq: "X-Engine-User-Id" } }, { title: { _is_null: true } }] },
  { title: { _is_null: true } },
  { _or: [] },
);
const columns = fc.subarray(["id", "title", "author_id"]);
const role = fc.constantFrom("one", "two", "both");
const set = fc.constantFrom({}, { title: "a" }, { editor_id: "X-Engine-User-Id" });
const backend_only = fc.boolean();

const permissions = <P>(permission: fc.Arbitrary<P>) =>
  fc.uniqueArray(fc.record({ role, permission }), { selector: (item) => item.role, maxLength: 3 });

const table = fc.record({
  table: fc.constant({ schema: "public", name: "article" }),
  select_permissions: permissions(
    fc.record({ columns, filter, limit: fc.constantFrom(null, 1, 5), allow_aggregations: fc.boolean() }),
  ),
  insert_permissions: permissions(fc.record({ columns, check: filter, set, backend_only })),
  update_permissions: permissions(fc.record({ columns, filter, check: fc.option(filter), set, backend_only })),
  delete_permissions: permissions(fc.record({ filter, backend_only })),
});

/** A table on which both parents of the inherited role have a permission. */
const parents = {
  table: { schema: "public", name: "author" },
  select_permissions: ["one", "two"].map((role) => ({ role, permission: { columns: ["id"], filter: {} } })),
};

const query = fc.constantFrom("query Some { article { id } }", "query Some { article { id title } }");
export const metadata: fc.Arbitrary<MetadataInput> = fc
  .record({
    tables: fc.array(table, { maxLength: 1 }),
    inherited_roles: fc.constantFrom([], [{ role_name: "both", role_set: ["one", "two"] }]),
    api_limits: fc.constantFrom(
      {},
      { depth_limit: { global: 3 } },
      { depth_limit: { global: 3, per_role: { one: 5 } } },
    ),
    allowlist: fc.constantFrom(
      [],
      [{ collection: "desk", scope: { global: true } }],
      [{ collection: "desk", scope: { global: false, roles: ["one"] } }],
    ),
  })
  .chain((sections) =>
    query.map((text) => ({
      ...sections,
      tables: [...sections.tables, parents],
      // Without the table, no role could run the operation.
      query_collections: [
        { name: "desk", definition: { queries: sections.tables.length === 0 ? [] : [{ name: "some", query: text }] } },
      ],
    })),
  );
