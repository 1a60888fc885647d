/**
 * Clients exhaust the file descriptors of an instance while events and calls of asynchronous actions wait. No event or
 * call fails, probes return "not ready", and all events and calls are delivered once the clients have disconnected.
 */
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { startActionHandler } from "../../support/action-handler.ts";
import { Checks } from "../lab/checks.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";

const openFiles = 128;
const clients = 200;
const events = 60;
const calls = 60;
const retry_conf = { num_retries: 0, interval_sec: 1, timeout_sec: 20 };

export const shortage: Fault = {
  name: "no descriptor is left",
  isQuick: true,
  async run(lab) {
    const handler = await startActionHandler(async (_, response) => {
      // Each call needs its own connection.
      await delay(20);
      response.writeHead(200, { connection: "close" }).end("1");
    });
    lab.onClose(() => handler.close());
    const cluster = await lab.cluster({});
    const database = await lab.database(cluster);
    await cluster.sql(database, "create table note (id int primary key)");
    await cluster.sql("postgres", `create database ${database}_metadata`);
    const engine = await lab.engine({
      openFiles,
      environment: {
        ENGINE_GRAPHQL_DATABASE_URL: cluster.url(database),
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: cluster.url(`${database}_metadata`),
        ENGINE_GRAPHQL_PG_CONNECTIONS: "5",
      },
    });
    const handlerUrl = `http://127.0.0.1:${handler.port}`;
    const trigger = { name: "notes", table: "note", webhook: handlerUrl, retry_conf, insert: { columns: "*" } };
    const definition = { kind: "asynchronous", handler: handlerUrl, output_type: "Int!", arguments: [] };
    await engine.post("/v1/metadata", {
      type: "bulk",
      args: [
        { type: "pg_track_table", args: { table: "note" } },
        { type: "pg_create_event_trigger", args: trigger },
        { type: "create_action", args: { name: "work", definition } },
      ],
    });
    // A single long-lived connection, since the engine cannot accept another one later.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    lab.onClose(async () => agent.destroy());
    const ask = (path: string, body?: unknown) => send(agent, `${engine.url}${path}`, body);
    const checks = new Checks();
    checks.that((await ask("/readyz")).status === 200, "the server is not ready at first");
    const sockets: Socket[] = [];
    const leave = (): void => {
      for (const socket of sockets) socket.destroy();
    };
    lab.onClose(async () => leave());
    for (let n = 0; n < clients; n++) {
      const socket = connect(engine.port, "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    const isFull = await within(10_000, async () => (await engine.descriptors()) >= openFiles - 1);
    checks.that(isFull, `${await engine.descriptors()} of ${openFiles} descriptors are open`);
    await cluster.sql(database, `insert into note select generate_series(1, ${events})`);
    for (let n = 0; n < calls; n++) {
      const { text } = await ask("/v1/graphql", { query: "mutation { work }" });
      checks.that(text.includes('"data"'), `a call was not acknowledged: ${text}`);
    }
    const isTold = await within(10_000, async () => (await ask("/readyz")).status === 503);
    checks.that(isTold, "probes are not answered that the server is out of resources");
    await delay(lab.length(3000, 20_000));
    const failedEvents = `select count(*)::int as count from engine_catalog.event_log where error or tries > 0 and not delivered`;
    const failedCalls = `select count(*)::int as count from engine_catalog.engine_action_log where status = 'error'`;
    const count = async (where: string, text: string) => Number((await cluster.sql(where, text))[0]?.count);
    checks.that((await count(database, failedEvents)) === 0, "events were attempted without a descriptor");
    checks.that((await count(`${database}_metadata`, failedCalls)) === 0, "calls failed for want of a descriptor");
    leave();
    const ended = performance.now();
    const isDone = await within(
      30_000,
      async () =>
        (await count(database, "select count(*)::int as count from engine_catalog.event_log where not delivered")) +
          (await count(
            `${database}_metadata`,
            "select count(*)::int as count from engine_catalog.engine_action_log where status <> 'completed'",
          )) ===
        0,
    );
    const recovery = performance.now() - ended;
    checks.that(isDone, "not everything is delivered once descriptors are free");
    checks.that(await within(10_000, async () => (await ask("/readyz")).status === 200), "the server stays unready");
    const lines = engine.log.filter((line) => line.includes("out of file descriptors"));
    checks.that(lines.length > 0 && lines.length < 10, `the log has ${lines.length} lines of it`);
    return { figures: { requests: handler.requests.length, recovery }, broken: checks.broken };
  },
};

function send(agent: Agent, url: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: body === undefined ? "GET" : "POST", timeout: 20_000 }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => (text += chunk));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
