import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Runs the command `npm run simulate`. */
export const runSimulation = async (
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part))
  const [code] = await once(child, 'close')
  return { code, output }
}
