/** The way to a server: its address and account, and of the transports that `sslmode` allows the one that it takes. */
import { type ClientConfig, DatabaseError } from "pg";
import { parseConnectionString, type ServerAddress } from "./connection-string.ts";
import { type ConnectionTimes, connectionTimes } from "./connection-times.ts";
import { tlsSettings } from "./settings.ts";
import { type TlsSettings, transportsFor } from "./tls.ts";

type RouteTimes = Pick<ConnectionTimes, "connect" | "keepAlive">;

export class Route {
  readonly #text: () => string;
  readonly #tls: TlsSettings;
  readonly #times: RouteTimes;
  /** The kind of transport that the server wants, once it has refused the other; absent: the first of `sslmode`. */
  #encrypt: boolean | undefined;

  /**
   * @param text the connection string as it is now, password included
   * @param tls overrides what the connection string says about TLS
   */
  constructor(text: () => string, tls: TlsSettings = {}, times: RouteTimes = connectionTimes) {
    this.#text = text;
    this.#tls = tls;
    this.#times = times;
  }

  /**
   * For one connection, because passwords and certificate files change.
   * @throws EngineError for a connection string that cannot be read; errors of the file system
   */
  configuration(): ClientConfig & { readonly connectionTimeoutMillis: number } {
    const address = parseConnectionString(this.#text());
    const transports = this.#transports(address);
    const { host, port, user, password, database, parameters } = address;
    const options = parameters.get("options");
    return {
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      ...(options !== undefined && { options }),
      connectionTimeoutMillis: this.#connectMilliseconds(address),
      application_name: parameters.get("application_name") ?? "engine",
      ssl: transports.find((transport) => (transport !== false) === this.#encrypt) ?? transports[0] ?? false,
      // given explicitly, because the driver would look into the environment and may throw there
      sslnegotiation: "postgres",
      keepAlive: true,
      keepAliveInitialDelayMillis: this.#times.keepAlive,
    };
  }

  /** Whether TLS is tried next, where that does not follow from `sslmode`. */
  get encrypts(): boolean | undefined {
    return this.#encrypt;
  }

  /**
   * Takes the other transport from now on, if there is one and the server refused this one.
   * @param encrypts whether TLS was tried, as `encrypts` said before
   */
  switchAfter(error: Error, encrypts: boolean | undefined): boolean {
    if (!refusesTransport(error)) return false;
    const [first, second] = this.#transports(parseConnectionString(this.#text()));
    if (second === undefined) return false;
    this.#encrypt = !(encrypts ?? first !== false);
    return true;
  }

  #transports(address: ServerAddress) {
    const tls = { ...tlsSettings((key) => address.parameters.get(key)), ...this.#tls };
    return transportsFor(tls, address.host);
  }

  #connectMilliseconds({ parameters }: ServerAddress): number {
    const seconds = Number(parameters.get("connect_timeout") ?? 0);
    return seconds > 0 ? seconds * 1000 : this.#times.connect;
  }
}

/** No TLS at all, or an access rule of the server that wants the other kind (`hostssl`, `hostnossl`). */
function refusesTransport(error: Error): boolean {
  if (error instanceof DatabaseError) return error.code === "28000";
  return error.message === "The server does not support SSL connections";
}
