import { copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { collectWasm, type WasmSources } from './bundler/collectWasm.ts'
import { embedAbis } from './bundler/embedAbis.ts'
import { embedNetworks } from './bundler/embedNetworks.ts'
import { replaceModules } from './bundler/replaceModules.ts'

const repository = join(import.meta.dirname, '../..')

/**
 * Builds bundles as deployments upload them. Modules that several Workers import are read and parsed once.
 * @param mains absolute path of each Worker's entry, by the name of its folder
 * @param folder receives `<name>/<entry>.js` and beside it the WebAssembly modules that the Worker imports
 * @returns absolute path of each bundle, by the same names
 * @throws Error with the bundler's messages
 */
export const bundleWorkers = async <Name extends string>(
  mains: Readonly<Record<Name, string>>,
  folder: string,
): Promise<Record<Name, string>> => {
  const entries = Object.entries<string>(mains).map(([name, main]) => [`${name}/${basename(main, '.ts')}`, main])
  const modules: WasmSources = new Map()
  const { metafile } = await build({
    entryPoints: Object.fromEntries(entries),
    absWorkingDir: repository,
    outdir: folder,
    bundle: true,
    metafile: true,
    logLevel: 'silent',
    minify: true,
    format: 'esm',
    // what workerd runs
    target: 'es2024',
    supported: { using: true },
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    define: {
      'process.env.NODE_ENV': '"production"',
      'navigator.userAgent': '"Cloudflare-Workers"',
    },
    plugins: [replaceModules, embedNetworks, embedAbis, collectWasm(modules)],
  })
  await copyModules(metafile, modules)
  const bundles = Object.entries<string>(mains).map(([name, main]) => [name, join(folder, name, toBundleName(main))])
  return Object.fromEntries(bundles)
}

/** Name of the bundle of an entry, in its folder. */
export const toBundleName = (main: string): string => `${basename(main, '.ts')}.js`

/** Each beside the bundles that import it. */
const copyModules = async ({ outputs }: Metafile, modules: WasmSources): Promise<void> => {
  const copies = Object.entries(outputs).flatMap(([bundle, { imports }]) =>
    imports.flatMap(({ path }) => {
      const source = modules.get(path)
      return source ? [copyFile(source, join(repository, dirname(bundle), path))] : []
    }),
  )
  await Promise.all(copies)
}
