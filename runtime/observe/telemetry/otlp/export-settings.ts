/** What the metadata says of telemetry, with the values of the environment → where what is sent. */
import type { TelemetryDefinition, TelemetryType } from "../../../model/definitions/telemetry.ts";
import { missingVariables, resolveTemplate } from "../../../values/environment-template.ts";

export interface ExportSettings {
  /** Addresses of the types that are exported. */
  readonly endpoints: Readonly<Partial<Record<TelemetryType, string>>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the resource, for all that is exported. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether calls carry `traceparent` besides the headers of B3. */
  readonly traceparent: boolean;
  /** Most spans of one request. */
  readonly batchSize: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const usualBatchSize = 512;

/** @returns `undefined` where nothing is exported, also where the metadata cannot be followed: it is inconsistent then */
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
    batchSize: batch_span_processor.max_export_batch_size ?? usualBatchSize,
  };
}

function resolved(template: string, environment: Environment): string | undefined {
  return missingVariables(template, environment).length > 0 ? undefined : resolveTemplate(template, environment);
}
