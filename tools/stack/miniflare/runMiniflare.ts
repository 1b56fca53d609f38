/**
 * Program: runs Workers from bundles in workerd until SIGTERM, without wrangler.
 * `--port`, `--persist-to` and each `--config` mean what they mean for `wrangler dev`.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { buildMiniflareOptions } from './buildMiniflareOptions.ts'

type Miniflare = { ready: Promise<URL>; dispose: () => Promise<void> }

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

const configs = await Promise.all(values.config.map(async (file) => JSON.parse(await readFile(file, 'utf8'))))
const options = buildMiniflareOptions(configs, { port: Number(values.port), storage: values['persist-to'] })
const handleStructuredLogs = ({ message }: { message: string }) => console.log(message)
const miniflare = new Miniflare(
  convertV4MiniflareOptions({ ...options, log: new Log(LogLevel.WARN), handleStructuredLogs }),
)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void miniflare.dispose().then(() => process.exit(0)))
console.log(`Ready on ${await miniflare.ready}`)
