/**
 * Roles with many tables: their root fields are split into parts, which are loaded when a request names a field of
 * them; the amount of code that a change regenerates does not depend on the number of tables.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { withInheritance } from "../../../compiler/3-lower/inherited-roles.ts";
import { roleInputs } from "../../../compiler/3-lower/role-inputs.ts";
import { lowerRole } from "../../../compiler/3-lower/roots.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Permission, SelectPermission, Table } from "../../../compiler/catalog/model.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import type { RoleDefinition } from "../../../runtime/model/definitions/roots.ts";
import { roleSchema, type SchemaVariant } from "../../../runtime/model/schema/role-schema.ts";
import { analysisOf, library, parsed, table } from "../../unit/analyze/sample.ts";
import { loaderOf } from "../../unit/emit/load.ts";

const nameOf = (index: number) => `table_${index}`;
const filter = { owner: { _eq: "X-Engine-User-Id" } };
const columns = ["id", "name", "owner"];
const role = "clerk";

/** Returns permissions that differ between tables and are equal in every run. */
function permissions(index: number): object {
  const select = {
    role,
    permission: {
      columns: index % 5 === 0 ? ["name"] : columns,
      filter,
      allow_aggregations: index % 3 === 0,
      ...(index % 7 === 0 ? { query_root_fields: [] } : {}),
      ...(index % 11 === 0 ? { subscription_root_fields: ["select"] } : {}),
    },
  };
  const insert = { role, permission: { check: filter, columns: ["name"], backend_only: index % 4 === 0 } };
  return {
    ...(index % 6 === 5 ? {} : { select_permissions: [select] }),
    ...(index % 2 === 0 ? { insert_permissions: [insert] } : {}),
    ...(index % 9 === 0 ? { update_permissions: [{ role, permission: { columns: ["name"], filter } }] } : {}),
    ...(index % 13 === 0 ? { delete_permissions: [{ role, permission: { filter } }] } : {}),
  };
}

function world(
  count: number,
  of: (index: number) => object = permissions,
  inherited_roles: readonly object[] = [],
): Analysis {
  const tables = Array.from({ length: count }, (_, index) =>
    table(nameOf(index), { columns: { id: "int4!", name: "text", owner: "text" }, primaryKey: ["id"] }),
  );
  const configuration = { connection_info: { database_url: "postgres://x" } };
  const source = {
    name: "default",
    configuration,
    tables: tables.map(({ name }, index) => ({ table: name, ...of(index) })),
  };
  return analysisOf(parsed({ version: 3, sources: [source], inherited_roles }), { shape: { ...library, tables } });
}

function changed(before: Analysis, index: number, change: (table: Table) => Table): Analysis {
  const [source] = before.catalog.sources;
  if (source === undefined) throw new Error("there is one source");
  const tables = source.tables.map((each) => (each.table.name === nameOf(index) ? change(each) : each));
  const catalog: Catalog = { ...before.catalog, sources: [{ ...source, tables }] };
  const introspections = new Map([...before.sources].map(([name, { introspection }]) => [name, introspection]));
  return analysisOf(catalog, { previous: before, introspections });
}

const withoutSelect = (each: Table): Table => ({ ...each, select_permissions: [] });
const withSelect =
  (permission: SelectPermission) =>
  (each: Table): Table => {
    const select: Permission<SelectPermission> = { role, permission };
    return { ...each, select_permissions: [select] };
  };

/** Returns the modules that a role's requests can load, without those that are only printed. */
const modulesOf = (program: Program) =>
  new Map(
    program
      .paths()
      .filter((path) => path.startsWith(`roles/${role}/`) && path.endsWith(".ts"))
      .map((path) => [path, program.module(path)] as const),
  );

const texts = (program: Program) => new Map(Array.from(modulesOf(program), ([path, { text }]) => [path, text]));

function definitionOf(program: Program, name: string) {
  const loader = loaderOf(program);
  return { loader, ...(loader.require(program.roleModule(name)) as { readonly role: RoleDefinition }) };
}

