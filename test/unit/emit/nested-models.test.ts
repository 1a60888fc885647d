/** Logical models in fields of other models: the roles that see them, and the positions where they are allowed. */
import { describe, expect, it } from "vitest";
import { planQuery } from "../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../runtime/model/schema/sdl.ts";
import { compileShape } from "../../support/compiled.ts";
import { sqlServerLibrary } from "../../support/mssql-golden.ts";
import { shopShape } from "../../support/mssql-shop.ts";

const options = { stringifyNumbers: false, nullCollapse: false };

describe("Nested logical models", () => {
  it("A nested logical model exists for roles that may select it and its field", () => {
    const sdl = (role: string) => printSchema(roleSchema(sqlServerLibrary.role(role)));
    expect(sdl("admin")).toMatch(/^type maker \{.*?^ {2}titles\(.*?^\}/ms);
    expect(sdl("admin")).toContain("type made {");
    expect(sdl("reader")).toContain("type maker {");
    for (const hidden of ["made", "titles"]) expect(sdl("reader")).not.toContain(hidden);
    expect(sdl("reader")).toMatch(/type rating \{\s+stars: Int!\s+\}/);
    for (const hidden of ["rating", "maker", "rated_book"]) expect(sdl("guest")).not.toContain(hidden);
  });

  it("A nested logical model of an inherited role exists if all parents select the field", () => {
    const fields = [
      { name: "id", type: { scalar: "int" } },
      { name: "part", type: { logical_model: "part" } },
    ];
    const permission = (role: string, columns: readonly string[]) => ({ role, permission: { columns, filter: {} } });
    const roles = [permission("all", ["id", "part"]), permission("some", ["id"]), permission("others", ["id", "part"])];
    const part = { name: "part", fields: [{ name: "n", type: { scalar: "int" } }] };
    const { role, analysis } = compileShape(
      shopShape,
      [],
      {
        inherited_roles: [
          { role_name: "mixed", role_set: ["all", "some"] },
          { role_name: "both", role_set: ["all", "others"] },
        ],
      },
      {
        logical_models: [
          { name: "whole", fields, select_permissions: roles },
          { ...part, select_permissions: ["all", "some", "others"].map((name) => permission(name, ["n"])) },
        ],
        native_queries: [{ root_field_name: "wholes", code: "select 1 as id, N'{}' as part", returns: "whole" }],
      },
    );
    expect(analysis.inconsistencies).toEqual([]);
    const printed = (name: string) => printSchema(roleSchema(role(name)));
    expect(printed("both")).toMatch(/type whole \{[^}]*part: part\b/);
    expect(printed("mixed")).toMatch(/type whole \{\s+id: Int!?\s+\}/);
  });

  it("A nested logical model may occur in stored procedures and in itself, with escaped names", () => {
    const node = {
      name: "node",
      fields: [
        { name: "id", type: { scalar: "int" } },
        { name: `it's "x"`, type: { scalar: "int" } },
        { name: "children", type: { array: { logical_model: "node" } } },
      ],
    };
    const { role, analysis } = compileShape(
      shopShape,
      [],
      {},
      {
        logical_models: [node],
        stored_procedures: [{ stored_procedure: "tree", configuration: { exposed_as: "query" }, returns: "node" }],
      },
    );
    expect(analysis.inconsistencies).toEqual([]);
    const operation = readOperation("{ tree { id children { children(limit: 2) { id } } } }", null);
    const [statement] = planQuery(operation, roleSchema(role("admin")), {}, options).plan.statements;
    const text = statement?.text ?? "";
    expect(text).toContain("[children] nvarchar(max) collate database_default null");
    expect(text).toContain(`'$."it''s \\"x\\""'`);
    expect(text).toContain("[children] nvarchar(max) '$.\"children\"' as json");
  });
});
