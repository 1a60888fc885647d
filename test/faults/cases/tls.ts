/** Encrypted connections that are cut and frozen. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

const run = promisify(execFile);

export const encrypted: Fault = {
  name: "TLS, cut and frozen",
  isQuick: true,
  async run(lab) {
    const at = (name: string): string => join(lab.premises.folder, name);
    const names = ["-keyout", at("server.key"), "-out", at("server.crt"), "-subj", "/CN=localhost"];
    try {
      await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names]);
    } catch {
      return { skipped: "there is no openssl to make a certificate" };
    }
    const files = {
      "server.key": await readFile(at("server.key"), "utf8"),
      "server.crt": await readFile(at("server.crt"), "utf8"),
    };
    const cluster = await lab.cluster({ settings: { ssl: "on" }, files });
    const bench = await lab.bench({ cluster, parameters: "?sslmode=require" });
    return underLoad(bench, { longestWait: 45_000, recovery: 40_000 }, async () => {
      const encryptedSessions = "select from pg_stat_ssl join pg_stat_activity using (pid) where datname = $1 and ssl";
      const sessions = await cluster.sql("postgres", encryptedSessions, [bench.database]);
      if (sessions.length === 0) throw new Error("the sessions are not encrypted");
      bench.proxy.cut();
      await delay(500);
      bench.proxy.cut();
      await delay(500);
      bench.proxy.freeze();
      await delay(3000);
      bench.proxy.thaw("are lost");
    });
  },
};
