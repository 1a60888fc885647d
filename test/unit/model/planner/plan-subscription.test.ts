import { expect, it } from "vitest";
import { planSubscription } from "../../../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { analysisOf, shape, table } from "../../analyze/sample.ts";
import { compileAndLoad, loaderOf } from "../../emit/load.ts";

const author = table("author", { columns: { id: "int4!", name: "text" }, primaryKey: ["id"] });
function resultOf(query: string): string {
  const customization = { root_fields: { namespace: "shop" } };
  const analysis = analysisOf({ tables: [{ table: "author" }], customization }, { shape: shape([author], []) });
  const { program } = compileAndLoad(analysis);
  const { role } = loaderOf(program).require(program.roleModule("admin")) as never;
  try {
    planSubscription(
      readOperation(query, null),
      roleSchema(role),
      {},
      { stringifyNumbers: false, nullCollapse: false },
    );
    return "planned";
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

it("A subscription selects one root field if sources have namespaces, also through fragments", () => {
  const two = "{ shop { author { id } } other: shop { author { id } } }";
  const refusal = "validation-failed: subscriptions must select one top level field";
  expect(resultOf("subscription { shop { author { id } } }")).toBe("planned");
  expect(resultOf(`subscription ${two}`)).toBe(refusal);
  expect(resultOf(`subscription { ...F } fragment F on subscription_root ${two}`)).toBe(refusal);
});
