import { dirname, join, relative } from 'node:path'
import { findPort } from '../../stack/processes/findPort.ts'
import type { Reaper } from '../../stack/processes/startReaper.ts'
import { waitUntil } from '../../stack/processes/waitUntil.ts'
import { findWasmModules } from '../../workers/findWasmModules.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import { readProcessUsage } from '../workerd/readProcessUsage.ts'
import { startWorkerd } from '../workerd/startWorkerd.ts'

const timeoutMs = 30_000

/**
 * CPU time until a workerd's only Worker responds; it contains the bundle of another Worker.
 * @param use `run` compiles the bundle with its WebAssembly and evaluates its modules, `text` only contains them
 * @returns milliseconds
 */
export const measureStartup = async (
  config: WorkerConfig,
  use: 'run' | 'text',
  { dir, reaper }: { dir: string; reaper: Reaper },
): Promise<number> => {
  const port = await findPort(0, 'PORT')
  const buildConfig = (file: string) => buildLoader(config, use, dirname(file), port)
  const group = await startWorkerd({ name: config.name, dir, buildConfig, reaper })
  try {
    const isLoaded = async () => (await fetch(`http://127.0.0.1:${port}`)).ok
    await waitUntil(`${config.name} is loaded`, isLoaded, { timeoutMs, intervalMs: 5, ended: group.ended })
    return (await readProcessUsage(group.pid)).cpuMs
  } finally {
    await group.kill()
  }
}

const buildLoader = (config: WorkerConfig, use: 'run' | 'text', folder: string, port: number): string => {
  const { main } = config
  const embed = (path: string) => `embed ${JSON.stringify(relative(folder, path))}`
  const wasm = findWasmModules(main).map(
    (name) =>
      `(name = ${JSON.stringify(name)}, ${use === 'run' ? 'wasm' : 'data'} = ${embed(join(dirname(main), name))}),`,
  )
  const code = "import * as loaded from 'worker'; export default { fetch: () => new Response(typeof loaded.default) }"
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "loader", worker = (
    modules = [
      (name = "loader", esModule = ${JSON.stringify(code)}),
      (name = "worker", ${use === 'run' ? 'esModule' : 'text'} = ${embed(main)}),
      ${wasm.join('\n      ')}
    ],
    compatibilityDate = ${JSON.stringify(config.compatibility_date)},
    compatibilityFlags = ${JSON.stringify(config.compatibility_flags ?? [])},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "loader")],
);
`
}
