/** One definition: its log, how it is defined, its transform tried, and a way to delete it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Operation } from "../../http/metadata-api.ts";
import type { InconsistentObject, JsonObject } from "../../http/metadata-types.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { tell } from "../../parts/toast.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { valueAt } from "./json-paths.ts";
import type { DefinitionKind } from "./kinds.ts";
import { TransformTrial } from "./transform-trial.tsx";

export interface LogTab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
}

interface DefinitionViewProps {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** Beside the name. */
  readonly note?: string;
  /** The arguments that would make it. */
  readonly value: JsonObject;
  readonly logs: readonly LogTab[];
  readonly remove: Operation;
  /** What goes with it. */
  readonly removal: string;
  /** Why it does not work. */
  readonly problem: InconsistentObject | undefined;
  readonly actions?: ComponentChildren;
  readonly onSaved: () => void;
}

export function DefinitionView(props: DefinitionViewProps) {
  const { kind, name, note, value, logs, remove, removal, problem, actions, onSaved } = props;
  const tabs: readonly LogTab[] = [
    ...logs,
    {
      name: "definition",
      label: "Definition",
      content: () => (
        <div class="page full">
          <DefinitionEditor
            key={JSON.stringify(value)}
            kind={kind}
            initial={value}
            isNew={false}
            onSaved={() => {
              tell(`${name} is saved.`);
              onSaved();
            }}
          />
        </div>
      ),
    },
    ...(kind.transform ? [transformTab(kind, value, kind.transform)] : []),
  ];
  const [chosen, setChosen] = useState(tabs[0]?.name ?? "");
  const current = tabs.find((tab) => tab.name === chosen);
  const removeIt = async (): Promise<void> => {
    await changeMetadata(remove);
    tell(`${name} is deleted.`);
    onSaved();
    navigate(addressOf(["automation"]));
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {note !== undefined && <bdi class="muted">{note}</bdi>}
        <span class="grow" />
        {actions}
        <ConfirmButton label="Delete" icon="remove" title={`Delete the ${kind.title} ${name}?`} onConfirm={removeIt}>
          <p>{removal}</p>
        </ConfirmButton>
      </div>
      {problem && (
        <div class="definition-problem">
          <ErrorBox error={new Error(`${problem.reason}. It does not work until this is mended.`)} />
        </div>
      )}
      <Tabs
        label={`Parts of the ${kind.title}`}
        tabs={tabs.map(({ name: tab, label }) => ({ name: tab, label }))}
        current={chosen}
        onChange={setChosen}
      >
        {current?.content()}
      </Tabs>
    </div>
  );
}

function transformTab(kind: DefinitionKind, value: JsonObject, path: readonly string[]): LogTab {
  const address = valueAt(value, kind.address);
  const transform = valueAt(value, path);
  return {
    name: "transform",
    label: "Try a transform",
    content: () => (
      <div class="page full">
        <TransformTrial
          {...(typeof address === "string" && { address })}
          {...(transform !== undefined && transform !== null && { transform })}
        />
      </div>
    ),
  };
}
