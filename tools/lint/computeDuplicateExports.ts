import { readExports } from './readExports.ts'

/** Every Worker has these in its `settings.ts`; every global setup of tests has `setup`. */
const perFile = new Set(['Settings', 'settingsSchema', 'setup'])

/**
 * Each exported name exists once, so that a search has one result.
 * @returns one line for each name that several files export
 */
export const computeDuplicateExports = (files: readonly { path: string; text: string }[]): string[] => {
  const paths = new Map<string, string[]>()
  for (const { path, text } of files) {
    for (const name of readExports(path, text)) paths.set(name, [...(paths.get(name) ?? []), path])
  }
  return [...paths]
    .filter(([name, where]) => where.length > 1 && !perFile.has(name))
    .map(([name, where]) => `${name} is exported by ${where.join(', ')}; give each export a name of its own`)
    .toSorted()
}
