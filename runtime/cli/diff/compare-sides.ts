/** Compares two sides for a report. */

import type { SourceFile } from "ts-morph";
import { type Change, Changes } from "../../../compiler/access/change.ts";
import { accessChanges } from "../../control/access.ts";
import type { GeneratedModule, Side } from "./side.ts";

export interface Report {
  readonly before: Pick<Side, "kind" | "name" | "product">;
  readonly after: Pick<Side, "kind" | "name" | "product">;
  readonly changes: readonly Change[];
  /** Generated modules that differ. */
  readonly modules: readonly ModuleChange[];
}

export async function compareSides(before: Side, after: Side): Promise<Report> {
  const changes = [...accessChanges(before.access, after.access), ...compareArtifacts(before, after)];
  const modules = await compareModules(before.modules, after.modules);
  const nameOf = ({ kind, name, product }: Side) => ({ kind, name, product });
  return { before: nameOf(before), after: nameOf(after), changes, modules };
}

export const isDifferent = ({ changes, modules }: Report): boolean => changes.length > 0 || modules.length > 0;

/** Compares the properties of artifacts apart from their modules. */
function compareArtifacts(before: Side, after: Side): readonly Change[] {
  const changes = new Changes({ area: "other", subject: "artifact" });
  if (before.product !== after.product) {
    changes.changed({ aspect: "version", before: before.product, after: after.product, effect: "none" });
  }
  if (before.closed !== undefined && after.closed !== undefined && before.closed !== after.closed) {
    const mode = { aspect: "closed mode", effect: "narrows" } as const;
    if (after.closed) changes.added(mode);
    else changes.removed(mode);
  }
  return changes.list();
}

// Compares generated modules by declaration, for reviewers.

export interface ModuleChange {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Changed declarations of a changed module; `undefined` if a text is not available. */
  readonly declarations?: DeclarationChanges | undefined;
}

/** Names of declarations; all empty if only comments differ. */
interface DeclarationChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

type Modules = ReadonlyMap<string, GeneratedModule>;

/** Returns differing modules, sorted by path. */
async function compareModules(before: Modules, after: Modules): Promise<readonly ModuleChange[]> {
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

/** Text of declarations without comments, by name. */
type Declarations = ReadonlyMap<string, string>;

function compareDeclarations(before: Declarations, after: Declarations): DeclarationChanges {
  const only = (one: Declarations, other: Declarations) => [...one.keys()].filter((name) => !other.has(name)).sort();
  const changed = [...before].filter(([name, text]) => after.has(name) && after.get(name) !== text);
  return { added: only(after, before), removed: only(before, after), changed: changed.map(([name]) => name).sort() };
}

/** Loads the parser, which is slow: called only if modules differ. */
async function declarationReader(): Promise<(text: string) => Declarations> {
  const { Node, Project } = await import("ts-morph");
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

  function* declarations(file: SourceFile): Iterable<readonly [string, string]> {
    for (const statement of file.getStatements()) {
      if (Node.isImportDeclaration(statement)) {
        // Imports of the package are skipped: their uses appear in the declarations.
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
