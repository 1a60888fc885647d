/**
 * Builds one module: header, imports and declarations, as TypeScript and as the JavaScript that runs. Referring to a
 * symbol of another module records its import; local names are unique.
 */

import { posix } from "node:path";
import { compareText } from "../../runtime/values/text-order.ts";
import { docComment, type Header, headerText } from "./comments.ts";
import { type Code, group, layOut, lineBreaks, Printer, type Reference, sequence, typeText } from "./layout.ts";

const support = "engine/support";

/** Both forms of a module. */
export interface ModuleText {
  /** TypeScript. */
  readonly text: string;
  /** JavaScript: the body of a CommonJS module with the same lines, without comments and types. */
  readonly code: string;
}

interface Import {
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
}

interface ImportedModule {
  readonly imports: Import[];
  /** The variable that holds the imported module in the JavaScript form. */
  readonly variable: string;
}

export class ModuleBuilder {
  readonly #path: string;
  readonly #header: Header;
  /** By module specifier. */
  readonly #imports = new Map<string, ImportedModule>();
  /** Module specifiers by path. */
  readonly #specifiers = new Map<string, string>();
  readonly #names: Set<string>;
  readonly #declarations: Printer[] = [];
  /** Names of declarations that several others use, by key. */
  readonly #shared = new Map<string, string>();

  /** @param exports the names that the module exports, reserved for them */
  constructor(path: string, header: Header, exports: readonly string[]) {
    this.#path = path;
    this.#header = header;
    this.#names = new Set(exports);
  }

  /** Imports a value of `engine/support` and returns its local name. */
  support(name: string): string {
    return this.#import(support, { name, as: name, isType: false }).local;
  }

  /** Imports a type of `engine/support` and returns its local name. */
  supportType(name: string): string {
    return this.#import(support, { name, as: name, isType: true }).local;
  }

  /** Imports an export of another generated module. @param as the preferred local name */
  import(path: string, name: string, as: string = name): Reference {
    const specifier = this.#specifierOf(path);
    const { local } = this.#import(specifier, { name, as, isType: false });
    return { kind: "reference", name: local, member: `${this.#moduleOf(specifier).variable}.${name}` };
  }

  #specifierOf(path: string): string {
    let specifier = this.#specifiers.get(path);
    if (specifier === undefined) {
      const relative = posix.relative(posix.dirname(this.#path), path).replace(/\.ts$/, ".js");
      specifier = relative.startsWith("../") ? relative : `./${relative}`;
      this.#specifiers.set(path, specifier);
    }
    return specifier;
  }

  /** Returns an unused name for a declaration that is not exported. */
  local(name: string): string {
    return uniqueName(name, this.#names);
  }

  /** Returns names for the parameters of a function that do not shadow the imports so far. */
  parameters(names: readonly string[]): string[] {
    const used = new Set([...this.#imports.values()].flatMap(({ imports }) => imports.map(({ local }) => local)));
    return names.map((name) => uniqueName(name, used));
  }

  /** Returns the name of a declaration that several others use; `declare` adds it on first use. */
  once(key: string, declare: () => string): string {
    const name = this.#shared.get(key) ?? declare();
    this.#shared.set(key, name);
    return name;
  }

  /** Adds an exported constant with a doc comment and an optional type annotation. */
  export(comment: readonly string[], name: string, value: Code, type?: string): void {
    this.#declare(comment, "export ", name, value, type).writeRun(` exports.${name} = ${name};`);
  }

  /** Adds a constant that is not exported. */
  declare(comment: readonly string[], name: string, value: Code, type?: string): void {
    this.#declare(comment, "", name, value, type);
  }

  #declare(comment: readonly string[], modifier: string, name: string, value: Code, type: string | undefined): Printer {
    const annotation = type === undefined ? "" : `: ${type}`;
    const printer = new Printer();
    this.#declarations.push(printer);
    printer.writeType(docComment(comment));
    printer.print(sequence(typeText(modifier), `const ${name}`, typeText(annotation), " = ", value, ";"), 0);
    return printer;
  }

  /** Returns both forms of the module. */
  print(): ModuleText {
    const header = headerText("//", this.#header);
    const imports = this.#importText();
    const texts = this.#declarations.map((declaration) => `${declaration.text()}\n`);
    const codes = this.#declarations.map((declaration) => declaration.code());
    const before = lineBreaks(header) + (imports === "" ? 0 : lineBreaks(imports) + 1);
    return {
      text: header + [imports, ...texts].filter(Boolean).join("\n"),
      code: `"use strict";${this.#requireCode()}${"\n".repeat(before)}${codes.map((code) => `${code}\n`).join("\n")}`,
    };
  }

  #import(from: string, { name, as, isType }: { name: string; as: string; isType: boolean }): Import {
    const { imports } = this.#moduleOf(from);
    const known = imports.find((known) => known.name === name);
    if (known) return known;
    const added = { name, local: uniqueName(as, this.#names), isType };
    imports.push(added);
    return added;
  }

  #moduleOf(specifier: string): ImportedModule {
    let module = this.#imports.get(specifier);
    if (module === undefined) {
      module = { imports: [], variable: `$${this.#imports.size}` };
      this.#imports.set(specifier, module);
    }
    return module;
  }

  /** Returns the import declarations: packages first, then modules by path. */
  #importText(): string {
    const rank = (from: string): number => (from.startsWith(".") ? 1 : 0);
    return [...this.#imports]
      .sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b))
      .map(([from, { imports }]) => `${layOut(sequence("import ", importedNames(imports), ` from "${from}";`))}\n`)
      .join("");
  }

  /** Returns the `require` calls. Values of the package are read at once; generated modules load when a member is read. */
  #requireCode(): string {
    const required = Array.from(this.#imports, ([from, { imports, variable }]) => {
      const values = imports.filter(({ isType }) => !isType);
      if (values.length === 0) return "";
      const names = values.map(({ name, local }) => `${name}: ${local}`);
      return `const ${from === support ? `{ ${names.join(", ")} }` : variable} = require("${from}");`;
    });
    return required.join("");
  }
}

function importedNames(imports: readonly Import[]): Code {
  const sorted = [...imports].sort((a, b) => compareText(a.name, b.name));
  const names = sorted.map(
    ({ name, local, isType }) => `${isType ? "type " : ""}${name === local ? name : `${name} as ${local}`}`,
  );
  return group("{ ", names, " }");
}

/** Reserves and returns `name`, or the first unused name of `name_2`, `name_3` and so on. */
function uniqueName(name: string, used: Set<string>): string {
  let free = name;
  for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
  used.add(free);
  return free;
}
