/** Introspection against a real PostgreSQL: conditions under which it must neither fail nor return wrong results. */
import pg from "pg";
import { describe, expect, it } from "vitest";
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import type { TypeRef } from "../../compiler/shape/shape.ts";
import { createDatabase } from "../support/database.ts";
import { client, connect, inTransaction, queryOf, shape, table, useIntrospected } from "../support/introspected.ts";

useIntrospected();

describe("Circumstances of introspection", () => {
  const bytes = () => JSON.stringify(shape);

  it("Introspection runs two statements and is repeatable byte for byte", async () => {
    const statements: string[] = [];
    const second = await introspect(postgres, (statement) => {
      statements.push(statement);
      return queryOf(client)(statement);
    });
    expect(statements).toHaveLength(2);
    expect(JSON.stringify(second)).toBe(bytes());
  });

  it("Introspection needs no privilege and writes no data", async () => {
    await inTransaction("SET TRANSACTION READ ONLY; SET LOCAL ROLE pg_signal_backend", async () => {
      expect(JSON.stringify(await introspect(postgres, queryOf(client)))).toBe(bytes());
    });
  });

  it("Introspection is independent of the search path and leaves it unchanged", async () => {
    const shadows = `CREATE SCHEMA "my path";
      CREATE TABLE "my path".pg_class (oid oid);
      CREATE TYPE "my path".text AS ENUM ('x');
      CREATE FUNCTION "my path".json_build_array() RETURNS integer LANGUAGE sql AS 'SELECT 1';
      CREATE FUNCTION "my path".quote_ident(name) RETURNS integer LANGUAGE sql AS 'SELECT 1';
      SET LOCAL search_path = "my path", shop, pg_catalog`;
    await inTransaction(shadows, async () => {
      const misled = await introspect(postgres, queryOf(client));
      const others = <T extends { readonly schema: string }>(list: readonly T[]) =>
        list.filter((each) => each.schema !== "my path");
      expect(others(misled.tables)).toEqual(shape.tables);
      expect(others(misled.functions)).toEqual(shape.functions);
      expect(await queryOf(client)("SHOW search_path")).toEqual([['"my path", shop, pg_catalog']]);
    });
  });

  it("Introspection sees the changes of its own transaction", async () => {
    const changes = "ALTER TABLE shop.customer RENAME COLUMN name TO full_name; DROP VIEW shop.grouped CASCADE";
    await inTransaction(changes, async () => {
      const changed = await introspect(postgres, queryOf(client));
      const customer = changed.tables.find((each) => each.name === "customer");
      expect(customer?.id).toBe(table("shop", "customer").id);
      expect(customer?.columns.find((each) => each.position === 13)?.name).toBe("full_name");
      expect(changed.tables.some((each) => each.name === "grouped")).toBe(false);
    });
  });

  it("Introspection omits temporary tables", async () => {
    await inTransaction("CREATE TEMPORARY TABLE short_lived (id integer)", async () => {
      expect(JSON.stringify(await introspect(postgres, queryOf(client)))).toBe(bytes());
    });
  });

  it("Introspection does not wait for a locked table", async () => {
    const migration = await connect();
    try {
      await migration.query("BEGIN; LOCK TABLE public.orders IN ACCESS EXCLUSIVE MODE");
      await inTransaction("SET LOCAL lock_timeout = '1ms'", async () => {
        expect(JSON.stringify(await introspect(postgres, queryOf(client)))).toBe(bytes());
      });
    } finally {
      await migration.end();
    }
  });

  it("Introspection supports an empty database", async () => {
    const empty = await createDatabase();
    const connection = new pg.Client({ connectionString: empty.url });
    await connection.connect();
    try {
      const nothing = await introspect(postgres, queryOf(connection));
      expect(nothing).toMatchObject({ format: 1, kind: "postgres", tables: [], functions: [], types: [] });
    } finally {
      await connection.end();
      await empty.drop();
    }
  });
});

describe("Equality of built-in types", () => {
  const names =
    "int2 int4 int8 numeric float4 float8 text varchar bpchar name bool date timestamp timestamptz time timetz interval uuid jsonb bytea money inet cidr macaddr macaddr8 bit varbit json xml point polygon jsonpath".split(
      " ",
    );
  const typeOf = (name: string): TypeRef => ({ schema: "pg_catalog", name, sql: name, category: "base" });

  async function hasEquality(left: string, right: string): Promise<boolean> {
    await client.query("savepoint before");
    try {
      await client.query(`select null::pg_catalog."${left}" = null::pg_catalog."${right}"`);
      return true;
    } catch {
      await client.query("rollback to before");
      return false;
    }
  }

  it("Equality is assumed for all pairs of types that PostgreSQL compares, and denied for most others", async () => {
    await inTransaction("select 1", async () => {
      const missed: string[] = [];
      for (const left of names) {
        for (const right of names) {
          const isEqual = await hasEquality(left, right);
          const isDenied = postgres.lacksEquality(typeOf(left), typeOf(right), {});
          expect(isEqual && isDenied, `${left} = ${right}`).toBe(false);
          if (!isEqual && !isDenied) missed.push(`${left} = ${right}`);
        }
      }
      // The types belong to one family, but PostgreSQL has no comparison between them.
      expect(missed).toEqual(["timetz = interval", "interval = timetz"]);
    });
  }, 60_000);

  it("Equality is left to PostgreSQL if an implicit cast or operator was added", async () => {
    const added = `CREATE CAST (pg_catalog.text AS pg_catalog.uuid) WITH INOUT AS IMPLICIT;
      CREATE FUNCTION shop.same(boolean, integer) RETURNS boolean LANGUAGE sql AS 'select true';
      CREATE OPERATOR shop.= (LEFTARG = boolean, RIGHTARG = integer, FUNCTION = shop.same)`;
    await inTransaction(added, async () => {
      const changed = await introspect(postgres, queryOf(client));
      expect(changed.converted).toEqual(["bool", "int4", "text", "uuid"]);
      expect(postgres.lacksEquality(typeOf("text"), typeOf("uuid"), changed)).toBe(false);
      expect(postgres.lacksEquality(typeOf("bytea"), typeOf("jsonb"), changed)).toBe(true);
    });
  });
});
