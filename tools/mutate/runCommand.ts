import { spawn } from 'node:child_process'

export type CommandOutcome = { code: number | null; output: string; timedOut: boolean }

/** Runs a command and its children as one process group, which ends at the time limit or with this process. */
export const runCommand = (
  folder: string,
  [command, ...args]: [string, ...string[]],
  limitMs: number,
): Promise<CommandOutcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let timedOut = false
    const kill = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'))
    process.once('exit', kill)
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, limitMs)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.off('exit', kill)
      resolve({ code, output, timedOut })
    })
  })
