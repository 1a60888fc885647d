/**
 * Which part may import which: the one list, checked by `layers.test.ts`. A file belongs to the layer with the
 * longest matching folder. Type-only imports count as imports; only cycles leave them out.
 */

export interface Layer {
  readonly folder: string;
  /** Layers whose files it may import, besides its own. */
  readonly mayImport: readonly string[];
}

const support = "runtime/support";
const catalog = ["compiler/catalog", "compiler/diagnostics", support];
const introspection = ["compiler/1-introspect", "compiler/dialects", ...catalog];
const analysis = ["compiler/2-analyze", ...introspection];
const lowering = ["compiler/3-lower", ...analysis];
const emission = ["compiler/4-emit", ...lowering];
const planning = ["compiler/5-plan", ...emission];
/** What a sealed server is made of, besides its generated modules. */
const sealable = [
  "runtime/ports",
  "runtime/config",
  "runtime/observe",
  "runtime/auth",
  "runtime/deliver",
  "runtime/http",
  "runtime/execute",
  "runtime/subscribe",
  "runtime/sources",
];
const serving = [...sealable, "runtime/load", "runtime/serving"];

export const layers: readonly Layer[] = [
  { folder: "compiler", mayImport: planning },
  { folder: "compiler/diagnostics", mayImport: [support] },
  { folder: "compiler/catalog", mayImport: ["compiler/diagnostics", support] },
  { folder: "compiler/1-introspect", mayImport: ["compiler/dialects", ...catalog] },
  { folder: "compiler/dialects", mayImport: ["compiler/1-introspect", ...catalog] },
  { folder: "compiler/2-analyze", mayImport: introspection },
  { folder: "compiler/3-lower", mayImport: analysis },
  { folder: "compiler/4-emit", mayImport: lowering },
  { folder: "compiler/5-plan", mayImport: emission },
  { folder: "compiler/metadata", mayImport: analysis },
  { folder: "compiler/access", mayImport: planning },

  { folder: support, mayImport: [] },
  { folder: "runtime/templates", mayImport: [support] },
  { folder: "runtime/ports", mayImport: [support] },
  { folder: "runtime/config", mayImport: [support] },
  { folder: "runtime/observe", mayImport: [support, "runtime/config", "runtime/ports"] },
  { folder: "runtime/deliver", mayImport: [support, "runtime/ports"] },
  {
    folder: "runtime/auth",
    mayImport: [support, "runtime/config", "runtime/deliver", "runtime/observe", "runtime/ports"],
  },
  {
    folder: "runtime/http",
    mayImport: [support, "runtime/auth", "runtime/config", "runtime/observe", "runtime/ports"],
  },
  { folder: "runtime/sources", mayImport: [support] },
  { folder: "runtime/load", mayImport: [support] },
  { folder: "runtime/subscribe", mayImport: [support, "runtime/ports", "runtime/sources"] },
  {
    folder: "runtime/execute",
    mayImport: [support, "runtime/deliver", "runtime/observe", "runtime/ports", "runtime/sources", "runtime/subscribe"],
  },
  {
    folder: "runtime/serving",
    mayImport: [support, ...sealable],
  },
  { folder: "runtime/sealed", mayImport: ["runtime/serving", support, ...sealable] },
  { folder: "runtime/embedded-postgres", mayImport: [support] },
  {
    folder: "runtime/control",
    mayImport: ["compiler", "compiler/metadata", ...planning, ...serving, "runtime/templates", support],
  },
  {
    folder: "runtime/live",
    mayImport: [...analysis, ...serving, "runtime/control", "runtime/embedded-postgres", support],
  },
  {
    folder: "runtime/cli",
    mayImport: [
      "runtime/live",
      "compiler",
      "compiler/access",
      "compiler/metadata",
      ...planning,
      ...serving,
      "runtime/control",
      "runtime/embedded-postgres",
      "runtime/sealed",
      "runtime/templates",
      support,
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
  "runtime/support/mssql",
  "runtime/support/postgres",
] as const;
