/** SQL of a migration with its title. */
import { CodeView } from "../../../parts/code-view.tsx";

/** @param sql `null` or blank without statements */
export function SqlText({ title, sql }: { readonly title: string; readonly sql: string | null }) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      {sql === null || sql.trim() === "" ? (
        <p class="muted">None</p>
      ) : (
        <div class="migration-sql">
          <CodeView label={title} language="sql" text={sql.trimEnd()} hasLineNumbers />
        </div>
      )}
    </section>
  );
}
