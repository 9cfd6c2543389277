import type { ComponentChildren } from "preact";
import styles from "./button.module.css";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** `main` is the one that a screen is for; there is at most one in each part of a screen. */
  readonly kind?: "main" | "plain";
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
      class={kind === "main" ? `${styles.button} ${styles.main}` : styles.button}
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
