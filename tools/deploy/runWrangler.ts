import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const timeoutMs = 300_000
const maxOutputLength = 200_000

export type WranglerResult = { succeeded: boolean; output: string }

/** Output of a failed wrangler run; it contains names of settings, never their values. */
export class WranglerError extends Error {
  constructor(output: string) {
    super(output.trim())
    this.name = 'WranglerError'
  }
}

/** Runs wrangler without prompts, telemetry and log files. */
export type RunWrangler = (args: readonly string[]) => Promise<WranglerResult>

/** @param variables environment of the process, including the Cloudflare credentials */
export const createRunWrangler =
  (variables: NodeJS.ProcessEnv): RunWrangler =>
  async (args) => {
    const wrangler = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js')
    const child = spawn(process.execPath, [wrangler, ...args], {
      env: {
        ...withoutSettings(variables),
        CI: 'true',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_SEND_ERROR_REPORTS: 'false',
        WRANGLER_WRITE_LOGS: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        output = `${output}${text}`.slice(-maxOutputLength)
      })
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return { succeeded: code === 0, output: stripVTControlCharacters(output) }
  }

/** Deployment settings reach wrangler only through the file of each Worker. */
const withoutSettings = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('EDGEBOOK_')))
