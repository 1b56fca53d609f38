import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type LogLevel = 'debug' | 'log' | 'info' | 'warn' | 'error'

/**
 * `wrangler dev` for several Workers in one process; the first configuration serves the port. Offline: no telemetry, no
 * update check, no request metadata from the network. The registry through which local Workers find each other, and
 * wrangler's other user state, belong to the stack.
 */
export const buildDevCommand = (options: {
  dir: string
  configFiles: string[]
  port: number
  logLevel: LogLevel
}): { command: string; args: string[]; env: NodeJS.ProcessEnv } => {
  const { dir, configFiles, port, logLevel } = options
  const flags = {
    '--ip': '127.0.0.1',
    '--port': port,
    '--inspector-port': 0,
    '--persist-to': join(dir, 'durable'),
    '--log-level': logLevel,
    '--show-interactive-dev-session': false,
  }
  const { PATH, HOME, TMPDIR } = process.env
  return {
    command: process.execPath,
    args: [
      join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js'),
      'dev',
      ...configFiles.flatMap((file) => ['--config', file]),
      ...Object.entries(flags).map(([flag, value]) => `${flag}=${value}`),
    ],
    env: {
      PATH,
      HOME,
      TMPDIR,
      NODE_ENV: 'production',
      FORCE_COLOR: '0',
      XDG_CONFIG_HOME: join(dir, 'wrangler'),
      WRANGLER_CACHE_DIR: join(dir, 'wrangler/cache'),
      WRANGLER_REGISTRY_PATH: join(dir, 'registry'),
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      WRANGLER_WRITE_LOGS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      X_LOCAL_EXPLORER: 'false',
      X_LOCAL_OBSERVABILITY: 'false',
    },
  }
}
