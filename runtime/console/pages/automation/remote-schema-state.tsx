/** What the server of a remote schema offers, as the language of schemas. */
import { introspectRemoteSchema } from "../../http/automation-api.ts";
import { CodeView } from "../../parts/code-view.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";

async function documentOf(name: string): Promise<string> {
  const [answer, { buildClientSchema, printSchema }] = await Promise.all([
    introspectRemoteSchema(name),
    import("graphql"),
  ]);
  const { data } = answer as { readonly data: Parameters<typeof buildClientSchema>[0] };
  return printSchema(buildClientSchema(data, { assumeValid: true }));
}

export function RemoteSchemaDocument({ name, turn }: { readonly name: string; readonly turn: number }) {
  const { value, error } = useLoaded(() => documentOf(name), `${turn} ${name}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (value === null) return <Loading what="the schema" />;
  return <CodeView text={value} language="text" label={`Schema of ${name}`} hasLineNumbers />;
}
