/** Components that are loaded when they are first shown, so that they do not delay the page. */
import type { ComponentType, FunctionComponent } from "preact";
import { Loading } from "./empty.tsx";
import { ErrorBox } from "./error-box.tsx";
import { useLoaded } from "./use-loaded.ts";

/** @param item subject of the message during loading */
export function lazy<Props extends object>(
  item: string,
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props) {
    const { error } = useLoaded(async () => {
      loaded ??= await load();
      return true;
    }, item);
    const Content = loaded;
    if (Content) return <Content {...props} />;
    if (error !== null) return <ErrorBox error={new Error(`Failed to load ${item}. Reload the browser tab.`)} />;
    return <Loading item={item} />;
  };
}
