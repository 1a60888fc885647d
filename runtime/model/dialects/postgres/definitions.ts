/**
 * Reads hashes of the SQL definitions in a PostgreSQL database: views, functions, policies, triggers, rules, defaults. A
 * shape is saved and compared with the same statement.
 */
import { type DatabaseRow, type Definitions, definitionFact } from "../../../values/database-fact.ts";
import { invariant } from "../../../values/errors.ts";

/**
 * PostgreSQL qualifies names that the search path does not contain: with this path, it qualifies all names except those
 * of system objects. The path is set only for the transaction.
 */
export const definitionsPath = `SELECT pg_catalog.current_setting('server_version_num'),
  pg_catalog.set_config('search_path', 'pg_catalog', true)`;

/**
 * Reads the definitions.
 * @param query runs statements of one transaction
 */
export async function readDefinitions(
  query: (statement: string) => Promise<readonly DatabaseRow[]>,
): Promise<Definitions> {
  const [number] = (await query(definitionsPath))[0] ?? [];
  invariant(typeof number === "string", "the server returned its version");
  const version = Number(number);
  const rows = await query(definitionsStatement(version));
  // Major versions may print the same definition differently.
  return { serverVersion: String(Math.floor(version / 10_000)), facts: rows.map(definitionFact) };
}

const catalogue = (table: string): string => `'pg_catalog.${table}'::pg_catalog.regclass::pg_catalog.oid`;
const classes = { rule: "pg_rewrite", policy: "pg_policy", trigger: "pg_trigger", default: "pg_attrdef" };

const isOwn = (namespace: string): string =>
  `pg_catalog.left(${namespace}, 3) <> 'pg_' AND ${namespace} NOT IN ('information_schema', 'engine_catalog')`;

