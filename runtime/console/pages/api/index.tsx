/** The API page: write operations, run them as any role, inspect results. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { draftAction } from "../../state/draft-action.ts";
import { loadMetadata, metadata, resourceVersion } from "../../state/metadata.ts";
import { GraphqlEditor } from "./graphql-editor.tsx";
import { OperationTabs } from "./operation-tabs.tsx";
import { format } from "./request-keys.ts";
import { caller, operation, operationName, operations, query } from "./request-state.ts";
import { ResultView } from "./result-view.tsx";
import { isRunning, run, stop } from "./run.ts";
import { loadSchema, schema, schemaProblem } from "./schema.ts";
import { SessionBar } from "./session-bar.tsx";
import { PanelButtons, SidePanel } from "./side-panel.tsx";
import { VariablesEditor } from "./variables/variables-editor.tsx";

const Examples = lazy("examples", async () => (await import("./examples/examples.tsx")).Examples);
const ExplainView = lazy("plan", async () => (await import("./explain-view.tsx")).ExplainView);
const HistoryView = lazy("history", async () => (await import("./history-view.tsx")).HistoryView);
const SamplesView = lazy("code", async () => (await import("./samples-view.tsx")).SamplesView);
const SavedView = lazy("saved operations", async () => (await import("./saved-view.tsx")).SavedView);
const SaveOperation = lazy("dialog", async () => (await import("./save-operation.tsx")).SaveOperation);

export default function ApiPage() {
  useEffect(() => {
    if (!metadata.value) void loadMetadata();
    return stop;
  }, []);
  const callerJson = JSON.stringify(caller.value);
  const version = resourceVersion.value;
  useEffect(() => {
    const timer = setTimeout(() => void loadSchema(JSON.parse(callerJson)), 300);
    return () => clearTimeout(timer);
  }, [callerJson, version]);
  return (
    <div class="with-head">
      <ApiToolbar />
      <SessionBar />
      <OperationTabs>
        <div class="api-panes">
          <SidePanel />
          <section class="api-request" aria-label="Request">
            <div class="api-editor">
              <GraphqlEditor />
              {query.value.trim() === "" && <Examples />}
            </div>
            <RequestTabs />
          </section>
          <section class="api-result" aria-label="Result">
            <ResultTabs />
          </section>
        </div>
      </OperationTabs>
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
      <Button title="Format the operation and its variables (Shift+Alt+F)" onClick={() => void format()}>
        Format
      </Button>
      <Button
        unavailable={operation.value === null && "Write a valid operation, or select one of several."}
        onClick={() => setSaving(true)}
      >
        Save operation
      </Button>
      <MoreActions />
      {isSaving && <SaveOperation onClose={() => setSaving(false)} />}
      {schemaProblem.value !== null && <span class="badge warn">{`Schema unavailable: ${schemaProblem.value}`}</span>}
      <PanelButtons />
    </div>
  );
}

function MoreActions() {
  const derive = async (): Promise<void> => {
    const { actionOfOperation } = await import("./derived-action.ts");
    const sdl = operation.value && schema.value && actionOfOperation(operation.value, schema.value);
    if (!sdl) return notify("No action was derived: write a query or mutation with fields of the schema.");
    draftAction.value = sdl;
    navigate(addressOf(["automation", "new", "action"]));
  };
  const isReady = operation.value !== null && schema.value !== null;
  return (
    <Menu
      label="More actions"
      text="More"
      items={[
        {
          label: "Derive action",
          unavailable: !isReady && "Write a valid operation, or select one of several.",
          onSelect: () => void derive(),
        },
      ]}
    />
  );
}

type ResultTab = "result" | "plan" | "code";

function ResultTabs() {
  const tab = useSignal<ResultTab>("result");
  return (
    <Tabs<ResultTab>
      label="Result sections"
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

type RequestTab = "variables" | "saved" | "history";

function RequestTabs() {
  const tab = useSignal<RequestTab>("variables");
  return (
    <div class="api-request-tabs">
      <Tabs<RequestTab>
        label="Request sections"
        tabs={[
          { name: "variables", label: "Variables" },
          { name: "saved", label: "Saved" },
          { name: "history", label: "History" },
        ]}
        current={tab.value}
        onChange={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === "variables" && <VariablesEditor />}
        {tab.value === "saved" && <SavedView />}
        {tab.value === "history" && <HistoryView />}
      </Tabs>
    </div>
  );
}
