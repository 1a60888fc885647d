/** The laboratory: creates the resources that a fault needs, and removes all of them afterwards. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ClusterSettings, Clusters, type DatabaseServer, type Settings } from "./cluster.ts";
import { Engine, type EngineSettings } from "./engine.ts";
import { TcpProxy } from "./proxy.ts";
import type { Outcome, Skipped } from "./report.ts";
import { metadata, tables } from "./tables.ts";

export interface Fault {
  readonly name: string;
  /** True if the shortened run includes the fault. */
  readonly isQuick: boolean;
  run(lab: Lab): Promise<Outcome | Skipped>;
}

/** A database with the tables of the load, an engine, and a proxy between them. */
export interface Bench<Server extends DatabaseServer = Cluster> {
  readonly cluster: Server;
  /** The database of the source. */
  readonly database: string;
  /** The proxy between engine and source. */
  readonly proxy: TcpProxy;
  readonly engine: Engine;
}

export interface BenchSettings extends EngineSettings {
  /** Settings of a dedicated cluster; default: the shared cluster. */
  readonly own?: Settings;
  readonly cluster?: Cluster;
  /** Databases behind the proxy; default `both`. */
  readonly behindProxy?: "both" | "source" | "nothing";
  /** Port of a pooler between proxy and cluster. */
  readonly pooler?: number;
  /** Suffix of the source's URL: `?sslmode=…`. */
  readonly parameters?: string;
}

/** Ends the sessions of vanished clients, and so their locks, after the engine has detected the loss. */
const forgetting: Settings = { idle_in_transaction_session_timeout: "20s" };

/** The resources that all laboratories of a run share. */
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
    await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
    return new Premises(folder, await Clusters.open(folder), isQuick);
  }

  /** Returns the cluster for faults that do not affect it. */
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

  /** Returns the first value in a shortened run, otherwise the second. */
  length(quick: number, whole: number): number {
    return this.premises.isQuick ? quick : whole;
  }

  /** Registers a function to call after the fault. The last one is called first. */
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

  /** Creates a database with the tables of the load. */
  async database(cluster: DatabaseServer): Promise<string> {
    const name = `lab_${++Lab.#databases}`;
    await cluster.sql("postgres", `create database ${name}`);
    await cluster.sql(name, tables);
    return name;
  }

  async bench(settings: BenchSettings = {}): Promise<Bench> {
    const { own } = settings;
    const cluster =
      settings.cluster ?? (own === undefined ? await this.premises.shared() : await this.cluster({ settings: own }));
    return this.benchOn(cluster, settings);
  }

  async benchOn<Server extends DatabaseServer>(cluster: Server, settings: BenchSettings): Promise<Bench<Server>> {
    const { parameters = "", behindProxy = "both", environment, ...rest } = settings;
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
