import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cacheFolder } from './cache/cacheFolder.ts'
import { readCommand } from './command/readCommand.ts'

readCommand({
  run: 'npm test',
  about: `Checks lint and types and runs a short simulation beside the unit tests, then one end-to-end test file for each flow of a user. The other end-to-end tests: npm run test:e2e. Long variants: npm run test:long.`,
  options: {},
})

/** Steps of a stage run side by side, stages one after the other until one fails. */
const stages: readonly Readonly<Record<string, string>>[] = [
  {
    unit: 'npx vitest run --project unit',
    checks:
      'npm run --silent lint && npm run --silent types && npm run --silent simulate -- --seed 1 --seeds 1 --blocks 20',
  },
  // alone: most of its time is waiting for blocks, which a loaded machine delays
  { flows: 'npx vitest run --project flows' },
]

/** Runs a command, with its name before each line of its output. */
const run = async ([name, command]: [string, string]): Promise<{ name: string; code: number; seconds: number }> => {
  const began = performance.now()
  const child = spawn(command, { cwd: join(import.meta.dirname, '..'), shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(`[${name}] ${line}`))
  const [code] = (await once(child, 'close')) as [number | null]
  return { name, code: code ?? 1, seconds: Math.round((performance.now() - began) / 1_000) }
}

// compiled modules, for all processes of the tests
process.env.NODE_COMPILE_CACHE ??= join(cacheFolder, 'modules')
for (const stage of stages) {
  const results = await Promise.all(Object.entries(stage).map(run))
  for (const { name, code, seconds } of results)
    console.log(`${name} ${code === 0 ? 'passed' : 'failed'} after ${seconds} s`)
  process.exitCode = Math.max(...results.map(({ code }) => code))
  if (process.exitCode !== 0) break
}
