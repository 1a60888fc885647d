/** The disk of a tablespace is full. */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { giveTo } from "../../../runtime/databases/embedded-postgres/account.ts";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault, Lab } from "../lab/lab.ts";
import { read, write } from "../lab/tables.ts";

const run = promisify(execFile);

/** Mounts a small disk. @returns undefined if mounting is not permitted */
async function smallDisk(lab: Lab): Promise<string | undefined> {
  const folder = join(lab.premises.folder, "small-disk");
  await mkdir(folder, { mode: 0o700 });
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=16m,mode=0777", "tmpfs", folder]);
  } catch {
    return undefined;
  }
  lab.onClose(() => run("umount", ["--lazy", folder]));
  const inside = join(folder, "tablespace");
  await mkdir(inside, { mode: 0o700 });
  await giveTo(lab.premises.clusters.account, inside);
  await writeFile(join(folder, "filler"), Buffer.alloc(4_000_000));
  return inside;
}

export const fullDisk: Fault = {
  name: "full tablespace",
  isQuick: true,
  async run(lab) {
    const folder = await smallDisk(lab);
    if (folder === undefined) return { skipped: "only root may mount a small disk" };
    const { engine, cluster, database } = await lab.bench({ own: {} });
    lab.onClose(() => cluster.stop("immediate"));
    const checks = new Checks();
    await cluster.sql("postgres", `create tablespace small location '${folder}'`);
    await cluster.sql(database, "alter table ledger set tablespace small");
    await cluster.sql(database, "alter table ledger alter key set storage external");
    let failed = 0;
    let requests = 0;
    let acknowledged = 0;
    let text = "";
    const fill = "x".repeat(200_000);
    for (; failed < 5 && requests < 300; requests++) {
      const answer = await graphql(engine.url, write, { key: `${requests} ${fill}` });
      if (answer.isGood) acknowledged++;
      else {
        failed++;
        text = answer.text;
      }
    }
    checks.that(failed === 5, "the disk is not full");
    checks.that(
      /code/.test(text) && /could not extend|No space/.test(text),
      `a full disk is told as ${text.slice(0, 200)}`,
    );
    checks.that((await graphql(engine.url, read, { shelf: 1 })).isGood, "reads fail while the disk is full");
    const [kept] = await cluster.sql(
      database,
      "select count(*)::int as rows, (select value::int from counter) as counter from ledger",
    );
    checks.that(kept?.rows === acknowledged, `${kept?.rows} writes were kept, ${acknowledged} acknowledged`);
    checks.that(kept?.counter === acknowledged, "a failed write was kept in part");
    await rm(join(folder, "../filler"));
    const freed = performance.now();
    const again = await graphql(engine.url, write, { key: "after" });
    checks.that(again.isGood, `writes fail although there is room: ${again.text.slice(0, 200)}`);
    return { figures: { requests, failed, recovery: performance.now() - freed }, broken: checks.broken };
  },
};