/** Returns a statement that selects schema, table or function, part, name and value. */
export function definitionsStatement(version: number): string {
  // Servers in FIPS mode have no MD5; version 10 has no other hash function.
  const hash = (text: string): string =>
    version >= 110_000
      ? `pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${text}, 'UTF8')), 'hex'), 32)`
      : `pg_catalog.md5(${text})`;
  const isAggregate = version >= 110_000 ? "p.prokind = 'a'" : "p.proisagg";
  /** Returns a hash of a definition and of the definitions that it uses. */
  const hashOf = (text: string): string => hash(`COALESCE(${text}, '') || ' ' || COALESCE(x.hashes, '')`);
  const used = (kind: keyof typeof classes, id: string): string =>
    `LEFT JOIN uses x ON x.class = ${catalogue(classes[kind])} AND x.oid = ${id}`;
  return `WITH RECURSIVE relation AS (
  SELECT c.oid, n.nspname, c.relname, c.relkind, c.relowner, c.reloptions, c.relrowsecurity, c.relforcerowsecurity
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${isOwn("n.nspname")}
), routine AS (
  SELECT p.oid, n.nspname, p.proname, p.prosecdef, p.proowner,
    COALESCE((SELECT pg_catalog.string_agg(s.nspname || '.' || t.typname, ', ' ORDER BY a.place)
      FROM pg_catalog.unnest(COALESCE(p.proallargtypes, p.proargtypes::pg_catalog.oid[]))
          WITH ORDINALITY AS a (type, place)
        JOIN pg_catalog.pg_type t ON t.oid = a.type JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace
      WHERE COALESCE(p.proargmodes[a.place], 'i') NOT IN ('o', 't')), '') AS types,
    ${hash("pg_catalog.pg_get_functiondef(p.oid)")} AS hash
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE NOT ${isAggregate} AND ${isOwn("n.nspname")}
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e
      WHERE e.classid = ${catalogue("pg_proc")} AND e.objid = p.oid AND e.deptype IN ('e', 'i'))
), part AS (
  SELECT ${catalogue("pg_proc")} AS class, oid, hash FROM routine
  UNION ALL
  SELECT ${catalogue("pg_class")}, oid, ${hash("pg_catalog.pg_get_viewdef(oid)")} FROM relation
  WHERE relkind IN ('v', 'm')
), edge AS (
  SELECT ${catalogue("pg_class")} AS class, w.ev_class AS oid, d.refclassid, d.refobjid
  FROM pg_catalog.pg_rewrite w JOIN relation r ON r.oid = w.ev_class
    JOIN pg_catalog.pg_depend d ON d.classid = ${catalogue("pg_rewrite")} AND d.objid = w.oid
  WHERE w.rulename = '_RETURN'
  UNION
  SELECT d.classid, d.objid, d.refclassid, d.refobjid
  FROM pg_catalog.pg_depend d
  WHERE d.classid IN (${catalogue("pg_proc")}, ${Object.values(classes).map(catalogue).join(", ")})
    AND d.refclassid IN (${catalogue("pg_proc")}, ${catalogue("pg_class")})
), root AS (
  SELECT class, oid FROM part
  UNION ALL
  SELECT ${catalogue("pg_rewrite")}, w.oid FROM pg_catalog.pg_rewrite w JOIN relation r ON r.oid = w.ev_class
  UNION ALL
  SELECT ${catalogue("pg_policy")}, p.oid FROM pg_catalog.pg_policy p JOIN relation r ON r.oid = p.polrelid
  UNION ALL
  SELECT ${catalogue("pg_trigger")}, t.oid FROM pg_catalog.pg_trigger t JOIN relation r ON r.oid = t.tgrelid
  WHERE NOT t.tgisinternal
  UNION ALL
  SELECT ${catalogue("pg_attrdef")}, d.oid FROM pg_catalog.pg_attrdef d JOIN relation r ON r.oid = d.adrelid
), used AS (
  SELECT r.class AS root_class, r.oid AS root, e.refclassid AS class, e.refobjid AS oid
  FROM root r JOIN edge e ON e.class = r.class AND e.oid = r.oid
  UNION
  SELECT u.root_class, u.root, e.refclassid, e.refobjid
  FROM used u JOIN edge e ON e.class = u.class AND e.oid = u.oid
), uses AS (
  SELECT u.root_class AS class, u.root AS oid, pg_catalog.string_agg(p.hash, ' ' ORDER BY p.hash) AS hashes
  FROM used u JOIN part p ON p.class = u.class AND p.oid = u.oid
  GROUP BY 1, 2
)
SELECT r.nspname::pg_catalog.text, r.relname::pg_catalog.text, 'view', NULL, ${hashOf("p.hash")}
FROM relation r JOIN part p ON p.class = ${catalogue("pg_class")} AND p.oid = r.oid
  LEFT JOIN uses x ON x.class = p.class AND x.oid = p.oid
UNION ALL
SELECT r.nspname, r.relname, 'view options', NULL,
  (SELECT pg_catalog.string_agg(o, ', ' ORDER BY o) FROM pg_catalog.unnest(r.reloptions) AS o)
FROM relation r WHERE r.relkind = 'v' AND pg_catalog.cardinality(r.reloptions) > 0
UNION ALL
SELECT r.nspname, r.relname, 'view owner', NULL, o.rolname
FROM relation r JOIN pg_catalog.pg_roles o ON o.oid = r.relowner WHERE r.relkind = 'v'
UNION ALL
SELECT r.nspname, r.relname, 'view owner rights', NULL, 'bypasses row security'
FROM relation r JOIN pg_catalog.pg_roles o ON o.oid = r.relowner
WHERE r.relkind = 'v' AND (o.rolsuper OR o.rolbypassrls)
UNION ALL
SELECT nspname, relname, 'row security', NULL, CASE WHEN relforcerowsecurity THEN 'forced' ELSE 'enabled' END
FROM relation WHERE relrowsecurity
UNION ALL
SELECT r.nspname, r.relname, 'policy', p.polname,
  CASE WHEN p.polpermissive THEN 'permissive ' ELSE 'restrictive ' END || ${hashOf(
    `p.polcmd::pg_catalog.text || ' ' || COALESCE((SELECT pg_catalog.string_agg(o.rolname, ', ' ORDER BY o.rolname)
      FROM pg_catalog.pg_roles o WHERE o.oid = ANY (p.polroles)), '')
      || ' using ' || COALESCE(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '')
      || ' check ' || COALESCE(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), '')`,
  )}
FROM relation r JOIN pg_catalog.pg_policy p ON p.polrelid = r.oid ${used("policy", "p.oid")}
UNION ALL
SELECT r.nspname, r.relname, 'trigger', t.tgname,
  CASE WHEN t.tgtype & 64 <> 0 THEN 'instead of ' WHEN t.tgtype & 2 <> 0 THEN 'before ' ELSE 'after ' END
    || CASE t.tgenabled WHEN 'D' THEN 'disabled ' WHEN 'R' THEN 'for replicas ' WHEN 'A' THEN 'always ' ELSE '' END
    || ${hashOf("pg_catalog.pg_get_triggerdef(t.oid)")}
FROM relation r JOIN pg_catalog.pg_trigger t ON t.tgrelid = r.oid
  JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
  ${used("trigger", "t.oid")}
WHERE NOT t.tgisinternal AND n.nspname <> 'engine_catalog'
UNION ALL
SELECT r.nspname, r.relname, 'rule', w.rulename, ${hashOf("pg_catalog.pg_get_ruledef(w.oid)")}
FROM relation r JOIN pg_catalog.pg_rewrite w ON w.ev_class = r.oid ${used("rule", "w.oid")}
WHERE w.rulename <> '_RETURN'
UNION ALL
SELECT r.nspname, r.relname, ${version >= 120_000 ? "CASE a.attgenerated WHEN '' THEN 'default' ELSE 'generated' END" : "'default'"}, a.attname,
  ${hashOf("pg_catalog.pg_get_expr(d.adbin, d.adrelid)")}
FROM relation r JOIN pg_catalog.pg_attrdef d ON d.adrelid = r.oid
  JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum ${used("default", "d.oid")}
UNION ALL
SELECT p.nspname, p.proname, 'body', p.types,
  CASE WHEN p.prosecdef THEN 'security definer ' ELSE 'security invoker ' END || ${hashOf("p.hash")}
FROM routine p LEFT JOIN uses x ON x.class = ${catalogue("pg_proc")} AND x.oid = p.oid
UNION ALL
SELECT p.nspname, p.proname, 'function owner', p.types, o.rolname
FROM routine p JOIN pg_catalog.pg_roles o ON o.oid = p.proowner WHERE p.prosecdef
UNION ALL
SELECT p.nspname, p.proname, 'function owner rights', p.types, 'bypasses row security'
FROM routine p JOIN pg_catalog.pg_roles o ON o.oid = p.proowner
WHERE p.prosecdef AND (o.rolsuper OR o.rolbypassrls)
ORDER BY 1, 2, 3, 4`;
}
