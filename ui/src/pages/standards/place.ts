// Where the screen is: the paragraph in the path of the address, the rest of what a person would want back in its query.

import { useCallback, useEffect, useMemo } from "react";
import type { Edition, Mode, ReviewStatus } from "@/api/types";
import { EDITIONS } from "@/parts/edition";
import {
  address,
  href,
  joined,
  keepPlaceOf,
  listed,
  navigate,
  parseRoute,
  placeLeft,
  useRoute,
} from "@/state/router";
import { standards } from "@/state/source-types";
import type { Body } from "./outline";

/** The place with its settings. */
export type Place = {
  /** Paragraph that is open; empty before one was chosen. */
  id: string;
  /** Item whose evidence is shown alone. */
  item: string;
  /** Edition of IFRS S2; none where it is the one that is meant today. */
  edition: Edition | undefined;
  /** Words of the filter over the tree. */
  words: string;
  body: Body | "all";
  /** Status that the tree is narrowed to. */
  status: ReviewStatus | "any";
  mode: Mode;
  /** Look for the items of the paragraph too. */
  below: boolean;
  /** Issuers and single reports to look in; all where none is named. */
  issuers: readonly string[];
  reports: readonly string[];
  /** Years of the reports to look in; all where none is named. */
  years: readonly string[];
  /** Report under review, where another than the last one. */
  report: string;
  /** Passage that is selected. */
  passage: string;
};

const MODES = ["hybrid", "semantic", "keyword"] as const;
const STATUSES: readonly ReviewStatus[] = ["open", "met", "partly", "gap", "not_applicable"];
const PAGE = "standards";

/** Reads a place from the path and query of an address. */
export function fromAddress(path: readonly string[], query: URLSearchParams): Place {
  return {
    id: path[0] ?? "",
    item: query.get("item") ?? "",
    edition: EDITIONS.find((each) => each === query.get("edition")),
    words: query.get("q") ?? "",
    body: standards().find(({ short }) => short === query.get("in"))?.short ?? "all",
    status: STATUSES.find((each) => each === query.get("status")) ?? "any",
    mode: MODES.find((each) => each === query.get("mode")) ?? "hybrid",
    below: query.get("below") !== "no",
    issuers: listed(query.get("issuers")),
    reports: listed(query.get("reports")),
    years: listed(query.get("years")),
    report: query.get("report") ?? "",
    passage: query.get("passage") ?? "",
  };
}

/** The address of a place; what is as at first is left out. */
export function toAddress(place: Place): string {
  return href(PAGE, place.id === "" ? [] : [place.id], {
    item: place.item,
    edition: place.edition,
    q: place.words,
    in: place.body === "all" ? undefined : place.body,
    status: place.status === "any" ? undefined : place.status,
    mode: place.mode === "hybrid" ? undefined : place.mode,
    below: place.below ? undefined : "no",
    issuers: joined(place.issuers),
    reports: joined(place.reports),
    years: joined(place.years),
    report: place.report,
    passage: place.passage,
  });
}

/** Milliseconds within which steps from paragraph to paragraph count as one for Back. */
const WALK = 800;
let walkedAt = 0;

/** The place with what changes it. */
export type PlaceControl = {
  place: Place;
  /** Changes settings; Back does not return to the former ones. */
  change: (part: Partial<Place>) => void;
  /** Opens a paragraph; Back returns. Quick steps through the tree are one. */
  open: (id: string) => void;
};

/** The edition that the address asks for. */
export function useEdition(): Edition | undefined {
  const route = useRoute();
  return fromAddress(route.path, route.query).edition;
}

const here = (): Place => {
  const route = parseRoute(address());
  return fromAddress(route.path, route.query);
};

/** Follows the address. A bare one leads back to where the screen was left, or to `first`. */
export function usePlace(first: string | undefined): PlaceControl {
  const route = useRoute();
  const place = useMemo(() => fromAddress(route.path, route.query), [route]);
  const shown = route.page === PAGE;
  useEffect(() => {
    if (!shown) return;
    if (place.id !== "") return keepPlaceOf(toAddress(place));
    const left = placeLeft(PAGE) ?? (first && toAddress({ ...place, id: first }));
    if (left) navigate(left, { replace: true });
  }, [place, first, shown]);
  const change = useCallback(
    (part: Partial<Place>) => navigate(toAddress({ ...here(), ...part }), { replace: true }),
    [],
  );
  const open = useCallback((id: string) => {
    const now = Date.now();
    const walking = now - walkedAt < WALK;
    walkedAt = now;
    const from = here();
    navigate(toAddress({ ...from, id, item: "", passage: "" }), { replace: walking });
  }, []);
  return { place, change, open };
}
