/** Examples for the first tracked table while the editor is empty, or the next step without a table. */
import { Link } from "../../../routing/link.tsx";
import { metadata, sources } from "../../../state/metadata.ts";
import { openInEditor, role } from "../request-state.ts";
import { schema } from "../schema.ts";
import { examplesOf } from "./example-operations.ts";

export function Examples() {
  if (!metadata.value || !schema.value) return null;
  const [source] = sources.value;
  if (!source) return <NextStep text="No database is connected." link="Connect a database" to={["data"]} />;
  if (sources.value.every(({ tables }) => tables.length === 0)) {
    return <NextStep text="No tables are tracked." link="Track a table" to={["data", source.name]} />;
  }
  const found = examplesOf(schema.value, tableNames());
  if (!found) {
    const text = `${role.value === "" ? "The schema" : `The role ${role.value}`} has no tables.`;
    return <NextStep text={text} link="Edit permissions" to={["permissions"]} />;
  }
  return (
    <fieldset class="api-examples">
      <legend>
        Examples for <bdi class="code">{found.table}</bdi>
      </legend>
      <div class="row">
        {found.examples.map(({ title, ...request }) => (
          <button
            key={title}
            type="button"
            class="button"
            onClick={({ currentTarget }) => {
              // The buttons disappear with the empty editor.
              currentTarget.closest(".api-request")?.querySelector<HTMLElement>(".cm-content")?.focus();
              openInEditor(request);
            }}
          >
            {title}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface NextStepProps {
  readonly text: string;
  readonly link: string;
  readonly to: readonly string[];
}

const NextStep = ({ text, link, to }: NextStepProps) => (
  <p class="api-examples">
    {text} <Link to={to}>{link}</Link>
  </p>
);

/** Returns the GraphQL names that tables have by default or by their configuration. */
function tableNames(): readonly string[] {
  return sources.value.flatMap(({ tables }) =>
    tables.flatMap(({ table: { schema: namespace, name }, configuration }) => {
      const { custom_name: custom, custom_root_fields: roots } = configuration ?? {};
      const select = typeof roots === "object" && roots !== null && "select" in roots ? roots.select : undefined;
      return [select, custom, name, `${namespace}_${name}`].filter((each) => typeof each === "string");
    }),
  );
}
