/** Forms of connection strings, parsed by the driver if it has a parser for them. */
import mssql from "mssql";
import { describe, expect, it } from "vitest";
import { ConnectionString } from "../../../../../runtime/databases/sources/connection-settings.ts";
import { driverConfiguration } from "../../../../../runtime/databases/sources/mssql/connection-string.ts";

function configured(text: string, pool: { maxConnections?: number; idleTimeoutSeconds?: number } = {}) {
  const settings = { connection: new ConnectionString(text), maxConnections: 50, idleTimeoutSeconds: 5, ...pool };
  return driverConfiguration(settings, (given) => mssql.ConnectionPool.parseConnectionString(given));
}

describe("SQL Server connection strings", () => {
  it.each([
    [
      "of ADO.NET",
      "Server=tcp:db.example,1444;Database=shop;User Id=sa;Password='se;cret';Encrypt=True;TrustServerCertificate=true;Connect Timeout=5",
      { server: "db.example", port: 1444, database: "shop", user: "sa", password: "se;cret", connectionTimeout: 5000 },
      { encrypt: true, trustServerCertificate: true },
    ],
    [
      "of ADO.NET with an instance",
      "Data Source=.\\sqlexpress;Initial Catalog=shop;UID=sa;PWD=x",
      { server: "localhost", database: "shop", user: "sa", password: "x" },
      { instanceName: "sqlexpress" },
    ],
    [
      "of ODBC",
      "Driver={ODBC Driver 18 for SQL Server};Server=tcp:db,1433;Database=shop;Uid=sa;Pwd={se;cr}}et};Encrypt=no;",
      { server: "db", port: 1433, database: "shop", user: "sa", password: "se;cr}et" },
      { encrypt: false },
    ],
    [
      "of ODBC with the words for encryption",
      "DRIVER={ODBC Driver 18 for SQL Server};SERVER=db;UID=sa;PWD=x;Encrypt=Optional;ApplicationIntent=ReadOnly",
      { server: "db" },
      { encrypt: false, readOnlyIntent: true },
    ],
    [
      "with strict encryption",
      "Server=db;User ID=sa;Password=x;Encrypt=Strict",
      { server: "db" },
      { encrypt: "strict" },
    ],
    [
      "as a URL",
      "mssql://sa:se%3Acret%40@db.example:1444/my%20shop?encrypt=true&trustServerCertificate=true&connectTimeout=9000",
      {
        server: "db.example",
        port: 1444,
        database: "my shop",
        user: "sa",
        password: "se:cret@",
        connectionTimeout: 9000,
      },
      { encrypt: true, trustServerCertificate: true },
    ],
    [
      "as a URL with an instance",
      "sqlserver://sa:x@db/express/shop?encrypt=no",
      { server: "db", database: "shop" },
      { encrypt: false, instanceName: "express" },
    ],
  ])("A SQL Server connection string may be %s", (_, text, connection, options) => {
    const { options: found, ...rest } = configured(text);
    expect(rest).toMatchObject(connection);
    expect(found).toMatchObject(options);
  });

  it("A SQL Server connection string sets no time limit unless it names one", () => {
    expect(configured("Server=db").requestTimeout).toBe(0);
    expect(configured("Server=db;Request Timeout=700").requestTimeout).toBe(700);
    expect(configured("mssql://db?requestTimeout=700").requestTimeout).toBe(700);
  });

  it("The source settings determine the pool, not the SQL Server connection string", () => {
    const { pool, options } = configured("Server=db;Max Pool Size=3", { maxConnections: 7, idleTimeoutSeconds: 2 });
    expect(pool).toEqual({ max: 7, min: 0, idleTimeoutMillis: 2000 });
    expect(options).toMatchObject({ abortTransactionOnError: true, useUTC: true });
    expect(configured("Server=db", { idleTimeoutSeconds: 0 }).pool?.idleTimeoutMillis).toBe(1);
  });

  it.each(["", "nonsense", "Database=shop;Password=secret", "mssql://", "mssql://a b:secret@"])(
    "A SQL Server connection string without a server is refused: %j",
    (text) => {
      try {
        configured(text);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid-configuration" });
        expect(String(error)).not.toContain("secret");
      }
    },
  );
});
