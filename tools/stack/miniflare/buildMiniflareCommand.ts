import { join } from 'node:path'

/**
 * Miniflare copies its configuration with all bundles, seven megabytes, for hundreds of small parts. Above this size
 * glibc maps and unmaps memory for each copy, a quarter of the processor time of Miniflare's start; bytes.
 */
const mapFromBytes = 256 * 1024 * 1024

/** Runs Workers from bundles in one workerd, without wrangler: a fraction of its start-up, and no proxy in front. */
export const buildMiniflareCommand = (options: {
  dir: string
  configFiles: string[]
  port: number
}): { command: string; args: string[]; env: NodeJS.ProcessEnv } => {
  const { dir, configFiles, port } = options
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'runMiniflare.ts'),
      `--port=${port}`,
      `--persist-to=${join(dir, 'durable')}`,
      ...configFiles.map((file) => `--config=${file}`),
    ],
    env: {
      ...{ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE },
      MALLOC_MMAP_THRESHOLD_: String(mapFromBytes),
      ...{ NODE_ENV: 'production', FORCE_COLOR: '0', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
    },
  }
}
