/** Checks the settings of the OpenTelemetry exporter, unless it is disabled. */

import { missingVariables, resolveTemplate } from "../../../runtime/values/environment-template.ts";
import type { OpenTelemetry, OtlpExporter, TelemetryType } from "../../catalog/outside-sources.ts";
import { openTelemetryObject } from "../metadata-objects.ts";
import { type Findings, reject } from "../rejection.ts";
import { checkHeaders, type Environment, isAssumed } from "./environment.ts";

export function checkOpenTelemetry(
  telemetry: OpenTelemetry | undefined,
  environment: Environment,
  findings: Findings,
): void {
  if (telemetry === undefined) return;
  const isEnabled = findings.attempt(
    () => openTelemetryObject("all", telemetry),
    "",
    () => statusOf(telemetry, environment) === "enabled",
  );
  if (!isEnabled) return;
  findings.attempt(
    () => openTelemetryObject("exporter_otlp", telemetry),
    "",
    () => checkExporter(telemetry.exporter_otlp ?? {}, telemetry.data_types ?? [], environment),
  );
}

function statusOf({ status = "disabled" }: OpenTelemetry, environment: Environment): string {
  const resolved = resolve(status, environment);
  if (isAssumed(resolved)) return "disabled";
  if (resolved === "enabled" || resolved === "disabled") return resolved;
  return reject(`OpenTelemetry status must be either "enabled" or "disabled", got ${resolved}`);
}

function resolve(template: string, environment: Environment): string {
  const [missing] = missingVariables(template, environment);
  if (missing !== undefined) reject(`environment variable ${missing} does not exist`);
  return resolveTemplate(template, environment);
}

const endpoints: Readonly<Record<TelemetryType, { readonly key: keyof OtlpExporter; readonly missing: string }>> = {
  traces: { key: "otlp_traces_endpoint", missing: "Traces export is enabled but tracing endpoint missing" },
  metrics: { key: "otlp_metrics_endpoint", missing: "Metrics export is enabled but metrics endpoint missing" },
  logs: { key: "otlp_logs_endpoint", missing: "Logs export is enabled but logs endpoint missing" },
};

function checkExporter(exporter: OtlpExporter, types: readonly TelemetryType[], environment: Environment): void {
  checkHeaders(exporter.headers, environment);
  for (const [type, { key, missing }] of Object.entries(endpoints)) {
    const template = exporter[key];
    if (typeof template === "string") checkEndpoint(template, environment);
    else if (types.some((each) => each === type)) reject(missing);
  }
}

function checkEndpoint(template: string, environment: Environment): void {
  const url = resolve(template, environment);
  if (!isAssumed(url) && !URL.canParse(url)) reject("Invalid URL");
}
