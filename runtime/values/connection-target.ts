/** Where a connection template leads a request: `pg_test_connection_template` and the query log show it as it is. */
export type ConnectionTarget =
  /** `default`: where it would go without a template. `read_replicas`: the same, and never a mutation. */
  | { readonly routing_to: "default" | "primary" | "read_replicas"; readonly value: null }
  /** `value` names a member of the connection set. */
  | { readonly routing_to: "connection_set"; readonly value: string };

/** What a connection template sees of a request, as `$.request`. */
export interface RoutedRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly session: Iterable<readonly [name: string, value: string]>;
  /** Absent: nothing is known of it. */
  readonly query?: RoutedOperation;
}

export interface RoutedOperation {
  readonly operation_type: "query" | "mutation" | "subscription";
  /** Absent: it has none. */
  readonly operation_name?: string;
}
