/**
 * The route to a server: address, credentials, and the transport among those allowed by `sslmode` that the server
 * accepts.
 */
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
  /** The transport required by the server after it rejected the other one; absent: the first transport of `sslmode`. */
  #encrypt: boolean | undefined;

  /**
   * Creates a route.
   * @param text returns the current connection string including the password
   * @param tls overrides TLS parameters of the connection string
   */
  constructor(text: () => string, tls: TlsSettings = {}, times: RouteTimes = connectionTimes) {
    this.#text = text;
    this.#tls = tls;
    this.#times = times;
  }

  /**
   * Returns the configuration of one connection. Not cached, because passwords and certificate files change.
   * @throws EngineError for an invalid connection string; errors of the file system
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
      // set explicitly, because the driver would read the environment and may throw
      sslnegotiation: "postgres",
      keepAlive: true,
      keepAliveInitialDelayMillis: this.#times.keepAlive,
    };
  }

  /** True if TLS is tried next; `undefined` if `sslmode` decides. */
  get encrypts(): boolean | undefined {
    return this.#encrypt;
  }

  /**
   * Switches to the other transport if there is one and the server rejected this one. Returns true if it switched.
   * @param encrypts the value of `encrypts` before the failed attempt
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

/**
 * Returns true if the server supports no TLS, or its access rules require the other transport (`hostssl`, `hostnossl`).
 */
function refusesTransport(error: Error): boolean {
  if (error instanceof DatabaseError) return error.code === "28000";
  return error.message === "The server does not support SSL connections";
}
