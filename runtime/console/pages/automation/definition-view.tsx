/** Page of one definition: logs, editor, transform test, deletion. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Operation } from "../../http/metadata-api.ts";
import type { InconsistentObject, JsonObject } from "../../http/metadata-types.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { valueAt } from "./json-paths.ts";
import type { DefinitionKind } from "./kinds.ts";
import { TransformPreview } from "./transform-preview.tsx";

export interface LogTab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
}

interface DefinitionViewProps {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** Shown next to the name. */
  readonly note?: string;
  /** Arguments of the operation that creates the definition. */
  readonly value: JsonObject;
  readonly logs: readonly LogTab[];
  /** Tabs after the definition. */
  readonly more?: readonly LogTab[];
  readonly remove: Operation;
  /** Consequences of the deletion. */
  readonly removal: string;
  /** Inconsistency of the definition, if any. */
  readonly problem: InconsistentObject | undefined;
  readonly actions?: ComponentChildren;
  /** Replaces the editor of the definition. */
  readonly editor?: (onSaved: () => void) => ComponentChildren;
  readonly onSaved: () => void;
}

export function DefinitionView(props: DefinitionViewProps) {
  const { kind, name, note, value, logs, more = [], remove, removal, problem, actions, editor, onSaved } = props;
  const saved = (): void => {
    notify(`Saved ${name}`);
    onSaved();
  };
  const tabs: readonly LogTab[] = [
    ...logs,
    {
      name: "definition",
      label: "Definition",
      content: () => (
        <div class="page full">
          {editor ? (
            editor(saved)
          ) : (
            <DefinitionEditor key={JSON.stringify(value)} kind={kind} initial={value} isNew={false} onSaved={saved} />
          )}
        </div>
      ),
    },
    ...more,
    ...(kind.transform ? [transformTab(kind, value, kind.transform)] : []),
  ];
  const [chosen, setChosen] = useState(tabs[0]?.name ?? "");
  const current = tabs.find((tab) => tab.name === chosen);
  const removeIt = async (): Promise<void> => {
    await changeMetadata(remove);
    notify(`Deleted ${name}`);
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
        <ConfirmButton label="Delete" icon="remove" title={`Delete ${kind.title} ${name}?`} onConfirm={removeIt}>
          <p>{removal}</p>
        </ConfirmButton>
      </div>
      {problem && (
        <div class="definition-problem">
          <ErrorBox error={new Error(`${problem.reason}. The ${kind.title} is inactive until you fix this.`)} />
        </div>
      )}
      <Tabs
        label={`${capitalized(kind.title)} sections`}
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
    label: "Test transform",
    content: () => (
      <div class="page full">
        <TransformPreview
          {...(typeof address === "string" && { address })}
          {...(transform !== undefined && transform !== null && { transform })}
        />
      </div>
    ),
  };
}
