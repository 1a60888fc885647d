import { describe, expect, it } from "vitest";
import { unknownVariables } from "../../../runtime/server/parts/startup-warnings.ts";

const names = (...variables: string[]) => Object.fromEntries(variables.map((variable) => [variable, "hunter2"]));

describe("Unknown variables", () => {
  it("An unknown variable is reported with the nearest option", () => {
    expect(unknownVariables(names("ENGINE_GRAPHQL_ADMIN_SECRT", "ENGINE_GRAPHQL_ENABLE_CONSOL"))).toEqual([
      { variable: "ENGINE_GRAPHQL_ADMIN_SECRT", nearest: "ENGINE_GRAPHQL_ADMIN_SECRET" },
      { variable: "ENGINE_GRAPHQL_ENABLE_CONSOL", nearest: "ENGINE_GRAPHQL_ENABLE_CONSOLE" },
    ]);
  });

  it("An unknown variable is reported without a suggestion if no option is near", () => {
    expect(unknownVariables(names("ENGINE_GRAPHQL_LIBRARY_DATABASE"))).toEqual([
      { variable: "ENGINE_GRAPHQL_LIBRARY_DATABASE", nearest: undefined },
    ]);
  });

  it("Variables of options, tools and other programs are not reported as unknown", () => {
    const known = names("ENGINE_GRAPHQL_ADMIN_SECRET", "ENGINE_GRAPHQL_ENDPOINT", "PATH", "ENGINE_OTHER");
    expect(unknownVariables(known)).toEqual([]);
  });
});
