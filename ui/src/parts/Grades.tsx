import { classes } from "@/kit/class-names";
import { useShortcut } from "@/kit/shortcuts";
import { t } from "@/text";
import css from "./grades.module.css";

/** How relevant a passage is: not at all, related, strongly related, exact. */
export type Grade = 0 | 1 | 2 | 3;

/** Every grade, the lowest first. */
export const GRADES: readonly Grade[] = [0, 1, 2, 3];

/** A number as a grade; nothing where it is none. */
export const gradeOf = (value: number | null | undefined): Grade | undefined =>
  GRADES.find((grade) => grade === value);

type GradesProps = {
  /** What is judged, for assistive technology. */
  label: string;
  /** The grade that it has; nothing while it is unjudged. */
  value: Grade | undefined;
  /** Gives another grade, or nothing: pressing the same grade again takes it back. */
  onGrade: (grade: Grade | undefined) => void;
  disabled?: boolean;
};

/** The four grades of a passage. */
export function Grades({ label, value, onGrade, disabled }: GradesProps) {
  return (
    <div className={css.grades} role="group" aria-label={label}>
      {GRADES.map((grade) => (
        <button
          key={grade}
          type="button"
          aria-pressed={grade === value}
          aria-label={`${grade}: ${t(`judge.grades.${grade}`)}`}
          data-tip={t(`judge.grades.${grade}`)}
          data-tip-keys={String(grade)}
          disabled={disabled}
          className={classes(css.grade, grade === value && css.on)}
          onClick={() => onGrade(grade === value ? undefined : grade)}
        >
          {grade}
        </button>
      ))}
    </div>
  );
}

/** A grade that was given, or that none was; it stands beside a passage and changes nothing. */
export function GradeTag({ grade }: { grade: number | null | undefined }) {
  const known = gradeOf(grade);
  const words = known === undefined ? t("judge.unjudged") : t(`judge.grades.${known}`);
  return (
    <span
      role="img"
      aria-label={words}
      data-tip={words}
      className={classes(css.tag, known === undefined ? css.none : known > 0 && css.relevant)}
    >
      {known ?? "–"}
    </span>
  );
}

/** Judges by the keys 0 to 3, and takes a judgment back by Backspace, while the component is on screen. */
export function useGradeKeys(onGrade: (grade: Grade | undefined) => void, enabled = true): void {
  useShortcut("judge.0", () => onGrade(0), enabled);
  useShortcut("judge.1", () => onGrade(1), enabled);
  useShortcut("judge.2", () => onGrade(2), enabled);
  useShortcut("judge.3", () => onGrade(3), enabled);
  useShortcut("judge.remove", () => onGrade(undefined), enabled);
}
