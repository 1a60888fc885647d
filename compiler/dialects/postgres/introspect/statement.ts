/**
 * The two introspection statements: for the server version, and for the whole catalogue. Both read only `pg_catalog`,
 * which is accessible to every role, and return text. Input: the server's version number; output: SQL.
 *
 * Names of relations, functions and types are qualified, because the statement also runs inside an administrator's
 * transaction and must not change the session's `search_path`. For the same reason it does not print types or
 * expressions through the server (`format_type`, `pg_get_expr`), whose text depends on that path.
 */

/** Returns one row: the version number (`150018`), the version text, and the version of Citus or an empty text. */
export const serverStatement = `SELECT pg_catalog.current_setting('server_version_num'), pg_catalog.current_setting('server_version'),
  coalesce((SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = 'citus'), '')`;

/**
 * Reads the placement of the rows of each Citus table: identifier, kind, distribution column, colocation group. A table
 * without a distribution column is a reference table, a local one, or a table of a distributed schema, which has one
 * shard. Every role may read this catalogue.
 */
export const distributionStatement = `SELECT p.logicalrelid::pg_catalog.oid::pg_catalog.text,
  CASE WHEN p.repmodel = 't' THEN 'reference' ELSE 'distributed' END, a.attname::pg_catalog.text, p.colocationid::pg_catalog.text
FROM pg_catalog.pg_dist_partition p
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = p.logicalrelid
    AND a.attname = pg_catalog.column_to_column_name(p.logicalrelid, p.partkey)
WHERE p.partmethod <> 'n' OR p.repmodel = 't' OR p.colocationid <> 0`;

/** Schemas with the prefix `pg_` are reserved for the system: catalogue, TOAST, temporary tables. */
export const isUserSchema = `pg_catalog.left(n.nspname, 3) <> 'pg_' AND n.nspname NOT IN ('information_schema', 'engine_catalog')`;

/**
 * Reads the functions of a database with Citus: identifier, language, whether its text names a distributed table or a
 * view, and whether the other servers have it.
 */
export const citusFunctionsStatement = `SELECT p.oid::pg_catalog.text, l.lanname::pg_catalog.text, EXISTS (
    SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_dist_partition d ON d.logicalrelid = c.oid
    WHERE (d.repmodel <> 't' AND (d.partmethod <> 'n' OR d.colocationid <> 0)
        OR c.relkind IN ('v', 'm') AND s.nspname NOT IN ('pg_catalog', 'information_schema'))
      AND pg_catalog.concat(p.prosrc, pg_catalog.pg_get_function_sqlbody(p.oid))
        ~* pg_catalog.concat('\\m', pg_catalog.regexp_replace(c.relname, '(\\W)', '\\\\\\1', 'g'), '\\M'))::pg_catalog.text,
  (o.objid IS NOT NULL)::pg_catalog.text
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  LEFT JOIN pg_catalog.pg_dist_object o
    ON o.objid = p.oid AND o.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND o.objsubid = 0
WHERE ${isUserSchema} AND p.prokind = 'f'`;

const isRelation = `c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

const userRelations = `pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

/**
 * Differences between the catalogues of the supported versions (10 to 18). The SQL uses joins: subqueries would run for
 * each row.
 */
interface Variations {
  readonly isFunction: string;
  readonly isGenerated: string;
  readonly notNullJoin: string;
  readonly isNotNull: string;
  readonly parentJoin: string;
  readonly isOwnForeignKey: string;
  /** The key cannot be the target of `on conflict`. */
  readonly isNoArbiter: string;
}

function variationsOf(version: number): Variations {
  return {
    isFunction: version >= 110000 ? "p.prokind = 'f'" : "NOT p.proisagg AND NOT p.proiswindow",
    isGenerated: version >= 120000 ? "a.attgenerated <> ''" : "false",
    ...notNullVariations(version),
    ...foreignKeyVariations(version),
  };
}

/**
 * Returns the SQL that reads NOT NULL. Since version 18 `attnotnull` is also set for a constraint that is not
 * validated: existing rows may be NULL.
 */
function notNullVariations(version: number): Pick<Variations, "notNullJoin" | "isNotNull"> {
  if (version < 180000) return { notNullJoin: "", isNotNull: "a.attnotnull" };
  return {
    notNullJoin: `
  LEFT JOIN pg_catalog.pg_constraint k
    ON k.conrelid = a.attrelid AND k.conkey[1] = a.attnum AND k.contype = 'n' AND NOT k.convalidated`,
    isNotNull: "a.attnotnull AND k.oid IS NULL",
  };
}

