/** Link to a page of the console. */
import type { ComponentChildren } from "preact";
import { addressOf, navigate } from "./router.ts";

interface LinkProps {
  readonly to: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly title?: string;
  readonly tabIndex?: number;
  /** True if the link points to the page being shown. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

export function Link({ to, query = {}, current = false, children, ...rest }: LinkProps) {
  const address = addressOf(to, query);
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(address);
  };
  return (
    <a href={address} onClick={follow} {...(current && { "aria-current": "page" as const })} {...rest}>
      {children}
    </a>
  );
}
