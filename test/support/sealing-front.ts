/**
 * A server in front of a live server that serves data requests from sealed artifacts. Requests that may change metadata
 * or tables go to the live server. Before the next data request, the metadata is exported, the databases are
 * introspected, and an artifact is built and served, unless the running artifact was built from the same input. If no
 * artifact can be built (the metadata is inconsistent or cannot be exported), the live server serves the request, which
 * is counted.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { artifactFiles } from "../../runtime/cli/build/artifact-files.ts";
import { analyzeInput } from "../../runtime/cli/compile/analyze-input.ts";
import { enumTables, readShape } from "../../runtime/cli/compile/introspect-url.ts";
import { writeOutput } from "../../runtime/cli/compile/output-folder.ts";
import { readCatalog } from "../../runtime/cli/compile/read-catalog.ts";
import type { Environment } from "../../runtime/config/options.ts";
import { openSource } from "../../runtime/databases/sources/open-source.ts";
import { type ArtifactProcess, startArtifact } from "./artifact.ts";

export interface SealingFrontSettings {
  /** `http://…` of the live server. */
  readonly live: string;
  /** Environment of the live server, also used to build and serve artifacts. */
  readonly environment: Environment;
  /** Port to listen on; 0, the default, for any free port. */
  readonly port?: number;
  /** Receives each line of the artifacts' logs. */
  readonly onLog?: (line: string) => unknown;
}

export interface SealingCounts {
  /** Artifacts built. */
  built: number;
  /** Data requests, and connections for subscriptions, that artifacts served. */
  sealed: number;
  /** Counts of requests that the live server had to serve, by reason. */
  readonly live: Record<string, number>;
}

export interface SealingFront {
  readonly url: string;
  readonly counts: SealingCounts;
  /** Stops the front and its artifact; the live server continues. */
  close(): Promise<void>;
}

const forData =
  /^\/(v1\/graphql|v1\/metrics|v1alpha1\/graphql|v1beta1\/relay|v1\/version|api\/(rest\/.*|swagger\/json))$/;

