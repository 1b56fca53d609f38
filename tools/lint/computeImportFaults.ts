/** An import for its effect alone, such as `import './networks/loadOperatorNetworks.ts'`. */
const effectImport = /^import '(?<module>[^']+)'$/gm
const firstImport = /^import .*$/m

/**
 * Modules that load networks for the modules imported after them, but are not imported first. Tools that sort imports move
 * such an import to the end unless an empty line separates it.
 */
export const computeImportFaults = (files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) => {
    const [first] = firstImport.exec(text) ?? []
    return [...text.matchAll(effectImport)]
      .filter(([line, module = '']) => /\/load[A-Z]\w*Networks\.ts$/.test(module) && line !== first)
      .map(([, module]) => `${path}: ${module} must be the first import, with an empty line after it`)
  })
