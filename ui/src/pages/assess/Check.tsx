import { IconFileCheck } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import type { PackCheck, SignatureCheck } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { ErrorState } from "@/kit/states";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./export.module.css";

/** Faults of a pack that are listed. */
const MOST = 8;
/** How the name of a signature ends, after that of the pack. */
const SIGNATURE = ".minisig";

type Found = { pack: PackCheck; signature?: SignatureCheck };

/** Whether a pack in JSON agrees with the library, and whether it is the one that was signed where its signature is chosen, too. */
export function Check() {
  const input = useRef<HTMLInputElement>(null);
  const [checking, setChecking] = useState(false);
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<EngineError>();
  const check = async (files: readonly File[]) => {
    const file = files.find(({ name }) => !name.endsWith(SIGNATURE));
    const beside = files.find(({ name }) => name.endsWith(SIGNATURE));
    if (!file) return;
    setChecking(true);
    setError(undefined);
    try {
      const signature = beside && (await signed(file, await beside.text()));
      setFound({
        pack: await call("assess.verify", { pack: await file.text() }),
        ...(signature && { signature }),
      });
    } catch (thrown) {
      setFound(undefined);
      setError(EngineError.from(thrown));
    } finally {
      setChecking(false);
    }
  };
  return (
    <div className={css.check}>
      <input
        ref={input}
        type="file"
        accept={`.json,${SIGNATURE}`}
        multiple
        hidden
        data-testid="pack"
        onChange={(event) => {
          void check([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <Button
        size="small"
        icon={<IconFileCheck className="small" aria-hidden />}
        disabled={checking}
        onClick={() => input.current?.click()}
      >
        {t(checking ? "assess.export.checking" : "assess.export.check")}
      </Button>
      <span className="sec sm">{t("assess.export.check_hint")}</span>
      <div role="status">{found && <Outcome {...found} />}</div>
      {error && <ErrorState error={error} />}
    </div>
  );
}

/** The check of `signature` against the bytes of `file`. */
async function signed(file: File, signature: string): Promise<SignatureCheck> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return call("assess.signature", { content: btoa(binary), signature });
}

function Outcome({ pack, signature }: Found) {
  const sound = pack.agrees && (!signature || signature.state === "matches");
  return (
    <Note kind={sound ? "info" : "warn"}>
      <p className={css.line}>{signature ? words(signature) : t("assess.export.signature.none")}</p>
      <p className={css.line}>
        {pack.agrees
          ? t("assess.export.agrees", { count: pack.checked })
          : t("assess.export.disagrees", { count: pack.faults.length })}
      </p>
      {pack.faults.length > 0 && (
        <ul className={css.faults}>
          {pack.faults.slice(0, MOST).map(({ requirement, report_id, what }) => (
            <li key={`${requirement} ${report_id} ${what}`}>
              {t("assess.export.fault", { requirement, report: report_id, what: visible(what) })}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

function words({ state, origin, public_key, key_id }: SignatureCheck): string {
  if (state === "changed") return t("assess.export.signature.changed");
  if (state !== "matches") return t("assess.export.signature.unknown_key", { id: key_id });
  if (origin === "own") return t("assess.export.signature.own");
  return t("assess.export.signature.stated", { key: public_key ?? key_id });
}