/**
 * Returns the SQL that reads foreign keys. The catalogue contains copies of a foreign key for each partition of the
 * referenced table. These copies are left out, but a key that a partition inherits from its own parent is kept. A key
 * with PERIOD is also left out: it matches by containment, so a join on equal columns would be wrong.
 */
function foreignKeyVariations(version: number): Pick<Variations, "parentJoin" | "isOwnForeignKey" | "isNoArbiter"> {
  const isDeferrable = "k.contype <> 'f' AND k.condeferrable";
  if (version < 110000) return { parentJoin: "", isOwnForeignKey: "true", isNoArbiter: isDeferrable };
  const isNoCopy = "(o.oid IS NULL OR o.confrelid = k.confrelid)";
  return {
    parentJoin: `
  LEFT JOIN pg_catalog.pg_constraint o ON o.oid = k.conparentid`,
    isOwnForeignKey: version >= 180000 ? `NOT k.conperiod AND ${isNoCopy}` : isNoCopy,
    isNoArbiter: version >= 180000 ? `k.contype <> 'f' AND (k.condeferrable OR k.conperiod)` : isDeferrable,
  };
}

/**
 * Returns the statement that reads the catalogue; `rows.ts` describes its rows. The last column contains the relation
 * or type of a row, so that unused rows need not be parsed.
 */
export function catalogStatement(version: number): string {
  const variations = variationsOf(version);
  return [
    relationSection,
    columnsSection(variations),
    constraintSection(variations),
    uniqueIndexSection(version),
    functionSection(variations),
    typeSection,
    labelsSection,
    fieldsSection,
    subtypeSection,
    operatorsSection,
    convertedSection,
    ...(version >= 180000 ? [virtualSection] : []),
  ].join("\nUNION ALL\n");
}

/**
 * Calls `pg_relation_is_updatable` only for views and foreign tables: it locks the relation, and introspection of
 * tables must not wait for a migration that holds a lock. A foreign-data wrapper without a handler would raise an
 * error.
 */
const relationSection = `SELECT 'relation', pg_catalog.json_build_array(
  c.oid, n.nspname, c.relname, c.relkind, c.relispartition, d.description,
  CASE
    WHEN c.relkind IN ('r', 'p') THEN 28
    WHEN c.relkind = 'v' OR w.fdwhandler <> 0 THEN pg_catalog.pg_relation_is_updatable(c.oid, true)
    ELSE 0
  END, g.tgrelid IS NOT NULL, i.relation IS NOT NULL, l.relation IS NOT NULL,
  c.relrowsecurity AND pg_catalog.row_security_active(c.oid))::pg_catalog.text, c.oid::pg_catalog.text
FROM ${userRelations}
  LEFT JOIN pg_catalog.pg_description d
    ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = 0
  LEFT JOIN (SELECT DISTINCT t.tgrelid FROM pg_catalog.pg_trigger t
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & 3 = 2) g ON g.tgrelid = c.oid
  LEFT JOIN (SELECT inhrelid AS relation FROM pg_catalog.pg_inherits
    UNION SELECT inhparent FROM pg_catalog.pg_inherits) i ON i.relation = c.oid
  LEFT JOIN (SELECT t.tgrelid AS relation FROM pg_catalog.pg_trigger t
      WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & 7 = 7
    UNION SELECT r.ev_class FROM pg_catalog.pg_rewrite r WHERE r.ev_type = '3') l ON l.relation = c.oid
  LEFT JOIN pg_catalog.pg_foreign_table f ON f.ftrelid = c.oid
  LEFT JOIN pg_catalog.pg_foreign_server s ON s.oid = f.ftserver
  LEFT JOIN pg_catalog.pg_foreign_data_wrapper w ON w.oid = s.srvfdw
WHERE ${isUserSchema} AND ${isRelation}`;

function columnsSection({ isGenerated, isNotNull, notNullJoin }: Variations): string {
  return `SELECT 'columns', pg_catalog.json_build_array(a.attrelid, pg_catalog.json_agg(pg_catalog.json_build_array(
  a.attnum, a.attname, a.atttypid, ${isNotNull}, a.atthasdef, a.attidentity, ${isGenerated}, d.description
) ORDER BY a.attnum))::pg_catalog.text, a.attrelid::pg_catalog.text
FROM ${userRelations} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_catalog.pg_description d
    ON d.objoid = a.attrelid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = a.attnum${notNullJoin}
WHERE ${isUserSchema} AND ${isRelation} AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY a.attrelid`;
}

/**
 * Virtual generated columns whose expressions call built-in functions only. Recorders of events run with the rights of
 * their owner and must not call functions of other users.
 */
