// A browser signs in with a token of the server before it is shown anything.

import { IconKey } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { EngineError } from "@/api/client";
import type { Transport } from "@/api/transport";
import { httpTransport, keptToken, type Session, signIn } from "@/api/transport/http";
import { Button } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { t } from "@/text";
import { Logo } from "./Logo";
import css from "./sign-in.module.css";
import { Themed } from "./Themed";

type SignInProps = { problem?: string; onSignedIn: (token: string, session: Session) => void };

const wordsFor = (thrown: unknown): string => {
  const { code, message } = EngineError.from(thrown);
  if (code === "unauthorised") return t("sign_in.wrong");
  return code === "transport" ? t("sign_in.silent") : message;
};

function SignIn({ problem = "", onSignedIn }: SignInProps) {
  const [token, setToken] = useState("");
  const [wrong, setWrong] = useState(problem);
  const [pending, setPending] = useState(false);
  const given = token.trim();
  const submit = async () => {
    setPending(true);
    setWrong("");
    try {
      onSignedIn(given, await signIn(given));
    } catch (thrown) {
      setWrong(wordsFor(thrown));
      setPending(false);
    }
  };
  return (
    <Themed>
      <main className={css.page}>
        <form
          className={`card ${css.sheet}`}
          onSubmit={(event) => {
            event.preventDefault();
            if (given !== "" && !pending) void submit();
          }}
        >
          <span className="c-accent">
            <Logo />
          </span>
          <h1>{t("sign_in.title")}</h1>
          <p className="sm sec">{t("sign_in.about")}</p>
          <TextField
            label={t("sign_in.token")}
            placeholder={t("sign_in.token")}
            className="grow"
            type="password"
            autoComplete="off"
            autoFocus
            icon={<IconKey className="small" aria-hidden />}
            value={token}
            error={wrong !== ""}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          {wrong !== "" && (
            <div role="alert">
              <Note kind="bad">{wrong}</Note>
            </div>
          )}
          <Button type="submit" tone="primary" disabled={given === "" || pending}>
            {t("sign_in.open")}
          </Button>
        </form>
      </main>
    </Themed>
  );
}

/** The transport of this browser, once it has signed in. What asks for the token is drawn by `render`. */
export async function signedIn(render: (page: ReactNode) => void): Promise<Transport> {
  const kept = keptToken();
  let problem: string | undefined;
  if (kept !== undefined)
    try {
      return httpTransport(kept, await signIn(kept));
    } catch (thrown) {
      problem = wordsFor(thrown);
    }
  return new Promise((done) =>
    render(<SignIn problem={problem} onSignedIn={(token, session) => done(httpTransport(token, session))} />),
  );
}
