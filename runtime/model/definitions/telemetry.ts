/** Metrics and telemetry settings of the metadata; texts may contain environment variables. */

/** Arguments of `set_metrics_config`. */
export interface MetricsDefinition {
  readonly analyze_query_variables: boolean;
  readonly analyze_response_body: boolean;
}

export type TelemetryType = "traces" | "metrics" | "logs";

export interface TelemetryDefinition {
  readonly status?: string;
  readonly data_types?: readonly TelemetryType[];
  readonly exporter_otlp?: {
    readonly otlp_traces_endpoint?: string;
    readonly otlp_metrics_endpoint?: string;
    readonly otlp_logs_endpoint?: string;
    readonly headers?: readonly (
      | { readonly name: string; readonly value: string }
      | { readonly name: string; readonly value_from_env: string }
    )[];
    readonly resource_attributes?: readonly { readonly name: string; readonly value: string }[];
    readonly traces_propagators?: readonly ("b3" | "tracecontext")[];
  };
  readonly batch_span_processor?: { readonly max_export_batch_size?: number };
}
