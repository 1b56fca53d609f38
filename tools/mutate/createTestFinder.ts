import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

const aliases: Record<string, string> = {
  '#shared/': 'shared/',
  '#schema/': 'schema/',
  '#tools/': 'tools/',
  '#test/': 'test/',
}

/**
 * Finds the tests that import a source, directly or not, or read its folder, the shortest path first; without any, the
 * tests of its folder.
 * @param sources path → text of every source, tests among them
 */
export const createTestFinder = (sources: ReadonlyMap<string, string>): ((path: string) => string[]) => {
  const importers = new Map<string, string[]>()
  for (const [path, text] of sources) {
    const folders = listFolders(path, text)
    const members = [...sources.keys()].filter((other) => folders.some((folder) => other.startsWith(`${folder}/`)))
    for (const imported of [...listImports(path, text), ...members])
      importers.set(imported, [...(importers.get(imported) ?? []), path])
  }
  return (path) => {
    const reached = new Set([path])
    for (const member of reached) for (const importer of importers.get(member) ?? []) reached.add(importer)
    const tests = [...reached].filter(isTest)
    if (tests.length > 0) return tests
    return [...sources.keys()].filter((other) => isTest(other) && dirname(other) === dirname(path))
  }
}

const isTest = (path: string): boolean => path.endsWith('.test.ts') && !path.startsWith('test/e2e/')

/** Folders below a source whose files it reads or imports: `join(import.meta.dirname, 'tables')`. */
const listFolders = (path: string, text: string): string[] =>
  [...text.matchAll(/join\(import\.meta\.dirname, '([\w/]+)'\)/g)].map(([, folder = '']) => join(dirname(path), folder))

/** Paths of the repository that a source imports, types among them. */
const listImports = (path: string, text: string): string[] => {
  const { module } = parseSync(path, text)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ]
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('.')) return [join(dirname(path), specifier)]
    const alias = Object.keys(aliases).find((prefix) => specifier.startsWith(prefix))
    return alias ? [specifier.replace(alias, aliases[alias] as string)] : []
  })
}
