/** Names of handlers: exports of the generated module and files of handlers have unique names. */
import { Project } from "ts-morph";
import { describe, expect, it } from "vitest";
import {
  floatText,
  numberOrTextText,
  ownMembersText,
  sharedTypesText,
  signatureText,
} from "../../../compiler/handlers/emit-generated.ts";
import { handlerFile, takenNames } from "../../../compiler/handlers/handlers-of.ts";
import { defineText, routerText } from "../../../compiler/handlers/text/router.ts";
import { serversText } from "../../../compiler/handlers/text/servers.ts";

describe("Names of the generated handler module", () => {
  it("The names declared by the fixed part of the generated module are reserved", () => {
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

describe("Files of handlers", () => {
  it.each([
    ["place_order", ["place_order"], "place_order.ts"],
    ["placeOrder", ["placeOrder", "x"], "placeOrder.ts"],
    ["nightly report", ["nightly report"], "nightly-report.ts"],
  ])("The file name of a handler is readable for %s", (name, all, file) => {
    expect(handlerFile(name, all)).toBe(file);
  });

  it("Each handler has its own file on any file system", () => {
    const names = ["a", "A", "a b", "a-b", "A B", "con", "../x", "..", "é", "日本", "x".repeat(300), "__proto__"];
    const files = names.map((name) => handlerFile(name, names).toLowerCase());
    expect(new Set(files).size).toBe(names.length);
    for (const file of files) expect(file).toMatch(/^[a-z0-9_-][a-z0-9_+-]*\.ts$/);
  });
});