describe("Roles with many tables", () => {
  const analysis = world(260);
  const program = compile({ analysis });

  it.each<[string, SchemaVariant]>([
    [role, "frontend"],
    [role, "backend"],
    ["admin", "frontend"],
  ])(
    "The modules of a role contain every field of its schema: %s, %s",
    (name, variant) => {
      const schema = roleSchema(definitionOf(program, name).role, variant);
      const { query, subscription, mutation } = lowerRole(roleInputs(withInheritance(analysis, name), name));
      const isOffered = (root: (typeof mutation)[number]) =>
        variant === "backend" || !("backendOnly" in root && root.backendOnly);
      expect(program.paths().filter((path) => path.startsWith(`roles/${name}/query/`)).length).toBeGreaterThan(3);
      expect([...schema.query.fields().keys()]).toEqual(query.map(({ field }) => field));
      expect([...(schema.subscription?.fields().keys() ?? [])]).toEqual(subscription.map(({ field }) => field));
      expect([...(schema.mutation?.fields().keys() ?? [])]).toEqual(
        mutation.filter(isOffered).map(({ field }) => field),
      );
    },
    60_000,
  );

  it("The parts of a role list consecutive fields and their tables", () => {
    const { loader } = definitionOf(program, role);
    const parts = program.paths().filter((path) => path.startsWith(`roles/${role}/mutation/`));
    const fields = parts.map((path) => {
      const { fields } = loader.require(path) as { readonly fields: Pick<RoleDefinition, "mutation"> };
      return Object.keys(fields.mutation);
    });
    for (const own of fields) expect(own).toEqual([...own].sort());
    expect(fields.flat().sort()).toEqual([...new Set(fields.flat())].sort());
    const { tables } = loader.require(`roles/${role}/tables.ts`) as Pick<RoleDefinition, "tables">;
    expect(Object.keys(tables.default?.public ?? {})).toContain("table_258");
    // The role has no operation on it.
    expect(Object.keys(tables.default?.public ?? {})).not.toContain("table_5");
  });

  it.each([
    ["query", "queries"],
    ["mutation", "mutations"],
  ])("The header of a part names its role, operation and first field: %s", (operation, plural) => {
    const paths = program.paths().filter((path) => path.startsWith(`roles/${role}/${operation}/`));
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const { text } = program.module(path);
      const [, first] = new RegExp(`role ${role}: fields of ${plural} from (\\S+) on$`, "m").exec(text) ?? [];
      expect(path).toContain(`/${operation}/${first}`);
    }
  });

  it("A single field loads only its own part", () => {
    const { loader, role: definition } = definitionOf(program, role);
    const { query } = roleSchema(definition);
    const { modules } = loader.track(() => {
      expect(query.fields().get("table_3_by_pk")).toBeDefined();
      expect(query.fields().get("table_5")).toBeUndefined();
    });
    const parts = [...modules].filter((path) => path.includes("/query/"));
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.length).toBeLessThanOrEqual(2);
  });

  it("A role whose query fields are all hidden has no queries", () => {
    const hidden = { columns, filter, query_root_fields: [], subscription_root_fields: ["select"] };
    const own = compile({ analysis: world(210, () => ({ select_permissions: [{ role, permission: hidden }] })) });
    const schema = roleSchema(definitionOf(own, role).role);
    expect(schema.query.fields().get("table_1")).toBeUndefined();
    expect([...schema.query.fields().keys()]).toEqual(["no_queries_available"]);
    expect(schema.subscription?.fields().get("table_1")).toBeDefined();
    expect(schema.mutation).toBeNull();
  });
});

/** Modules that list tables. Only data operations of `/v1/query` and requests to the Relay API load them. */
const ofOtherRequests = new Set([`roles/${role}/tables.ts`, `roles/${role}/relay.ts`]);