const virtualSection = `SELECT 'virtual', pg_catalog.json_build_array(d.oid, d.adrelid, d.adnum)::pg_catalog.text, NULL
FROM ${userRelations} JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
  JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE ${isUserSchema} AND a.attgenerated = 'v' AND NOT a.attisdropped AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend e
  WHERE e.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND e.objid = d.oid
    AND e.refclassid <> 'pg_catalog.pg_class'::pg_catalog.regclass)`;

/** Reads expressions, cast to the types of their columns. The search path is empty, as for `indexTextsStatement`. */
export function expressionTextsStatement(expressions: readonly string[]): string {
  return `SELECT d.oid::pg_catalog.text, pg_catalog.to_json('cast(' || pg_catalog.pg_get_expr(d.adbin, d.adrelid) || ' as '
    || pg_catalog.format_type(a.atttypid, a.atttypmod) || ')')::pg_catalog.text
FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
WHERE d.oid = ANY ('{${expressions.join(",")}}'::pg_catalog.oid[])`;
}

/** Selects constraints. A key that is not enforced (since version 18) is treated like a key that is not validated. */
function constraintSection({ parentJoin, isOwnForeignKey, isNoArbiter }: Variations): string {
  return `SELECT 'constraint', pg_catalog.json_build_array(
  k.oid, k.conrelid, k.conname, k.contype, k.conkey, k.confrelid, k.confkey, NOT k.convalidated, ${isNoArbiter})::pg_catalog.text,
  k.conrelid::pg_catalog.text
FROM ${userRelations} JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid${parentJoin}
WHERE ${isUserSchema} AND ${isRelation} AND (k.contype IN ('p', 'u') OR k.contype = 'f' AND ${isOwnForeignKey})`;
}

const uniqueIndexes = `${userRelations} JOIN pg_catalog.pg_index x ON x.indrelid = c.oid
  JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x')
WHERE ${isUserSchema} AND ${isRelation} AND x.indisunique AND x.indimmediate AND x.indisvalid AND k.oid IS NULL`;

/**
 * Selects unique indexes that `on conflict` can infer: immediate and valid. Included columns are not part of the key.
 * Indexes with expressions or a condition are in a separate section, because their texts are read separately.
 */
function uniqueIndexSection(version: number): string {
  const keyColumns = version >= 110000 ? "x.indnkeyatts" : "x.indnatts";
  const columns = `(x.indkey::pg_catalog.int2[])[0:${keyColumns} - 1]`;
  return `SELECT 'constraint', pg_catalog.json_build_array(
  x.indexrelid, x.indrelid, i.relname, 'i', ${columns}, 0, NULL, false, false)::pg_catalog.text,
  x.indrelid::pg_catalog.text
FROM ${uniqueIndexes} AND x.indpred IS NULL AND x.indexprs IS NULL
UNION ALL
SELECT 'partial', pg_catalog.json_build_array(
  x.indexrelid, x.indrelid, i.relname, pg_catalog.array_remove(${columns}, 0::pg_catalog.int2))::pg_catalog.text, NULL
FROM ${uniqueIndexes} AND c.relkind IN ('r', 'p') AND (x.indpred IS NOT NULL OR x.indexprs IS NOT NULL)`;
}

/**
 * Reads the key expressions of indexes, in key order, and their conditions. The search path is empty for this
 * statement, so that the server qualifies names. Printing a condition waits for locks on the table.
 * @param version version of the server
 * @param indexes identifiers of the indexes
 */
export function indexTextsStatement(version: number, indexes: readonly string[]): string {
  const keyColumns = version >= 110000 ? "x.indnkeyatts" : "x.indnatts";
  return `SELECT x.indexrelid::pg_catalog.text, pg_catalog.json_build_array(
  ARRAY(SELECT pg_catalog.pg_get_indexdef(x.indexrelid, place, false)
    FROM pg_catalog.generate_series(1, ${keyColumns}::pg_catalog.int4) AS place ORDER BY place),
  pg_catalog.pg_get_expr(x.indpred, x.indrelid))::pg_catalog.text
FROM pg_catalog.pg_index x
WHERE x.indexrelid = ANY ('{${indexes.join(",")}}'::pg_catalog.oid[])`;
}

/** Returns the search path, and empties it until the end of the transaction. */
export const emptySearchPath =
  "SELECT pg_catalog.current_setting('search_path'), pg_catalog.set_config('search_path', '', true)";

export function searchPathStatement(path: string): string {
  return `SELECT pg_catalog.set_config('search_path', '${path.replaceAll("'", "''")}', true)`;
}

