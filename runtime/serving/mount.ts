/** A server that does not listen, for a program that has one of its own: opened when the first request comes. */
import type { App } from "../http/app.ts";
import type { Mounted } from "../http/mounted.ts";

export class Mount implements Mounted, Pick<App, "close" | "terminate" | "inProgress"> {
  readonly #open: () => Promise<App>;
  #mounted: Promise<Mounted> | undefined;
  #app: App | undefined;

  constructor(open: () => Promise<App>) {
    this.#open = open;
  }

  readonly listener: Mounted["listener"] = (request, reply) => {
    void this.#mount().then(({ listener }) => listener(request, reply));
  };

  readonly upgrade: Mounted["upgrade"] = (request, socket, head) => {
    void this.#mount().then(({ upgrade }) => upgrade(request, socket, head));
  };

  readonly fetch: Mounted["fetch"] = async (request, peer) => (await this.#mount()).fetch(request, peer);

  metadataChanged(): void {
    this.#app?.metadataChanged();
  }

  async close(): Promise<void> {
    await this.#mounted;
    await this.#app?.close();
  }

  terminate(): void {
    this.#app?.terminate();
  }

  inProgress(): ReturnType<App["inProgress"]> {
    return this.#app?.inProgress() ?? [];
  }

  #mount(): Promise<Mounted> {
    this.#mounted ??= this.#open().then((app) => {
      this.#app = app;
      return app.mount();
    });
    return this.#mounted;
  }
}
