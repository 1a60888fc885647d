/** Loaders of roles that the next generation reuses. */
import { describe, expect, it } from "vitest";
import { CodeCache } from "../../../../runtime/control/load/code-cache.ts";
import { ModuleLoader } from "../../../../runtime/control/load/module-loader.ts";
import { RoleLoaders } from "../../../../runtime/control/loaded-generation.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";
import { moduleCode } from "../../../support/module-code.ts";

type Texts = Readonly<Record<string, string>>;

const cache = new CodeCache();

/** Returns the loaders of a program with modules of these texts. */
function generation(texts: Texts, previous?: RoleLoaders): RoleLoaders {
  const textOf = (path: string): string => {
    const text = texts[path];
    if (text === undefined) throw new Error(`no module ${path}`);
    return text;
  };
  const program = {
    module: (path: string) => ({ code: moduleCode(textOf(path)), hash: textOf(path) }),
    hashOf: (path: string) => texts[path],
  };
  return new RoleLoaders(new ModuleLoader({ program, support: {}, cache }), previous);
}

const role = "roles/member/root-fields.ts";
const texts: Texts = {
  [role]: `import { a } from "./a.js";\nimport { b } from "./b.js";\nexport const role = { a: () => a, b: () => b };`,
  "roles/member/a.ts": `import { shared } from "../../sources/shared.js";\nexport const a = () => shared;`,
  "roles/member/b.ts": "export const b = 1;",
  "sources/shared.ts": "export const shared = 1;",
};

interface Role {
  readonly a: () => () => number;
  readonly b: () => number;
}

const roleOf = (loaders: RoleLoaders) => loaders.of(role).require(role).role as Role;

/** Returns the loaders of a generation in which the role has used `a`, and `shared` if `deeply`. */
function used(deeply = true): RoleLoaders {
  const loaders = generation(texts);
  const a = roleOf(loaders).a();
  if (deeply) a();
  return loaders;
}

describe("Role loaders", () => {
  it("A role's loader is reused if its loaded modules are unchanged", () => {
    const before = used();
    const after = generation({ ...texts, "roles/member/b.ts": "export const b = 2;" }, before);
    expect(roleOf(after)).toBe(roleOf(before));
    expect(roleOf(after).b()).toBe(2);
  });

  it.each([role, "roles/member/a.ts", "sources/shared.ts"])("A role's loader is replaced if %s changed", (path) => {
    const before = used();
    const after = generation({ ...texts, [path]: `${texts[path]}\n` }, before);
    expect(roleOf(after)).not.toBe(roleOf(before));
  });

  it("A role's loader is replaced if one of its loaded modules is gone", () => {
    const before = used();
    const { "sources/shared.ts": _, ...others } = texts;
    expect(roleOf(generation(others, before))).not.toBe(roleOf(before));
  });

  it("A role's loader does not depend on modules that it has not loaded", () => {
    const before = used(false);
    const after = generation({ ...texts, "sources/shared.ts": "export const shared = 2;" }, before);
    expect(roleOf(after)).toBe(roleOf(before));
    expect(roleOf(after).a()()).toBe(2);
  });

  it("A role's loader is reused from the previous generation only, unless that generation carried it over", () => {
    const first = used();
    const original = roleOf(first);
    expect(roleOf(generation(texts, generation(texts, first)))).not.toBe(original);
    const second = generation(texts, first);
    runToCompletion(second.carryOver());
    expect(roleOf(generation(texts, second))).toBe(original);
  });

  it("Each role has its own loader", () => {
    const loaders = generation(texts);
    const other = loaders.of("roles/other/root-fields.ts");
    expect(other.require("sources/shared.ts")).not.toBe(loaders.of(role).require("sources/shared.ts"));
    expect(loaders.of(role)).toBe(loaders.of(role));
  });

  it("A loader with many modules is compared between requests", () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`sources/${i}.ts`, "export const x = 1;"]));
    const all = { ...texts, ...many };
    const before = generation(all);
    for (const path of [role, ...Object.keys(many)]) before.of(role).require(path);
    expect(roleOf(generation(all, before))).not.toBe(roleOf(before));
    const after = generation(all, before);
    runToCompletion(after.carryOver());
    expect(roleOf(after)).toBe(roleOf(before));
  });

  it("A role's loader keeps the code of its modules cached", () => {
    const own = new CodeCache();
    const program = { module: () => ({ code: "exports.x = 1;", hash: "x" }), hashOf: () => "x" };
    let loaders = new RoleLoaders(new ModuleLoader({ program, support: {}, cache: own }));
    loaders.of(role).require(role);
    for (let i = 0; i < 10; i++) {
      loaders = new RoleLoaders(new ModuleLoader({ program, support: {}, cache: own }), loaders);
      loaders.of(role);
    }
    expect(own.size).toBe(1);
  });
});
