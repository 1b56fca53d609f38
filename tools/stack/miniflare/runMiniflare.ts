/**
 * Program: runs Workers from bundles in workerd until SIGTERM, without wrangler. SIGHUP reads their configurations
 * again and restarts them, SIGUSR2 runs their crons once. `--port`, `--persist-to` and each `--config` mean what they
 * mean for `wrangler dev`.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import { buildMiniflareOptions } from './buildMiniflareOptions.ts'

type Miniflare = {
  ready: Promise<URL>
  dispose: () => Promise<void>
  setOptions: (options: object) => Promise<void>
  getWorker: (name: string) => Promise<{ scheduled: (options: { cron: string }) => Promise<unknown> }>
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'persist-to': { type: 'string', default: '' },
    config: { type: 'string', multiple: true, default: [] },
  },
})
// the one of wrangler, so that both run the same workerd
const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json')
const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = createRequire(wrangler)('miniflare') as {
  Miniflare: new (options: object) => Miniflare
  convertV4MiniflareOptions: (options: object) => object
  Log: new (level: number) => object
  LogLevel: { WARN: number }
}

const readConfigs = (): Promise<WorkerConfig[]> =>
  Promise.all(values.config.map(async (file) => JSON.parse(await readFile(file, 'utf8'))))
const handleStructuredLogs = ({ message }: { message: string }) => console.log(message)
const buildOptions = (configs: WorkerConfig[]): object => {
  const options = buildMiniflareOptions(configs, { port: Number(values.port), storage: values['persist-to'] })
  return convertV4MiniflareOptions({ ...options, log: new Log(LogLevel.WARN), handleStructuredLogs })
}
const miniflare = new Miniflare(buildOptions(await readConfigs()))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void miniflare.dispose().then(() => process.exit(0)))
const runAllCrons = async (): Promise<void> => {
  for (const { name, triggers } of await readConfigs())
    for (const cron of (triggers as { crons?: string[] } | undefined)?.crons ?? [])
      await (await miniflare.getWorker(name)).scheduled({ cron })
}
/** for the next run */
let isRequested = false
let isRunning = false
/** Runs all crons; a request during a run begins another one after it. */
const runCrons = async (): Promise<void> => {
  isRequested = true
  if (isRunning) return
  isRunning = true
  try {
    while (isRequested) {
      isRequested = false
      await runAllCrons()
    }
  } finally {
    isRunning = false
  }
}
const restart = async (): Promise<void> => miniflare.setOptions(buildOptions(await readConfigs()))
// Miniflare would end.
process.removeAllListeners('SIGHUP')
process.on('SIGHUP', () => void restart().catch((error: unknown) => console.error('the restart failed:', error)))
process.on('SIGUSR2', () => void runCrons().catch((error: unknown) => console.error('a cron failed:', error)))
console.log(`Ready on ${await miniflare.ready}`)
