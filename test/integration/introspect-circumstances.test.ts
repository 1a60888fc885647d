/** Introspection against a real PostgreSQL: where it must not fail, and what must not mislead it. */
import pg from "pg";
import { describe, expect, it } from "vitest";
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import { createDatabase } from "../support/database.ts";
import { client, connect, inTransaction, queryOf, shape, table, useIntrospected } from "../support/introspected.ts";

useIntrospected();

describe("circumstances", () => {
  const bytes = () => JSON.stringify(shape);

  it("reads with two statements and gives the same bytes again", async () => {
    const statements: string[] = [];
    const again = await introspect(postgres, (statement) => {
      statements.push(statement);
      return queryOf(client)(statement);
    });
    expect(statements).toHaveLength(2);
    expect(JSON.stringify(again)).toBe(bytes());
  });

  it("needs no privilege and no write", async () => {
    await inTransaction("SET TRANSACTION READ ONLY; SET LOCAL ROLE pg_signal_backend", async () => {
      expect(JSON.stringify(await introspect(postgres, queryOf(client)))).toBe(bytes());
    });
  });

  it("is not misled by the search path, and leaves it as it was", async () => {
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

  it("sees the changes of the transaction it runs in", async () => {
    const changes = "ALTER TABLE shop.customer RENAME COLUMN name TO full_name; DROP VIEW shop.grouped CASCADE";
    await inTransaction(changes, async () => {
      const changed = await introspect(postgres, queryOf(client));
      const customer = changed.tables.find((each) => each.name === "customer");
      expect(customer?.id).toBe(table("shop", "customer").id);
      expect(customer?.columns.find((each) => each.position === 13)?.name).toBe("full_name");
      expect(changed.tables.some((each) => each.name === "grouped")).toBe(false);
    });
  });

  it("leaves out temporary tables", async () => {
    await inTransaction("CREATE TEMPORARY TABLE short_lived (id integer)", async () => {
      expect(JSON.stringify(await introspect(postgres, queryOf(client)))).toBe(bytes());
    });
  });

  it("does not wait for a table that a migration holds", async () => {
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

  it("reads an empty database", async () => {
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