describe("The cost of one permission change with many tables", () => {
  it.each([
    ["a removed permission", (before: Analysis, index: number) => changed(before, index, withoutSelect)],
    [
      "other columns",
      (before: Analysis, index: number) => changed(before, index, withSelect({ columns: ["id"], filter })),
    ],
  ])(
    "The cost of a permission change does not depend on the number of tables: %s",
    (_, change) => {
      const select = { role, permission: { columns, filter } };
      const costs = [250, 2000].map((count) => {
        const before = world(count, () => ({ select_permissions: [select] }));
        const first = compile({ analysis: before });
        const known = modulesOf(first);
        const second = compile({ analysis: change(before, 120), previous: first });
        const made = [...modulesOf(second)].filter(
          ([path, file]) => known.get(path) !== file && !ofOtherRequests.has(path),
        );
        return { modules: made.length, bytes: made.reduce((sum, [, { text }]) => sum + Buffer.byteLength(text), 0) };
      });
      // Only the table's own module and one or two parts are generated again.
      for (const { modules, bytes } of costs) {
        expect(modules).toBeLessThanOrEqual(4);
        expect(bytes).toBeLessThan(20_000);
      }
    },
    120_000,
  );
});

/** Returns the groups of tables that only the second analysis contains. */
function newGroups(before: Pick<Analysis, "sources">, after: Pick<Analysis, "sources">): number {
  const groupsOf = ({ sources }: Pick<Analysis, "sources">) => sources.get("default")?.tables.groups ?? [];
  const known = new Set(groupsOf(before));
  expect(known.size).toBeGreaterThan(3);
  return groupsOf(after).filter((group) => !known.has(group)).length;
}

it("A permission change checks one group of tables, also for inherited roles", () => {
  for (const count of [250, 2000]) {
    const before = world(count, permissions, [{ role_name: "heir", role_set: [role] }]);
    const after = changed(before, 120, withoutSelect);
    expect(newGroups(before, after)).toBe(1);
    expect(newGroups(withInheritance(before, "heir"), withInheritance(after, "heir"))).toBe(1);
  }
}, 60_000);

describe("Incremental compilation with many tables", () => {
  it("Incremental compilation after any changes equals full compilation", () => {
    const start = world(260);
    const first = compile({ analysis: start });
    modulesOf(first);
    const change = fc.tuple(
      fc.nat(259),
      fc.constantFrom<(table: Table) => Table>(
        withoutSelect,
        withSelect({ columns, filter: {} }),
        withSelect({ columns: ["id"], filter, allow_aggregations: true }),
        (each) => ({ ...each, insert_permissions: [], update_permissions: [] }),
        (each) => ({ ...each, delete_permissions: [{ role, permission: { filter } }] }),
        (each) => ({ ...each, configuration: { custom_name: `renamed_${each.table.name}` } }),
      ),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        let analysis = start;
        let program = first;
        for (const [index, make] of changes) {
          analysis = changed(analysis, index, make);
          program = compile({ analysis, previous: program });
          // Requests in between must not affect the result.
          program.module(program.roleModule(role));
        }
        const introspections = new Map([...analysis.sources].map(([name, each]) => [name, each.introspection]));
        const alone = compile({ analysis: analysisOf(analysis.catalog, { introspections }) });
        expect(texts(program)).toEqual(texts(alone));
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

describe("The parts of a role", () => {
  it("The parts of a role have similar sizes", () => {
    const select = { role, permission: { columns, filter, allow_aggregations: true } };
    const program = compile({ analysis: world(1000, () => ({ select_permissions: [select] })) });
    const loader = loaderOf(program);
    const sizes = program
      .paths()
      .filter((path) => path.startsWith(`roles/${role}/query/`))
      .map((path) => {
        const { fields } = loader.require(path) as { readonly fields: Pick<RoleDefinition, "subscription"> };
        return Object.keys(fields.subscription).length;
      })
      .sort((a, b) => a - b);
    expect(sizes.length).toBeGreaterThan(40);
    // The first and the last part may be smaller.
    expect(sizes[2]).toBeGreaterThanOrEqual(32);
    expect(sizes.at(-1)).toBeLessThan(200);
  });
});
