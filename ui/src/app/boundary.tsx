// What fails while drawing takes its own screen down, never the window.

import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { StatusIcon } from "@/kit/Status";
import { href, navigate } from "@/state/router";
import { t } from "@/text";

type Props = {
  title: string;
  /** A change of it tries again, as going to another screen does. */
  resetKey?: string;
  children: ReactNode;
};

type State = { error?: Error; where?: string; at?: string };

/** Draws its children, or says that they could not be drawn. */
export class Boundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(_: unknown, info: ErrorInfo) {
    this.setState({ where: info.componentStack ?? undefined });
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: undefined });
  }

  override render() {
    const { error, where } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="state" role="alert">
        <span className="c-bad">
          <StatusIcon kind="bad" />
        </span>
        <b>{this.props.title}</b>
        <span className="sec sm">{t("crash.detail")}</span>
        <span className="mono xs mut">{error.message}</span>
        <div className="row gap-6">
          <Button size="small" onClick={() => this.setState({ error: undefined })}>
            {t("crash.retry")}
          </Button>
          <Button
            size="small"
            tone="quiet"
            onClick={() => {
              navigate(href("library"));
              this.setState({ error: undefined });
            }}
          >
            {t("crash.home")}
          </Button>
          <CopyButton
            words
            label={t("dialog.copy")}
            text={`${error.stack ?? error.message}\n${where ?? ""}`}
          />
        </div>
      </div>
    );
  }
}
