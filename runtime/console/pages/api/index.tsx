/** The API page: write an operation, run it as anybody, read what comes of it. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { loadMetadata, metadata, resourceVersion } from "../../state/metadata.ts";
import { ExplainView } from "./explain-view.tsx";
import { GraphqlEditor } from "./graphql-editor.tsx";
import { HistoryView } from "./history-view.tsx";
import { operation, operationName, operations, role, sentHeaders, variables } from "./request-state.ts";
import { ResultView } from "./result-view.tsx";
import { isRunning, run, stop } from "./run.ts";
import { SamplesView } from "./samples-view.tsx";
import { SaveOperation } from "./save-operation.tsx";
import { SavedView } from "./saved-view.tsx";
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
          <ResultTabs />
        </section>
      </div>
    </div>
  );
}

function ApiToolbar() {
  const [isSaving, setSaving] = useState(false);
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
      <Button disabled={operation.value === null} onClick={() => setSaving(true)}>
        Save as operation
      </Button>
      {isSaving && <SaveOperation onClose={() => setSaving(false)} />}
      <span class="badge accent">{`as ${role.value === "" ? "admin" : role.value}`}</span>
      {schemaProblem.value !== null && <span class="badge warn">{`no schema: ${schemaProblem.value}`}</span>}
    </div>
  );
}

type ResultTab = "result" | "plan" | "code";

function ResultTabs() {
  const tab = useSignal<ResultTab>("result");
  return (
    <Tabs<ResultTab>
      label="What comes of it"
      tabs={[
        { name: "result", label: "Result" },
        { name: "plan", label: "Plan" },
        { name: "code", label: "Code" },
      ]}
      current={tab.value}
      onChange={(name) => {
        tab.value = name;
      }}
    >
      {tab.value === "result" && <ResultView />}
      {tab.value === "plan" && <ExplainView />}
      {tab.value === "code" && <SamplesView />}
    </Tabs>
  );
}

type RequestTab = "variables" | "try-as" | "saved" | "history";

function RequestTabs() {
  const tab = useSignal<RequestTab>("variables");
  return (
    <div class="api-request-tabs">
      <Tabs<RequestTab>
        label="Parts of the request"
        tabs={[
          { name: "variables", label: "Variables" },
          { name: "try-as", label: "Try as" },
          { name: "saved", label: "Saved" },
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
        {tab.value === "saved" && <SavedView />}
        {tab.value === "history" && <HistoryView />}
      </Tabs>
    </div>
  );
}
