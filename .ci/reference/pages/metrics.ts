/** The section "Every metric" of `docs/reference/metrics.md`. */
import { metricTable } from "../../../runtime/ports/metric-table.ts";
import { sectionPage } from "../section.ts";
import { code, table } from "../texts.ts";

export const metricsPage = sectionPage("docs/reference/metrics.md", "Every metric", () => {
  const rows = Object.values(metricTable).map(({ name, kind, labels, help }) => [
    code(name),
    kind,
    labels.map(code).join(", "),
    help,
  ]);
  return [
    "All names begin with `engine_`. Times are in seconds.",
    table(["name", "type", "labels", "meaning"], rows),
  ].join("\n\n");
});
