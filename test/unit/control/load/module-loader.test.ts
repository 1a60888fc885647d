import { describe, expect, it } from "vitest";
import { CodeCache, type ModuleCode } from "../../../../runtime/control/load/code-cache.ts";
import { ModuleLoader } from "../../../../runtime/control/load/module-loader.ts";
import { moduleCode } from "../../../support/module-code.ts";

const support = { greet: (name: string) => `hello ${name}` };

/** Returns a program with these modules that records the requested paths. */
function program(texts: Readonly<Record<string, string>>) {
  const requested: string[] = [];
  const module = (path: string): ModuleCode => {
    requested.push(path);
    const text = texts[path];
    if (text === undefined) throw new Error(`no module ${path}`);
    return { code: moduleCode(text), hash: text };
  };
  return { requested, module, hashOf: (path: string) => texts[path] };
}

function load(texts: Readonly<Record<string, string>>, cache = new CodeCache()) {
  const source = program(texts);
  return { ...source, loader: new ModuleLoader({ program: source, support, cache }) };
}

describe("Module loader", () => {
  it("The module loader returns the exports of a module with its types removed", () => {
    const { loader } = load({
      "a.ts": `import { greet } from "engine/support";\nexport const text: string = greet("you" as string);`,
    });
    expect(loader.require("a.ts").text).toBe("hello you");
    expect(loader.require("a.ts")).toBe(loader.require("a.ts"));
  });

  it("The module loader loads an imported module on first use", () => {
    const { loader, requested } = load({
      "roles/a/x.ts": `import { y } from "../../sources/y.js";\nexport const get = () => y;`,
      "sources/y.ts": `export const y = 1;`,
    });
    const get = loader.require("roles/a/x.ts").get as () => number;
    expect(requested).toEqual(["roles/a/x.ts"]);
    expect(get()).toBe(1);
    expect(get()).toBe(1);
    expect(requested).toEqual(["roles/a/x.ts", "sources/y.ts"]);
  });

  it("The module loader supports circular imports", () => {
    const { loader } = load({
      "a.ts": `import { b } from "./b.js";\nexport const a = { name: "a", other: () => b };`,
      "b.ts": `import { a } from "./a.js";\nexport const b = { name: "b", other: () => a };`,
    });
    const a = loader.require("a.ts").a as { other: () => { other: () => unknown } };
    expect(a.other().other()).toBe(a);
  });

  it("Each generation has its own module instances over shared code", () => {
    const cache = new CodeCache();
    const texts = {
      "a.ts": `import { b } from "./b.js";\nexport const get = () => b;`,
      "b.ts": `export const b = {};`,
    };
    const [first, second] = [load(texts, cache).loader, load(texts, cache).loader].map((loader) =>
      (loader.require("a.ts").get as () => unknown)(),
    );
    expect(first).toEqual(second);
    expect(first).not.toBe(second);
    expect(cache.size).toBe(2);
  });

  it("The imports of a module resolve within its own generation", () => {
    const cache = new CodeCache();
    const a = `import { b } from "./b.js";\nexport const get = () => b;`;
    const before = load({ "a.ts": a, "b.ts": `export const b = "before";` }, cache).loader;
    const after = load({ "a.ts": a, "b.ts": `export const b = "after";` }, cache).loader;
    const get = (loader: ModuleLoader) => (loader.require("a.ts").get as () => unknown)();
    expect(get(after)).toBe("after");
    expect(get(before)).toBe("before");
  });

  it("A schema traversal has separate module instances, whose code is not cached for requests", () => {
    const cache = new CodeCache();
    const { loader } = load({ "a.ts": "export const a = {};", "b.ts": "export const b = {};" }, cache);
    const { a } = loader.require("a.ts");
    const walk = loader.forkTransient();
    expect(walk.require("a.ts").a).toEqual(a);
    expect(walk.require("a.ts").a).not.toBe(a);
    walk.require("b.ts");
    expect(cache.size).toBe(1);
    loader.require("b.ts");
    expect(cache.size).toBe(2);
  });

  it("The code cache evicts code that recent generations did not use", () => {
    const cache = new CodeCache();
    load({ "a.ts": "export const a = 1;" }, cache).loader.require("a.ts");
    for (let i = 0; i < 10; i++) load({ "b.ts": "export const b = 1;" }, cache).loader.require("b.ts");
    expect(cache.size).toBe(1);
  });

  it.each(["node:fs", "fs", "../outside.js", "/etc/passwd", "engine/other"])(
    "The module loader refuses to import %s",
    (specifier) => {
      const { loader } = load({ "a.ts": `import { x } from ${JSON.stringify(specifier)};\nexport const y = x;` });
      expect(() => loader.require("a.ts")).toThrow(`a.ts imports ${specifier}, which is not a generated module`);
    },
  );

  it("A failing module throws the same error each time", () => {
    const { loader } = load({ "a.ts": `throw new Error("broken");\nexport const a = 1;` });
    expect(() => loader.require("a.ts")).toThrow("broken");
    expect(() => loader.require("a.ts")).toThrow("broken");
  });

  it("The module loader supports names of Object.prototype members", () => {
    const { loader } = load({
      "a.ts": `import { constructor, toString as s } from "./b.js";\nexport const got = [constructor, s];`,
      "b.ts": `export const constructor = 1;\nexport const toString = 2;`,
    });
    expect(loader.require("a.ts").got).toEqual([1, 2]);
  });
});
