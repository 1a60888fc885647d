/** Loaders that go on with the program of the next Generation. */
import { describe, expect, it } from "vitest";
import { CodeCache } from "../../../../runtime/control/load/code-cache.ts";
import { ModuleLoader } from "../../../../runtime/control/load/module-loader.ts";
import { RoleLoaders } from "../../../../runtime/control/load/role-loaders.ts";
import { atOnce } from "../../../../runtime/values/interruptible.ts";

type Texts = Readonly<Record<string, string>>;

const cache = new CodeCache();

/** The loaders of a program with modules of these texts. */
function generation(texts: Texts, previous?: RoleLoaders): RoleLoaders {
  const textOf = (path: string): string => {
    const text = texts[path];
    if (text === undefined) throw new Error(`no module ${path}`);
    return text;
  };
  const program = {
    module: (path: string) => ({ text: textOf(path), hash: textOf(path) }),
    hashOf: (path: string) => texts[path],
  };
  return new RoleLoaders(new ModuleLoader({ program, support: {}, cache }), previous);
}

const role = "roles/member/resolvers.ts";
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

/** A Generation in which the role has used `a`, and `shared` if `deeply`. */
function used(deeply = true): RoleLoaders {
  const loaders = generation(texts);
  const a = roleOf(loaders).a();
  if (deeply) a();
  return loaders;
}

describe("the loader of a role", () => {
  it("goes on where what it has loaded is the same", () => {
    const before = used();
    const after = generation({ ...texts, "roles/member/b.ts": "export const b = 2;" }, before);
    expect(roleOf(after)).toBe(roleOf(before));
    expect(roleOf(after).b()).toBe(2);
  });

  it.each([role, "roles/member/a.ts", "sources/shared.ts"])("begins anew where %s is another", (path) => {
    const before = used();
    const after = generation({ ...texts, [path]: `${texts[path]}\n` }, before);
    expect(roleOf(after)).not.toBe(roleOf(before));
  });

  it("begins anew where a module that it has loaded is gone", () => {
    const before = used();
    const { "sources/shared.ts": _, ...others } = texts;
    expect(roleOf(generation(others, before))).not.toBe(roleOf(before));
  });

  it("does not depend on what it has not loaded", () => {
    const before = used(false);
    const after = generation({ ...texts, "sources/shared.ts": "export const shared = 2;" }, before);
    expect(roleOf(after)).toBe(roleOf(before));
    expect(roleOf(after).a()()).toBe(2);
  });

  it("is of the Generation before, not of an earlier one, unless that took it over", () => {
    const first = used();
    const asked = roleOf(first);
    expect(roleOf(generation(texts, generation(texts, first)))).not.toBe(asked);
    const second = generation(texts, first);
    atOnce(second.takeOver());
    expect(roleOf(generation(texts, second))).toBe(asked);
  });

  it("is shared by no two roles", () => {
    const loaders = generation(texts);
    const other = loaders.of("roles/other/resolvers.ts");
    expect(other.require("sources/shared.ts")).not.toBe(loaders.of(role).require("sources/shared.ts"));
    expect(loaders.of(role)).toBe(loaders.of(role));
  });

  it("is looked at between requests only where it has loaded many modules", () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`sources/${i}.ts`, "export const x = 1;"]));
    const all = { ...texts, ...many };
    const before = generation(all);
    for (const path of [role, ...Object.keys(many)]) before.of(role).require(path);
    expect(roleOf(generation(all, before))).not.toBe(roleOf(before));
    const after = generation(all, before);
    atOnce(after.takeOver());
    expect(roleOf(after)).toBe(roleOf(before));
  });

  it("keeps the code of its modules", () => {
    const own = new CodeCache();
    const program = { module: () => ({ text: "export const x = 1;", hash: "x" }), hashOf: () => "x" };
    let loaders = new RoleLoaders(new ModuleLoader({ program, support: {}, cache: own }));
    loaders.of(role).require(role);
    for (let i = 0; i < 10; i++) {
      loaders = new RoleLoaders(new ModuleLoader({ program, support: {}, cache: own }), loaders);
      loaders.of(role);
    }
    expect(own.size).toBe(1);
  });
});
