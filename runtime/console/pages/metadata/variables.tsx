/** Environment variables that the metadata uses, and whether they are set. Their values are not shown. */
import { cronTriggers } from "../../http/automation-api.ts";
import { environmentVariables, type UsedVariable } from "../../http/metadata-history-api.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { placeOf } from "./places.ts";

interface Variable extends Omit<UsedVariable, "used_by"> {
  readonly places: readonly string[];
}

/** Returns the variables, first those that are not set. */
async function loadVariables(): Promise<readonly Variable[]> {
  const [variables, triggers] = await Promise.all([environmentVariables(), cronTriggers()]);
  // The paths count the cron triggers that exported metadata leaves out.
  const cron_triggers = triggers.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
  const document = { ...metadata.value, cron_triggers };
  return variables
    .map(({ used_by, ...rest }) => ({ ...rest, places: used_by.map((path) => placeOf(path, document)) }))
    .sort((one, other) => Number(one.is_set) - Number(other.is_set));
}

export function Variables() {
  const { value, error, isLoading, reload } = useLoaded(loadVariables, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="environment variables" />;
  const unset = value.filter(({ is_set }) => !is_set).length;
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Environment variables</h1>
        <p class="muted">{unset === 0 ? "All are set" : `${unset} of ${value.length} not set`}</p>
        <span class="grow" />
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
      </div>
      <DataTable
        label="Environment variables"
        columns={columns}
        rows={value}
        keyOf={({ name }) => name}
        empty={
          <Empty title="No environment variables">
            <p>Connections, webhooks and headers of the metadata can use them, to keep secrets out of it.</p>
          </Empty>
        }
      />
    </div>
  );
}

const columns: readonly Column<Variable>[] = [
  { key: "name", title: "Variable", width: 320, cell: ({ name }) => <bdi class="code">{name}</bdi> },
  {
    key: "state",
    title: "Status",
    width: 100,
    cell: ({ is_set }) => <span class={is_set ? "badge good" : "badge bad"}>{is_set ? "Set" : "Not set"}</span>,
  },
  {
    key: "places",
    title: "Used by",
    cell: ({ places }) => <bdi>{places.join(", ")}</bdi>,
  },
];
