import { dirname, join } from 'node:path/posix'

const consoleBase = ['console/api', 'console/browser', 'console/ui', 'console/networks']
const consoleLists = [
  ...consoleBase,
  'console/tokens',
  'console/wallet',
  'console/actions',
  'console/order',
  'console/lists',
]

/**
 * Folders that restrict their imports, and what they import beside themselves. Each Worker is one of its own. Other
 * folders (`tools`, `test`, `examples`, `console/build`) and all tests import anything.
 */
const importsOf: Record<string, readonly string[]> = {
  shared: [],
  schema: ['shared'],
  functions: ['schema', 'shared'],
  'console/api': [],
  'console/browser': [],
  'console/ui': ['console/api', 'console/browser'],
  'console/networks': ['console/api', 'console/browser', 'console/ui'],
  'console/tokens': consoleBase,
  'console/wallet': consoleBase,
  'console/actions': [...consoleBase, 'console/tokens', 'console/wallet'],
  'console/order': [...consoleBase, 'console/tokens', 'console/wallet', 'console/actions', 'shared/strategies'],
  'console/lists': consoleLists,
  'console/market': [...consoleBase, 'console/tokens'],
  'console/account': consoleLists,
  'console/explorer': [...consoleLists, 'console/market'],
  'console/tokenPage': [...consoleLists, 'console/market'],
  'console/notifications': consoleLists,
  'console/search': [...consoleLists, 'console/account'],
  'console/trade': [...consoleLists, 'console/account', 'console/market', 'shared/strategies'],
  'console/status': [...consoleBase, 'shared/alarms'],
  'console/app': ['console'],
  'console/testing': ['console'],
}

const imported = /\b(?:from|import)\s*\(?\s*'(?<module>[^']+)'/g
/** An import for its effect alone, such as `import './networks/loadOperatorNetworks.ts'`. */
const networksImport = /^import '[^']*\/load[A-Z]\w*Networks\.ts'$/m
const firstImport = /^import .*$/m

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** @returns what is wrong with an import, undefined for an allowed one */
const findFault = (path: string, folder: string, module: string): string | undefined => {
  // the only package that a layer leaves to another
  if (folder.startsWith('functions') && /^drizzle-orm\b/.test(module)) return 'SQL belongs to schema/queries'
  if (!/^[.#]/.test(module)) return undefined
  const target = module.startsWith('#') ? module.slice(1) : join(dirname(path), module)
  const own = folder === 'functions' ? path.split('/').slice(0, 2).join('/') : folder
  const allowed = [own, ...(importsOf[folder] ?? [])]
  return allowed.some((each) => isInside(target, each)) ? undefined : `allowed are ${allowed.join(', ')}`
}

/**
 * Imports against the direction of the folders, and modules that load networks for those imported after them but are
 * not imported first: a tool that sorts imports moves such an import to the end unless an empty line separates it.
 * @returns one line for each
 */
export const computeImportFaults = (files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) => {
    const [load] = networksImport.exec(text) ?? []
    const late = load !== undefined && load !== firstImport.exec(text)?.[0]
    const folder = Object.keys(importsOf).find((each) => isInside(path, each))
    const modules = folder ? [...text.matchAll(imported)].map(([, module = '']) => module) : []
    return [
      ...(late ? [`${path}: ${load} must be the first import, with an empty line after it`] : []),
      ...modules.flatMap((module) => {
        const fault = findFault(path, folder ?? '', module)
        return fault ? [`${path}: imports ${module}; ${fault}`] : []
      }),
    ]
  })
