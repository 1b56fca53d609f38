const importers = new Map<string, Set<string>>()

/** Notes that a module imports another; both by URL. */
export const addImporter = (url: string, importer: string | undefined): void => {
  if (importer === undefined) return
  const known = importers.get(url) ?? new Set()
  importers.set(url, known.add(importer))
}

/** The loaded modules whose URL ends so, and all that import them, directly or through others. */
export const findDependents = (ending: string): ReadonlySet<string> => {
  const found = new Set([...importers.keys()].filter((url) => url.endsWith(ending)))
  // a set is also iterated over what is added meanwhile
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer)
  return found
}
