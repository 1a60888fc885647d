/** Sources over PostgreSQL: lost, limited and refused connections, and reconnection. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import {
  type PostgresConnectionInfo,
  resolvePostgresSettings,
} from "../../runtime/databases/sources/postgres/settings.ts";
import { query } from "../support/database.ts";
import { database, failure, one, open, openSingle, terminateAll, useDatabase } from "../support/postgres-source.ts";

useDatabase();

describe("Lost PostgreSQL connections", () => {
  it("Lost connections are replaced for the next reads", async () => {
    const source = open({ pool_settings: { max_connections: 5 } });
    const all = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 5 }, () => one(source, "select pg_sleep(0.05)::text || 'ok'")));
    await all();
    await terminateAll();
    expect(await all()).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  });

  it("A lost idle connection is reported", async () => {
    const lost = new Promise<string>((resolve) => {
      const source = open({}, { onIdleLoss: resolve });
      one(source, "select 1").then(terminateAll, resolve);
    });
    expect(await lost).toMatch(/terminating connection|terminated unexpectedly/);
  });

  it("A read on a lost connection is repeated", async () => {
    const source = openSingle();
    await query(database.url, "create table attempts (n int); create sequence attempt");
    // The first attempt ends its own connection. Sequences do not roll back, so the second attempt gets the next value.
    const text =
      "select case when nextval('attempt') = 1 then pg_terminate_backend(pg_backend_pid())::text else 'again' end";
    expect(await one(source, text)).toBe("again");
  });

  it("A write on a lost connection is not repeated", async () => {
    const source = openSingle();
    await query(database.url, "create sequence written");
    const text = "select nextval('written'), pg_terminate_backend(pg_backend_pid())";
    const error = await failure(source.execute({ text }, []));
    expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error", path: "$" });
    expect(error.internal).toMatch(/terminating connection/);
    expect(await one(source, "select last_value from written")).toBe("1");
  });

  it("A transaction on a lost connection ends with a connection error", async () => {
    const source = openSingle();
    const work = source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1" }, []);
      await transaction.query({ text: "select pg_terminate_backend(pg_backend_pid())" }, []);
    });
    expect(await failure(work)).toMatchObject({ code: "postgres-error", status: 500, message: "connection error" });
    expect(await one(source, "select 1")).toBe("1");
  });

  it("A read is repeated at most the configured number of times", async () => {
    await query(database.url, "create sequence always");
    const text = "select nextval('always'), pg_terminate_backend(pg_backend_pid())";
    const source = open({ pool_settings: { retries: 3 } });
    expect((await failure(source.query({ text }, []))).message).toBe("connection error");
    expect(await one(source, "select last_value from always")).toBe("4");
  });
});

describe("Unreachable PostgreSQL servers", () => {
  /** A proxy between source and server that can be removed. */
  let proxy: Server;
  let sockets: Set<Socket>;
  let url: string;
  let port: number;

  beforeEach(async () => {
    sockets = new Set();
    const server = new URL(database.url);
    const address = { port: Number(server.port), host: server.hostname };
    proxy = createServer((client) => {
      const upstream = connect(address);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
    });
    await listen(0);
    port = (proxy.address() as AddressInfo).port;
    server.port = String(port);
    url = server.href;
  });

  afterEach(async () => {
    await goAway();
    // PostgreSQL continues the work of a client that vanished.
    await terminateAll();
  });

  function listen(where: number): Promise<void> {
    return new Promise((resolve) => proxy.listen(where, "127.0.0.1", resolve));
  }

  function goAway(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => proxy.close(() => resolve()));
  }

  it("An unreachable server causes connection errors and works again once it is reachable", async () => {
    const source = open({ database_url: url, pool_settings: { retries: 0 } });
    expect(await one(source, "select 1")).toBe("1");
    const running = failure(source.execute({ text: "select pg_sleep(20)" }, []));
    await expect
      .poll(() => query(database.url, "select 1 from pg_stat_activity where query like 'select pg_sleep(20)%'"))
      .toHaveLength(1);
    await goAway();
    expect(await running).toMatchObject({ code: "postgres-error", message: "connection error" });
    const error = await failure(source.query({ text: "select 1" }, []));
    expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error", path: "$" });
    expect(error.internal).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
    await listen(port);
    expect(await one(source, "select 1")).toBe("1");
  });

  it("Repeated attempts wait for an unreachable server", async () => {
    const source = open({ database_url: url, pool_settings: { retries: 5 } });
    await goAway();
    const answer = one(source, "select 1");
    setTimeout(() => void listen(port), 50);
    expect(await answer).toBe("1");
  });
});

