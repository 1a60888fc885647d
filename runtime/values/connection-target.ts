/** The result of a connection template, in the form of `pg_test_connection_template` and the query log. */
export type ConnectionTarget =
  /**
   * `default` and `read_replicas` both route as if there were no template. A mutation that is routed to `read_replicas`
   * fails.
   */
  | { readonly routing_to: "default" | "primary" | "read_replicas"; readonly value: null }
  /** `value` names a member of the connection set. */
  | { readonly routing_to: "connection_set"; readonly value: string };

/** The value of `$.request` in connection templates. */
export interface RoutedRequest {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly session: Iterable<readonly [name: string, value: string]>;
  /** Absent if the operation is unknown. */
  readonly query?: RoutedOperation;
}

export interface RoutedOperation {
  readonly operation_type: "query" | "mutation" | "subscription";
  readonly operation_name?: string;
}
