/** HTTP clients that send nothing, do not close, or do not read: their resources are released. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt } from "../support/shared-checks.ts";
import { startStubApp } from "../support/stub-app.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Opens a socket that stays open on the client's side, even if the server ends the connection. */
function openSocket(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.write(bytes);
      resolve(socket);
    });
    socket.on("error", reject);
    ends.push(() => socket.destroy());
  });
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

describe("Clients that keep connections open", () => {
  const clients = 200;

  it.each([
    ["send no bytes", ""],
    ["stop within a request head", "GET /livez HTTP/1.1\r\nhost:"],
    ["send a malformed request", "hello\r\n\r\n"],
    [
      "are refused a WebSocket",
      "GET /nowhere HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    ],
    [
      "request the last response of their connection",
      "GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    ],
  ])(
    "Clients that %s do not keep file descriptors",
    async (_title, bytes) => {
      const { app, port } = await startStubApp({ ENGINE_GRAPHQL_SERVER_TIMEOUT: "1" });
      ends.push(() => app.close());
      const before = descriptors();
      const sockets = await Promise.all(Array.from({ length: clients }, () => openSocket(port, bytes)));
      await Promise.all(sockets.map((socket) => once(socket.resume(), "end")));
      // The clients' descriptors remain in this process.
      await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThan(before + clients + 10);
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    },
    20_000,
  );
});

describe("Clients that read slowly", () => {
  const clients = 40;
  const megabytes = 16;
  /** Number of responses that fit into the memory limit. */
  const room = 10;
  let server: EngineProcess;

  beforeAll(ensureBuilt, 120_000);

  async function start(mostMegabytes: number): Promise<void> {
    const source = await createDatabase("slow_clients");
    ends.push(() => source.drop());
    await query(source.url, "create table page (id int primary key, text text)");
    await query(
      source.url,
      `insert into page select i, repeat(md5(i::text), 32768) from generate_series(1, ${megabytes}) i`,
    );
    server = await startEngine({
      ENGINE_GRAPHQL_DATABASE_URL: source.url,
      ENGINE_GRAPHQL_MAX_BUFFERED_RESPONSE_BYTES: String(mostMegabytes * 1024 * 1024),
    });
    ends.push(async () => {
      server.child.kill("SIGKILL");
      await server.ended;
    });
    await fetch(`${server.url}/v1/metadata`, {
      method: "POST",
      body: JSON.stringify({ type: "pg_track_table", args: { table: "page" } }),
    });
  }

  const memory = (): number => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  };
  const body = JSON.stringify({ query: "{ page { text } }" });
  const request = `POST /v1/graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const ask = async () => (await fetch(`${server.url}/v1/graphql`, { method: "POST", body })).text();
  const closed = (): number =>
    server
      .log()
      .map((line) => /closed the connections of (\d+) clients/.exec(line)?.[1] ?? "0")
      .reduce((sum, count) => sum + Number(count), 0);

  it("The slowest clients are disconnected while other clients are served and memory stays bounded", async () => {
    await start(room * megabytes);
    const whole = (await ask()).length;
    expect(whole).toBeGreaterThan(megabytes * 1024 * 1024);
    const before = memory();
    let most = before;
    const measuring = setInterval(() => {
      most = Math.max(most, memory());
    }, 20);
    ends.push(() => clearInterval(measuring));
    for (let client = 0; client < clients; client++) {
      (await openSocket(server.port, request)).pause();
      if (client % 10 === 9) expect((await ask()).length).toBe(whole);
    }
    // The part of each response in kernel buffers does not count as the server's memory.
    await expect.poll(closed, { timeout: 15_000 }).toBeGreaterThan(10);
    expect((await ask()).length).toBe(whole);
    // The bound includes the source texts of responses that are not yet collected. All responses together are larger.
    expect(most - before).toBeLessThan(3 * room * megabytes);
  }, 60_000);

  it("A client that resumes reading in time receives the complete response", async () => {
    await start(256);
    const socket = await openSocket(server.port, request);
    socket.pause();
    expect((await ask()).length).toBeGreaterThan(0);
    let received = 0;
    socket.on("data", (chunk) => (received += chunk.length));
    socket.resume();
    await expect.poll(() => received, { timeout: 10_000 }).toBeGreaterThan(megabytes * 1024 * 1024);
    expect(closed()).toBe(0);
  }, 60_000);
});
