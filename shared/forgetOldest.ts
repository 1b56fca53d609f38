/** Removes entries of a map or set, the first ones first, until `most` are left. */
export const forgetOldest = <Key>(
  entries: { size: number; keys: () => Iterable<Key>; delete: (key: Key) => boolean },
  most: number,
): void => {
  for (const key of entries.keys()) {
    if (entries.size <= most) break
    entries.delete(key)
  }
}
