/** What an address below `automation` names. */
import { useState } from "preact/hooks";
import { prefixOf } from "../../http/metadata-api.ts";
import type { InconsistentObject, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { tell } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { changeMetadata, metadata, sourceNamed } from "../../state/metadata.ts";
import { CustomTypes } from "./custom-types.tsx";
import { DefinitionView } from "./definition-view.tsx";
import { Invoke } from "./invoke.tsx";
import { argumentsOf, argumentsOfTrigger, type DefinitionKind, type KindName, kindNamed } from "./kinds.ts";
import { NewDefinition } from "./new-definition.tsx";
import { Overview } from "./overview.tsx";
import { RemoteSchemaDocument } from "./remote-schema-state.tsx";
import { ScheduledEvents } from "./scheduled-events.tsx";
import { TransformTrial } from "./transform-trial.tsx";
import { TriggerCalls } from "./trigger-calls.tsx";
import { TriggerEvents } from "./trigger-events.tsx";

interface ContentProps {
  readonly path: readonly string[];
  readonly cronTriggers: readonly JsonObject[];
  readonly inconsistent: readonly InconsistentObject[];
  readonly onSaved: () => void;
}

interface NamedProps extends Omit<ContentProps, "path"> {
  readonly name: string;
}

function kindOf(name: KindName): DefinitionKind {
  const found = kindNamed(name);
  if (!found) throw new Error(`no kind ${name}`);
  return found;
}

const gone = (kind: KindName) => <Empty title={`There is no such ${kindOf(kind).title}.`} />;

export function Content({ path, ...rest }: ContentProps) {
  const [place, first, second] = path;
  if (place === undefined) {
    return metadata.value && <Overview metadata={metadata.value} cronCount={rest.cronTriggers.length} />;
  }
  if (place === "one-off") return <OneOff />;
  if (place === "transform") return <Transform />;
  if (place === "custom-types") return <CustomTypes />;
  if (first === undefined) return <Empty title="There is no such page." />;
  const key = path.join("/");
  if (place === "new") return <NewDefinition key={key} name={first} onSaved={rest.onSaved} />;
  if (place === "event" && second !== undefined) return <Trigger key={key} {...rest} source={first} name={second} />;
  if (place === "cron") return <Cron key={key} {...rest} name={first} />;
  if (place === "action") return <ActionView key={key} {...rest} name={first} />;
  if (place === "remote-schema") return <RemoteSchemaView key={key} {...rest} name={first} />;
  return <Empty title="There is no such page." />;
}

const find = (inconsistent: readonly InconsistentObject[], type: string, name: string) =>
  inconsistent.find((object) => object.type === type && object.name === `${type} ${name}`);

function Trigger({ source: sourceName, name, inconsistent, onSaved }: NamedProps & { readonly source: string }) {
  const [isInvoking, setInvoking] = useState(false);
  const [turn, setTurn] = useState(0);
  const source = sourceNamed(sourceName);
  const table = source?.tables.find(({ event_triggers = [] }) => event_triggers.some((each) => each.name === name));
  const trigger = table?.event_triggers?.find((each) => each.name === name);
  if (!source || !table || !trigger) return gone("event");
  const place = { source: sourceName, kind: source.kind, name };
  const { schema, name: tableName } = table.table;
  return (
    <>
      <DefinitionView
        kind={kindOf("event")}
        name={name}
        note={`${schema}.${tableName} in ${sourceName}`}
        value={argumentsOfTrigger(source, table, trigger)}
        logs={[
          { name: "events", label: "Events", content: () => <TriggerEvents key={turn} place={place} /> },
          { name: "calls", label: "Calls", content: () => <TriggerCalls place={place} /> },
        ]}
        remove={{ type: `${prefixOf(source.kind)}_delete_event_trigger`, args: { source: sourceName, name } }}
        removal="Its triggers leave the database, and events that wait are not delivered any more."
        problem={inconsistent.find(
          (object) => object.type === "event_trigger" && object.name.startsWith(`event_trigger ${name} in table `),
        )}
        actions={
          trigger.definition.enable_manual === true && (
            <Button icon="run" onClick={() => setInvoking(true)}>
              Invoke
            </Button>
          )
        }
        onSaved={onSaved}
      />
      {isInvoking && (
        <Invoke
          place={place}
          onClose={() => {
            setInvoking(false);
            setTurn((before) => before + 1);
          }}
        />
      )}
    </>
  );
}

function Cron({ name, cronTriggers, inconsistent, onSaved }: NamedProps) {
  const trigger = cronTriggers.find((each) => each.name === name);
  if (!trigger) return gone("cron");
  return (
    <DefinitionView
      kind={kindOf("cron")}
      name={name}
      note={`${trigger.schedule}${trigger.timezone === undefined ? "" : ` in ${trigger.timezone}`}`}
      value={trigger}
      logs={[
        {
          name: "events",
          label: "Events",
          content: () => <ScheduledEvents schedule={{ type: "cron", trigger_name: name }} />,
        },
      ]}
      remove={{ type: "delete_cron_trigger", args: { name } }}
      removal="Its events that are due are not delivered any more."
      problem={find(inconsistent, "cron_trigger", name)}
      onSaved={onSaved}
    />
  );
}

function ActionView({ name, inconsistent, onSaved }: NamedProps) {
  const action = metadata.value?.actions?.find((each) => each.name === name);
  if (!action) return gone("action");
  const roles = (action.permissions ?? []).map(({ role }) => role).join(", ");
  return (
    <DefinitionView
      kind={kindOf("action")}
      name={name}
      note={roles === "" ? "administrators only" : `for ${roles}`}
      value={argumentsOf(action)}
      logs={[]}
      remove={{ type: "drop_action", args: { name } }}
      removal="Its permissions go with it, and the answers of asynchronous calls."
      problem={find(inconsistent, "action", name)}
      onSaved={onSaved}
    />
  );
}

function RemoteSchemaView({ name, inconsistent, onSaved }: NamedProps) {
  const [turn, setTurn] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const found = metadata.value?.remote_schemas?.find((each) => each.name === name);
  if (!found) return gone("remote-schema");
  const problem = find(inconsistent, "remote_schema", name);
  const reload = async (): Promise<void> => {
    setBusy(true);
    // What it comes to is part of the state that is loaded next.
    await changeMetadata({ type: "reload_remote_schema", args: { name } }).then(
      () => tell("The server was asked anew."),
      () => undefined,
    );
    setBusy(false);
    setTurn((before) => before + 1);
    onSaved();
  };
  return (
    <DefinitionView
      kind={kindOf("remote-schema")}
      name={name}
      note={problem ? "does not work" : "works"}
      value={argumentsOf(found)}
      logs={[{ name: "schema", label: "Schema", content: () => <RemoteSchemaDocument name={name} turn={turn} /> }]}
      remove={{ type: "remove_remote_schema", args: { name } }}
      removal="Its fields leave the API, and its permissions go with it."
      problem={problem}
      actions={
        <Button icon="refresh" busy={isBusy} onClick={() => void reload()}>
          Ask the server anew
        </Button>
      }
      onSaved={onSaved}
    />
  );
}

function OneOff() {
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>One-off events</h1>
        <span class="grow" />
        <Link to={["automation", "new", "one-off"]}>New one-off event</Link>
      </div>
      <ScheduledEvents schedule={{ type: "one_off" }} />
    </div>
  );
}

function Transform() {
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Try a transform</h1>
      </div>
      <div class="page full scroll">
        <TransformTrial />
      </div>
    </div>
  );
}
