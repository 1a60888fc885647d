/** The laboratory: makes what a fault needs, and takes all of it away afterwards. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ClusterSettings, Clusters, type Settings } from "./cluster.ts";
import { Engine, type EngineSettings } from "./engine.ts";
import { TcpProxy } from "./proxy.ts";
import type { Outcome, Skipped } from "./report.ts";
import { metadata, tables } from "./tables.ts";

export interface Fault {
  readonly name: string;
  /** Part of the shortened run. */
  readonly isQuick: boolean;
  run(lab: Lab): Promise<Outcome | Skipped>;
}

/** A database with the tables of the load, behind a proxy, and an engine on it. */
export interface Bench {
  readonly cluster: Cluster;
  /** Of the source. */
  readonly database: string;
  /** Between the engine and the source. */
  readonly proxy: TcpProxy;
  readonly engine: Engine;
}

export interface BenchSettings extends EngineSettings {
  /** A cluster that nobody else uses, with these settings; the shared one unless given. */
  readonly own?: Settings;
  readonly cluster?: Cluster;
  /** What lies behind the proxy: both databases unless given. */
  readonly behindProxy?: "both" | "source" | "nothing";
  /** The port of a pooler between the proxy and the cluster. */
  readonly pooler?: number;
  /** What follows the URL of the source: `?sslmode=…`. */
  readonly parameters?: string;
}

/** Sessions whose clients have vanished give their locks back, after the engine has noticed that it lost them. */
const forgetting: Settings = { idle_in_transaction_session_timeout: "20s" };

/** What all laboratories of a run share. */
export class Premises {
  readonly folder: string;
  readonly clusters: Clusters;
  readonly isQuick: boolean;
  #shared: Promise<Cluster> | undefined;

  private constructor(folder: string, clusters: Clusters, isQuick: boolean) {
    this.folder = folder;
    this.clusters = clusters;
    this.isQuick = isQuick;
  }

  static async open(isQuick: boolean): Promise<Premises> {
    const folder = await mkdtemp(join(tmpdir(), "engine-faults-"));
    await chmod(folder, 0o755); // PostgreSQL may run as another user, who has to pass through
    return new Premises(folder, await Clusters.open(folder), isQuick);
  }

  /** The cluster for faults that leave it in peace. */
  shared(): Promise<Cluster> {
    this.#shared ??= this.clusters.start({ settings: forgetting });
    return this.#shared;
  }

  async close(): Promise<void> {
    await (await this.#shared)?.stop("immediate");
    await rm(this.folder, { recursive: true, force: true });
  }
}

export class Lab {
  readonly premises: Premises;
  readonly #closers: (() => Promise<unknown>)[] = [];
  static #databases = 0;

  constructor(premises: Premises) {
    this.premises = premises;
  }

  /** The first of two values in a shortened run, otherwise the second. */
  length(quick: number, whole: number): number {
    return this.premises.isQuick ? quick : whole;
  }

  /** Is called when the fault is over, the last one first. */
  onClose(closer: () => Promise<unknown>): void {
    this.#closers.push(closer);
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).reverse()) await closer();
  }

  async cluster({ settings, ...rest }: ClusterSettings): Promise<Cluster> {
    const cluster = await this.premises.clusters.start({ settings: { ...forgetting, ...settings }, ...rest });
    this.onClose(() => cluster.stop("immediate"));
    return cluster;
  }

  async proxy(port: number): Promise<TcpProxy> {
    const proxy = await TcpProxy.open(port);
    this.onClose(() => proxy.close());
    return proxy;
  }

  async engine(settings: EngineSettings): Promise<Engine> {
    const engine = await Engine.start(settings);
    this.onClose(() => engine.kill());
    return engine;
  }

  /** A new database with the tables of the load. */
  async database(cluster: Cluster): Promise<string> {
    const name = `lab_${++Lab.#databases}`;
    await cluster.sql("postgres", `create database ${name}`);
    await cluster.sql(name, tables);
    return name;
  }

  async bench(settings: BenchSettings = {}): Promise<Bench> {
    const { own, parameters = "", behindProxy = "both", environment, ...rest } = settings;
    const cluster =
      settings.cluster ?? (own === undefined ? await this.premises.shared() : await this.cluster({ settings: own }));
    const database = await this.database(cluster);
    await cluster.sql("postgres", `create database ${database}_metadata`);
    const proxy = await this.proxy(settings.pooler ?? cluster.port);
    const [url, metadataUrl] = [cluster.url(database), cluster.url(`${database}_metadata`)];
    const engine = await this.engine({
      ...rest,
      environment: {
        ENGINE_GRAPHQL_DATABASE_URL: `${behindProxy === "nothing" ? url : proxy.before(url)}${parameters}`,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: behindProxy === "both" ? proxy.before(metadataUrl) : metadataUrl,
        ...environment,
      },
    });
    await engine.post("/v1/metadata", { type: "bulk", args: metadata });
    return { cluster, database, proxy, engine };
  }
}
