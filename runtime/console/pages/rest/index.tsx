/** The REST page: endpoints of saved operations, a form to try them, and their OpenAPI document. */
import "../../styles/rest.css";
import { useEffect, useState } from "preact/hooks";
import type { RestEndpoint } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type SideItem, SideList } from "../../parts/side-list.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { loadMetadata, metadata, metadataError } from "../../state/metadata.ts";
import { savedOperations } from "../api/endpoint-change.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointView } from "./endpoint-view.tsx";
import { OpenApiView } from "./openapi-view.tsx";

export default function RestPage({ path }: { readonly path: readonly string[] }) {
  const [isCreating, setCreating] = useState(false);
  useEffect(() => void loadMetadata(), []);
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading item="metadata" />;
  }
  const endpoints = metadata.value.rest_endpoints ?? [];
  const create = (): void => setCreating(true);
  return (
    <div class="with-side">
      <SideList label="REST endpoints" items={itemsOf(endpoints, path)} empty="No endpoints yet">
        <Button kind="primary" icon="add" onClick={create}>
          Create endpoint
        </Button>
      </SideList>
      <div class="rest-content">
        <Content path={path} endpoints={endpoints} />
      </div>
      {isCreating && (
        <EndpointDialog
          endpoint={null}
          onClose={() => setCreating(false)}
          onSaved={(name) => navigate(addressOf(["rest", "endpoint", name]))}
        />
      )}
    </div>
  );
}

function itemsOf(endpoints: readonly RestEndpoint[], [kind, current]: readonly string[]): readonly SideItem[] {
  return [
    { key: "document", text: "OpenAPI document", to: ["rest", "openapi"], isCurrent: kind === "openapi" },
    { key: "heading", text: "Endpoints", to: null },
    ...endpoints.map(({ name, methods }) => ({
      key: `endpoint ${name}`,
      text: name,
      note: methods.join(" "),
      to: ["rest", "endpoint", name],
      isCurrent: kind === "endpoint" && name === current,
    })),
  ];
}

interface ContentProps {
  readonly path: readonly string[];
  readonly endpoints: readonly RestEndpoint[];
}

function Content({ path: [kind, name], endpoints }: ContentProps) {
  if (kind === "openapi") return <OpenApiView />;
  if (kind === "endpoint") {
    const endpoint = endpoints.find((each) => each.name === name);
    if (endpoint) return <EndpointView key={name} endpoint={endpoint} />;
    return (
      <Empty title="Endpoint not found" isPage>
        <p>Choose an endpoint from the list.</p>
      </Empty>
    );
  }
  if (endpoints.length > 0) {
    return (
      <Empty title="REST endpoints" isPage>
        <p>Choose an endpoint from the list to try, change or delete it.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No REST endpoints" isPage>
      <p>An endpoint runs a saved operation at a URL, with the permissions of the caller's role.</p>
      {metadata.value && savedOperations(metadata.value).length === 0 ? (
        <p>Save an operation on the page API first.</p>
      ) : (
        <p>Create one for a saved operation.</p>
      )}
    </Empty>
  );
}