describe("Limits and ends of PostgreSQL connections", () => {
  it("An exhausted connection limit of the server is reported", async () => {
    const role = `${database.name}_limited`;
    await query(database.url, `create role "${role}" login password 'pw' connection limit 0`);
    try {
      const url = new URL(database.url);
      url.username = role;
      url.password = "pw";
      const error = await failure(open({ database_url: url.href }).query({ text: "select 1" }, []));
      expect(error).toMatchObject({
        code: "postgres-max-connections-error",
        status: 500,
        message: "max connections reached on postgres",
        internal: `too many connections for role "${role}"`,
      });
    } finally {
      await query(database.url, `drop role "${role}"`);
    }
  });

  it("Waiting for a connection ends after pool_timeout", async () => {
    const waits: number[] = [];
    const nothing = (): void => undefined;
    const meter = { opened: nothing, openingFailed: nothing, waited: (seconds: number) => void waits.push(seconds) };
    const source = open({ pool_settings: { max_connections: 1, pool_timeout: 0.1, retries: 2 } }, { meter });
    await source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1" }, []);
      const error = await failure(source.query({ text: "select 1" }, []));
      const message = "no database connection became free within 0.1 seconds";
      expect(error).toMatchObject({ code: "postgres-error", status: 500, message });
      expect(error.internal).toBe(
        "all 1 connections of source default were in use: raise its pool_settings.max_connections, or pool_settings.pool_timeout for a longer wait",
      );
      // An exhausted pool would be invisible if timed-out waits did not count.
      expect(waits.at(-1)).toBeGreaterThanOrEqual(0.09);
    });
  });

  it("A closing source serves waiting callers first and then refuses all", async () => {
    const source = openSingle();
    const answers = Array.from({ length: 3 }, (_, i) => one(source, `select pg_sleep(0.05)::text || ${i}`));
    await source.close();
    expect(await Promise.all(answers)).toEqual(["0", "1", "2"]);
    expect((await failure(source.query({ text: "select 1" }, []))).message).toBe("connection error");
    await source.close();
  });

  it("Connections are replaced after their lifetime", async () => {
    const source = open({ pool_settings: { max_connections: 1, connection_lifetime: 0.05 } });
    const first = await one(source, "select pg_backend_pid()");
    await expect.poll(() => one(source, "select pg_backend_pid()")).not.toBe(first);
  });
});

