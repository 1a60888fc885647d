/** What a change would do: what widens access first, then the generated code that differs. */
import type { AccessChange, MetadataPlan, ModuleChange } from "../../http/plan-api.ts";
import { DiffView } from "../../parts/diff-view.tsx";
import { Empty } from "../../parts/empty.tsx";

export function PlanView({ plan }: { readonly plan: MetadataPlan }) {
  const { access, modules } = plan;
  const isHere = ({ area }: AccessChange): boolean => area !== "api" && area !== "other";
  const widening = access.filter(({ effect }) => effect === "widens" || effect === "may widen");
  const rights = access.filter((change) => isHere(change) && !widening.includes(change));
  const api = access.filter((change) => change.area === "api" && !widening.includes(change));
  if (access.length === 0 && modules.length === 0) {
    return <Empty title="Nothing changes: this is what is saved." />;
  }
  return (
    <div class="plan stack">
      {widening.length > 0 ? (
        <section class="plan-widening" aria-label="What widens access">
          <h2>This widens access</h2>
          <Changes changes={widening} />
        </section>
      ) : (
        <p class="plan-narrow">
          <span class="badge good">nothing widens</span> No role may do more than before.
        </p>
      )}
      {rights.length > 0 && (
        <section aria-label="Other changes of rights">
          <h2>Other changes of rights</h2>
          <Changes changes={rights} />
        </section>
      )}
      {api.length > 0 && (
        <details>
          <summary>{`The API: ${api.length} ${api.length === 1 ? "change" : "changes"}`}</summary>
          <Changes changes={api} />
        </details>
      )}
      <section class="stack" aria-label="Generated code">
        <h2>{`Generated code: ${modules.length} ${modules.length === 1 ? "module" : "modules"}`}</h2>
        {tablesFirst(modules).map((change, index) => (
          <ModuleDiff key={change.path} change={change} isOpen={index < mostOpen} />
        ))}
      </section>
    </div>
  );
}

/** Modules that are shown without a click. */
const mostOpen = 3;

/** What a role may do with tables; folders in parentheses follow from it. */
function tablesFirst(modules: readonly ModuleChange[]): readonly ModuleChange[] {
  const isDerived = ({ path }: ModuleChange): boolean => path.includes("/(");
  return [...modules.filter((each) => !isDerived(each)), ...modules.filter(isDerived)];
}

const effectClass: Readonly<Record<AccessChange["effect"], string>> = {
  widens: "badge bad",
  "may widen": "badge warn",
  narrows: "badge good",
  none: "badge",
};

function Changes({ changes }: { readonly changes: readonly AccessChange[] }) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={JSON.stringify(change)} class="change">
          <span class={effectClass[change.effect]}>{change.effect === "none" ? change.kind : change.effect}</span>
          <div class="change-text">
            <p>
              {change.role !== undefined && <strong class="change-role">{change.role}</strong>}
              <bdi>{`${change.subject}: ${change.aspect} `}</bdi>
              {change.name !== undefined && <code>{change.name}</code>} {change.kind}
            </p>
            {(change.before !== undefined || change.after !== undefined) && (
              <DiffView
                label={`${change.aspect} before and after`}
                before={change.before ?? ""}
                after={change.after ?? ""}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function ModuleDiff({ change, isOpen }: { readonly change: ModuleChange; readonly isOpen: boolean }) {
  const { path, kind, before, after } = change;
  return (
    <details class="module-diff card" open={isOpen}>
      <summary>
        <code>{path}</code> <span class="badge">{kind}</span>
      </summary>
      {before === undefined ? (
        <p class="muted">Too many modules differ to show this one.</p>
      ) : (
        <DiffView label={`${path} before and after`} before={before ?? ""} after={after ?? ""} />
      )}
    </details>
  );
}
