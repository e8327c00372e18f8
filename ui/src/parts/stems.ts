// Finds in a text the words that the index matched. The engine tells stems; how a stem was written is found here.

/** A stretch of a text in UTF-16 units. */
export type Stretch = { start: number; end: number };

const WORD = /[\p{L}\p{N}]+/gu;
const SUFFIX =
  /^(?:|e|s|es|ed|d|ing|ings|y|ly|ies|ied|i|al|ally|als|ion|ions|ional|ation|ations|ational|ment|ments|ive|ively|ity|ities|able|ible|ably|ability|ence|ences|ency|encies|ance|ances|ancy|ant|ants|ent|ents|er|ers|or|ors|ure|ures|ur|ated|ate|ates|ating|ize|ise|ized|ised|izing|ising|ization|isation|ness|ful|fully|ous|ously|ism|ist|ists|th|ling|led|ning|ned|ting|ted|ring|red|ping|ped)$/;

const fold = (word: string) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether `word` is a written form of `stem`. */
export function isForm(word: string, stem: string): boolean {
  const written = fold(word);
  if (written === stem) return true;
  // The stemmer writes a final y as i.
  const bases = stem.endsWith("i") ? [stem, `${stem.slice(0, -1)}y`, stem.slice(0, -1)] : [stem];
  return bases.some(
    (base) => base.length > 2 && written.startsWith(base) && SUFFIX.test(written.slice(base.length)),
  );
}

/** Where `terms` (stems; a phrase holds several, parted by spaces) stand in `text`, in order, never overlapping. */
export function findStems(text: string, terms: readonly string[]): Stretch[] {
  const written = [...text.matchAll(WORD)].map((match) => ({
    word: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const wanted = terms
    .map((term) => term.split(/\s+/).filter(Boolean))
    .filter((stems) => stems.length > 0)
    .sort((a, b) => b.length - a.length);
  const found: Stretch[] = [];
  for (let at = 0; at < written.length; ) {
    const here = at;
    const hit = wanted.find((stems) =>
      stems.every((stem, step) => {
        const next = written[here + step];
        return next !== undefined && isForm(next.word, stem);
      }),
    );
    const first = written[at];
    const last = written[at + (hit?.length ?? 1) - 1];
    if (hit && first && last) found.push({ start: first.start, end: last.end });
    at += hit?.length ?? 1;
  }
  return found;
}