describe("PostgreSQL connection settings", () => {
  it("No error shows the password", async () => {
    const url = new URL(database.url);
    url.port = "1";
    url.username = "me";
    url.password = "s3cret";
    const error = await failure(open({ database_url: url.href }).query({ text: "select 1" }, []));
    expect(error.message).toBe("connection error");
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("s3cret");
    expect(JSON.stringify(error.internal)).not.toContain("s3cret");
  });

  it("A dynamic secret is read for every connection", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secret-"));
    const file = join(folder, "url");
    const info = { database_url: { dynamic_from_file: file }, pool_settings: { max_connections: 1, retries: 0 } };
    const settings = resolvePostgresSettings("default", info, { variables: {}, dynamicSecretsPrefix: folder });
    const source = openPostgres(settings);
    try {
      expect((await failure(source.query({ text: "select 1" }, []))).internal).toMatch(/ENOENT/);
      writeFileSync(file, `${database.url}\n`);
      expect(await one(source, "select 1")).toBe("1");
      writeFileSync(file, "postgres://h:s3cret");
      expect(await one(source, "select 1")).toBe("1");
      await failure(source.execute({ text: "select pg_terminate_backend(pg_backend_pid())" }, []));
      const error = await failure(source.query({ text: "select 1" }, []));
      expect(error.message).toBe("invalid connection string: the port is not a number from 1 to 65535");
      writeFileSync(file, database.url);
      expect(await one(source, "select 1")).toBe("1");
    } finally {
      await source.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("Connections are encrypted if the server supports it, unless configured otherwise", async () => {
    const [server] = await query(database.url, "show ssl");
    const encrypted = (sslmode: string): Promise<unknown> =>
      one(open({ ssl_configuration: { sslmode } }), "select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    expect(await encrypted("prefer")).toBe(server?.ssl === "on" ? "t" : "f");
    expect(await encrypted("disable")).toBe("f");
    expect(await encrypted("allow")).toBe("f");
  });

  it("A source that requires encryption refuses unencrypted connections", async () => {
    const [server] = await query(database.url, "show ssl");
    const source = open({ ssl_configuration: { sslmode: "require" } });
    const answer = one(source, "select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    if (server?.ssl === "on") expect(await answer).toBe("t");
    else expect((await failure(answer)).internal).toBe("The server does not support SSL connections");
  });

  it("JIT is off regardless of other connection string options, unless the source enables it", async () => {
    const jit = (info: PostgresConnectionInfo) =>
      open(info).query({ text: "select current_setting('jit'), current_setting('work_mem')" }, []);
    const database_url = `${database.url}?options=-c%20work_mem%3D5MB%20-c%20jit%3Don`;
    expect(await jit({ database_url })).toEqual([["off", "5MB"]]);
    expect(await jit({ database_url, jit: true })).toEqual([["on", "5MB"]]);
  });

  it("JIT stays on behind a pooler that refuses the setting, except for statements with a time limit", async () => {
    const server = new URL(database.url);
    let refused = 0;
    const pooler = createServer((client) => {
      client.on("error", () => client.destroy());
      client.once("data", (startup) => {
        if (startup.includes("\0jit\0")) {
          refused++;
          client.end(errorResponse("FATAL", "08P01", "unsupported startup parameter: jit"));
          return;
        }
        const upstream = connect({ port: Number(server.port), host: server.hostname });
        upstream.on("error", () => client.destroy());
        upstream.write(startup);
        client.pipe(upstream).pipe(client);
      });
    });
    await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
    const url = new URL(database.url);
    url.port = String((pooler.address() as AddressInfo).port);
    url.search = "options=-c%20jit%3Don";
    const source = open({
      database_url: url.href,
      pool_settings: { retries: 0 },
      ssl_configuration: { sslmode: "disable" },
    });
    const text = "select current_setting('jit')";
    try {
      expect(await Promise.all([one(source, text), one(source, text)])).toEqual(["on", "on"]);
      expect(await source.executeAlone({ timeoutMilliseconds: 5000 }, { text }, [])).toEqual([["off"]]);
      expect(await one(source, text)).toBe("on");
      expect(refused).toBe(2);
    } finally {
      await source.close();
      pooler.close();
    }
  });

  it("Options of the connection string are applied", async () => {
    const url = `${database.url}?application_name=mine&options=-c%20work_mem%3D5MB`;
    const source = open({ database_url: url });
    expect(
      await source.query({ text: "select current_setting('application_name'), current_setting('work_mem')" }, []),
    ).toEqual([["mine", "5MB"]]);
  });
});

/** Encodes an ErrorResponse of the protocol. */
function errorResponse(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
