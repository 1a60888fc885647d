/** The health page: what of the metadata does not work, which databases answer, what runs and what was slow, and metrics as plots. */
import { useEffect } from "preact/hooks";
import { loadMetadata } from "../../state/metadata.ts";
import { Inconsistent } from "./inconsistent.tsx";
import { LiveQueries } from "./live-queries.tsx";
import { Plots } from "./plots.tsx";
import { SlowOperations } from "./slow-operations.tsx";
import { Sources } from "./sources.tsx";

export default function HealthPage() {
  useEffect(() => void loadMetadata(), []);
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Health</h1>
      </div>
      <div class="health">
        <div class="health-top">
          <Inconsistent />
          <Sources />
        </div>
        <LiveQueries />
        <SlowOperations />
        <section class="stack" aria-label="Metrics">
          <h2>Metrics</h2>
          <Plots />
        </section>
      </div>
    </div>
  );
}
