import type { ComponentChildren } from "preact";
import styles from "./button.module.css";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** `main` is the one that a screen is for; there is at most one in each part of a screen. `danger` removes things. */
  readonly kind?: "main" | "plain" | "danger";
  readonly type?: "button" | "submit";
  readonly isDisabled?: boolean;
  /** Whether the button is switched on; absent for one that is not a switch. */
  readonly isPressed?: boolean;
}

/** A button. While it is disabled it keeps the focus, so that the keyboard does not lose its place. */
export function Button({
  children,
  onClick,
  kind = "plain",
  type = "button",
  isDisabled = false,
  isPressed,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`${styles.button} ${styles[kind] ?? ""}`}
      aria-disabled={isDisabled}
      {...(isPressed !== undefined && { "aria-pressed": isPressed })}
      onClick={(event) => {
        if (isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
