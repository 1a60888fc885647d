/**
 * The allowed imports between parts, checked by `layers.test.ts`. A file belongs to the layer with the
 * longest matching folder. Type-only imports count as imports, in cycles as well.
 */

export interface Layer {
  readonly folder: string;
  /** Other folders, including their subfolders, that the layer may import from. */
  readonly mayImport: readonly string[];
}

const values = "runtime/values";
const model = "runtime/model";
const ports = "runtime/ports";
const config = "runtime/config";
const outbound = "runtime/outbound";
const observe = "runtime/observe";
const databases = "runtime/databases";
const http = "runtime/http";
const jobs = "runtime/jobs";
const execute = "runtime/execute";
const control = "runtime/control";
const server = "runtime/server";
const cli = "runtime/cli";
const console = "runtime/console";
const compiler = "compiler";
const metadataText = "runtime/metadata-text";

/** The rooms. Each imports only from rooms listed before it, and uses each import that is listed. */
export const rooms: readonly Layer[] = [
  { folder: values, mayImport: [] },
  { folder: model, mayImport: [values] },
  { folder: compiler, mayImport: [model, values] },
  // Metadata as text, with source positions. The console loads it too.
  { folder: metadataText, mayImport: [compiler, values] },
  { folder: ports, mayImport: [model, values] },
  { folder: config, mayImport: [model, values] },
  { folder: outbound, mayImport: [ports, model, values] },
  { folder: observe, mayImport: [outbound, config, ports, model, values] },
  { folder: databases, mayImport: [observe, config, ports, model, values] },
  { folder: http, mayImport: [observe, outbound, config, ports, model, values] },
  { folder: jobs, mayImport: [databases, observe, outbound, config, ports, model, values] },
  { folder: execute, mayImport: [jobs, databases, observe, outbound, ports, model, values] },
  {
    folder: control,
    mayImport: [execute, jobs, databases, observe, outbound, config, ports, compiler, model, values],
  },
  {
    folder: server,
    mayImport: [control, execute, jobs, http, databases, observe, outbound, config, ports, model, values],
  },
  {
    folder: cli,
    mayImport: [
      server,
      control,
      execute,
      jobs,
      http,
      databases,
      observe,
      config,
      ports,
      metadataText,
      compiler,
      model,
      values,
    ],
  },
  // Runs in browsers and uses the server only through its HTTP APIs.
  { folder: console, mayImport: [metadataText, values] },
];

const definitions = ["runtime/model/definitions", values];
const dialects = ["runtime/model/dialects", ...definitions];
const schema = ["runtime/model/schema", "runtime/model/relay", ...definitions];
const planner = ["runtime/model/planner", ...schema];

/** Building blocks of generated modules and of the plans that requests run on them. */
const insideModel: readonly Layer[] = [
  { folder: "runtime/model/templates", mayImport: [values] },
  { folder: "runtime/model/definitions", mayImport: [values] },
  { folder: "runtime/model/dialects", mayImport: definitions },
  { folder: "runtime/model/relay", mayImport: definitions },
  { folder: "runtime/model/schema", mayImport: schema },
  { folder: "runtime/model/planner", mayImport: schema },
  { folder: "runtime/model/openapi", mayImport: planner },
  { folder: "runtime/model/tools", mayImport: planner },
  { folder: "runtime/model/support", mayImport: ["runtime/model/dialects", "runtime/model/tools", ...planner] },
];

const catalog = ["compiler/catalog", "compiler/diagnostics", values];
const shape = ["compiler/shape", ...catalog];
const analysisInput = ["compiler/dialects", ...shape, ...dialects];
const analysis = ["compiler/2-analyze", "runtime/model/planner", ...analysisInput];
const lowering = ["compiler/3-lower", ...analysis];
const emission = ["compiler/4-emit", "runtime/model/support", "runtime/model/schema", ...lowering];
const program = ["compiler/program", ...emission];
const planning = ["compiler/5-plan", ...program];

/** The phases, each of which imports earlier ones only. */
const insideCompiler: readonly Layer[] = [
  { folder: "compiler/diagnostics", mayImport: [values] },
  { folder: "compiler/catalog", mayImport: ["compiler/diagnostics", values] },
  { folder: "compiler/shape", mayImport: catalog },
  { folder: "compiler/dialects", mayImport: [...dialects, ...shape] },
  { folder: "compiler/1-introspect", mayImport: ["compiler/dialects", ...shape] },
  { folder: "compiler/2-analyze", mayImport: ["runtime/model/planner", "runtime/model/templates", ...analysisInput] },
  { folder: "compiler/3-lower", mayImport: analysis },
  {
    folder: "compiler/4-emit",
    mayImport: ["compiler/3-lower", "runtime/model/support", "runtime/model/schema", ...analysisInput],
  },
  { folder: "compiler/program", mayImport: emission },
  { folder: "compiler/5-plan", mayImport: ["runtime/model/openapi", "runtime/model/tools", ...program] },
  { folder: "compiler/metadata", mayImport: ["runtime/model/templates", ...analysis] },
  { folder: "compiler/access", mayImport: planning },
  { folder: "compiler/advice", mayImport: ["compiler/access", ...lowering] },
  { folder: "compiler/handlers", mayImport: emission },
];

/**
 * A sealed server has no compiler and no code that changes metadata. The same holds for code that it shares with a live
 * server.
 */
const sealable = [execute, jobs, http, databases, observe, outbound, config, ports, model, values];
const insideServer: readonly Layer[] = [
  { folder: "runtime/server/parts", mayImport: ["runtime/server/config-module", ...sealable] },
  { folder: "runtime/server/workers", mayImport: [execute, http, observe, config, ports, values] },
  { folder: "runtime/server/embedding", mayImport: [http, ports, model, values] },
  {
    folder: "runtime/server/config-module",
    mayImport: ["runtime/server/embedding", http, observe, config, ports, model, values],
  },
  {
    folder: "runtime/server/sealed",
    mayImport: [
      "runtime/server/parts",
      "runtime/server/workers",
      "runtime/server/embedding",
      "runtime/server/config-module",
      ...sealable,
    ],
  },
];

export const layers: readonly Layer[] = [...rooms, ...insideModel, ...insideCompiler, ...insideServer];

/** Generated code may import only this package and its own modules. */
export const generatedMayImport = "engine/support";

/** The folders of a kind of database, the only places that may name it in a condition. */
export const dialectFolders = [
  "compiler/dialects/mssql",
  "compiler/dialects/postgres",
  "runtime/databases/sources/mssql",
  "runtime/databases/sources/postgres",
  "runtime/model/dialects/mssql",
  "runtime/model/dialects/postgres",
  "runtime/jobs/events/mssql",
  "runtime/jobs/events/postgres",
] as const;

/** Files of `runtime/model/planner/request` that read GraphQL; the other files represent requests of any language. */
export const graphqlReaders = [
  "conditions.ts",
  "describe-operation.ts",
  "directives.ts",
  "document.ts",
  "input-reader.ts",
  "literal-names.ts",
  "measure.ts",
  "selection.ts",
  "unknown-field.ts",
  "variable-uses.ts",
];
