/**
 * Uses the additions of `additions.test.ts` in the copy of the repository that is the current folder, and prints the
 * results as JSON. Input: the path of the repository, for fixtures.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href);
const [, , repository] = process.argv;
const golden = (name) => JSON.parse(readFileSync(join(repository, "test/golden/metadata", name), "utf8"));

const { parseMetadata } = await load("compiler/catalog/schema.ts");
const { analyze } = await load("compiler/2-analyze/analyze.ts");
const { dialectOf } = await load("compiler/dialects/index.ts");
const { tableDescription } = await load("compiler/metadata/source-tables.ts");
const { decodeRequest } = await load("compiler/metadata/dispatch.ts");
const { metadataService } = await load("runtime/control/metadata-service.ts");
const { parseOptions, describeOptions } = await load("runtime/config/options.ts");

const shape = golden("shape.json").default;
const dialect = dialectOf("postgres");

function operator() {
  const metadata = golden("before.small.json");
  const filter = { name: { _starts_with: "A" } };
  metadata.sources[0].tables[0].select_permissions = [{ role: "reader", permission: { columns: ["name"], filter } }];
  const analysis = analyze({
    catalog: parseMetadata(metadata).value,
    introspections: new Map([["default", { shape }]]),
    remoteIntrospections: new Map(),
    options: {
      environment: { URL: "postgres://host/database" },
      experimentalFeatures: new Set(),
      defaultNamingConvention: "engine-default",
      inferFunctionPermissions: true,
      remoteSchemaPermissions: true,
    },
  });
  const author = shape.tables.find(({ name }) => name === "author");
  const details = { indexes: [], constraints: [], viewDefinition: null, estimatedRows: null, enumValues: {} };
  const { columns } = tableDescription(author, details, dialect);
  const name = columns.find((column) => column.name === "name");
  const sql = dialect.runtime.dialect
    .operators(dialect.scalarOf(dialect.scalarCall(dialect.typeNamed(shape, "text"))))
    .find((each) => each.name === "_starts_with");
  return {
    inconsistencies: analysis.value.inconsistencies,
    offered: name.operators.find((each) => each.name === "_starts_with"),
    operator: sql?.operator,
  };
}

async function operation() {
  const session = { role: "admin", variables: new Map() };
  const control = {
    state: { resourceVersion: 1 },
    store: {},
    changeEnvironment: () => ({}),
  };
  const service = metadataService(control, {
    mode: "read-only",
    admission: { admit: async () => ({ session }) },
    continuity: { settled: async () => undefined },
    hooks: undefined,
    activity: {},
    onScheduledEvent: () => undefined,
  });
  const body = { type: "get_uptime", args: { unit: "s" } };
  const decoded = decodeRequest("/v1/metadata", body);
  return { decoded: decoded.ok, answer: await service.handle("/v1/metadata", body, session, "127.0.0.1", {}) };
}

function option() {
  const { madeUpLimit } = parseOptions({}, { ENGINE_GRAPHQL_MADE_UP_LIMIT: "7" });
  return {
    value: madeUpLimit,
    described: describeOptions().some(({ variable }) => variable.endsWith("MADE_UP_LIMIT")),
  };
}

function type() {
  const ref = dialect.typeNamed(shape, "proportion");
  const scalar = dialect.scalarOf(dialect.scalarCall(ref));
  const column = { name: "share", type: ref, nullable: true, comment: null, generated: false, identity: null };
  const table = { ...shape.tables[0], columns: [column], primaryKey: null };
  const { columns } = tableDescription(
    table,
    { indexes: [], constraints: [], viewDefinition: null, estimatedRows: null, enumValues: {} },
    dialect,
  );
  return {
    sql: ref.sql,
    graphql: scalar.graphql,
    numeric: scalar.numeric,
    recorded: dialect.recordedType(ref, shape, false),
    immutable: dialect.inputIsImmutable(ref),
    value: columns[0].value,
  };
}

console.log(JSON.stringify({ operator: operator(), operation: await operation(), option: option(), type: type() }));
process.exit();
