/** Resolves the telemetry section of the metadata with environment variables. */
import type { TelemetryDefinition, TelemetryType } from "../../../model/definitions/telemetry.ts";
import { missingVariables, resolveTemplate } from "../../../values/environment-template.ts";

export interface ExportSettings {
  /** Endpoints of the exported types. */
  readonly endpoints: Readonly<Partial<Record<TelemetryType, string>>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Resource attributes of all exported items. */
  readonly attributes: Readonly<Record<string, string>>;
  /** If true, calls send `traceparent` in addition to B3 headers. */
  readonly traceparent: boolean;
  /** Maximum number of spans per request. */
  readonly batchSize: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultBatchSize = 512;

/**
 * Returns the settings; `undefined` if nothing is exported, or if the section is inconsistent because it cannot be
 * resolved.
 */
export function exportSettings(
  definition: TelemetryDefinition | undefined,
  environment: Environment,
): ExportSettings | undefined {
  const { status = "disabled", data_types = [], exporter_otlp = {}, batch_span_processor = {} } = definition ?? {};
  if (resolved(status, environment) !== "enabled" || data_types.length === 0) return undefined;
  const { headers = [], resource_attributes = [], traces_propagators = [] } = exporter_otlp;
  const endpoints: Partial<Record<TelemetryType, string>> = {};
  for (const type of data_types) {
    const url = resolved(exporter_otlp[`otlp_${type}_endpoint`] ?? "", environment);
    if (url === undefined || !URL.canParse(url)) return undefined;
    endpoints[type] = url;
  }
  const values = headers.map((header) => {
    const value = "value" in header ? resolved(header.value, environment) : environment[header.value_from_env];
    return [header.name.toLowerCase(), value] as const;
  });
  const given = values.filter((header): header is readonly [string, string] => header[1] !== undefined);
  if (given.length < values.length) return undefined;
  return {
    endpoints,
    headers: Object.fromEntries(given),
    attributes: Object.fromEntries(resource_attributes.map(({ name, value }) => [name, value])),
    traceparent: traces_propagators.includes("tracecontext"),
    batchSize: batch_span_processor.max_export_batch_size ?? defaultBatchSize,
  };
}

function resolved(template: string, environment: Environment): string | undefined {
  return missingVariables(template, environment).length > 0 ? undefined : resolveTemplate(template, environment);
}
