import { IconPin, IconPinFilled } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { t } from "@/text";

type PinButtonProps = {
  pinned: boolean;
  /** What it pins, for assistive technology. */
  name: string;
  onClick: () => void;
};

/** Pins a passage, or takes its pin away. */
export function PinButton({ pinned, name, onClick }: PinButtonProps) {
  const Icon = pinned ? IconPinFilled : IconPin;
  return (
    <Button
      size="tiny"
      tone={pinned ? "quiet" : "default"}
      aria-pressed={pinned}
      aria-label={name}
      icon={<Icon className="xs" aria-hidden />}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {t(pinned ? "assess.pane.unpin" : "assess.pane.pin")}
    </Button>
  );
}
