/**
 * Which part may import which: the one list, checked by `layers.test.ts`. A file belongs to the layer with the
 * longest matching folder. Type-only imports count as imports, in cycles as well.
 */

export interface Layer {
  readonly folder: string;
  /** Layers whose files it may import, besides its own. */
  readonly mayImport: readonly string[];
}

const values = "runtime/values";
const definitions = ["runtime/definitions", values];
const dialects = ["runtime/dialects", ...definitions];
const schema = ["runtime/schema", "runtime/relay", ...definitions];
const planner = ["runtime/planner", ...schema];
/** What generated modules may use, and what they are made for. */
const contract = ["runtime/support", "runtime/dialects", ...planner];

const catalog = ["compiler/catalog", "compiler/diagnostics", values];
const shape = ["compiler/shape", ...catalog];
const databases = ["compiler/dialects", "compiler/shape", "compiler/catalog", "compiler/diagnostics", ...dialects];
const analysis = ["compiler/2-analyze", "runtime/planner", ...databases];
const lowering = ["compiler/3-lower", ...analysis];
const emission = ["compiler/4-emit", "runtime/support", "runtime/schema", ...lowering];
const program = ["compiler/program", ...emission];
const handlers = ["compiler/handlers", ...emission];
const planning = ["compiler/5-plan", ...program];
/** What a sealed server is made of, besides its generated modules. */
const sealable = [
  "runtime/ports",
  "runtime/config",
  "runtime/observe",
  "runtime/telemetry",
  "runtime/auth",
  "runtime/deliver",
  "runtime/http",
  "runtime/remote",
  "runtime/actions",
  "runtime/caching",
  "runtime/execute",
  "runtime/subscribe",
  "runtime/sources",
  "runtime/templates",
  "runtime/automation",
  "runtime/events",
  "runtime/schedules",
  "runtime/metadata-database",
  "runtime/host",
  ...contract,
];
const serving = [...sealable, "runtime/load", "runtime/serving"];

