/** `export_generated_code`: returns generated files. */
import { operationPath, savedPlansPath } from "../../compiler/4-emit/paths.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";

type ExportCall = IoCallOf<"export_generated_code">;

export const generatedCodeHandlers: IoHandlers<"export_generated_code"> = {
  export_generated_code: (call, { draft, environment }) => exportGeneratedCode(call, draft, environment),
};

/** @throws EngineError `not-exists` for an unknown path */
function exportGeneratedCode(
  { input, path: at }: ExportCall,
  { program, planned }: Compiled,
  { context }: ChangeEnvironment,
): Json {
  const known = planned.paths();
  const version = { resource_version: context.resourceVersion };
  if (!input.paths) {
    const { saved_operation: operation } = input;
    const paths = operation ? known.filter(isFileOf(operation, program.roles())) : known;
    return { ...version, roles: [...program.roles()], paths: [...paths] };
  }
  const knownPaths = new Set(known);
  const files = input.paths.map((path, index) => {
    if (knownPaths.has(path)) return { path, text: planned.file(path).text };
    const message = `generated file ${JSON.stringify(path)} does not exist`;
    const hint = () => didYouMean(path, known);
    throw new EngineError("not-exists", pathTo(pathTo(at, "paths"), index), message, { hint });
  });
  return { ...version, files };
}

/** Returns a predicate for the files of a saved operation: the shared module, and the plans of each role. */
function isFileOf(
  { collection_name, query_name }: NonNullable<ExportCall["input"]["saved_operation"]>,
  roles: Iterable<string>,
): (path: string) => boolean {
  const operation = { collection: collection_name, name: query_name };
  const variants = ["frontend", "backend"] as const;
  const paths = new Set([operationPath(operation)]);
  for (const role of roles) for (const variant of variants) paths.add(savedPlansPath(role, operation, variant));
  return (path) => paths.has(path);
}
