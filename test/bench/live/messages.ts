/** What the benchmark of live queries and its clients tell each other; each is a process of its own. */

export interface ClientSettings {
  /** `ws://…/v1/graphql`. */
  readonly url: string;
  readonly subscriptions: number;
  /** How many of them share a connection. */
  readonly perConnection: number;
  readonly rooms: number;
  /**
   * `shared`: the rows of a room. `distinct`: with a variable that no other subscription has, so that nothing can be
   * shared. `padded`: with 10 kB in each row.
   */
  readonly query: "shared" | "distinct" | "padded";
}

/** To the clients. `measure`: forget the delays so far. `finish`: say what was seen. */
export type Order =
  | { readonly kind: "open"; readonly settings: ClientSettings }
  | { readonly kind: "measure" | "finish" };

export interface Seen {
  readonly kind: "seen";
  /** Messages with results since `measure`. */
  readonly results: number;
  readonly bytes: number;
  /** Delays by milliseconds: from sending a change to the message that shows it or a later one, at each subscriber. */
  readonly delays: readonly (readonly [milliseconds: number, count: number])[];
  /** For each subscription its room and what it knows of it: the number of the last change of each row. */
  readonly states: readonly {
    readonly room: number;
    readonly rows: Readonly<Record<string, number>>;
    readonly subscriptions: number;
  }[];
}

/** From the clients. `ready`: every subscription has its first result. */
export type Report = { readonly kind: "ready"; readonly milliseconds: number } | Seen;
