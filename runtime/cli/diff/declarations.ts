/** Generated modules of two sides → which declarations a reviewer has to read again. */
import type { SourceFile } from "ts-morph";
import type { GeneratedModule } from "./side.ts";

export interface ModuleChange {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Of a changed module: names of its declarations; `undefined`: one of the texts is not known. */
  readonly declarations?: DeclarationChanges | undefined;
}

/** None at all: only comments differ. */
interface DeclarationChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

type Modules = ReadonlyMap<string, GeneratedModule>;

/** In the order of the paths. */
export async function compareModules(before: Modules, after: Modules): Promise<readonly ModuleChange[]> {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const differing = paths.filter((path) => before.get(path)?.hash !== after.get(path)?.hash);
  if (differing.length === 0) return [];
  const declarationsOf = await declarationReader();
  return differing.map((path): ModuleChange => {
    const [from, to] = [before.get(path), after.get(path)];
    if (from === undefined) return { path, kind: "added" };
    if (to === undefined) return { path, kind: "removed" };
    if (from.text === undefined || to.text === undefined) return { path, kind: "changed" };
    return {
      path,
      kind: "changed",
      declarations: compareDeclarations(declarationsOf(from.text), declarationsOf(to.text)),
    };
  });
}

/** Code without comments, by name. */
type Declarations = ReadonlyMap<string, string>;

function compareDeclarations(before: Declarations, after: Declarations): DeclarationChanges {
  const only = (one: Declarations, other: Declarations) => [...one.keys()].filter((name) => !other.has(name)).sort();
  const changed = [...before].filter(([name, text]) => after.has(name) && after.get(name) !== text);
  return { added: only(after, before), removed: only(before, after), changed: changed.map(([name]) => name).sort() };
}

/** Loads the parser, which takes a moment: only where modules differ. */
async function declarationReader(): Promise<(text: string) => Declarations> {
  const { Node, Project } = await import("ts-morph");
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

  function* declarations(file: SourceFile): Iterable<readonly [string, string]> {
    for (const statement of file.getStatements()) {
      if (Node.isImportDeclaration(statement)) {
        // Of the package's own functions there are many, which are named where they are used.
        const from = statement.getModuleSpecifierValue();
        if (!from.startsWith(".")) continue;
        for (const named of statement.getNamedImports()) {
          const local = named.getAliasNode()?.getText() ?? named.getName();
          yield [`import ${local}`, `${named.getName()} from ${from}`];
        }
      } else if (Node.isVariableStatement(statement)) {
        for (const declaration of statement.getDeclarations()) yield [declaration.getName(), statement.getText()];
      } else if (Node.hasName(statement)) {
        yield [statement.getName(), statement.getText()];
      } else {
        yield [statement.getKindName(), statement.getText()];
      }
    }
  }
  return (text) => new Map(declarations(project.createSourceFile("module.ts", text, { overwrite: true })));
}
