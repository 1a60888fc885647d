/** Effect of a change: wider access first, then other permission changes and generated code. */
import type { ComponentChildren } from "preact";
import type { AccessChange, MetadataPlan, ModuleChange } from "../../http/plan-api.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { DiffView } from "../../parts/diff-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { FoldedDiff } from "../../parts/folded-diff.tsx";

interface PlanViewProps {
  readonly plan: Pick<MetadataPlan, "access" | "modules">;
  /** Further changes, shown between access and generated code. */
  readonly children?: ComponentChildren;
}

export function PlanView({ plan, children }: PlanViewProps) {
  const { access, modules } = plan;
  const isPermissionChange = ({ area }: AccessChange): boolean => area !== "api" && area !== "other";
  const widening = access.filter(({ effect }) => effect === "widens" || effect === "may widen");
  const others = access.filter((change) => isPermissionChange(change) && !widening.includes(change));
  const api = access.filter((change) => change.area === "api" && !widening.includes(change));
  if (access.length === 0 && modules.length === 0 && children === undefined) {
    return <Empty title="No effect on access or generated code" />;
  }
  return (
    <div class="plan stack">
      {widening.length > 0 ? (
        <section class="plan-widening" aria-label="Wider access">
          <h2>This widens access</h2>
          <Changes changes={widening} />
        </section>
      ) : (
        <p class="plan-narrow">
          <span class="badge good">No wider access</span> No role gains access.
        </p>
      )}
      {others.length > 0 && (
        <section aria-label="Other permission changes">
          <h2>Other permission changes</h2>
          <Changes changes={others} />
        </section>
      )}
      {api.length > 0 && (
        <details>
          <summary>{`API: ${api.length} ${api.length === 1 ? "change" : "changes"}`}</summary>
          <Changes changes={api} />
        </details>
      )}
      {children}
      <section class="stack" aria-label="Generated code">
        <h2>{`Generated code: ${modules.length} ${modules.length === 1 ? "module" : "modules"}`}</h2>
        <ModuleChanges modules={modules} />
      </section>
    </div>
  );
}

function ModuleChanges({ modules }: { readonly modules: readonly ModuleChange[] }) {
  return (
    <>
      {permissionsFirst(modules)
        .slice(0, maxShown)
        .map((change, index) => (
          <FoldedDiff key={change.path} name={change.path} {...change} isOpen={index < initiallyOpen} />
        ))}
      {modules.length > maxShown && <p class="muted">{`${modules.length - maxShown} more`}</p>}
    </>
  );
}

/** Number of modules that are initially expanded. */
const initiallyOpen = 3;

/** Lists modules with permissions before root fields and saved operations, which derive from them. */
function permissionsFirst(modules: readonly ModuleChange[]): readonly ModuleChange[] {
  const isDerived = ({ path }: ModuleChange): boolean => {
    const [, , folder, file] = path.split("/");
    return file === undefined || folder === "operations";
  };
  return [...modules.filter((each) => !isDerived(each)), ...modules.filter(isDerived)];
}

const effectClass: Readonly<Record<AccessChange["effect"], string>> = {
  widens: "badge bad",
  "may widen": "badge warn",
  narrows: "badge good",
  none: "badge",
};

/** Returns a label that differs from those of other changes. */
const labelOf = ({ role = "", subject, aspect, name = "" }: AccessChange): string =>
  `${[role, subject, aspect, name].filter((part) => part !== "").join(" ")} before and after`;

/** Maximum number of displayed changes and modules of a list. */
const maxShown = 100;

function Changes({ changes }: { readonly changes: readonly AccessChange[] }) {
  return (
    <ul class="changes">
      {changes.slice(0, maxShown).map((change) => (
        <li key={JSON.stringify(change)} class="change">
          <span class={effectClass[change.effect]}>
            {capitalized(change.effect === "none" ? change.kind : change.effect)}
          </span>
          <div class="change-text">
            <p>
              {change.role !== undefined && <strong class="change-role">{change.role}</strong>}
              <bdi>{`${change.subject}: ${change.aspect} `}</bdi>
              {change.name !== undefined && <code>{change.name}</code>} {change.kind}
            </p>
            {(change.before !== undefined || change.after !== undefined) && (
              <DiffView label={labelOf(change)} before={change.before ?? ""} after={change.after ?? ""} />
            )}
          </div>
        </li>
      ))}
      <More count={changes.length} />
    </ul>
  );
}

function More({ count }: { readonly count: number }) {
  return count > maxShown ? <li class="muted">{`${count - maxShown} more`}</li> : null;
}
