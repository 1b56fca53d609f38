/**
 * Program: outlives its parent just long enough to kill the parent's remaining process groups.
 * Each line on stdin is `+<group>` or `-<group>`; at the end of input, which follows any end of the parent, every
 * listed group is killed.
 */
import { createInterface } from 'node:readline'

const groups = new Set<number>()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const group = Number(line.slice(1))
    if (line.startsWith('+')) groups.add(group)
    else groups.delete(group)
  })
  .on('close', () => {
    for (const group of groups) {
      try {
        process.kill(-group, 'SIGKILL')
      } catch {
        // already gone
      }
    }
  })
