/** `export_generated_code`: the files that the metadata was compiled to, as text. */
import { operationPath, savedPlansPath } from "../../compiler/4-emit/paths.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { ExportGeneratedCodeCall } from "../../compiler/metadata/io.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";

/** @throws EngineError `not-exists` for a path that no file has */
export function exportGeneratedCode(
  { input, path: at }: ExportGeneratedCodeCall,
  { program, planned }: Compiled,
  { context }: ChangeEnvironment,
): Json {
  const known = planned.paths();
  const version = { resource_version: context.resourceVersion };
  if (!input.paths) {
    const { saved_operation: asked } = input;
    const paths = asked ? known.filter(isOfOperation(asked, program.roles())) : known;
    return { ...version, roles: [...program.roles()], paths: [...paths] };
  }
  const isKnown = new Set(known);
  const files = input.paths.map((path, index) => {
    if (isKnown.has(path)) return { path, text: planned.module(path).text };
    const message = `there is no generated file ${JSON.stringify(path)}`;
    const hint = () => didYouMean(path, known);
    throw new EngineError("not-exists", pathTo(pathTo(at, "paths"), index), message, { hint });
  });
  return { ...version, files };
}

/** Of a saved operation: what all roles share of it, and the SQL of each. */
function isOfOperation(
  { collection_name, query_name }: NonNullable<ExportGeneratedCodeCall["input"]["saved_operation"]>,
  roles: Iterable<string>,
): (path: string) => boolean {
  const operation = { collection: collection_name, name: query_name };
  const variants = ["frontend", "backend"] as const;
  const paths = new Set([operationPath(operation)]);
  for (const role of roles) for (const variant of variants) paths.add(savedPlansPath(role, operation, variant));
  return (path) => paths.has(path);
}
