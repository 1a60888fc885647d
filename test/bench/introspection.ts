/**
 * `node --expose-gc --import tsx test/bench/introspection.ts [TABLES] [ROLE]` measures the GraphQL introspection of
 * generated tables with 11 roles within this process, from the analysed metadata to the text, without HTTP: processor
 * time, and the heap before and after. For comparison, it measures graphql-js with a schema built from the same result:
 * the time to build the schema's objects and the time to respond from them.
 */
import { createHash } from "node:crypto";
import { buildClientSchema, executeSync, type FieldNode, getIntrospectionQuery, parse } from "graphql";
import { compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { IntrospectionCache } from "../../runtime/execute/introspection.ts";
import type { RoleDefinition } from "../../runtime/model/definitions/roots.ts";
import { readOperation } from "../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../runtime/model/schema/role-schema.ts";
import { analysisOf, library, parsed, table } from "../unit/analyze/sample.ts";

const count = Number(process.argv[2] ?? 400);
const role = process.argv[3] ?? "admin";
const nameOf = (index: number): string => `table_${index}`;

const shapes = Array.from({ length: count }, (_, index) => {
  const foreignTable = { schema: "public", name: nameOf(index - 1) };
  const foreignKey = { columns: ["parent_id"], foreignTable, foreignColumns: ["id"] };
  return table(nameOf(index), {
    columns: { id: "int4!", parent_id: "int4", name: "text", owner: "text" },
    primaryKey: ["id"],
    foreignKeys: index === 0 ? [] : [foreignKey],
  });
});
const columns = ["id", "parent_id", "name", "owner"];
const permission = { columns, filter: { owner: { _eq: "X-Engine-User-Id" } } };
const select_permissions = Array.from({ length: 11 }, (_, index) => ({ role: `role_${index}`, permission }));
const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
const source = {
  name: "default",
  configuration: { connection_info: { database_url: "postgres://x" } },
  tables: shapes.map(({ name }, index) => ({
    table: name,
    object_relationships: index === 0 ? [] : [parent],
    select_permissions,
  })),
};

const analysis = analysisOf(parsed({ version: 3, sources: [source] }), { shape: { ...library, tables: shapes } });
const { program, loader } = compileAnalysis({ analysis, planning: { stringifyNumbers: false, nullCollapse: false } });
const definitionIn = (from: typeof loader): RoleDefinition =>
  (from.require(program.roleModule(role)) as { readonly role: RoleDefinition }).role;
const transient = () => ({ definition: definitionIn(loader.forkTransient()) });
const schema = roleSchema(definitionIn(loader), "frontend", undefined, null, "all", transient);
const operation = readOperation(getIntrospectionQuery(), null);
const nodes = operation.definition.selectionSet.selections as readonly FieldNode[];
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const secondsSince = (start: NodeJS.CpuUsage): string => {
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / 1e6).toFixed(2);
};

let text = "";
/** Each run has its own cache, as after a metadata change. */
for (const time of ["the first time", "again"]) {
  const before = heap();
  const start = process.cpuUsage();
  const answer = await new IntrospectionCache().textOf(schema, nodes, operation, {});
  const took = secondsSince(start);
  const after = heap();
  text = typeof answer === "string" ? answer : await answer.text();
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  console.log(
    `${count} tables, ${role}, ${time}: ${took} s of processor time for ` +
      `${(text.length / 1e6).toFixed(1)} MB (${hash}); heap ${before.toFixed(0)} MiB before it, ${after.toFixed(0)} MiB ` +
      `after it`,
  );
}

const { data } = JSON.parse(`{"data":{"__schema":${text}}}`);
const building = process.cpuUsage();
const peer = buildClientSchema(data, { assumeValid: true });
// Creates types and fields, which are lazy.
for (const type of Object.values(peer.getTypeMap())) if ("getFields" in type) type.getFields();
console.log(`graphql-js, the objects of the same schema: ${secondsSince(building)} s`);
const answering = process.cpuUsage();
const { errors, ...answer } = executeSync({ schema: peer, document: parse(getIntrospectionQuery()) });
if (errors) throw errors[0];
const { length } = JSON.stringify(answer);
console.log(
  `graphql-js, the answer from them: ${secondsSince(answering)} s for ${(length / 1e6).toFixed(1)} MB; ` +
    `heap ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MiB after it`,
);
