// When a page has come to rest: told by what is in it, not by a clock.

/** What stands where something is on its way, also before it is drawn as such. */
const WAITING = "[aria-busy=true], [data-skeleton], .skel";
/** Frames without a change: one answer may ask for the next. */
const STILL = 24;

let calls = 0;

/**
 * Waits until the fonts are loaded, what moves once has arrived and nothing in the page has changed for `still` frames.
 * With `answered`, nothing may be on its way either.
 */
export const settled = (page, { answered = true, still = STILL } = {}) => {
  calls += 1;
  return page.waitForFunction(
    ([waiting, still, call]) => {
      if (!window.rest) {
        window.rest = { frames: 0 };
        new MutationObserver(() => {
          window.rest.frames = 0;
        }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      }
      // What stood still before says nothing of what was just done.
      if (window.rest.call !== call) Object.assign(window.rest, { call, frames: 0 });
      const moves = document
        .getAnimations()
        .some(
          (each) =>
            each.playState === "running" && Number.isFinite(each.effect?.getComputedTiming().endTime ?? 0),
        );
      const rests =
        document.fonts.status === "loaded" && !moves && !(waiting && document.querySelector(waiting));
      window.rest.frames = rests ? window.rest.frames + 1 : 0;
      return window.rest.frames >= still;
    },
    [answered ? WAITING : "", still, calls],
    { timeout: 120_000, polling: "raf" },
  );
};
