/**
 * Fingerprint of the catalogue: for each catalogue table that introspection reads, its number of rows and the sum of
 * the transaction ids that wrote them. Adding, changing or removing a row changes one of the two numbers; statistics
 * and vacuum, which write in place, do not. The fingerprint also contains a hash of the introspection statement,
 * because another version may read more from an unchanged catalogue.
 */
import { createHash } from "node:crypto";
import type { Query } from "../../dialect.ts";
import { catalogStatement, serverStatement } from "./statement.ts";

/** System objects have smaller identifiers and do not change. */
const ofUsers = (column: string): string => `t.${column} >= '16384'::pg_catalog.oid`;

/** Catalogue tables, with a condition that excludes rows which are numerous or change without effect on a shape. */
const catalogues: readonly (readonly [name: string, condition: string])[] = [
  ["pg_namespace", "pg_catalog.left(t.nspname, 8) NOT IN ('pg_temp_', 'pg_toast')"],
  ["pg_class", `${ofUsers("oid")} AND t.relkind <> 't'`],
  ["pg_attribute", `${ofUsers("attrelid")} AND t.attnum > 0`],
  ["pg_attrdef", ofUsers("oid")],
  ["pg_constraint", ofUsers("oid")],
  ["pg_index", ofUsers("indrelid")],
  ["pg_inherits", "true"],
  ["pg_trigger", "true"],
  ["pg_rewrite", ofUsers("ev_class")],
  ["pg_description", ofUsers("objoid")],
  ["pg_type", ofUsers("oid")],
  ["pg_operator", ofUsers("oid")],
  ["pg_cast", ofUsers("oid")],
  ["pg_enum", "true"],
  ["pg_range", "true"],
  ["pg_proc", ofUsers("oid")],
  ["pg_depend", `t.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND ${ofUsers("objid")}`],
  ["pg_foreign_table", "true"],
  ["pg_foreign_server", "true"],
  ["pg_foreign_data_wrapper", "true"],
];

const statement = [
  "SELECT 'server', 0, pg_catalog.current_setting('server_version')",
  ...catalogues.map(
    ([name, condition]) =>
      `SELECT '${name}', pg_catalog.count(*), pg_catalog.sum(t.xmin::pg_catalog.text::pg_catalog.int8)::pg_catalog.text ` +
      `FROM pg_catalog.${name} t WHERE ${condition}`,
  ),
].join("\nUNION ALL\n");

/** The statement depends on the server version, which is a separate part of the fingerprint. */
const newestServer = 180000;

let reader: string | undefined;

export async function readFingerprint(query: Query): Promise<string> {
  reader ??= createHash("sha256")
    .update(serverStatement + catalogStatement(newestServer))
    .digest("hex");
  return [`reader ${reader}`, ...(await query(statement)).map((row) => row.join(" "))].join("\n");
}
