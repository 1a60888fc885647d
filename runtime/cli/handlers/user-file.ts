/** Updates the types in the signature of a user's handler, and the imports that they need. Changes nothing else. */
import type {
  ArrowFunction,
  FunctionDeclaration,
  FunctionExpression,
  ImportDeclaration,
  Node,
  Project,
  SourceFile,
} from "ts-morph";
import {
  moduleSpecifier,
  payloadType,
  resultType,
  typesInSignature,
} from "../../../compiler/handlers/handler-signature.ts";
import { generatedModulePath, type Handler } from "../../../compiler/handlers/handlers.ts";

interface UserFile {
  /** Updated text. */
  readonly text: string;
  /** Reason why the file could not be updated. */
  readonly problem?: string;
}

export interface UserFiles {
  update(handler: Handler, text: string): UserFile;
  /** Returns names that a file imports from the generated module. */
  importsOfGenerated(path: string, text: string): readonly string[];
}

/** Loads the parser, which is slow. */
export async function userFiles(): Promise<UserFiles> {
  const { Node: Nodes, Project: Parser } = await import("ts-morph");
  const project = new Parser({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const parse = (text: string): SourceFile => project.createSourceFile("handler.ts", text, { overwrite: true });

  /** Finds an exported function: a declaration, or a variable with a function. */
  function functionNamed(file: SourceFile, name: string): Signature | undefined {
    const declared = file.getFunction(name);
    if (declared) return declared.isExported() ? declared : undefined;
    const variable = file.getVariableDeclaration(name);
    const value = variable?.isExported() ? variable.getInitializer() : undefined;
    return Nodes.isArrowFunction(value) || Nodes.isFunctionExpression(value) ? value : undefined;
  }

  /** Returns true if the file uses the name for anything but an export of the generated module. */
  function isTaken(file: SourceFile, name: string, generated: string): boolean {
    const otherImports = file.getImportDeclarations().filter((each) => each.getModuleSpecifierValue() !== generated);
    const imported = otherImports.flatMap((each) => [
      ...each.getNamedImports().map((one) => one.getAliasNode()?.getText() ?? one.getName()),
      each.getDefaultImport()?.getText(),
      each.getNamespaceImport()?.getText(),
    ]);
    const declared = file.getStatements().flatMap((statement) => {
      if (Nodes.isVariableStatement(statement)) return statement.getDeclarations().map((each) => each.getName());
      return Nodes.hasName(statement) ? [statement.getName()] : [];
    });
    return imported.includes(name) || declared.includes(name);
  }

  return {
    update(handler, text) {
      const file = parse(text);
      const { functionName, path } = handler;
      if (syntaxErrors(project, file) > 0) return { text, problem: "the syntax is invalid" };
      const signature = functionNamed(file, functionName);
      if (signature === undefined) return { text, problem: `there is no exported function ${functionName}` };
      const specifier = generatedSpecifier(file, path);
      const original = file.getFullText();
      const names = new LocalNames(file, specifier, (name) => isTaken(file, name, specifier));
      const before = namesIn(signature);
      setTypes(signature, handler, names);
      names.write(typesInSignature(handler));
      removeUnused(file, specifier, before);
      // The parser drops a byte order mark from its text.
      return { text: file.getFullText() === original ? text : file.getFullText() };
    },
    importsOfGenerated(path, text) {
      const file = parse(text);
      const specifier = generatedSpecifier(file, path);
      return importsFrom(file, specifier).flatMap((each) => each.getNamedImports().map((one) => one.getName()));
    },
  };
}

type Signature = FunctionDeclaration | ArrowFunction | FunctionExpression;

const syntaxErrors = (project: Project, file: SourceFile): number =>
  project.getProgram().getSyntacticDiagnostics(file).length;

/** Returns the specifier that the file already uses, with any extension, or the default specifier. */
function generatedSpecifier(file: SourceFile, path: string): string {
  const usual = moduleSpecifier(path, generatedModulePath);
  const stem = usual.replace(/\.js$/, "");
  const written = file.getImportDeclarations().map((each) => each.getModuleSpecifierValue());
  return written.find((each) => each.replace(/\.(?:js|ts|mjs|mts)$/, "") === stem) ?? usual;
}

const importsFrom = (file: SourceFile, specifier: string): readonly ImportDeclaration[] =>
  file.getImportDeclarations().filter((each) => each.getModuleSpecifierValue() === specifier);

// ---------------------------------------------------------------- names

/** Local names of the generated module's types in a file. */
class LocalNames {
  readonly #file: SourceFile;
  readonly #specifier: string;
  readonly #isTaken: (name: string) => boolean;

  constructor(file: SourceFile, specifier: string, isTaken: (name: string) => boolean) {
    this.#file = file;
    this.#specifier = specifier;
    this.#isTaken = isTaken;
  }

  of(name: string): string {
    for (const each of importsFrom(this.#file, this.#specifier)) {
      const named = each.getNamedImports().find((one) => one.getName() === name);
      if (named) return named.getAliasNode()?.getText() ?? name;
    }
    const namespace = this.#namespace();
    if (namespace !== undefined) return `${namespace}.${name}`;
    return this.#isTaken(name) ? `Generated${name}` : name;
  }

  /** Adds missing imports. */
  write(names: readonly string[]): void {
    if (this.#namespace() !== undefined) return;
    const imports = importsFrom(this.#file, this.#specifier);
    const known = new Set(imports.flatMap((each) => each.getNamedImports().map((one) => one.getName())));
    const missing = names.filter((name) => !known.has(name));
    if (missing.length === 0) return;
    const specifiers = missing.map((name) => {
      const local = this.of(name);
      return local === name ? { name } : { name, alias: local };
    });
    const target = imports.find((each) => each.isTypeOnly()) ?? imports[0];
    if (target === undefined) {
      this.#file.insertImportDeclaration(0, {
        isTypeOnly: true,
        namedImports: specifiers,
        moduleSpecifier: this.#specifier,
      });
    } else {
      const isTypeOnly = !target.isTypeOnly();
      target.addNamedImports(specifiers.map((one) => (isTypeOnly ? { ...one, isTypeOnly } : one)));
    }
  }

  #namespace(): string | undefined {
    const imports = importsFrom(this.#file, this.#specifier);
    return imports.flatMap((each) => each.getNamespaceImport()?.getText() ?? [])[0];
  }
}

/** Returns identifiers in the types of a signature. */
function namesIn(signature: Signature): ReadonlySet<string> {
  const types = [...signature.getParameters().map((each) => each.getTypeNode()), signature.getReturnTypeNode()];
  return new Set(types.flatMap((type) => type?.getText().match(/[\w$]+/g) ?? []));
}

/** Removes imports that only the previous signature used. */
function removeUnused(file: SourceFile, specifier: string, before: ReadonlySet<string>): void {
  for (const declaration of importsFrom(file, specifier)) {
    const named = declaration.getNamedImports();
    const unused = named.filter((each) => {
      const local = each.getAliasNode() ?? each.getNameNode();
      return before.has(local.getText()) && !isUsed(file, local);
    });
    if (unused.length === 0) continue;
    const isAll = unused.length === named.length && declaration.getDefaultImport() === undefined;
    if (isAll) declaration.remove();
    else for (const each of unused) each.remove();
  }
}

function isUsed(file: SourceFile, name: Node): boolean {
  const text = name.getText();
  return (
    file.forEachDescendant((node) => {
      return (node !== name && node.getKindName() === "Identifier" && node.getText() === text) || undefined;
    }) ?? false
  );
}

// ---------------------------------------------------------------- types

function setTypes(signature: Signature, handler: Handler, names: LocalNames): void {
  const [payload] = signature.getParameters();
  const local = (text: string): string => inLocalNames(text, typesInSignature(handler), names);
  if (payload) setType(payload, local(payloadType(handler)));
  // The server ignores responses without a declared type, so any return type is valid.
  if (handler.result === null) return;
  const returned = signature.getReturnTypeNode()?.getText();
  if (returned === undefined && !signature.isAsync()) return;
  const isPromise = signature.isAsync() || returned?.startsWith("Promise<");
  const result = local(resultType(handler));
  setReturnType(signature, isPromise ? `Promise<${result}>` : result);
}

/** Replaces type names outside of strings with their local names. */
function inLocalNames(text: string, types: readonly string[], names: LocalNames): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[\w$]+/g, (word) => (types.includes(word) ? names.of(word) : word));
}

const isSame = (one: string | undefined, other: string): boolean =>
  one?.replace(/\s+/g, "") === other.replace(/\s+/g, "");

function setType(parameter: ReturnType<Signature["getParameters"]>[number], type: string): void {
  if (!isSame(parameter.getTypeNode()?.getText(), type)) parameter.setType(type);
}

function setReturnType(signature: Signature, type: string): void {
  if (!isSame(signature.getReturnTypeNode()?.getText(), type)) signature.setReturnType(type);
}
