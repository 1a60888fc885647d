/** What holds for every two accesses: nothing differs from itself, and the other way round everything is mirrored. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { accessText, parseAccess } from "../../../compiler/access/access-file.ts";
import { compareAccess } from "../../../compiler/access/compare.ts";
import { access, mirrored } from "../../unit/access/sample.ts";
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

/** Gives the parents of the inherited role something in any case. */
const parents = {
  table: { schema: "public", name: "author" },
  select_permissions: ["one", "two"].map((role) => ({ role, permission: { columns: ["id"], filter: {} } })),
};

const query = fc.constantFrom("query Some { article { id } }", "query Some { article { id title } }");
const metadata: fc.Arbitrary<MetadataInput> = fc
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
      // Without the table the operation could not be run by anybody.
      query_collections: [
        { name: "desk", definition: { queries: sections.tables.length === 0 ? [] : [{ name: "some", query: text }] } },
      ],
    })),
  );

// Each run compiles some metadata.
vi.setConfig({ testTimeout: 60_000 });

it("nothing differs from itself, also after a file", () => {
  fc.assert(
    fc.property(metadata, (given) => {
      expect(compareAccess(access(given), access(given))).toEqual([]);
      const read = parseAccess(accessText(access(given)));
      expect(read && compareAccess(access(given), read)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it("the other way round everything is mirrored", () => {
  fc.assert(
    fc.property(metadata, metadata, (one, other) => {
      const [from, to] = [access(one), access(other)];
      expect(compareAccess(to, from)).toEqual(compareAccess(from, to).map(mirrored));
    }),
    { numRuns: 30 },
  );
});

it("changes have an order of their own", () => {
  fc.assert(
    fc.property(metadata, metadata, (one, other) => {
      const reversed = <T extends object>(value: T): T =>
        JSON.parse(JSON.stringify(value), (_, member) =>
          typeof member === "object" && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        );
      const [from, to] = [access(one), access(other)];
      expect(compareAccess(reversed(from), reversed(to))).toEqual(compareAccess(from, to));
    }),
    { numRuns: 15 },
  );
});
