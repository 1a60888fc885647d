/** Text buttons, and icon buttons with a label for tooltips and screen readers. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly type?: "button" | "submit";
  readonly icon?: IconName;
  /**
   * Reason why the action is unavailable, as a sentence; null or false if it is available. A primary button and a danger
   * button show it beside themselves, others as a tooltip. The button keeps the focus, so that it can be read.
   */
  readonly unavailable?: string | null | false;
  /** True while the action of the button runs. */
  readonly busy?: boolean;
  readonly title?: string;
  /** State of a toggle button. */
  readonly pressed?: boolean;
}

export function Button(props: ButtonProps) {
  const {
    children,
    kind = "plain",
    type = "button",
    icon,
    unavailable,
    busy = false,
    pressed,
    onClick,
    ...rest
  } = props;
  const id = useId();
  const reason = busy ? "" : unavailable || "";
  const isShown = kind === "primary" || kind === "danger";
  return (
    <>
      {reason !== "" && (
        <span id={id} class={isShown ? "button-reason" : "visually-hidden"}>
          {reason}
        </span>
      )}
      <button
        type={type}
        class={`button ${kind}`}
        disabled={busy}
        aria-busy={busy}
        {...(pressed !== undefined && { "aria-pressed": pressed })}
        {...rest}
        {...(reason === ""
          ? { onClick }
          : { "aria-disabled": true, "aria-describedby": id, ...(!isShown && { title: reason }) })}
      >
        {icon && <Icon name={icon} />}
        <span>{children}</span>
      </button>
    </>
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
