/**
 * What `npm run conformance -- --sealed` starts in place of the engine: a live engine, which the cases set up, and
 * before it a server that answers requests for data from artifacts built of the live engine's metadata.
 * When it ends, it adds one line of JSON with its counts to the file that CONFORMANCE_SEALED_COUNTS names.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { createServer } from "node:net";
import { stopSignal } from "../../runtime/serving/stop-signal.ts";
import { startSealingFront } from "../support/sealing-front.ts";

const { SEALED_COUNTS: countsFile, ...environment } = process.env;
const livePort = await freePort();
const live = spawn(process.execPath, [".build/engine.mjs", "start"], {
  stdio: ["ignore", "inherit", "inherit"],
  env: { ...environment, ENGINE_GRAPHQL_SERVER_PORT: String(livePort) },
});
const liveEnded = once(live, "exit");
const front = await startSealingFront({
  live: `http://127.0.0.1:${livePort}`,
  environment,
  port: Number(environment.ENGINE_GRAPHQL_SERVER_PORT ?? 0),
});
await Promise.race([stopSignal(), liveEnded]);
await front.close();
live.kill();
const [code] = await liveEnded;
if (countsFile !== undefined) await appendFile(countsFile, `${JSON.stringify(front.counts)}\n`);
process.exitCode = typeof code === "number" ? code : 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("invariant: the server has a port");
  return address.port;
}
