/**
 * The server that `npm run conformance -- --sealed` starts instead of the engine: a live engine, which the cases
 * configure, behind a server that serves data requests from artifacts built from the live engine's metadata. When it
 * ends, it appends one line of JSON with its counts to the file named by CONFORMANCE_SEALED_COUNTS.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { stopSignal } from "../../runtime/server/parts/stop-signal.ts";
import { startSealingFront } from "../support/sealing-front.ts";
import { servedPort } from "../support/served-port.ts";

const { SEALED_COUNTS: countsFile, ...environment } = process.env;
const live = spawn(process.execPath, [".build/engine.mjs", "start"], {
  stdio: ["ignore", "inherit", "pipe"],
  env: { ...environment, ENGINE_GRAPHQL_SERVER_PORT: "0" },
});
live.stderr.pipe(process.stderr);
const liveEnded = once(live, "exit");
const front = await startSealingFront({
  live: `http://127.0.0.1:${await servedPort(live)}`,
  environment,
  port: Number(environment.ENGINE_GRAPHQL_SERVER_PORT ?? 0),
});
await Promise.race([stopSignal(), liveEnded]);
await front.close();
live.kill();
const [code] = await liveEnded;
if (countsFile !== undefined) await appendFile(countsFile, `${JSON.stringify(front.counts)}\n`);
process.exitCode = typeof code === "number" ? code : 0;
