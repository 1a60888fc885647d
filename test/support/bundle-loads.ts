/** What a bundle could load while it runs, found in its syntax: imports, calls of `require`, threads, native code. */
import { isBuiltin } from "node:module";
import { ts } from "ts-morph";

/** Node's own modules that run code which they are given, or find by name. */
const runsCode = /^(?:node:)?(?:child_process|cluster|inspector|module|repl|vm|wasi)(?:\/.*)?$/;
/** Other ways to code that is not in the bundle. */
const loader = /^(?:createRequire|dlopen|_load|_resolveFilename|registerHooks|importScripts)$/;
/** What the bundler calls `require`. */
const requireName = /^(?:__)?require\d*$/;

export interface BundleLoads {
  /** Relative paths of other files of the bundle. */
  readonly files: readonly string[];
  /** Whatever is not one of Node's harmless modules, with its line. */
  readonly outside: readonly string[];
}

export function bundleLoads(code: string): BundleLoads {
  const source = ts.createSourceFile("bundle.mjs", code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const files: string[] = [];
  const outside: string[] = [];
  const report = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    outside.push(`${line + 1}: ${node.getText(source).slice(0, 100)}`);
  };
  const loads = (node: ts.Node, specifier: ts.Node | undefined): void => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : "";
    if (text.startsWith("./")) files.push(text);
    else if (!(text.startsWith("node:") || isBuiltin(text)) || runsCode.test(text)) report(node);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) loads(node, node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) loads(node, node.moduleSpecifier);
    if (ts.isCallExpression(node) && isLoading(node.expression)) loads(node, node.arguments[0]);
    if (ts.isNewExpression(node) && /Worker$/.test(node.expression.getText(source))) report(node);
    if (ts.isIdentifier(node) && loader.test(node.text)) report(node.parent ?? node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { files, outside };
}

function isLoading(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && requireName.test(called.text));
}
