/** Names of handlers: no two things of the generated module have the same one, no two handlers the same file. */
import { Project } from "ts-morph";
import { describe, expect, it } from "vitest";
import { handlerFile, takenNames } from "../../../compiler/handlers/names.ts";
import { defineText, routerText } from "../../../compiler/handlers/text/router.ts";
import { serversText } from "../../../compiler/handlers/text/servers.ts";
import {
  floatText,
  numberOrTextText,
  ownMembersText,
  sharedTypesText,
} from "../../../compiler/handlers/text/shared-types.ts";
import { signatureText } from "../../../compiler/handlers/text/signature.ts";

describe("names of the generated module", () => {
  it("are taken where its fixed part declares them", () => {
    const validators = [floatText, numberOrTextText, ownMembersText];
    const fixed = [sharedTypesText, ...validators, routerText, defineText, serversText, signatureText];
    const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
    const file = project.createSourceFile("fixed.ts", fixed.join("\n"));
    const declared = [
      ...file.getFunctions(),
      ...file.getInterfaces(),
      ...file.getTypeAliases(),
      ...file.getClasses(),
      ...file.getVariableDeclarations(),
    ].map((each) => each.getName() ?? "");
    expect(declared.length).toBeGreaterThan(30);
    expect(declared.filter((name) => !takenNames.includes(name))).toEqual([]);
  });
});

describe("the file of a handler", () => {
  it.each([
    ["place_order", ["place_order"], "place_order.ts"],
    ["placeOrder", ["placeOrder", "x"], "placeOrder.ts"],
    ["nightly report", ["nightly report"], "nightly-report.ts"],
  ])("is readable for %s", (name, all, file) => {
    expect(handlerFile(name, all)).toBe(file);
  });

  it("is another one for each name, whatever the file system", () => {
    const names = ["a", "A", "a b", "a-b", "A B", "con", "../x", "..", "é", "日本", "x".repeat(300), "__proto__"];
    const files = names.map((name) => handlerFile(name, names).toLowerCase());
    expect(new Set(files).size).toBe(names.length);
    for (const file of files) expect(file).toMatch(/^[a-z0-9_-][a-z0-9_=-]*\.ts$/);
  });
});
