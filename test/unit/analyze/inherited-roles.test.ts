import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, catalogOf, failureOf, reasonsOf } from "./sample.ts";

const tables = [
  {
    table: "author",
    select_permissions: [{ role: "reader", permission: { columns: [], filter: {} } }],
    insert_permissions: [{ role: "writer", permission: { check: { none: 1 } } }],
  },
];
const inherits = (roles: Readonly<Record<string, readonly string[]>>) => ({
  tables,
  inherited_roles: Object.entries(roles).map(([role_name, role_set]) => ({ role_name, role_set })),
});

describe("Inherited roles", () => {
  it("Inherited roles are ordered after their parents", () => {
    const analysis = analysisOf(inherits({ a: ["z", "reader"], z: ["writer"] }));
    expect([...analysis.inheritedRoles.keys()]).toEqual(["z", "a"]);
    expect(analysis.roles).toEqual(["a", "reader", "z"]);
  });

  it("An inherited role needs parents that a permission names, even an inconsistent one", () => {
    const analysis = analysisOf(inherits({ r: ["writer", "x", "y"] }));
    expect(analysis.inconsistencies.map(({ name }) => name)).toContain("inherited_role inherited role r");
    expect(analysis.inconsistencies.slice(1).map(inconsistencyEntry)).toEqual([
      {
        definition: { role_name: "r", role_set: ["writer", "x", "y"] },
        name: "inherited_role inherited role r",
        reason:
          'Inconsistent object: in inherited role r: the following parent role(s) are not found: x, y which are required to construct the inherited role: "r"',
        type: "inherited_role",
      },
    ]);
    expect(analysis.inheritedRoles.size).toBe(0);
  });

  it("An inherited role is inconsistent if one of its parents is", () => {
    const analysis = analysisOf(inherits({ a: ["b"], b: ["c"], c: ["x"] }));
    expect(reasonsOf(analysis).slice(1)).toEqual([
      'in inherited role c: the following parent role(s) are not found: x which are required to construct the inherited role: "c"',
      'parent role "c" does not exist',
      'parent role "b" does not exist',
    ]);
  });

  it("The roles of functions, actions and remote schemas count as parents", () => {
    const analysis = analysisOf({
      ...inherits({ r: ["of_action"] }),
      actions: [
        {
          name: "act",
          definition: { handler: "http://x", output_type: "String" },
          permissions: [{ role: "of_action" }],
        },
      ],
    });
    expect([...analysis.inheritedRoles.keys()]).toEqual(["r"]);
    expect(analysis.roles).toEqual(["of_action", "r", "reader"]);
  });

  it.each([
    [{ a: ["b"], b: ["a"] }, '["a","b","a"]'],
    [{ a: ["b"], b: ["c", "reader"], c: ["b"] }, '["b","c","b"]'],
    [{ a: ["a"] }, '["a","a"]'],
  ])("Roles that inherit from themselves are refused: %j", (roles, cycle) => {
    expect(failureOf(catalogOf(inherits(roles)))).toEqual({
      code: "cyclic-dependency",
      path: "$.args",
      message: `found cycle(s) in roles: ${cycle}`,
    });
  });
});

describe("Write permissions of parent roles", () => {
  const withUpdates = (a: object, b: object, merge?: boolean) =>
    analysisOf({
      tables: [
        {
          table: "author",
          update_permissions: [
            { role: "a", permission: { columns: ["id", "name"], filter: {}, ...a } },
            { role: "b", permission: { columns: ["name", "id"], filter: {}, ...b } },
          ],
        },
      ],
      inherited_roles: [{ role_name: "both", role_set: ["a", "b"], ...(merge !== undefined && { merge }) }],
    });
  const isConflict = (a: object, b: object) =>
    withUpdates(a, b).inconsistencies.some(({ entity }) => entity !== undefined);

  it.each([
    ["in the order of columns", {}, {}],
    [
      "in the order of conditions",
      { filter: { _or: [{ id: 1 }, { name: "x" }] } },
      { filter: { _or: [{ name: "x" }, { id: 1 }] } },
    ],
    ["in comments and defaults", { backend_only: false }, { check: null }],
  ])("Parent permissions agree if they differ %s", (_, a, b) => {
    expect(isConflict(a, b)).toBe(false);
  });

  it.each([
    ["columns", {}, { columns: ["id"] }],
    ["conditions", { filter: { id: 1 } }, { filter: { id: 2 } }],
    ["checks", {}, { check: { id: 2 } }],
    ["presets", { set: { name: "x" }, columns: ["id"] }, { set: { name: "y" }, columns: ["id"] }],
    ["backend_only", {}, { backend_only: true }],
    [
      "validation",
      {},
      { validate_input: { type: "http", definition: { url: "http://x", headers: [], forward_client_headers: false } } },
    ],
  ])("Parent permissions conflict if they differ in %s", (_, a, b) => {
    const { inconsistencies } = withUpdates(a, b);
    expect(inconsistencies.map(inconsistencyEntry)).toEqual([
      {
        entity: { permission_type: "update", source: "default", table: "author" },
        name: "both",
        reason:
          "Could not inherit permission for the role 'both' for the entity: 'update permission, table: author, source: 'default''",
        type: "inherited role permission inconsistency",
      },
    ]);
  });

  it.each([
    ["columns", {}, { columns: ["id"] }],
    ["conditions", { filter: { id: 1 } }, { filter: { id: 2 } }],
    ["checks", {}, { check: { id: 2 } }],
  ])("Parent permissions are merged if they differ in %s and the role merges permissions", (_, a, b) => {
    expect(withUpdates(a, b, true).inconsistencies).toEqual([]);
    expect(withUpdates(a, b, false).inconsistencies).toHaveLength(1);
  });

  const only = { columns: ["id"] };
  it.each([
    ["presets", { set: { name: "x" }, ...only }, { set: { name: "y" }, ...only }, "their column presets differ"],
    ["backend_only", {}, { backend_only: true }, "only some of them are for backends only (backend_only)"],
    [
      "validation",
      {},
      { validate_input: { type: "http", definition: { url: "http://x", headers: [], forward_client_headers: false } } },
      "their validate_input differs",
    ],
  ])("Parent permissions that differ in %s are not merged, and the conflict has the reason", (_, a, b, why) => {
    expect(reasonsOf(withUpdates(a, b, true))).toEqual([
      `Could not inherit permission for the role 'both' for the entity: 'update permission, table: author, source: 'default'': the permissions of a, b cannot be merged: ${why}`,
    ]);
  });
});
