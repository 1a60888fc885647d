/** Text buttons, and icon buttons with a label for tooltips and screen readers. */
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly type?: "button" | "submit";
  readonly icon?: IconName;
  readonly disabled?: boolean;
  /** True while the action of the button runs. */
  readonly busy?: boolean;
  readonly title?: string;
  /** State of a toggle button. */
  readonly pressed?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, kind = "plain", type = "button", icon, disabled = false, busy = false, pressed, ...rest } = props;
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled || busy}
      aria-busy={busy}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly tabIndex?: number;
}

export function IconButton({ icon, label, onClick, disabled = false, pressed, tabIndex }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      {...(tabIndex !== undefined && { tabIndex })}
    >
      <Icon name={icon} />
    </button>
  );
}
