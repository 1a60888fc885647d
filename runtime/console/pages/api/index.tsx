/** The API page: write an operation, run it as anybody, read what comes of it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { loadMetadata, metadata, resourceVersion } from "../../state/metadata.ts";
import { GraphqlEditor } from "./graphql-editor.tsx";
import { HistoryView } from "./history-view.tsx";
import { operation, operationName, operations, role, sentHeaders, variables } from "./request-state.ts";
import { ResultView } from "./result-view.tsx";
import { isRunning, run, stop } from "./run.ts";
import { loadSchema, schemaProblem } from "./schema.ts";
import { TryAs } from "./try-as.tsx";

export default function ApiPage() {
  useEffect(() => {
    if (!metadata.value) void loadMetadata();
    return stop;
  }, []);
  const asked = JSON.stringify(sentHeaders.value);
  const version = resourceVersion.value;
  useEffect(() => {
    const timer = setTimeout(() => void loadSchema(JSON.parse(asked)), 300);
    return () => clearTimeout(timer);
  }, [asked, version]);
  return (
    <div class="with-head">
      <ApiToolbar />
      <div class="api-panes">
        <section class="api-request" aria-label="Request">
          <GraphqlEditor />
          <RequestTabs />
        </section>
        <section class="api-result" aria-label="Result">
          <ResultView />
        </section>
      </div>
    </div>
  );
}

function ApiToolbar() {
  const names = operations.value.flatMap(({ name }) => name?.value ?? []);
  return (
    <div class="toolbar">
      <h1>API</h1>
      {isRunning.value ? (
        <Button kind="primary" icon="stop" onClick={stop}>
          Stop
        </Button>
      ) : (
        <Button kind="primary" icon="run" onClick={() => void run()}>
          Run
        </Button>
      )}
      {names.length > 1 && (
        <SelectField
          label="Operation"
          isBare
          value={operation.value?.name?.value ?? ""}
          choices={names.map((name) => ({ value: name, label: name }))}
          onChange={(name) => {
            operationName.value = name;
          }}
        />
      )}
      <span class="badge accent">{`as ${role.value === "" ? "admin" : role.value}`}</span>
      {schemaProblem.value !== null && <span class="badge warn">{`no schema: ${schemaProblem.value}`}</span>}
    </div>
  );
}

type RequestTab = "variables" | "try-as" | "history";

function RequestTabs() {
  const tab = useSignal<RequestTab>("variables");
  return (
    <div class="api-request-tabs">
      <Tabs<RequestTab>
        label="Parts of the request"
        tabs={[
          { name: "variables", label: "Variables" },
          { name: "try-as", label: "Try as" },
          { name: "history", label: "History" },
        ]}
        current={tab.value}
        onChange={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === "variables" && (
          <CodeEditor
            label="Variables as JSON"
            language="json"
            placeholder="{ }"
            value={variables.value}
            onChange={(text) => {
              variables.value = text;
            }}
            onSubmit={() => void run()}
          />
        )}
        {tab.value === "try-as" && <TryAs />}
        {tab.value === "history" && <HistoryView />}
      </Tabs>
    </div>
  );
}
