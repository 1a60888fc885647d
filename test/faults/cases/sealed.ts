/** A sealed artifact survives the same faults as the live server. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "../../support/shared-checks.ts";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

const run = promisify(execFile);

export const sealedArtifact: Fault = {
  name: "sealed artifact, database restarts",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench({ own: {} });
    const { engine: live, cluster, database, proxy } = bench;
    const exported = await live.post("/v1/metadata", { type: "export_metadata", args: {} });
    await live.kill("SIGTERM");
    const at = (name: string): string => join(lab.premises.folder, name);
    const url = proxy.before(cluster.url(database));
    await writeFile(at("sealed.json"), JSON.stringify(exported));
    const env = { ...process.env, ENGINE_GRAPHQL_DATABASE_URL: url };
    const engine = (...args: readonly string[]) =>
      run(process.execPath, [join(root, ".build/engine.mjs"), ...args], { env });
    await engine("shape", "--database", url, "--metadata", at("sealed.json"), "--out", at("sealed-shape.json"));
    await engine("build", "--metadata", at("sealed.json"), "--shape", at("sealed-shape.json"), "--out", at("artifact"));
    const program = ["--disallow-code-generation-from-strings", at("artifact/server.mjs")];
    const sealed = await lab.engine({ program, environment: { ENGINE_GRAPHQL_DATABASE_URL: url } });
    return underLoad({ ...bench, engine: sealed }, { longestWait: 20_000, recovery: 6000 }, async () => {
      for (let times = lab.length(1, 5); times > 0; times--) {
        await cluster.stop("fast");
        await delay(500);
        await cluster.start();
        proxy.cut();
        await delay(500);
      }
    });
  },
};
