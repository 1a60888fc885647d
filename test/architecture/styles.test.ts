/** Style sheets of the console: all that are loaded apply to the whole document, whichever page has loaded them. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { root } from "../support/shared-checks.ts";

/** Style sheets of all pages. */
const shared = new Set(["base.css", "layout.css", "parts.css", "shell.css", "tokens.css"]);

interface Sheet {
  readonly name: string;
  /** Selectors without commas, each as its compound selectors: `.a > .b.on` is `[".a", ".b.on"]`. */
  readonly selectors: readonly (readonly string[])[];
}

function selectorsOf(text: string): Sheet["selectors"] {
  const rules = text.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g);
  return [...rules]
    .map(([, prelude = ""]) => prelude.trim())
    .filter((prelude) => !prelude.startsWith("@"))
    .flatMap((prelude) =>
      prelude.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, (part) => part.replaceAll(/[\s,>]/g, "")).split(","),
    )
    .map((selector) => selector.trim().split(/[\s>+~]+/));
}

/** The class that a compound selector styles; further classes are its states, such as `.cell.active`. */
const classOf = (compound: string): string | undefined => /\.([\w-]+)/.exec(compound)?.[1];

const classesOf = ({ selectors }: Sheet): ReadonlySet<string> =>
  new Set(selectors.flatMap((selector) => selector.flatMap((compound) => classOf(compound) ?? [])));

const sheets = globSync("runtime/console/styles/*.css", { cwd: root }).map((path): Sheet => {
  return { name: basename(path), selectors: selectorsOf(readFileSync(join(root, path), "utf8")) };
});
const isShared = ({ name }: Sheet): boolean => shared.has(name);
const sharedClasses = new Set(sheets.filter(isShared).flatMap((sheet) => [...classesOf(sheet)]));
const pages = sheets.filter((sheet) => !isShared(sheet));

function isSharedCompound(compound: string): boolean {
  const name = classOf(compound);
  return name === undefined || sharedClasses.has(name);
}

describe("Style sheets of the console", () => {
  it("Selectors are split into their compound selectors", () => {
    const text = "/* .no */ @media (width < 1px) { .a > .b.on, .c:not(.d, .e) + f { color: red; } }";
    expect(selectorsOf(text)).toEqual([
      [".a", ".b.on"],
      [".c:not(.d.e)", "f"],
    ]);
  });

  it("No class is styled by two page style sheets, unless a shared style sheet has it", () => {
    expect(pages.length).toBeGreaterThan(5);
    expect(sharedClasses.size).toBeGreaterThan(50);
    const owners = new Map<string, string[]>();
    for (const sheet of pages) {
      for (const name of classesOf(sheet)) {
        if (!sharedClasses.has(name)) owners.set(name, [...(owners.get(name) ?? []), sheet.name]);
      }
    }
    const collisions = [...owners].filter(([, names]) => names.length > 1);
    expect(collisions.map(([name, names]) => `.${name} in ${names.join(" and ")}`)).toEqual([]);
  });

  it("A page style sheet styles shared classes and elements only inside a class of its own", () => {
    const wrong = pages.flatMap(({ name, selectors }) =>
      selectors
        .filter((selector) => selector.every(isSharedCompound))
        .map((selector) => `${selector.join(" ")} in ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
