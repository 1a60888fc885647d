/** The messages between the live query benchmark and its clients, which are separate processes. */

export interface ClientSettings {
  /** `ws://…/v1/graphql`. */
  readonly url: string;
  readonly subscriptions: number;
  /** Number of subscriptions per connection. */
  readonly perConnection: number;
  readonly rooms: number;
  /**
   * `shared`: the rows of a room. `distinct`: with a variable that no other subscription has, so that nothing can be
   * shared. `padded`: with 10 kB in each row.
   */
  readonly query: "shared" | "distinct" | "padded";
}

/** Messages to the clients. `measure`: reset the delays. `finish`: report the results. */
export type Order =
  | { readonly kind: "open"; readonly settings: ClientSettings }
  | { readonly kind: "measure" | "finish" };

export interface Seen {
  readonly kind: "seen";
  /** Number of messages with results since `measure`. */
  readonly results: number;
  readonly bytes: number;
  /** Histogram of delays in milliseconds, from sending a change until a subscriber receives it or a later change. */
  readonly delays: readonly (readonly [milliseconds: number, count: number])[];
  /** Room and received state of each subscription: the number of the last change of each row. */
  readonly states: readonly {
    readonly room: number;
    readonly rows: Readonly<Record<string, number>>;
    readonly subscriptions: number;
  }[];
}

/** Messages from the clients. `ready`: every subscription has its first result. */
export type Report = { readonly kind: "ready"; readonly milliseconds: number } | Seen;