export const layers: readonly Layer[] = [
  { folder: "compiler", mayImport: planning },
  { folder: "compiler/diagnostics", mayImport: [values] },
  { folder: "compiler/catalog", mayImport: ["compiler/diagnostics", values] },
  { folder: "compiler/shape", mayImport: catalog },
  { folder: "compiler/1-introspect", mayImport: ["compiler/dialects", ...shape] },
  { folder: "compiler/dialects", mayImport: [...dialects, ...shape] },
  { folder: "compiler/2-analyze", mayImport: ["runtime/planner", "runtime/templates", ...databases] },
  { folder: "compiler/3-lower", mayImport: analysis },
  { folder: "compiler/4-emit", mayImport: ["compiler/3-lower", "runtime/support", "runtime/schema", ...databases] },
  { folder: "compiler/program", mayImport: emission },
  { folder: "compiler/5-plan", mayImport: program },
  { folder: "compiler/metadata", mayImport: ["runtime/templates", ...analysis] },
  { folder: "compiler/access", mayImport: planning },
  { folder: "compiler/handlers", mayImport: emission },

  { folder: values, mayImport: [] },
  { folder: "runtime/definitions", mayImport: [values] },
  { folder: "runtime/dialects", mayImport: definitions },
  { folder: "runtime/relay", mayImport: definitions },
  { folder: "runtime/schema", mayImport: ["runtime/relay", ...definitions] },
  { folder: "runtime/planner", mayImport: schema },
  { folder: "runtime/support", mayImport: ["runtime/dialects", ...planner] },

  { folder: "runtime/templates", mayImport: [values] },
  { folder: "runtime/ports", mayImport: schema },
  { folder: "runtime/config", mayImport: dialects },
  { folder: "runtime/observe", mayImport: ["runtime/config", "runtime/ports", values] },
  { folder: "runtime/deliver", mayImport: ["runtime/ports", ...definitions] },
  {
    folder: "runtime/telemetry",
    mayImport: ["runtime/config", "runtime/deliver", "runtime/observe", "runtime/ports", ...definitions],
  },
  {
    folder: "runtime/auth",
    mayImport: ["runtime/config", "runtime/deliver", "runtime/observe", "runtime/ports", values],
  },
  {
    folder: "runtime/http",
    mayImport: ["runtime/auth", "runtime/config", "runtime/observe", "runtime/ports", ...schema],
  },
  { folder: "runtime/caching", mayImport: ["runtime/ports", values] },
  // Runs in browsers, and knows the server by its HTTP APIs alone.
  { folder: "runtime/console", mayImport: [] },
  {
    folder: "runtime/sources",
    mayImport: ["runtime/config", "runtime/observe", "runtime/ports", "runtime/templates", ...dialects],
  },
  { folder: "runtime/load", mayImport: [values] },
  { folder: "runtime/subscribe", mayImport: ["runtime/ports", "runtime/sources", values] },
  { folder: "runtime/remote", mayImport: ["runtime/deliver", "runtime/ports", ...planner] },
  {
    folder: "runtime/actions",
    mayImport: [
      "runtime/automation",
      "runtime/deliver",
      "runtime/observe",
      "runtime/ports",
      "runtime/templates",
      ...planner,
    ],
  },
  {
    folder: "runtime/execute",
    mayImport: [
      "runtime/actions",
      "runtime/caching",
      "runtime/deliver",
      "runtime/dialects",
      "runtime/observe",
      "runtime/ports",
      "runtime/remote",
      "runtime/sources",
      "runtime/subscribe",
      ...planner,
    ],
  },
  {
    folder: "runtime/automation",
    mayImport: [
      "runtime/config",
      "runtime/deliver",
      "runtime/observe",
      "runtime/ports",
      "runtime/sources",
      "runtime/templates",
      ...definitions,
    ],
  },
  {
    folder: "runtime/events",
    mayImport: [
      "runtime/automation",
      "runtime/config",
      "runtime/deliver",
      "runtime/observe",
      "runtime/ports",
      "runtime/sources",
      "runtime/templates",
      ...dialects,
    ],
  },
  { folder: "runtime/metadata-database", mayImport: ["runtime/sources", values] },
  {
    folder: "runtime/schedules",
    mayImport: [
      "runtime/automation",
      "runtime/config",
      "runtime/deliver",
      "runtime/observe",
      "runtime/ports",
      ...definitions,
    ],
  },
  { folder: "runtime/library", mayImport: ["runtime/auth", "runtime/http", "runtime/ports", ...schema] },
  {
    folder: "runtime/host",
    mayImport: [
      "runtime/auth",
      "runtime/config",
      "runtime/library",
      "runtime/observe",
      "runtime/ports",
      ...definitions,
    ],
  },
  { folder: "runtime/serving", mayImport: sealable },
  {
    folder: "runtime/workers",
    mayImport: [
      "runtime/config",
      "runtime/execute",
      "runtime/http",
      "runtime/observe",
      "runtime/ports",
      "runtime/telemetry",
      values,
    ],
  },
  { folder: "runtime/sealed", mayImport: ["runtime/library", "runtime/serving", "runtime/workers", ...sealable] },
  { folder: "runtime/embedded-postgres", mayImport: [values] },
  {
    folder: "runtime/control",
    mayImport: ["compiler", "compiler/1-introspect", "compiler/access", "compiler/metadata", ...planning, ...serving],
  },
  {
    folder: "runtime/live",
    mayImport: [...serving, "runtime/control", "runtime/embedded-postgres", "runtime/library"],
  },
  {
    folder: "runtime/cli",
    mayImport: [
      "compiler",
      "compiler/1-introspect",
      "compiler/access",
      "compiler/metadata",
      ...handlers,
      ...planning,
      ...serving,
      "runtime/control",
      "runtime/embedded-postgres",
      "runtime/library",
      "runtime/live",
      "runtime/sealed",
      "runtime/workers",
    ],
  },
];

/** The whole of generated code may import this package and its own modules, nothing else. */
export const generatedMayImport = "engine/support";

/** The folders of a kind of database, the only places that may name it in a condition. */
export const dialectFolders = [
  "compiler/dialects/mssql",
  "compiler/dialects/postgres",
  "runtime/sources/mssql",
  "runtime/sources/postgres",
  "runtime/dialects/mssql",
  "runtime/dialects/postgres",
  "runtime/events/mssql",
  "runtime/events/postgres",
] as const;

/** Files of `runtime/planner/request` that read GraphQL; the others say what requests of any language ask. */
export const graphqlReaders = [
  "conditions.ts",
  "directives.ts",
  "document.ts",
  "input-reader.ts",
  "literal-names.ts",
  "measure.ts",
  "selection.ts",
  "unknown-field.ts",
  "variable-uses.ts",
];
