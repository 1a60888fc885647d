/**
 * One TypeScript module: header, imports, declarations. Naming a symbol of another module records its import; local
 * names are given out so that none stands for two things.
 */
import { posix } from "node:path";
import { docComment, type Header, headerText } from "./comments.ts";
import { type Code, group, layOut, sequence } from "./layout.ts";

const support = "engine/support";

interface Import {
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
}

export class ModuleBuilder {
  readonly #path: string;
  readonly #header: Header;
  /** By the module they come from. */
  readonly #imports = new Map<string, Import[]>();
  /** What imports call a module, by its path. */
  readonly #specifiers = new Map<string, string>();
  readonly #names: Set<string>;
  readonly #declarations: string[] = [];

  /** @param exports the names that the module exports; nothing else gets them */
  constructor(path: string, header: Header, exports: readonly string[]) {
    this.#path = path;
    this.#header = header;
    this.#names = new Set(exports);
  }

  /** Local name of a value of `engine/support`. */
  support(name: string): string {
    return this.#import(support, { name, as: name, isType: false });
  }

  /** Local name of a type of `engine/support`. */
  supportType(name: string): string {
    return this.#import(support, { name, as: name, isType: true });
  }

  /** Local name of what another generated module exports; `as`: the name it should have here. */
  import(path: string, name: string, as: string = name): string {
    return this.#import(this.#specifierOf(path), { name, as, isType: false });
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

  /** A name for a declaration that is not exported. */
  local(name: string): string {
    return take(name, this.#names);
  }

  /** Names for the parameters of a function whose body may name everything that was imported so far. */
  parameters(names: readonly string[]): string[] {
    const taken = new Set([...this.#imports.values()].flatMap((imports) => imports.map(({ local }) => local)));
    return names.map((name) => take(name, taken));
  }

  /** Adds a declaration with a doc comment. */
  declare(comment: readonly string[], code: Code): void {
    this.#declarations.push(`${docComment(comment)}${layOut(sequence(code, ";"))}\n`);
  }

  toString(): string {
    return headerText("//", this.#header) + [this.#importText(), ...this.#declarations].filter(Boolean).join("\n");
  }

  #import(from: string, { name, as, isType }: { name: string; as: string; isType: boolean }): string {
    const imports = this.#imports.get(from) ?? [];
    this.#imports.set(from, imports);
    const known = imports.find((known) => known.name === name);
    if (known) return known.local;
    const local = take(as, this.#names);
    imports.push({ name, local, isType });
    return local;
  }

  /** Packages first, then modules by path. */
  #importText(): string {
    const rank = (from: string): number => (from.startsWith(".") ? 1 : 0);
    return [...this.#imports]
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([from, imports]) => `${layOut(sequence("import ", importedNames(imports), ` from "${from}";`))}\n`)
      .join("");
  }
}

function importedNames(imports: readonly Import[]): Code {
  const sorted = [...imports].sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = sorted.map(
    ({ name, local, isType }) => `${isType ? "type " : ""}${name === local ? name : `${name} as ${local}`}`,
  );
  return group("{ ", names, " }");
}

/** Takes `name`, or the first of `name_2`, `name_3`, … that is free. */
function take(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  taken.add(free);
  return free;
}
