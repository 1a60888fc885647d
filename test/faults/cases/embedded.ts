/** The embedded PostgreSQL: killed together with the engine, or alone. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Engine } from "../lab/engine.ts";
import type { Fault } from "../lab/lab.ts";
import { childrenOf, signal, within } from "../lab/processes.ts";
import { metadata, tables, write } from "../lab/tables.ts";

export const embeddedPostgres: Fault = {
  name: "kill -9 with the embedded database",
  isQuick: true,
  async run(lab) {
    const folder = join(lab.premises.folder, "embedded");
    await mkdir(folder, { mode: 0o755 });
    const data = join(folder, "data");
    const engine = await lab.engine({ environment: { ENGINE_GRAPHQL_DATA_DIR: data }, cwd: folder });
    // PostgreSQL ends with the engine, but no process may outlive the folder if the case fails.
    lab.onClose(() => killDatabase(data));
    await engine.post("/v2/query", { type: "run_sql", args: { sql: tables } });
    await engine.post("/v1/metadata", { type: "bulk", args: metadata });
    const checks = new Checks();
    const acknowledged: string[] = [];
    let requests = 0;
    let recovery = 0;
    const writeFor = async (milliseconds: number): Promise<void> => {
      for (const end = performance.now() + milliseconds; performance.now() < end; requests++) {
        const key = `embedded ${requests}`;
        if ((await graphql(engine.url, write, { key }, { patience: 10_000 })).isGood) acknowledged.push(key);
        else await delay(20);
      }
    };
    for (let round = lab.length(1, 4); round > 0; round--) {
      for (const harm of [() => engine.kill("SIGKILL"), () => killBoth(engine, data)]) {
        const writing = writeFor(1500);
        await delay(700);
        await harm();
        await writing;
        const mended = performance.now();
        await engine.start();
        checks.that(
          await within(15_000, async () => (await graphql(engine.url, "{ counter { value } }")).isGood),
          "no answers",
        );
        recovery = Math.max(recovery, performance.now() - mended);
      }
    }
    const answer = await graphql(engine.url, "{ ledger { key } counter { value } }");
    const { data: stored } = JSON.parse(answer.text) as {
      readonly data: { readonly ledger: readonly { key: string }[]; readonly counter: readonly { value: number }[] };
    };
    const keys = stored.ledger.map(({ key }) => key);
    const lost = acknowledged.filter((key) => !keys.includes(key)).length;
    checks.that(lost === 0, `${lost} of ${acknowledged.length} acknowledged writes are lost`);
    checks.that(new Set(keys).size === keys.length, "writes were done twice");
    checks.that(stored.counter[0]?.value === keys.length, "half a transaction was kept");
    return { figures: { requests, failed: requests - acknowledged.length, recovery }, broken: checks.broken };
  },
};

async function postmaster(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, "cluster/postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(text.split("\n", 1)[0]);
  return pid > 0 ? pid : undefined;
}

async function killDatabase(data: string): Promise<void> {
  const pid = await postmaster(data);
  if (pid === undefined) return;
  const backends = await childrenOf(pid);
  for (const each of [pid, ...backends]) signal(each, "SIGKILL");
}

async function killBoth(engine: Engine, data: string): Promise<void> {
  await killDatabase(data);
  await engine.kill("SIGKILL");
}
