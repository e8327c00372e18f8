// An order that tells nothing of ranks, for whoever judges blind.

/** A number that words alone decide: FNV-1a, with the last step of MurmurHash3, since its last letters change little. */
function hashOf(words: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Passages in an order that tells nothing of their ranks; the same as often as the query is asked. */
export const shuffled = <Item extends { chunk_id: string }>(query: string, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: hashOf(`${item.chunk_id}\n${query}`) }))
    .sort((a, b) => a.place - b.place || (a.item.chunk_id < b.item.chunk_id ? -1 : 1))
    .map(({ item }) => item);
