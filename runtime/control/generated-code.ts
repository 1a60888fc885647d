/** `export_generated_code`, `export_client` and `export_handlers`: return generated files. */
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse, validate } from "graphql";
import { operationPath, savedPlansPath } from "../../compiler/4-emit/paths.ts";
import type { ClientOperation, Fragments } from "../../compiler/5-plan/client.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { emitHandlers } from "../../compiler/handlers/emit-handlers.ts";
import { handlersOf } from "../../compiler/handlers/handlers-of.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { unknownRole } from "./access.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";

type ExportCall = IoCallOf<"export_generated_code">;

export const generatedCodeHandlers: IoHandlers<"export_generated_code" | "export_client" | "export_handlers"> = {
  export_generated_code: (call, { draft, environment }) => exportGeneratedCode(call, draft, environment),
  export_client: (call, { draft, environment }) => exportClient(call, draft, environment),
  export_handlers: (call, { draft, environment }) => exportHandlers(call, draft, environment),
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

/** @throws EngineError for an unknown role, and for a document that the role cannot run */
function exportClient(
  { input, path }: IoCallOf<"export_client">,
  { program, planned }: Compiled,
  { context }: ChangeEnvironment,
): Json {
  const { role, document: text, document_mode: mode } = input;
  const roles = program.roles();
  if (!roles.includes(role)) throw unknownRole(role, roles, pathTo(path, "role"));
  const at = pathTo(path, "document");
  const document = parsedAt(text, at);
  const [fault] = validate(planned.clientSchema(role), document, undefined, { maxErrors: 1 });
  if (fault) throw new EngineError("validation-failed", at, located(fault));
  const fragments: Fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  const operations = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [clientOperation(each, fragments)] : [],
  );
  const module = planned.client(
    role,
    {
      from: `a document, as role ${role} sees its types`,
      operations,
      fragments: [...fragments.values()].map((definition) => ({
        definition,
        fragments,
        label: `fragment ${definition.name.value}`,
      })),
    },
    mode,
  );
  return { resource_version: context.resourceVersion, text: module };
}

function clientOperation(definition: OperationDefinitionNode, fragments: Fragments): ClientOperation {
  const name = definition.name?.value;
  const label = name === undefined ? `the ${definition.operation}` : `${definition.operation} ${name}`;
  return { name: name ?? "Operation", definition, fragments, label };
}

function parsedAt(text: string, path: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw new EngineError("validation-failed", path, located(error));
    throw error;
  }
}

function located({ message, locations = [] }: GraphQLError): string {
  const [first] = locations;
  return first ? `line ${first.line}, column ${first.column}: ${message}` : message;
}

/** @throws EngineError `not-exists` for an unknown name */
function exportHandlers(
  { input, path }: IoCallOf<"export_handlers">,
  { analysis }: Compiled,
  { context }: ChangeEnvironment,
): Json {
  const all = handlersOf(analysis, { scalars: new Map() });
  const known = new Set(all.handlers.map(({ name }) => name));
  for (const [index, name] of (input.names ?? []).entries()) {
    if (known.has(name)) continue;
    const message = `no action, event trigger or cron trigger is named ${JSON.stringify(name)}`;
    throw new EngineError("not-exists", pathTo(pathTo(path, "names"), index), message, {
      hint: () => didYouMean(name, known),
    });
  }
  const handlers = all.handlers.filter(({ name }) => input.names?.includes(name) ?? true);
  const files = [...emitHandlers({ ...all, handlers })].map(([file, text]) => ({ path: file, text }));
  return { resource_version: context.resourceVersion, files };
}