export async function startSealingFront(settings: SealingFrontSettings): Promise<SealingFront> {
  const counts: SealingCounts = { built: 0, sealed: 0, live: {} };
  const folder = await mkdtemp(join(tmpdir(), "sealing-"));
  const artifacts = new Artifacts(settings, { folder, counts });
  /** Chooses the target of a request, after the current metadata is known. */
  const targetOf = async ({ url = "/", method }: IncomingMessage): Promise<URL> => {
    if (!forData.test(url.split("?", 1)[0] ?? "")) {
      if (method === "POST") artifacts.metadataMayChange();
      return new URL(settings.live);
    }
    const target = await artifacts.current();
    if ("url" in target) counts.sealed++;
    else counts.live[target.reason] = (counts.live[target.reason] ?? 0) + 1;
    return new URL("url" in target ? target.url : settings.live);
  };
  const server = createServer((request, reply) => {
    targetOf(request).then(
      (target) => forward(request, reply, { target, onEnd: () => artifacts.requestEnded(request) }),
      (error: unknown) => reply.writeHead(502).end(String(error)),
    );
  });
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    targetOf(request).then(
      (target) => tunnel(request, socket, { target, head }),
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(settings.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      server.close();
      server.closeAllConnections();
      await artifacts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Target = { readonly url: string } | { readonly reason: string };

/** Builds and serves artifacts for the current metadata of a live server. */
class Artifacts {
  readonly #settings: SealingFrontSettings;
  readonly #counts: SealingCounts;
  readonly #folder: string;
  #changes = 1;
  /** Value of `#changes` when the target was built. */
  #seen = 0;
  #key = "";
  #target: Target = { reason: "nothing was built" };
  #process: ArtifactProcess | undefined;
  #building: Promise<unknown> = Promise.resolve();

  constructor(
    settings: SealingFrontSettings,
    { folder, counts }: { readonly folder: string; readonly counts: SealingCounts },
  ) {
    this.#settings = settings;
    this.#folder = folder;
    this.#counts = counts;
  }

  metadataMayChange(): void {
    this.#changes++;
  }

  /** Counts a change when its response has arrived, because an earlier export could miss it. */
  requestEnded({ method, url = "/" }: IncomingMessage): void {
    if (method === "POST" && !forData.test(url)) this.#changes++;
  }

  /** Returns the current target; builds run one at a time. */
  current(): Promise<Target> {
    const next = this.#building.then(() => this.#renew());
    this.#building = next.catch(() => undefined);
    return next;
  }

  async close(): Promise<void> {
    await this.#building;
    await this.#stop();
  }

  async #renew(): Promise<Target> {
    if (this.#seen === this.#changes) return this.#target;
    const seen = this.#changes;
    const input = await this.#read();
    if ("reason" in input) {
      await this.#stop();
      this.#target = input;
    } else if (input.key !== this.#key) {
      await this.#stop();
      this.#target = await this.#serve();
      if ("url" in this.#target) this.#key = input.key;
    }
    this.#seen = seen;
    return this.#target;
  }

  /** Writes the input of an artifact; the key is equal for equal input. */
  async #read(): Promise<{ readonly key: string } | { readonly reason: string }> {
    const { live, environment } = this.#settings;
    const response = await fetch(`${live}/v1/metadata`, {
      method: "POST",
      headers: { "x-engine-admin-secret": environment.ENGINE_GRAPHQL_ADMIN_SECRET ?? "", "x-engine-role": "admin" },
      body: JSON.stringify({ type: "export_metadata", args: {} }),
    });
    if (response.status !== 200) return { reason: `the metadata cannot be exported: ${response.status}` };
    const metadata = await response.text();
    await writeFile(this.#path("metadata.json"), metadata);
    try {
      const read = await readCatalog(this.#path("metadata.json"));
      if ("diagnostic" in read) return { reason: read.diagnostic.message };
      const shapes = JSON.stringify(await shapesOf(read.catalog, environment));
      await writeFile(this.#path("shape.json"), shapes);
      const remotes = JSON.stringify(await this.#remotesOf(read.catalog));
      await writeFile(this.#path("remote-schemas.json"), remotes);
      // Recreated tables have other object identifiers, which appear in no generated file.
      return { key: `${metadata}${shapes.replace(/"id":\d+/g, "")}${remotes}` };
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Returns the introspection results of the live server's remote schemas. */
  async #remotesOf({ remote_schemas }: Catalog): Promise<Record<string, unknown>> {
    const { live, environment } = this.#settings;
    const headers = {
      "x-engine-admin-secret": environment.ENGINE_GRAPHQL_ADMIN_SECRET ?? "",
      "x-engine-role": "admin",
    };
    const answers = remote_schemas.map(async ({ name }) => {
      const body = JSON.stringify({ type: "introspect_remote_schema", args: { name } });
      const response = await fetch(`${live}/v1/metadata`, { method: "POST", headers, body });
      const { data } = (await response.json()) as { readonly data?: { readonly __schema?: unknown } };
      return [name, data?.__schema] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  async #serve(): Promise<Target> {
    const { environment, onLog } = this.#settings;
    const analyzed = await analyzeInput({ metadata: this.#path("metadata.json") }, environment);
    if ("problems" in analyzed) return { reason: "the metadata is inconsistent" };
    await writeOutput(this.#path("artifact"), await artifactFiles({ ...analyzed, closed: false }));
    this.#counts.built++;
    const own = { ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1", ENGINE_GRAPHQL_SERVER_PORT: "0" };
    const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.#process = await startArtifact(this.#path("artifact"), {
      // An artifact generates no key by itself, unlike the live engine.
      environment: {
        ENGINE_GRAPHQL_RELAY_ID_KEY: "key of all artifacts of the tests",
        ...Object.fromEntries(given),
        ...own,
      },
      ...(onLog && { onLog }),
    });
    return { url: this.#process.url };
  }

  async #stop(): Promise<void> {
    this.#key = "";
    await this.#process?.stop();
    this.#process = undefined;
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

async function shapesOf({ sources }: Catalog, variables: Environment): Promise<Record<string, Shape>> {
  const shapes = sources.map(async (source) => {
    const { name, kind, configuration } = source;
    const database = openSource({ name, kind, connectionInfo: configuration.connection_info }, { variables });
    try {
      return [name, await readShape(database, dialectOf(kind), enumTables(source))] as const;
    } finally {
      await database.close();
    }
  });
  return Object.fromEntries(await Promise.all(shapes));
}

/** Forwards a request and its response unchanged. */
function forward(
  request: IncomingMessage,
  reply: ServerResponse,
  { target, onEnd }: { readonly target: URL; readonly onEnd: () => void },
): void {
  const { hostname, port } = target;
  const { method, url, rawHeaders } = request;
  const passed = requestOf({ hostname, port, method, path: url, headers: rawHeaders, agent: false }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    answer.pipe(reply);
    answer.on("end", onEnd);
  });
  passed.on("error", () => reply.destroy());
  // Aborts the forwarded request if the client disconnects.
  reply.on("close", () => passed.destroy());
  request.pipe(passed);
}

/** Forwards an upgraded connection: bytes in both directions. */
function tunnel(
  { method, url, rawHeaders }: IncomingMessage,
  socket: Socket,
  { target, head }: { readonly target: URL; readonly head: Buffer },
): void {
  const other = connect(Number(target.port), target.hostname, () => {
    const headers = rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
    other.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
    other.write(head);
    socket.pipe(other).pipe(socket);
  });
  for (const end of [socket, other]) {
    end.on("error", () => {
      socket.destroy();
      other.destroy();
    });
  }
}
