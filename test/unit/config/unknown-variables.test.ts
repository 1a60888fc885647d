import { describe, expect, it } from "vitest";
import { unknownVariables } from "../../../runtime/config/unknown-variables.ts";

const names = (...variables: string[]) => Object.fromEntries(variables.map((variable) => [variable, "hunter2"]));

describe("unknown variables", () => {
  it("have the nearest option named", () => {
    expect(unknownVariables(names("ENGINE_GRAPHQL_ADMIN_SECRT", "ENGINE_GRAPHQL_ENABLE_CONSOL"))).toEqual([
      { variable: "ENGINE_GRAPHQL_ADMIN_SECRT", nearest: "ENGINE_GRAPHQL_ADMIN_SECRET" },
      { variable: "ENGINE_GRAPHQL_ENABLE_CONSOL", nearest: "ENGINE_GRAPHQL_ENABLE_CONSOLE" },
    ]);
  });

  it("have none named where none is near", () => {
    expect(unknownVariables(names("ENGINE_GRAPHQL_LIBRARY_DATABASE"))).toEqual([
      { variable: "ENGINE_GRAPHQL_LIBRARY_DATABASE", nearest: undefined },
    ]);
  });

  it("are neither options, nor those of the tools, nor of others", () => {
    const known = names("ENGINE_GRAPHQL_ADMIN_SECRET", "ENGINE_GRAPHQL_ENDPOINT", "PATH", "ENGINE_OTHER");
    expect(unknownVariables(known)).toEqual([]);
  });
});