/** Selects functions, except functions of extensions and constructors of range types. */
function functionSection({ isFunction }: Variations): string {
  return `SELECT 'function', pg_catalog.json_build_array(
  p.oid, n.nspname, p.proname, d.description, p.provolatile, p.proisstrict, p.provariadic <> 0, p.proretset,
  p.prorettype, COALESCE(p.proallargtypes, p.proargtypes::pg_catalog.oid[]), p.proargmodes, p.proargnames,
  p.pronargdefaults)::pg_catalog.text, NULL
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  LEFT JOIN pg_catalog.pg_description d
    ON d.objoid = p.oid AND d.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objsubid = 0
WHERE ${isUserSchema} AND ${isFunction} AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_depend e
  WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid AND e.deptype IN ('e', 'i'))`;
}

/**
 * Reads all types: a recursive query for the used types is slower, because the planner expects millions of rows. A type
 * counts as an array only if its element type refers to it as its array type, because vectors and `name` also have an
 * element type.
 */
const typeSection = `SELECT 'type', pg_catalog.json_build_array(
  t.oid, n.nspname, t.typname, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(t.typname),
  t.typtype, CASE WHEN e.typarray = t.oid THEN t.typelem ELSE 0 END, t.typbasetype, t.typnotnull,
  t.typdefault IS NOT NULL, COALESCE(c.relkind <> 'c', false),
  t.typtype IN ('c', 'e', 'm', 'r') AND NOT COALESCE(
    o.rolsuper OR pg_catalog.pg_has_role(o.oid, u.oid, 'MEMBER'), false))::pg_catalog.text, t.oid::pg_catalog.text
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
  LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
  LEFT JOIN pg_catalog.pg_roles o ON o.oid = t.typowner
  LEFT JOIN pg_catalog.pg_roles u ON u.rolname = CURRENT_USER`;

/** Operators of comparisons and pattern matching, by their names in the server. */
const comparedBy = "= <> < <= > >= ~~ !~~ ~~* !~~* ~ !~ ~* !~* @> <@ ? @".split(" ");

/**
 * Operators of user-defined base types, restricted to operators that belong to the type's owner: any role that may
 * create objects in a schema can create operators for types of other roles.
 */
const operatorsSection = `SELECT 'operators', pg_catalog.json_build_array(
  o.oprleft, pg_catalog.quote_ident(n.nspname), n.oid = t.typnamespace,
  pg_catalog.json_agg(DISTINCT o.oprname ORDER BY o.oprname))::pg_catalog.text, NULL
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_type t ON t.oid = o.oprleft
  JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
WHERE t.typtype = 'b' AND t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace AND o.oprowner = t.typowner
  AND o.oprcode <> 0 AND o.oprname IN (${comparedBy.map((name) => `'${name}'`).join(", ")})
GROUP BY o.oprleft, n.oid, n.nspname, t.typnamespace`;

/** Built-in types with casts or equality operators that are not built in. */
const convertedSection = `SELECT 'converted', pg_catalog.json_build_array(t.typname)::pg_catalog.text, NULL FROM (
  SELECT pg_catalog.unnest(ARRAY[c.castsource, c.casttarget]) AS type FROM pg_catalog.pg_cast c
    WHERE c.castcontext = 'i' AND c.oid >= '16384'::pg_catalog.oid
      AND c.castsource < '16384'::pg_catalog.oid AND c.casttarget < '16384'::pg_catalog.oid
  UNION SELECT pg_catalog.unnest(ARRAY[o.oprleft, o.oprright]) FROM pg_catalog.pg_operator o
    WHERE o.oprname = '=' AND o.oid >= '16384'::pg_catalog.oid
      AND o.oprleft < '16384'::pg_catalog.oid AND o.oprright < '16384'::pg_catalog.oid) x
  JOIN pg_catalog.pg_type t ON t.oid = x.type`;

const labelsSection = `SELECT 'labels', pg_catalog.json_build_array(
  l.enumtypid, pg_catalog.json_agg(l.enumlabel ORDER BY l.enumsortorder))::pg_catalog.text, NULL
FROM pg_catalog.pg_enum l
GROUP BY l.enumtypid`;

const fieldsSection = `SELECT 'fields', pg_catalog.json_build_array(c.reltype, pg_catalog.json_agg(
  pg_catalog.json_build_array(a.attname, a.atttypid) ORDER BY a.attnum))::pg_catalog.text, NULL
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE c.relkind = 'c' AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY c.reltype`;

const subtypeSection = `SELECT 'subtype', pg_catalog.json_build_array(r.rngtypid, r.rngsubtype)::pg_catalog.text, NULL
FROM pg_catalog.pg_range r`;
